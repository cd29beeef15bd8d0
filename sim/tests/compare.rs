//! `sim compare`: the matrix, the costs, and how many faults a store survives.

use onestroke_scenarios::{catalogue, find};
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

fn here(line: &str) -> Output {
    sim(Path::new("."), line, "100")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it prints text")
}

fn json(line: &str) -> Value {
    let output = here(line);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|bad| panic!("{bad}: {output:?}"))
}

fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("{name} is a number in {value}"))
}

#[test]
fn each_scenario_is_compared_with_the_stores_that_play_in_it() {
    let stores = onestroke_store::stores::catalogue();
    let report = json("compare --seeds 20 --faults 1 --format json");
    let cells = report["cells"].as_array().expect("cells");
    let expected: usize = catalogue().iter().map(|one| one.cast(&stores).count()).sum();
    assert_eq!(cells.len(), expected);
    assert!(cells.iter().all(|cell| cell["seeds"] == 20));
    let costs = report["costs"].as_array().expect("costs");
    let on_a_rainy_night = costs.iter().filter(|one| one["scenario"] == "rainy-night");
    let rainy = find("rainy-night").expect("it is in the catalogue");
    assert_eq!(on_a_rainy_night.count(), rainy.cast(&stores).count());
    for store in &stores {
        let plays = catalogue().iter().any(|one| one.expect.contains_key(store.name));
        let family = costs.iter().any(|one| one["family"] == store.family);
        assert!(family || !plays, "the family of {} has costs", store.name);
    }
    assert_eq!(report["complete"], true);
}

#[test]
fn the_costs_follow_from_sums_and_the_weather_costs_more_than_the_calm() {
    let report = json("compare --seeds 300 --faults 1 --scenario rainy-night --format json");
    for store in report["costs"].as_array().expect("costs") {
        let (weather, calm) = (&store["weather"], &store["calm"]);
        assert_eq!(number(weather, "runs"), 300);
        assert_eq!(number(weather, "operations"), number(calm, "operations"), "{store}");
        assert_eq!(number(calm, "attempts"), number(calm, "operations"), "{store}");
        assert_eq!(number(calm, "answered"), number(calm, "operations"), "{store}");
        assert!(number(weather, "attempts") > number(calm, "attempts"), "{store}");
        assert!(number(weather, "latency_p99_us") > number(calm, "latency_p99_us"), "{store}");
        assert!(number(calm, "latency_p50_us") <= number(calm, "latency_p99_us"), "{store}");
    }
}

#[test]
fn a_store_that_falls_to_one_fault_and_one_that_survives_are_told_apart() {
    let line = "compare --seeds 20 --scenario lost-reply --store no-dedup --store one-transaction";
    let report = json(&format!("{line} --faults 1 --format json"));
    let survived = &report["survived"];
    assert_eq!((&survived["scenario"], &survived["faults"]), (&"two-attempts".into(), &1.into()));
    let of = |name: &str| {
        let stores = survived["stores"].as_array().expect("stores");
        stores.iter().find(|one| one["store"] == name).cloned().expect("it is there")
    };
    assert_eq!(
        (&of("no-dedup")["survives"], &of("no-dedup")["kinds"][0]),
        (&0.into(), &"double-effect".into())
    );
    let right = of("one-transaction");
    assert_eq!((&right["survives"], &right["complete"]), (&2.into(), &true.into()));
    assert_eq!(right["kinds"].as_array().map(Vec::len), Some(0));
    let said = text(&here(&format!("{line} --faults 1")).stdout);
    assert!(said.contains("falls to 1 fault: double-effect"), "{said}");
    assert!(said.contains("survives any 1 fault and 1 overtaking"), "{said}");
}

#[test]
fn it_fits_the_screen_and_a_pipe_and_prints_the_same_whatever_the_threads() {
    for columns in ["80", "100"] {
        let line = "compare --seeds 30 --faults 1";
        let one = sim(Path::new("."), &format!("{line} --threads 1"), columns);
        let two = sim(Path::new("."), &format!("{line} --threads 2"), columns);
        let said = text(&one.stdout);
        assert_eq!(said, text(&two.stdout));
        let width: usize = columns.parse().expect("a number");
        for line in said.lines() {
            assert!(line.chars().count() <= width, "at {columns} columns: {line}");
            assert!(!line.contains('\u{1b}') && !line.ends_with(' '), "{line}");
        }
        for scenario in catalogue() {
            let rows = said.lines().filter(|line| line.starts_with(&format!("{} ", scenario.name)));
            assert!(rows.count() >= 1, "{} has a row at {columns} columns", scenario.name);
        }
    }
}

#[test]
fn in_markdown_every_row_has_as_many_cells_as_its_heading() {
    let said = text(&here("compare --seeds 30 --faults 1 --markdown").stdout);
    let mut tables = 0;
    let mut cells = 0;
    for line in said.lines() {
        let here = line.matches('|').count();
        match (cells, here) {
            (_, 0) => cells = 0,
            (0, here) => (cells, tables) = (here, tables + 1),
            (cells, here) => assert_eq!(cells, here, "{line}"),
        }
    }
    assert!(tables >= 4, "the matrix, two of costs, and one of faults: {said}");
    assert!(said.contains("| lost-reply | double |"), "{said}");
}

#[test]
fn what_a_scenario_does_not_expect_is_said_and_ends_with_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = "claim = \"x\"\n\n[weather]\ndrop-reply = \"30%\"\n\n[expect]\nno-dedup = []\n\
                    one-transaction = []\n";
    fs::write(folder.path().join("wrong.toml"), scenario).expect("it is written");
    let line = "compare --seeds 100 --faults 1 --scenario wrong.toml";
    let output = sim(folder.path(), line, "100");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout).replace('\n', " ");
    assert!(said.contains("not expected: double-effect of no-dedup in wrong.toml"), "{said}");
    assert!(said.contains("--scenario wrong.toml --store no-dedup"), "{said}");
    let named = sim(folder.path(), &format!("{line} --store one-transaction"), "100");
    assert_eq!(named.status.code(), Some(0), "{}", text(&named.stdout));
}

#[test]
fn a_store_that_does_not_play_has_a_blank_cell_and_no_costs() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "claim = \"x\"\n\n[weather]\ndrop-reply = \"30%\"\n\n[expect]\n";
    let write = |name: &str, expect: &str| {
        fs::write(folder.path().join(name), format!("{head}{expect}")).expect("it is written");
    };
    write("a.toml", "no-dedup = [\"double-effect\"]\none-transaction = []\n");
    write("b.toml", "no-dedup = [\"double-effect\"]\nbare-duplicate = [\"wrong-reply\"]\n");
    let line = "compare --seeds 100 --faults 1 --scenario a.toml --scenario b.toml";
    let output = sim(folder.path(), line, "100");
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    let row = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(name)).expect("a row");
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("a.toml"), ["a.toml", "double", "·"]);
    assert_eq!(row("b.toml"), ["b.toml", "double", "wrong"]);
    assert!(said.replace('\n', " ").contains("blank: it does not play there."), "{said}");
    assert!(said.contains("Not in b.toml, and so not measured: one-transaction."), "{said}");
}
