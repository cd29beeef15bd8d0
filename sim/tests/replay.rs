//! A recording replays to the same trace, a plan to the same finding, and a plan names nothing that
//! does not matter.

mod common;

use common::{Caught, caught, kinds};
use onestroke_scenarios::catalogue;
use onestroke_sim::check::Finding;
use onestroke_sim::choice::Source;
use onestroke_sim::plan::{Plan, Size};
use onestroke_sim::run::{Backend, Keep, Runner, Setup};
use onestroke_store::stores;
use std::process::Command;
use std::sync::{Arc, LazyLock};

static CAUGHT: LazyLock<Vec<Caught>> = LazyLock::new(|| caught(Backend::Memory));

/// Everything that a seed chose, as text, and its trace hash.
fn recorded(runner: &mut Runner, seed: u64) -> (String, u64) {
    let keep = Keep { details: false, variations: true };
    let hash = runner.run(Source::Seeded { seed, salt: 0 }, keep).hash;
    let setup = runner.setup();
    let plan = Plan {
        scenario: setup.scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
        expect: None,
        workload: Some(seed),
        size: Size::FULL,
        strikes: runner.strikes().to_vec(),
        variations: runner.variations().to_vec(),
        hash: Some(hash),
    };
    (plan.write(runner.names()), hash)
}

#[test]
fn a_recording_replays_to_the_same_trace() {
    let mut replayed = 0;
    for scenario in catalogue().into_iter().map(Arc::new) {
        for store in scenario.cast(&stores::catalogue()).cloned() {
            let setup = Setup { scenario: Arc::clone(&scenario), store, backend: Backend::Memory };
            let mut runner = Runner::new(&setup);
            for seed in [1, 4_711, u64::MAX - replayed] {
                let (text, hash) = recorded(&mut runner, seed);
                let mut fresh = Runner::new(&setup);
                let plan = Plan::read(&text, "recording", fresh.names()).expect("it was written");
                let again = fresh.replay(&plan, Keep::default()).hash;
                let place = format!("{} / {} / seed {seed}", setup.scenario.name, setup.store.name);
                assert_eq!(again, hash, "{place}\n{text}");
                assert_eq!(fresh.unreached(), [], "{place}\n{text}");
                replayed += 1;
            }
        }
    }
    assert!(replayed >= 200, "only {replayed}");
}

/// Once a runner kept its handlers' slots in the order in which earlier runs had freed them, and
/// released those held, and buried those that died, in the order of their slots: the same seed gave
/// one trace in a fresh runner and another after 200 runs, and so one on each number of threads.
#[test]
fn a_seed_does_not_depend_on_the_runs_before_it() {
    for scenario in catalogue().into_iter().map(Arc::new) {
        for store in scenario.cast(&stores::catalogue()).cloned() {
            let setup = Setup { scenario: Arc::clone(&scenario), store, backend: Backend::Memory };
            let mut used = Runner::new(&setup);
            let hashes: Vec<u64> = (0..80).map(|seed| used.seed(seed).hash).collect();
            for seed in (60..80).rev() {
                let fresh = Runner::new(&setup).seed(seed).hash;
                let place = format!("{} / {} / seed {seed}", setup.scenario.name, setup.store.name);
                assert_eq!(hashes[seed as usize], fresh, "{place}");
                assert_eq!(used.seed(seed).hash, fresh, "{place}");
            }
        }
    }
}

/// A finding is known by the events that contradict each other, and is found in a run without details
/// and told in one with them. Stores that fail ("busy") say so in the trace, so that these events may
/// stand elsewhere in it.
#[test]
fn a_finding_is_told_where_it_was_found() {
    let on_sqlite = caught(Backend::MemorySqlite);
    assert!(on_sqlite.len() > 40, "only {} findings", on_sqlite.len());
    for caught in CAUGHT.iter().chain(&on_sqlite) {
        let mut runner = Runner::new(&caught.setup);
        let (found, text) = (caught.found.finding, caught.text());
        let events = |runner: &Runner, finding: &Finding| {
            [finding.first, finding.second].map(|at| runner.trace().events[at as usize])
        };
        runner.replay(&caught.found.plan, Keep::default());
        let contradict = events(&runner, &found);
        let keep = Keep { details: true, variations: false };
        let outcome = runner.replay(&caught.found.plan, keep).clone();
        let same = |one: &Finding| (one.kind, one.op) == (found.kind, found.op);
        let mut alike = outcome.findings.iter().filter(|one| same(one));
        let told = alike.any(|one| events(&runner, one) == contradict);
        let place = caught.place();
        assert!(told, "{place}: {found:?}, with details {:?}\n{text}", outcome.findings);
    }
}

#[test]
fn a_recording_of_the_command_line_is_accepted_by_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let sim = |args: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_sim")).args(args).output();
        command.expect("sim runs")
    };
    let cells = [
        ("rainy-night", "check-then-act", "42"),
        ("rainy-night", "one-transaction", "18446744073709551615"),
        ("overtaking", "select-first-in-transaction", "7"),
        ("record-expires", "one-transaction-409", "3"),
        ("lamp-tips-over", "key-then-effect", "11"),
    ];
    for (scenario, store, seed) in cells {
        let path = folder.path().join(format!("{scenario}-{store}.recording"));
        let file = path.to_str().expect("a plain path");
        let made =
            sim(&["--seed", seed, "--scenario", scenario, "--store", store, "--record", file]);
        let played = sim(&["--plan", file]);
        let said = String::from_utf8_lossy(&played.stderr);
        assert_eq!(said, "", "{scenario} / {store} / seed {seed}");
        assert_eq!(made.status.code(), played.status.code(), "{scenario} / {store} / seed {seed}");
    }
}

#[test]
fn a_plan_replays_to_the_same_finding_twice() {
    for caught in CAUGHT.iter() {
        let text = caught.text();
        let mut runner = Runner::new(&caught.setup);
        let plan = Plan::read(&text, "bug.plan", runner.names()).expect("it was written");
        assert_eq!(plan, caught.found.plan, "{text}");
        for _ in 0..2 {
            let outcome = runner.replay(&plan, Keep::default());
            assert_eq!(outcome.hash, caught.found.hash, "{}\n{text}", caught.place());
            assert!(outcome.findings.contains(&caught.found.finding), "{}", caught.place());
            assert_eq!(runner.unreached(), [], "{}\n{text}", caught.place());
        }
    }
}

#[test]
fn no_fault_of_a_plan_can_be_missed() {
    for caught in CAUGHT.iter() {
        let kind = caught.found.finding.kind;
        let mut runner = Runner::new(&caught.setup);
        for at in 0..caught.found.plan.strikes.len() {
            let mut fewer = caught.found.plan.clone();
            fewer.strikes.remove(at);
            let outcome = runner.replay(&fewer, Keep::default());
            let left = kinds(outcome).contains(&kind);
            assert!(!left, "{}: fault {at} is not needed\n{}", caught.place(), caught.text());
        }
    }
}
