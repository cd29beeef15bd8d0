//! `sim bench`: what stores cost under the same weather, and in a crowd.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn sim(line: &str, columns: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.args(line.split_whitespace()).env("NO_COLOR", "1").env("COLUMNS", columns);
    command.output().expect("sim runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it prints text")
}

fn json(line: &str) -> Value {
    let output = sim(&format!("bench {line} --format json"), "100");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|bad| panic!("{bad}: {output:?}"))
}

/// The costs of a store in the scenario itself.
fn cost<'a>(report: &'a Value, store: &str) -> &'a Value {
    let stores = report["stores"].as_array().expect("stores");
    let found = stores.iter().find(|one| one["store"] == store);
    &found.unwrap_or_else(|| panic!("{store} is in {report}"))["cost"]
}

/// The costs of a store in a crowd.
fn in_crowd<'a>(report: &'a Value, backend: &str, clients: u64, store: &str) -> &'a Value {
    let crowds = report["crowds"].as_array().expect("crowds");
    let found = crowds.iter().find(|one| {
        one["backend"] == backend && one["clients"] == clients && one["store"] == store
    });
    &found.unwrap_or_else(|| panic!("{store} among {clients} on {backend} is in {report}"))["cost"]
}

fn number(value: &Value, name: &str) -> u64 {
    let value = name.split('.').fold(value, |value, part| &value[part]);
    value.as_u64().unwrap_or_else(|| panic!("{name} is a number, and not {value}"))
}

#[test]
fn one_waits_where_the_other_refuses() {
    let report =
        json("--seeds 200 --clients 1 --store one-transaction --store one-transaction-409");
    let (patient, hasty) = (cost(&report, "one-transaction"), cost(&report, "one-transaction-409"));
    assert!(number(patient, "waits") > 0 && number(patient, "waited_us") > 0, "{patient}");
    assert_eq!(number(patient, "refusals"), 0, "{patient}");
    assert_eq!((number(hasty, "waits"), number(hasty, "waited_us")), (0, 0), "{hasty}");
    assert!(number(hasty, "refusals") > 0, "{hasty}");
    assert_eq!(number(patient, "operations"), number(hasty, "operations"));
    assert_eq!((number(patient, "wrong_runs"), number(hasty, "wrong_runs")), (0, 0));
}

#[test]
fn a_lease_asks_more_and_no_key_asks_least() {
    let stores = "--store no-dedup --store one-transaction --store fenced-lease";
    let report = json(&format!("--seeds 100 --clients 1 {stores}"));
    let of = |name| number(cost(&report, name), "questions");
    assert!(of("fenced-lease") > of("one-transaction"), "it takes a lease before it begins");
    assert!(of("one-transaction") > of("no-dedup"));
    let late = |name| number(cost(&report, name), "latency_us.p50");
    assert!(late("one-transaction") > late("no-dedup"), "more questions take longer");
    let kept = |name| number(cost(&report, name), "records_at_peak");
    assert_eq!(kept("no-dedup"), 0, "it keeps no record");
    assert_eq!(kept("one-transaction"), number(cost(&report, "one-transaction"), "operations"));
    let day = 24 * 3_600 * 1_000_000;
    assert!(number(cost(&report, "one-transaction"), "kept_us.p50") >= day);
}

#[test]
fn a_wrong_store_is_measured_too_and_is_said_to_be_wrong() {
    let line = "--seeds 200 --clients 1 --store no-dedup --store one-transaction";
    let report = json(line);
    let wrong = cost(&report, "no-dedup");
    assert!((1..200).contains(&number(wrong, "wrong_runs")), "{wrong}");
    assert_eq!(wrong["findings"]["double-effect"], wrong["wrong_runs"]);
    assert_eq!(cost(&report, "one-transaction")["findings"], serde_json::json!({}));
    let said = text(&sim(&format!("bench {line}"), "100").stdout).replace('\n', " ");
    assert!(said.contains("Wrong, of 1000 runs: no-dedup double-effect "), "{said}");
}

#[test]
fn a_crowd_queues_for_one_writer_and_not_for_rows_of_its_own() {
    let report = json("--seeds 40 --clients 100,1 --store one-transaction");
    let p99 = |backend, clients| {
        number(in_crowd(&report, backend, clients, "one-transaction"), "latency_us.p50")
    };
    assert!(p99("memory-sqlite", 100) > 4 * p99("memory-sqlite", 1), "{report}");
    assert!(p99("memory", 100) < 2 * p99("memory", 1), "{report}");
    let waits = |backend| number(in_crowd(&report, backend, 100, "one-transaction"), "waits");
    assert!(waits("memory-sqlite") > 2 * waits("memory"), "{report}");
}

#[test]
fn it_prints_the_same_whatever_the_threads_and_fits_the_screen_and_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "bench --seeds 40 --clients 1,20";
    for columns in ["80", "100"] {
        let [one, two] = ["1", "2"].map(|threads| {
            let svg = folder.path().join(format!("{threads}.svg"));
            let line = format!("{line} --threads {threads} --svg {}", svg.display());
            let said = text(&sim(&line, columns).stdout);
            (said, fs::read_to_string(svg).expect("it was drawn"))
        });
        assert!(one == two, "one thread and two say the same");
        let width: usize = columns.parse().expect("a number");
        for line in one.0.lines() {
            assert!(line.chars().count() <= width, "at {columns} columns: {line}");
            assert!(!line.contains('\u{1b}') && !line.ends_with(' '), "{line}");
        }
    }
    let [one, two] = ["1", "2"].map(|threads| {
        text(&sim(&format!("{line} --format json --threads {threads}"), "100").stdout)
    });
    assert_eq!(one, two);
    assert!(!one.contains("wall"), "no wall time unless it is asked for");
}

#[test]
fn the_plot_names_every_store_and_both_backends() {
    let folder = tempfile::tempdir().expect("a folder");
    let svg = folder.path().join("costs.svg");
    let line = format!("bench --seeds 20 --clients 1,10 --svg {}", svg.display());
    assert_eq!(sim(&line, "100").status.code(), Some(0));
    let drawn = fs::read_to_string(&svg).expect("it was drawn");
    assert!(drawn.starts_with("<svg ") && drawn.trim_end().ends_with("</svg>"));
    let rush = onestroke_scenarios::find("checkout-rush").expect("it is in the catalogue");
    for name in rush.expect.keys().map(String::as_str).chain(["on memory", "on memory-sqlite"]) {
        assert!(drawn.contains(name), "{name} is in the plot");
    }
    let lines = drawn.matches("<polyline").count();
    assert!(lines >= 6 * rush.expect.len(), "a line for each store in each panel: {lines}");
}

#[test]
fn wall_time_is_told_only_when_it_is_asked_for() {
    let line = "--seeds 20 --clients 1 --store one-transaction";
    assert_eq!(json(line)["stores"][0].get("wall_ns"), None);
    assert!(number(&json(&format!("{line} --wall"))["stores"][0], "wall_ns") > 0);
    let said = text(&sim(&format!("bench {line} --wall"), "100").stdout);
    assert!(said.lines().any(|line| line.ends_with(" ns")), "{said}");
}

#[test]
fn what_cannot_be_measured_is_refused_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let lags = folder.path().join("lags.toml");
    fs::write(&lags, "claim = \"x\"\ntopology.replica-lag = \"5ms\"\n").expect("it is written");
    let lags = lags.display().to_string();
    let nowhere = folder.path().join("nowhere").join("costs.svg").display().to_string();
    let cases = [
        ("bench --clients 0".to_owned(), "whole numbers from 1 to 10000"),
        ("bench --clients 1,x".to_owned(), "whole numbers from 1 to 10000"),
        ("bench --clients 10001".to_owned(), "whole numbers from 1 to 10000"),
        ("bench --seeds 0".to_owned(), "a whole number from 1 to"),
        ("bench --store one-transactoin".to_owned(), "did you mean `one-transaction`?"),
        ("bench --scenario checkout-rsh".to_owned(), "did you mean `checkout-rush`?"),
        ("bench --backend memroy".to_owned(), "no backend is called `memroy`"),
        (format!("bench --backend sqlite --scenario {lags}"), "has a replica that lags"),
        (format!("bench --seeds 1 --clients 1 --svg {nowhere}"), "costs.svg"),
    ];
    for (line, told) in cases {
        let output = sim(&line, "100");
        let said = text(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(told), "{line}: {said}");
        assert!(output.stdout.is_empty(), "{line}: it printed an answer");
    }
    assert!(!Path::new(&nowhere).exists());
}
