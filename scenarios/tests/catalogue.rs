//! The catalogue is whole: every scenario says what every store shows, and its table is true.

use expect_test::expect_file;
use onestroke_scenarios::{FindingKind, Keys, Rate, Scenario, Sites, catalogue, find};
use std::fmt::Write as _;

/// The stores of the first family: the matrix shows them all.
fn stores() -> Vec<&'static str> {
    let all = onestroke_store::stores::catalogue();
    all.iter().filter(|entry| entry.family == "keys").map(|entry| entry.name).collect()
}

/// The scenarios of the matrix: all stores of the first family play in them.
fn matrix_scenarios() -> Vec<Scenario> {
    let whole = |one: &Scenario| one.expect.contains_key("no-dedup");
    catalogue().into_iter().filter(whole).collect()
}

#[test]
fn every_scenario_says_what_its_stores_show() {
    for scenario in matrix_scenarios() {
        let mut stores = stores();
        stores.sort_unstable();
        let told = scenario.expect.keys().map(String::as_str);
        let told: Vec<&str> = told.filter(|name| stores.contains(name)).collect();
        assert_eq!(told, stores, "{}: [expect] lists each store once", scenario.name);
    }
    let known = onestroke_store::stores::catalogue();
    for scenario in catalogue() {
        let name = &scenario.name;
        for store in scenario.expect.keys() {
            assert!(
                known.iter().any(|one| one.name == store),
                "{name}: no store is called {store}"
            );
        }
        assert!(!scenario.expect.is_empty(), "{name}: says what some stores show");
        assert!(!scenario.moments.is_empty(), "{name}: names the moments that must occur");
        assert!(!scenario.source.is_empty(), "{name}: says where its claim comes from");
    }
}

#[test]
fn a_scenario_is_found_by_the_name_of_its_file() {
    for scenario in catalogue() {
        assert_eq!(find(&scenario.name), Ok(scenario));
    }
}

#[test]
fn every_file_of_the_folder_is_in_the_catalogue() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the catalogue's folder is there")
        .map(|entry| entry.expect("its entries can be read").file_name())
        .map(|name| name.to_string_lossy().trim_end_matches(".toml").to_owned())
        .collect();
    files.sort_unstable();
    let mut names: Vec<String> = catalogue().into_iter().map(|scenario| scenario.name).collect();
    names.sort_unstable();
    assert_eq!(files, names);
}

#[test]
fn every_kind_of_finding_is_shown_by_some_store() {
    let scenarios = catalogue();
    let shown =
        |kind| scenarios.iter().any(|one| one.expect.values().flatten().any(|k| *k == kind));
    let never: Vec<_> = FindingKind::ALL.into_iter().filter(|kind| !shown(*kind)).collect();
    assert_eq!(never, []);
}

#[test]
fn the_right_stores_break_only_when_records_expire_too_early_or_attempts_share_no_key() {
    for scenario in matrix_scenarios() {
        let expected: &[_] = match scenario.workload.keys {
            Keys::FreshForEachAttempt => &[FindingKind::DoubleEffect],
            _ if scenario.contract.expires => &[FindingKind::Expired],
            _ => &[],
        };
        for store in ["one-transaction", "one-transaction-409"] {
            assert_eq!(scenario.expect[store], expected, "{store} in {}", scenario.name);
        }
    }
}

#[test]
fn faults_fall_where_the_claim_says() {
    let sites = |name: &str| find(name).expect("it is in the catalogue").weather.crash.at;
    let only = |name| Sites::parse(name).expect("it is a site");
    assert_eq!(sites("crash-between-effect-and-key"), only("after apply"));
    assert_eq!(sites("crash-between-key-and-effect"), only("before apply"));
    assert_eq!(sites("crash-after-commit-before-reply"), only("before reply"));
    let calm = find("same-instant").expect("it is in the catalogue").weather;
    assert_eq!((calm.drop_request, calm.crash.rate), (Rate::NEVER, Rate::NEVER));
}

/// The matrix in `EXPECTATIONS.md` says what the files say; `UPDATE_EXPECT=1` renders it anew.
#[test]
fn the_table_of_expectations_is_what_the_files_say() {
    const BEGIN: &str = "<!-- matrix -->\n";
    const END: &str = "<!-- end of matrix -->";
    let told = include_str!("../EXPECTATIONS.md");
    let (head, rest) = told.split_once(BEGIN).expect("the matrix begins");
    let (_, tail) = rest.split_once(END).expect("the matrix ends");
    let scenarios = matrix_scenarios();
    let anew = format!("{head}{BEGIN}{}{END}{tail}", matrix(&scenarios));
    expect_file!["../EXPECTATIONS.md"].assert_eq(&anew);
    for Scenario { name, .. } in &scenarios {
        assert!(tail.contains(&format!("- **{name}**")), "a sentence says why: {name}");
    }
}

fn matrix(scenarios: &[Scenario]) -> String {
    let stores = stores();
    let mut text = format!("| | {} |\n|---|{}\n", stores.join(" | "), "---|".repeat(stores.len()));
    for scenario in scenarios {
        let cells: Vec<String> = stores.iter().map(|store| cell(scenario, store)).collect();
        writeln!(text, "| **{}** | {} |", scenario.name, cells.join(" | "))
            .expect("a string grows");
    }
    text
}

fn cell(scenario: &Scenario, store: &str) -> String {
    let kinds: Vec<&str> = scenario.expect[store].iter().map(|kind| kind.name()).collect();
    if kinds.is_empty() { "·".to_owned() } else { kinds.join(", ") }
}

#[test]
fn every_store_plays_in_some_scenario() {
    let scenarios = catalogue();
    for store in onestroke_store::stores::catalogue() {
        let plays = scenarios.iter().any(|one| one.expect.contains_key(store.name));
        assert!(plays, "no scenario says what {} shows", store.name);
    }
}
