//! Real SQLite and the model of it give the same verdicts, seed by seed, and the same traces.

#[path = "common/scenarios.rs"]
mod scenarios;

use onestroke_scenarios::{FindingKind, Scenario, catalogue};
use onestroke_sim::run::{Backend, Runner, Setup};
use onestroke_store::{Entry, stores};
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;
use std::thread;

const SEEDS: u64 = 60;

/// What a seed came to: kinds of findings, and trace hash.
type Came = (Vec<FindingKind>, u64);

fn came(scenario: &Arc<Scenario>, store: &Entry, backend: Backend, seeds: u64) -> Vec<Came> {
    let setup = Setup { scenario: Arc::clone(scenario), store: store.clone(), backend };
    let mut runner = Runner::new(&setup);
    let mut run = |seed| {
        let outcome = runner.seed(seed);
        (outcome.findings.iter().map(|finding| finding.kind).collect(), outcome.hash)
    };
    (0..seeds).map(&mut run).collect()
}

#[test]
fn real_sqlite_runs_as_its_model_does_on_every_seed() {
    let all = catalogue().into_iter().map(Arc::new);
    let (scenarios, left_out): (Vec<_>, Vec<_>) =
        all.partition(|scenario| Backend::Sqlite.suits(scenario).is_ok());
    for scenario in &left_out {
        println!("left out: {}", Backend::Sqlite.suits(scenario).expect_err("it was left out"));
    }
    assert!(left_out.len() <= 3, "{} scenarios are left out", left_out.len());
    let half = scenarios.len() / 2;
    let (first, second) = scenarios.split_at(half);
    let parts = thread::scope(|scope| {
        let workers = [first, second].map(|part| scope.spawn(|| differences(part)));
        workers.map(|worker| worker.join().expect("no panic"))
    });
    let runs: usize = parts.iter().map(|(runs, _)| runs).sum();
    let different: Vec<String> = parts.into_iter().flat_map(|(_, different)| different).collect();
    println!("{runs} runs, {} differ", different.len());
    let cells: usize = scenarios.iter().map(|one| one.cast(&stores::catalogue()).count()).sum();
    assert_eq!(runs, cells * SEEDS as usize);
    assert!(cells >= 231, "only {cells} cells");
    let some = different.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {runs} runs differ:\n{some}", different.len());
}

fn differences(scenarios: &[Arc<Scenario>]) -> (usize, Vec<String>) {
    let mut runs = 0;
    let mut different = Vec::new();
    for scenario in scenarios {
        for store in scenario.cast(&stores::catalogue()).cloned() {
            let model = came(scenario, &store, Backend::MemorySqlite, SEEDS);
            let real = came(scenario, &store, Backend::Sqlite, SEEDS);
            for (seed, (model, real)) in model.iter().zip(&real).enumerate() {
                runs += 1;
                if model != real {
                    let place = format!("{} / {} / seed {seed}", scenario.name, store.name);
                    let what = if model.0 == real.0 { "trace only" } else { "VERDICT" };
                    different.push(format!("{place}: {what}: model {model:x?}, real {real:x?}"));
                }
            }
        }
    }
    (runs, different)
}

#[test]
fn real_sqlite_runs_as_its_model_does_in_any_scenario() {
    let cases = Cell::new(0);
    let result = scenarios::runner(250).run(&scenarios::scenarios(), |scenario| {
        let scenario = Arc::new(scenario);
        // The first family in each scenario; of the others, some in one and some in the next.
        let turn = cases.get();
        cases.set(turn + 1);
        let all = stores::catalogue().into_iter().enumerate();
        let some = all.filter(|(at, one)| one.family == "keys" || (at + turn).is_multiple_of(16));
        for (_, store) in some {
            let model = came(&scenario, &store, Backend::MemorySqlite, 2);
            let real = came(&scenario, &store, Backend::Sqlite, 2);
            prop_assert_eq!(model, real, "{}", store.name);
        }
        Ok(())
    });
    if let Err(bad) = result {
        panic!("{bad}");
    }
}
