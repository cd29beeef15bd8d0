//! `scenarios/README.md` is generated from the scenarios and from the table of bugs. With `UPDATE_EXPECT=1`
//! it is rendered anew.

use expect_test::expect_file;
use onestroke_scenarios::{
    Bug, FindingKind, Fix, Keys, Promise, Scenario, bugs, catalogue, find, fixes,
};
use onestroke_store::{Entry, stores};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const HEAD: &str = "# The catalogue

A scenario is a file in `catalogue/`: a world, a weather, a contract, and what each store shows in it. This page is
generated from those files and from `bugs.toml`; a test compares it with them. `docs/scenarios.md` says how to write
one, and `EXPECTATIONS.md` says why each store of the first family shows what it shows.

By the families of stores that play in them; `keys`, which plays in most, has those that are its own. After the
scenarios come [public bugs](#public-bugs) and [what right stores do](#what-right-stores-do).

";

#[test]
fn the_overview_is_what_the_files_say() {
    let mut text = String::from(HEAD);
    let scenarios = catalogue();
    index(&mut text, &scenarios);
    for scenario in &scenarios {
        entry(&mut text, scenario);
    }
    text += "\n## Public bugs\n\nFaults that real projects have reported, by their mechanism. \"Holds\" is the store \
             that does the same right.\n\n";
    text += "| bug | mechanism | scenario | store | shows | holds |\n|---|---|---|---|---|---|\n";
    let bugs = bugs();
    for Bug { id, name, shown, .. } in &bugs {
        let Some(shown) = shown else { continue };
        let holds = match (&shown.holds, &shown.holds_in) {
            (Some(holds), Some(place)) => format!("{holds}, in {place}"),
            (Some(holds), None) => holds.clone(),
            _ => "no store can".to_owned(),
        };
        let (scenario, store, finding) = (&shown.scenario, &shown.store, &shown.finding);
        writeln!(text, "| {id} | {name} | {scenario} | {store} | {finding} | {holds} |").unwrap();
    }
    text += "\nOut of reach of a simulator of this kind:\n\n";
    for Bug { id, name, outside, .. } in &bugs {
        if let Some(why) = outside {
            writeln!(text, "- **{id}**, {name}: {why}.").unwrap();
        }
    }
    text += "\n## What right stores do\n\nEach is one thing that a store does right, and what the store shows that is the \
             same without it.\n\n";
    text += "| store | what it does | without it | in | shows |\n|---|---|---|---|---|\n";
    for Fix { store, what, without, scenario, finding } in fixes() {
        writeln!(text, "| {store} | {what} | {without} | {scenario} | {finding} |").unwrap();
    }
    expect_file!["../README.md"].assert_eq(&text);
}

/// One line a family, in the order of the stores, with links to its scenarios. The first plays in most
/// of them, to compare with: its line has those in which no other plays.
fn index(text: &mut String, scenarios: &[Scenario]) {
    let stores = stores::catalogue();
    let families: Vec<_> = stores.chunk_by(|one, next| one.family == next.family).collect();
    let plays = |family: &[Entry], one: &Scenario| one.cast(family).next().is_some();
    let mut told = BTreeSet::new();
    for (at, family) in families.iter().enumerate() {
        let alone = |one: &&Scenario| !families[1..].iter().any(|other| plays(other, one));
        let its = scenarios.iter().filter(|one| plays(family, one) && (at > 0 || alone(one)));
        let names: Vec<&str> = its.map(|one| one.name.as_str()).collect();
        let links: Vec<String> = names.iter().map(|name| format!("[{name}](#{name})")).collect();
        let name = family[0].family;
        assert!(!links.is_empty(), "{name} has no scenario");
        writeln!(text, "- **{name}**: {}", links.join(", ")).unwrap();
        told.extend(names);
    }
    assert_eq!(told.len(), scenarios.len(), "each scenario is in some line");
}

fn entry(text: &mut String, scenario: &Scenario) {
    let Scenario { name, claim, source, expect, .. } = scenario;
    writeln!(text, "\n## {name}\n\n{}.\n", capital(claim)).unwrap();
    for source in source {
        writeln!(text, "- {source}").unwrap();
    }
    for kind in FindingKind::ALL {
        let shows = |(store, kinds): (&String, &Vec<FindingKind>)| {
            kinds.contains(&kind).then(|| store.clone())
        };
        let stores: Vec<String> = expect.iter().filter_map(shows).collect();
        if !stores.is_empty() {
            writeln!(text, "- **{kind}**: {}", stores.join(", ")).unwrap();
        }
    }
    let hold: Vec<&str> = expect
        .iter()
        .filter(|(_, kinds)| kinds.is_empty())
        .map(|(store, _)| store.as_str())
        .collect();
    let hold = if hold.is_empty() { "no store".to_owned() } else { hold.join(", ") };
    writeln!(text, "- holds: {hold}").unwrap();
}

fn capital(claim: &str) -> String {
    let mut letters = claim.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

#[test]
fn every_bug_is_shown_as_its_row_says_or_says_why_not() {
    for Bug { id, shown, outside, .. } in bugs() {
        let Some(shown) = shown else {
            assert!(outside.is_some_and(|why| why.len() > 20), "{id}: says why it is out of reach");
            continue;
        };
        assert_eq!(outside, None, "{id}: is shown, and out of reach");
        let scenario = find(&shown.scenario).unwrap_or_else(|bad| panic!("{id}: {bad}"));
        let expected = scenario.expect.get(&shown.store);
        assert!(
            expected.is_some_and(|kinds| kinds.contains(&shown.kind())),
            "{id}: {} does not expect {} of {}",
            shown.scenario,
            shown.finding,
            shown.store
        );
        let holds_in = shown
            .holds_in
            .as_deref()
            .map_or(scenario, |name| find(name).unwrap_or_else(|bad| panic!("{id}: {bad}")));
        if let Some(holds) = &shown.holds {
            let expected = holds_in.expect.get(holds);
            assert_eq!(expected, Some(&vec![]), "{id}: {holds} holds in {}", holds_in.name);
        }
    }
}

#[test]
fn a_scenario_that_names_a_bug_knows_a_number_that_there_is() {
    let known: Vec<String> = bugs().into_iter().map(|bug| bug.id).collect();
    let mut twice = known.clone();
    twice.dedup();
    assert_eq!(twice, known, "each bug has one row");
}

#[test]
fn every_fix_of_a_right_store_turns_a_scenario_red_when_it_is_left_out() {
    let fixes = fixes();
    for fix in &fixes {
        let Fix { store, without, scenario, .. } = fix;
        let found = find(scenario).unwrap_or_else(|bad| panic!("{store}: {bad}"));
        let kinds = found.expect.get(without);
        assert!(kinds.is_some_and(|kinds| kinds.contains(&fix.kind())), "{scenario}: {without}");
        assert_eq!(found.expect.get(store), Some(&vec![]), "{scenario}: {store} holds");
    }
    let told: BTreeSet<&str> = fixes.iter().map(|fix| fix.store.as_str()).collect();
    let untold: Vec<String> =
        right().into_iter().filter(|one| !told.contains(one.as_str())).collect();
    assert!(untold.is_empty(), "nothing says what these do right: {untold:?}");
}

/// The stores that show nothing wherever a store can be right.
fn right() -> BTreeSet<String> {
    let fair = |one: &Scenario| {
        !one.contract.expires
            && one.contract.promise == Promise::ExactlyOnce
            && one.workload.keys != Keys::FreshForEachAttempt
            && one.expect.values().any(Vec::is_empty)
    };
    let scenarios: Vec<Scenario> = catalogue().into_iter().filter(fair).collect();
    let all: BTreeSet<String> =
        scenarios.iter().flat_map(|one| one.expect.keys().cloned()).collect();
    let shows = |store: &String| {
        scenarios.iter().any(|one| one.expect.get(store).is_some_and(|kinds| !kinds.is_empty()))
    };
    all.into_iter().filter(|store| !shows(store)).collect()
}
