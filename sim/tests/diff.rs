//! `sim diff`: two stores under one seed, or two plans, side by side from where they part.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn sim(folder: &Path, line: &str, columns: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.args(line.split_whitespace()).current_dir(folder);
    command.env("NO_COLOR", "1").env("COLUMNS", columns);
    command.output().expect("sim runs")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints text")
}

fn json(folder: &Path, line: &str) -> Value {
    let output = sim(folder, &format!("{line} --format json"), "100");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|bad| panic!("{bad}: {output:?}"))
}

const STORES: &str = "diff check-then-act one-transaction --scenario same-instant --seed 3";

const PLAN: &str = "onestroke plan 1\nscenario  lost-reply\nstore     no-dedup\nbackend   memory\n";

/// Two plans, one fault apart.
fn plans() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let with = format!("{PLAN}expect    double-effect\n\ndrop reply of op-1 attempt-1\n");
    fs::write(folder.path().join("with.plan"), with).expect("it is written");
    fs::write(folder.path().join("without.plan"), format!("{PLAN}expect    nothing\n"))
        .expect("it is written");
    folder
}

#[test]
fn two_stores_part_at_their_first_question_and_only_one_charges_twice() {
    let output = sim(Path::new("."), STORES, "100");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "one of them is caught");
    assert!(said.contains("The first 5 events are the same, until 1.023 ms."), "{said}");
    let (before, after) = said.split_once("\ncheck-then-act: double-effect\n").expect("a verdict");
    assert!(after.contains("\none-transaction: nothing found\n"), "{said}");
    let row = |left: &str, right: &str| {
        let both = |line: &&str| {
            line.split_once('│').is_some_and(|(a, b)| a.contains(left) && b.contains(right))
        };
        before.lines().find(both).unwrap_or_else(|| panic!("{left} beside {right}: {said}"));
    };
    row("server-1 attempt-1: look up key-1", "server-1 attempt-1: begin (read committed)");
    row("EFFECT #2", "");
    assert!(!before.split('│').any(|cell| cell.contains("op-1 attempt-1")), "it is common");
}

#[test]
fn what_is_common_is_counted_and_ends_where_the_traces_do() {
    let report = json(Path::new("."), STORES);
    assert_eq!((&report["same_events"], &report["same_until_us"]), (&5.into(), &1_023.into()));
    assert_eq!(report["runs"][0]["findings"][0]["kind"], "double-effect");
    assert_eq!(
        (&report["runs"][1]["verdict"], &report["runs"][1]["seed"]),
        (&"no-breach".into(), &3.into())
    );
    let same = json(Path::new("."), "diff no-dedup no-dedup --seed 1 --scenario lost-reply");
    let events = &same["runs"][0]["events"];
    assert_eq!((&same["same_events"], &same["runs"][1]["events"]), (events, events));
    let said = sim(Path::new("."), "diff one-transaction one-transaction --seed 1", "100");
    assert_eq!(said.status.code(), Some(0));
    assert!(text(&said).contains("They are the same: "), "{}", text(&said));
    assert!(!text(&said).contains('│'), "nothing is left to show: {}", text(&said));
}

#[test]
fn two_plans_that_differ_by_a_fault_show_what_it_does() {
    let folder = plans();
    let output = sim(folder.path(), "diff with.plan without.plan", "100");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "both show what they say");
    assert!(
        said.contains("only in with.plan (no-dedup): drop reply of op-1 attempt-1\n"),
        "{said}"
    );
    assert!(!said.contains("only in without.plan"), "{said}");
    let lost = said.lines().find(|line| line.contains("✖ lost")).expect("the fault is shown");
    let (left, right) = lost.split_once('│').expect("two columns");
    assert!(left.contains("✖ lost") && !right.contains("✖ lost"), "{lost}");
    assert!(said.contains("with.plan (no-dedup): double-effect\n"), "{said}");
    assert!(said.contains("without.plan (no-dedup): nothing found\n"), "{said}");
    let report = json(folder.path(), "diff with.plan without.plan");
    assert_eq!(report["runs"][0]["plan"][0], "drop reply of op-1 attempt-1");
    assert_eq!(report["runs"][1]["plan"], Value::Array(vec![]));
}

#[test]
fn a_plan_that_does_not_show_what_it_says_is_complained_of() {
    let folder = plans();
    let file = folder.path().join("without.plan");
    fs::write(file, format!("{PLAN}expect    torn\n")).expect("it is written");
    let output = sim(folder.path(), "diff with.plan without.plan", "100");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("error: without.plan:5: it should show `torn`"), "{said}");
}

#[test]
fn it_fits_the_screen_and_shows_the_same_on_a_narrow_one() {
    let all = |columns: &str| {
        let said = text(&sim(
            Path::new("."),
            "diff seen-means-done one-transaction-409 --seed 42",
            columns,
        ));
        let width: usize = columns.parse().expect("a number");
        for line in said.lines() {
            assert!(line.chars().count() <= width, "at {columns} columns: {line}");
            assert!(!line.contains('\u{1b}') && !line.ends_with(' '), "{line:?}");
        }
        said
    };
    let (narrow, wide) = (all("80"), all("100"));
    let arrows = |text: &str| text.matches('→').count();
    assert_eq!(arrows(&narrow), arrows(&wide));
    assert!(arrows(&wide) > 5, "{wide}");
}
