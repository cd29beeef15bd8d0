//! A second opinion: an independent model of one small world, in `stateright`, and the simulator
//! reach the same outcomes, for three stores and five bounded questions.
//!
//! The question: one operation, at most two attempts and a probe, two servers, the `postgres` profile;
//! at most one crash, one loss, one duplicate. The model was written from the docs and the stores'
//! headers, and shares no code with the simulator; both are enumerated, and the sets of outcomes
//! (`outcome.rs`) are equal, member by member. Had the simulator too few, it could not reach
//! something that its docs promise; had it too many, it would raise false alarms.
//!
//! Where the two worlds differ, and what is done about it:
//!
//! - *Time.* The model has none: whatever is under way may take as long as it likes. The simulator has
//!   fixed latencies, so lateness is not counted as a fault here: each row of [`ROWS`] allows as
//!   much as it takes. In the model a client may stop waiting at any moment; the simulator gets two clients
//!   for that, a patient one whose timeouts leave time for an answer, and a hasty one whose two
//!   attempts overlap and who has given up before either is answered.
//! - *Overtaking.* In the model all handlers pass each other freely. The simulator has one overtaking a
//!   plan, and lateness. That is enough for all that the model can tell apart.
//! - *Routes.* Any server may take any delivery. In the simulator that is a variation, benign in plans:
//!   the two attempts would never meet on one server, and one crash would never kill both. So
//!   the second attempt and the second copy are routed both ways wherever a server dies.
//! - *Second copies* are never dropped in the simulator. Two copies are alike, so that to lose the first one
//!   comes to the same.
//! - *Questions in flight.* A question that is executed after its server died comes, without a clock, to
//!   the same as one executed just before. The sets would be equal without them.
//! - *Ids.* Receipts are compared by whether they agree, not by their text.
//! - *Left out of both:* pauses, cancellations, partitions, sweeps, expiry, deadlocks (these stores
//!   have none).
//!
//! The budgets of the rows are not their product, which is millions of plans. They need not be: what a
//! row reaches is within the question, and together they reach all that the model does.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

#[path = "stateright_model/client.rs"]
mod client;
#[path = "stateright_model/database.rs"]
mod database;
#[path = "stateright_model/model.rs"]
mod model;
#[path = "stateright_model/outcome.rs"]
mod outcome;
#[path = "stateright_model/placements.rs"]
mod placements;
#[path = "stateright_model/strategy.rs"]
mod strategy;

use expect_test::{Expect, expect};
use model::{Action, Bounded, Budget, World};
use onestroke_sim::choice::Strike;
use onestroke_sim::plan::strike_lines;
use onestroke_sim::run::{Backend, Runner, Setup};
use onestroke_sim::search::exhaust::{Depth, exhaust_visiting};
use onestroke_sim::search::hunt::Control;
use outcome::Outcome;
use placements::{Bounds, Reached, outcome_of, reach};
use stateright::{Checker, Model, Path};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use strategy::Strategy;

/// All that the model has, and nothing else; the rates do not matter. Dead sessions always linger:
/// the model lets go of them when it likes.
const SCENARIO: &str = r#"
claim = "one order and one resend, with at most one fault of each kind"

[client]
attempts = 2
CLIENT

[weather]
horizon = "60s"
drop-request = "1%"
drop-reply = "1%"
duplicate-request = "1%"
duplicate-reply = "1%"
late-request = "1%"
late-reply = "1%"
late-duplicate = "1%"
late = ["119ms", "400ms"]
crash = "1%"
in-flight = "50%"
linger = "100%"
hold = "1%"
hold-most = 5
"#;

/// A client that waits long enough for an answer in good weather.
const PATIENT: &str = r#"timeout = "100ms""#;

/// A client that has given up before either attempt can be answered; its probe has time enough.
const HASTY: &str = r#"
timeout = "1ms"
timeout-factor = 3
backoff = "0s"
"#;

/// What may go wrong, in the model and in the simulator.
const QUESTIONS: [(&str, Budget); 5] = [
    ("no fault", Budget { crashes: 0, losses: 0, duplicates: 0 }),
    ("one crash", Budget { crashes: 1, losses: 0, duplicates: 0 }),
    ("one loss", Budget { crashes: 0, losses: 1, duplicates: 0 }),
    ("one duplicate", Budget { crashes: 0, losses: 0, duplicates: 1 }),
    ("one of each", Budget { crashes: 1, losses: 1, duplicates: 1 }),
];

/// What is enumerated in the simulator: crashes, losses, duplicates; overtakings, latenesses.
const ROWS: [(&str, [u8; 5]); 9] = [
    (PATIENT, [0, 0, 0, 1, 2]),
    (PATIENT, [1, 0, 0, 1, 1]),
    (HASTY, [1, 0, 0, 1, 1]),
    (PATIENT, [0, 1, 0, 1, 2]),
    (PATIENT, [0, 0, 1, 1, 2]),
    (HASTY, [0, 0, 1, 1, 2]),
    (PATIENT, [1, 1, 1, 0, 2]),
    (HASTY, [1, 1, 1, 1, 0]),
    (HASTY, [0, 1, 1, 1, 1]),
];

#[test]
fn check_then_act_comes_to_the_same() {
    check(
        Strategy::CheckThenAct,
        &expect![[r#"
            no fault: 339 states, 11 outcomes, effects at most 2
            one crash: 1341 states, 22 outcomes, effects at most 2
            one loss: 509 states, 20 outcomes, effects at most 2
            one duplicate: 8488 states, 103 outcomes, effects at most 3
            one of each: 47908 states, 157 outcomes, effects at most 3
            exhaust, patient client: 16293 runs, 81 of these outcomes
            exhaust, hasty client: 22622 runs, 89 of these outcomes
        "#]],
    );
}

#[test]
fn effect_then_key_comes_to_the_same() {
    check(
        Strategy::EffectThenKey,
        &expect![[r#"
            no fault: 257 states, 11 outcomes, effects at most 2
            one crash: 833 states, 23 outcomes, effects at most 3
            one loss: 407 states, 20 outcomes, effects at most 2
            one duplicate: 6129 states, 103 outcomes, effects at most 3
            one of each: 27078 states, 158 outcomes, effects at most 4
            exhaust, patient client: 7696 runs, 70 of these outcomes
            exhaust, hasty client: 11031 runs, 92 of these outcomes
        "#]],
    );
}

#[test]
fn one_transaction_comes_to_the_same_and_charges_once() {
    check(
        Strategy::OneTransaction,
        &expect![[r#"
            no fault: 153 states, 5 outcomes, effects at most 1
            one crash: 671 states, 9 outcomes, effects at most 1
            one loss: 223 states, 8 outcomes, effects at most 1
            one duplicate: 1162 states, 18 outcomes, effects at most 1
            one of each: 7581 states, 25 outcomes, effects at most 1
            exhaust, patient client: 15511 runs, 24 of these outcomes
            exhaust, hasty client: 18434 runs, 13 of these outcomes
        "#]],
    );
}

fn check(strategy: Strategy, expected: &Expect) {
    let rows = ROWS.map(|(client, [crashes, losses, duplicates, holds, lates])| {
        let faults = Budget { crashes, losses, duplicates };
        let setup = setup(strategy, client);
        let reached = reach(&setup, Bounds { faults, holds, lates });
        (faults, setup, reached)
    });
    let mut summary = String::new();
    for (question, budget) in QUESTIONS {
        let (states, modelled) = modelled(strategy, budget);
        let within: Vec<_> = rows.iter().filter(|(faults, ..)| faults.is_within(budget)).collect();
        let differences = differences(&modelled, &within);
        assert!(differences.is_empty(), "{}, {question}:\n{differences}", strategy.name());
        let effects = modelled.iter().map(|outcome| outcome.effects).max().expect("it ends");
        let outcomes = modelled.len();
        let _ = writeln!(
            summary,
            "{question}: {states} states, {outcomes} outcomes, effects at most {effects}"
        );
    }
    let (_, modelled) = modelled(strategy, QUESTIONS[4].1);
    for (client, called) in [(PATIENT, "patient"), (HASTY, "hasty")] {
        let (runs, exhausted) = exhausted(&setup(strategy, client));
        let unknown: Vec<_> = exhausted.difference(&modelled).collect();
        assert!(unknown.is_empty(), "{}: only exhaust reaches {unknown:?}", strategy.name());
        let reached = exhausted.len();
        let _ =
            writeln!(summary, "exhaust, {called} client: {runs} runs, {reached} of these outcomes");
    }
    expected.assert_eq(&summary);
}

/// What `exhaust` itself reaches with at most two faults of different kinds (a lateness is one of
/// them) and one overtaking, on its own routes: fewer outcomes than the placements above, and none
/// besides.
fn exhausted(setup: &Setup) -> (u64, BTreeSet<Outcome>) {
    let outcomes = Mutex::new(BTreeSet::new());
    let depth =
        Depth { overtakings: 1, each: 1, prune: false, past_findings: true, ..Depth::of(2) };
    let note = |runner: &Runner, _: &[Strike]| {
        let outcome = outcome_of(runner.trace());
        outcomes.lock().expect("no worker panics").insert(outcome);
    };
    let result = exhaust_visiting(setup, depth, 2, &Control::default(), &note);
    assert!(result.levels.iter().all(|level| level.complete), "nobody stopped it");
    (result.runs(), outcomes.into_inner().expect("no worker panics"))
}

fn setup(strategy: Strategy, client: &str) -> Setup {
    let text = SCENARIO.replace("CLIENT", client);
    let scenario = onestroke_scenarios::from_toml(&text, "one-of-each.toml");
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let store = stores.find(|store| store.name == strategy.name());
    Setup {
        scenario: Arc::new(scenario.expect("it is well-formed")),
        store: store.expect("it is in the catalogue"),
        backend: Backend::Memory,
    }
}

/// How many states the model has, and how they end.
fn modelled(strategy: Strategy, budget: Budget) -> (usize, BTreeSet<Outcome>) {
    let ends: Arc<Mutex<BTreeSet<Outcome>>> = Arc::default();
    let noted = Arc::clone(&ends);
    let note = move |path: Path<World, Action>| {
        noted.lock().expect("no checker panics").extend(path.last_state().outcome());
    };
    let checker = Bounded { strategy, budget }.checker().visitor(note).spawn_bfs().join();
    checker.assert_properties();
    let outcomes = std::mem::take(&mut *ends.lock().expect("no checker panics"));
    (checker.unique_state_count(), outcomes)
}

/// What only one of the two worlds reaches, with the plans of the simulator.
fn differences(modelled: &BTreeSet<Outcome>, rows: &[&(Budget, Setup, Reached)]) -> String {
    let mut text = String::new();
    for outcome in modelled {
        if !rows.iter().any(|(.., reached)| reached.outcomes.contains_key(outcome)) {
            let _ = writeln!(text, "only the model reaches {outcome:?}");
        }
    }
    for (_, setup, reached) in rows {
        let runner = Runner::new(setup);
        for (outcome, plan) in reached.outcomes.iter().filter(|(at, _)| !modelled.contains(at)) {
            let _ = writeln!(text, "only the simulator reaches {outcome:?}");
            for line in strike_lines(&plan.strikes, runner.names()) {
                let _ = writeln!(text, "    {line}");
            }
            let _ = writeln!(text, "    routes {:?}", plan.routes);
        }
    }
    text
}
