//! P5: no false alarm. Whatever the scenario, a right store shows nothing while its records outlive
//! the retries, and nothing but `expired` otherwise; half an effect, if it is done in phases.

#[path = "common/scenarios.rs"]
mod scenarios;

use onestroke_scenarios::{FindingKind, InFlight, Scenario, Stored, WindowFrom};
use onestroke_sim::choice::Source;
use onestroke_sim::run::{Backend, Keep, Outcome, Runner, Setup};
use onestroke_sim::search::shrink::shrink;
use onestroke_sim::trace::What;
use onestroke_store::{Entry, stores};
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;

const CASES: u32 = 300;
const SEEDS: [u64; 3] = [0, 1, 42];
const RIGHT: [&str; 4] =
    ["one-transaction", "one-transaction-409", "fenced-lease", "recovery-points"];

/// What the cases passed through: no vacuous pass.
#[derive(Debug, Default)]
struct Tried {
    safe: Cell<u32>,
    short: Cell<u32>,
    faults: Cell<usize>,
    expired: Cell<u32>,
}

fn entry(name: &str) -> Entry {
    let found = stores::catalogue().into_iter().find(|store| store.name == name);
    found.expect("it is in the catalogue")
}

/// What the shrunk plan of a false alarm says.
fn story(setup: &Setup, seed: u64, kind: FindingKind) -> String {
    let mut runner = Runner::new(setup);
    match shrink(&mut runner, seed, kind) {
        Ok(found) => found.plan.write(runner.names()),
        Err(diverged) => diverged.to_string(),
    }
}

/// The same seed twice with one runner, and once with a fresh one.
fn thrice(setup: &Setup, runner: &mut Runner, seed: u64) -> [Outcome; 3] {
    let first = runner.seed(seed).clone();
    let keep = Keep { details: true, variations: true };
    let again = runner.run(Source::Seeded { seed, salt: 0 }, keep).hash;
    [
        first,
        Outcome { hash: again, ..runner.seed(seed).clone() },
        Runner::new(setup).seed(seed).clone(),
    ]
}

fn judge(scenario: &Arc<Scenario>, store: &str, tried: &Tried) -> Result<(), TestCaseError> {
    let setup =
        Setup { scenario: Arc::clone(scenario), store: entry(store), backend: Backend::Memory };
    let mut runner = Runner::new(&setup);
    let safe = scenario.window_outlives_retries();
    for seed in SEEDS {
        let place = format!("{store}, seed {seed}");
        let [first, second, fresh] = thrice(&setup, &mut runner, seed);
        prop_assert_eq!(&first, &second, "{} again", &place);
        prop_assert_eq!(&first, &fresh, "{} with a fresh runner", &place);
        let endless = runner.trace().events.iter().any(|event| event.what == What::Exhausted);
        prop_assert!(!endless, "{place}: it does not end");
        tried.faults.set(tried.faults.get() + runner.strikes().len());
        let expired = first.findings.iter().any(|found| found.kind == FindingKind::Expired);
        tried.expired.set(tried.expired.get() + u32::from(expired));
        for finding in &first.findings {
            let kind = finding.kind;
            // What is done in phases can also expire between two of them.
            let half = store == "recovery-points" && kind == FindingKind::Torn;
            let allowed = !safe && (kind == FindingKind::Expired || half);
            prop_assert!(
                allowed,
                "{place}: {kind}, and {} outlives {}: {safe}\n{}",
                scenario.shortest_life(),
                scenario.worst_last_arrival(),
                story(&setup, seed, kind)
            );
        }
    }
    Ok(())
}

#[test]
fn a_right_store_shows_nothing_while_its_records_outlive_the_retries() {
    let tried = Tried::default();
    let result = scenarios::runner(CASES).run(&scenarios::scenarios(), |scenario| {
        let safe = scenario.window_outlives_retries();
        let side = if safe { &tried.safe } else { &tried.short };
        side.set(side.get() + 1);
        let scenario = Arc::new(scenario);
        RIGHT.iter().try_for_each(|store| judge(&scenario, store, &tried))
    });
    println!("{tried:?}");
    if let Err(bad) = result {
        panic!("{bad}");
    }
    let Tried { safe, short, faults, expired } = tried;
    assert!(safe.get() >= 30 && short.get() >= 30, "one side was hardly tried");
    assert!(faults.get() > 1_000, "there was hardly any weather");
    assert!(expired.get() > 20, "hardly any window was too short in the world");
}

#[test]
fn whoever_keeps_to_the_contract_is_never_to_blame_for_what_the_window_did() {
    let (tried, moved) = (Tried::default(), Cell::new(0));
    let froms = [WindowFrom::FirstSight, WindowFrom::Completion, WindowFrom::LastHit];
    let scenarios = (scenarios::scenarios(), prop::sample::select(froms.to_vec()));
    let result = scenarios::runner(CASES).run(&scenarios, |(mut scenario, from)| {
        scenario.contract.window_from = from;
        let short = !scenario.window_outlives_retries() && from != WindowFrom::FirstSight;
        moved.set(moved.get() + u32::from(short));
        judge(&Arc::new(scenario), "as-agreed", &tried)
    });
    println!("{tried:?}, {moved:?}");
    if let Err(bad) = result {
        panic!("{bad}");
    }
    assert!(moved.get() >= 30, "hardly any window that was too short began late");
    assert!(tried.expired.get() > 20, "hardly any window was too short in the world");
}

/// A store, and a contract that it keeps.
fn agreements() -> Vec<(&'static str, InFlight, Stored)> {
    let mut all = vec![];
    for stored in [Stored::All, Stored::Success, Stored::SuccessAndRefusals] {
        all.push(("as-agreed", InFlight::Wait, stored));
        all.push(("as-agreed", InFlight::Refuse, stored));
        all.push(("one-transaction", InFlight::TakeOver, stored));
        all.push(("one-transaction-409", InFlight::Refuse, stored));
        all.push(("one-transaction-409", InFlight::TakeOver, stored));
        all.push(("fenced-lease", InFlight::Refuse, stored));
        all.push(("fenced-lease", InFlight::TakeOver, stored));
        all.push(("recovery-points", InFlight::TakeOver, stored));
    }
    all
}

#[test]
fn whoever_keeps_to_what_was_agreed_about_replies_shows_nothing() {
    let tried = Tried::default();
    let scenarios = (scenarios::scenarios(), prop::sample::select(agreements()));
    let result = scenarios::runner(3 * CASES).run(&scenarios, |(mut scenario, agreed)| {
        let (store, in_flight, stored) = agreed;
        (scenario.contract.in_flight, scenario.contract.stored) = (in_flight, stored);
        judge(&Arc::new(scenario), store, &tried)
    });
    println!("{tried:?}");
    if let Err(bad) = result {
        panic!("{bad}");
    }
    assert!(tried.faults.get() > 1_000, "there was hardly any weather");
}
