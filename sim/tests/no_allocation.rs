//! No allocation per event in the steady state: memory is kept from run to run, and nothing else is.

use onestroke_sim::run::{Backend, Runner, Setup};
use std::sync::Arc;

/// Allocations and events of so many runs, after as many to warm up.
fn steady(scenario: &str, store: &str) -> (u64, u64) {
    const RUNS: u64 = 2_000;
    let scenario = Arc::new(onestroke_scenarios::find(scenario).expect("it is in the catalogue"));
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let store = stores.find(|entry| entry.name == store).expect("it is in the catalogue");
    let mut runner = Runner::new(&Setup { scenario, store, backend: Backend::Memory });
    for seed in 0..RUNS {
        runner.seed(seed);
    }
    let mut events = 0;
    let counted = allocation_counter::measure(|| {
        for seed in 0..RUNS {
            events += runner.seed(seed).events;
        }
    });
    (counted.count_total, events)
}

#[test]
fn a_run_without_crashes_allocates_nothing() {
    for store in ["one-transaction", "one-transaction-409", "check-then-act"] {
        let (allocations, events) = steady("network-duplicate", store);
        assert!(events > 50_000, "the runs were too short to say anything: {events} events");
        assert_eq!(allocations, 0, "{store}: {allocations} allocations in {events} events");
    }
}

#[test]
fn a_rainy_night_allocates_less_than_once_in_a_hundred_events() {
    let (allocations, events) = steady("rainy-night", "one-transaction");
    assert!(allocations * 100 < events, "{allocations} allocations in {events} events");
}
