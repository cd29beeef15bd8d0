//! TTL against retries: the two ends of the answer are windows that were run, and hold again.

use onestroke_scenarios::find;
use onestroke_sim::run::{Backend, Setup};
use onestroke_sim::search::hunt::{Control, hunt};
use onestroke_sim::search::ttl::{Attained, Bound, attain, with};
use onestroke_store::{Span, stores};
use std::process::{Command, Stdio};
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
    attain(setup, Bound::Window, &(0..SEEDS), threads, &Control::default())
}

fn expired(setup: &Setup, window: Span) -> Option<u64> {
    breaks(setup, Bound::Window, window)
}

fn breaks(setup: &Setup, bound: Bound, span: Span) -> Option<u64> {
    let campaign = hunt(&with(setup, bound, span), 0..SEEDS, 2, &Control::default());
    campaign.found.get(&bound.breaks_as()).map(|tally| tally.first)
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
    assert_eq!(breaks.span + Span::from_micros(1), holds);
    assert_eq!(expired(&setup, breaks.span), Some(breaks.seed));
    assert_eq!(expired(&setup, holds), None);
    assert!(attained.complete && attained.runs == attained.tried * SEEDS);
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
    assert_eq!((attained.breaks, attained.tried), (None, 2));
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
    for part in [
        "on paper",
        "smallest safe TTL",
        "shortfall",
        "the longest window that broke",
        "See it again:",
    ] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
}

/// A lease is too short by a tick, and so is a queue's patience: both ends were run.
#[test]
fn one_tick_divides_a_lease_and_a_visibility_that_break_from_those_that_hold() {
    let cases = [
        ("lease-runs-out", "unfenced-lease", Bound::Lease),
        ("visibility-too-short", "consumer-marks-after", Bound::Visibility),
    ];
    for (scenario, store, bound) in cases {
        let setup = setup(scenario, store);
        let attained = attain(&setup, bound, &(0..SEEDS), 2, &Control::default());
        let broken = attained.breaks.expect("the scenario is about it");
        let holds = attained.holds.expect("the bound on paper holds");
        assert_eq!(broken.span + Span::from_micros(1), holds, "{store}");
        assert_eq!(breaks(&setup, bound, broken.span), Some(broken.seed), "{store}");
        assert_eq!(breaks(&setup, bound, holds), None, "{store}");
        assert!(holds <= bound.safe(&setup.scenario) && attained.complete, "{store}");
    }
}

/// Where no handler dies midway, to have run out of their lease, or to have a message that was given to
/// another, is the only way in which these stores go wrong.
#[test]
fn the_bound_on_paper_of_leases_and_visibility_is_never_broken() {
    let of = |bound: Bound, store: &str| {
        let shows = |scenario: &onestroke_scenarios::Scenario| {
            let weather = &scenario.weather;
            let die = [weather.crash.rate, weather.cancel.rate, weather.sever.rate];
            die.iter().all(|rate| rate.is_never())
                && scenario
                    .expect
                    .get(store)
                    .is_some_and(|kinds| kinds.contains(&bound.breaks_as()))
        };
        let mut tried = 0;
        for scenario in onestroke_scenarios::catalogue().into_iter().filter(shows) {
            let setup = setup(&scenario.name, store);
            if breaks(&setup, bound, bound.said(&scenario)).is_some() {
                tried += 1;
                let seed = breaks(&setup, bound, bound.safe(&scenario));
                assert_eq!(seed, None, "{store} in {}", scenario.name);
            }
        }
        tried
    };
    assert!(of(Bound::Lease, "unfenced-lease") > 0);
    assert!(of(Bound::Visibility, "consumer-offset-after-output") > 0);
}

/// What `sim ttl` ends with can be pasted, and shows the same.
#[test]
fn the_plan_of_a_span_that_is_too_short_replays_by_what_is_printed() {
    let cases = [
        ("record-expires", "one-transaction", "expired"),
        ("lease-runs-out", "unfenced-lease", "double-effect"),
        ("visibility-too-short", "consumer-marks-after", "double-effect"),
    ];
    for (scenario, store, kind) in cases {
        let text = said(&["--scenario", scenario, "--store", store, "--seeds", "100"]);
        let (_, again) = text.rsplit_once("See it again:\n").expect("something breaks");
        let (again, _) = again.split_once("\nPLAN\n").expect("the plan has an end");
        let line = format!("{again}\nPLAN\n");
        let line = line.replace("cargo run --release --", env!("CARGO_BIN_EXE_sim"));
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env("NO_COLOR", "1").stdin(Stdio::null());
        let shown = shell.output().expect("sh runs");
        assert_eq!(shown.status.code(), Some(1), "{line}\n{shown:?}");
        let shown = String::from_utf8(shown.stdout).expect("it prints text");
        assert!(shown.contains(&format!("{store}: {kind}")), "{line}\n{shown}");
        assert!(shown.contains(" --window ") || kind != "expired", "{shown}");
    }
}

#[test]
fn a_queue_has_terms_of_its_own() {
    let text = said(&[
        "--scenario",
        "visibility-too-short",
        "--store",
        "consumer-marks-after",
        "--seeds",
        "1",
    ]);
    for part in
        ["redelivery", "redrive", "longest processing", "safe visibility", "visibility short"]
    {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
}
