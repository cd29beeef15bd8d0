//! TTL against retries: the two ends of the answer are windows that were run, and hold again.

use onestroke_scenarios::{FindingKind, find};
use onestroke_sim::run::{Backend, Setup};
use onestroke_sim::search::hunt::{Control, hunt};
use onestroke_sim::search::ttl::{Attained, attain, with_window};
use onestroke_store::{Span, stores};
use std::process::Command;
use std::sync::Arc;

const SEEDS: u64 = 200;

fn setup(scenario: &str, store: &str) -> Setup {
    let entry = stores::catalogue().into_iter().find(|entry| entry.name == store);
    Setup {
        scenario: Arc::new(find(scenario).expect("it is there")),
        store: entry.expect("it is there"),
        backend: Backend::Memory,
    }
}

fn attained(setup: &Setup, threads: usize) -> Attained {
    attain(setup, &(0..SEEDS), threads, &Control::default())
}

fn expired(setup: &Setup, window: Span) -> Option<u64> {
    let campaign = hunt(&with_window(setup, window), 0..SEEDS, 2, &Control::default());
    campaign.found.get(&FindingKind::Expired).map(|tally| tally.first)
}

fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sim")).arg("ttl").args(args).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn one_tick_divides_the_window_that_breaks_from_one_that_holds() {
    let setup = setup("record-expires", "one-transaction");
    let attained = attained(&setup, 2);
    let breaks = attained.breaks.expect("the scenario is about expiry");
    let holds = attained.holds.expect("the bound on paper holds");
    assert_eq!(breaks.window + Span::from_micros(1), holds);
    assert_eq!(expired(&setup, breaks.window), Some(breaks.seed));
    assert_eq!(expired(&setup, holds), None);
    assert!(attained.complete && attained.runs == attained.windows * SEEDS);
}

#[test]
fn the_bound_on_paper_is_never_broken() {
    for scenario in onestroke_scenarios::catalogue() {
        let setup = setup(&scenario.name, "one-transaction");
        assert_eq!(expired(&setup, scenario.smallest_safe_window()), None, "{}", scenario.name);
    }
}

#[test]
fn a_store_without_records_never_shows_expired() {
    let attained = attained(&setup("record-expires", "no-dedup"), 2);
    assert_eq!((attained.breaks, attained.windows), (None, 2));
    assert!(attained.complete);
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let setup = setup("rainy-night", "one-transaction");
    assert_eq!(attained(&setup, 1), attained(&setup, 3));
}

#[test]
fn machines_get_the_terms_and_their_sum() {
    let args = ["--seeds", "50", "--format", "json"];
    let report: serde_json::Value = serde_json::from_str(&said(&args)).expect("it is JSON");
    let number = |value: &serde_json::Value| value.as_u64().expect("a whole number");
    let terms = report["terms"].as_array().expect("a list");
    let sum: u64 = terms.iter().map(|term| number(&term["span_us"])).sum();
    assert_eq!(sum, number(&report["last_arrival_us"]));
    assert_eq!(sum + 1, number(&report["smallest_safe_us"]));
    let (holds, breaks) = (number(&report["holds_us"]), number(&report["breaks"]["window_us"]));
    assert_eq!(holds, breaks + 1);
    assert_eq!(number(&report["smallest_safe_us"]) - holds, number(&report["gap_us"]));
    assert!(!report["breaks"]["plan"].as_array().expect("a list").is_empty());
}

#[test]
fn a_lease_is_set_against_the_longest_handling() {
    let of = |scenario, store| said(&["--scenario", scenario, "--store", store, "--seeds", "1"]);
    let short = of("lease-runs-out", "fenced-lease");
    assert!(short.contains("longest handling") && short.contains("lease shortfall"), "{short}");
    let long = of("lease-shorter-than-handling", "one-transaction");
    assert!(!long.contains("longest handling"), "it takes no lease:\n{long}");
}

#[test]
fn people_get_both_bounds_and_the_story() {
    let text = said(&["--seeds", "50"]);
    for part in ["on paper", "smallest safe TTL", "shortfall", "the longest window that broke"] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
}
