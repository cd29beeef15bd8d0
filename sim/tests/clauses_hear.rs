//! Clauses are told only of what they say that they listen to. They say it rightly: told of everything,
//! they come to the same.

use onestroke_sim::check::Checks;
use onestroke_sim::run::{Backend, Runner, Setup};
use std::sync::Arc;

const SEEDS: u64 = 20;

#[test]
fn told_of_everything_the_clauses_come_to_the_same() {
    let stores = onestroke_store::stores::catalogue();
    let (mut told, mut aloud) = (Checks::new(), Checks::new());
    let (mut findings, mut of_all, mut found) = (vec![], vec![], 0);
    for scenario in onestroke_scenarios::catalogue().into_iter().map(Arc::new) {
        for store in scenario.cast(&stores).cloned() {
            let contract = scenario.judged_contract();
            let backend = Backend::Memory;
            let scenario = Arc::clone(&scenario);
            let mut runner = Runner::new(&Setup { scenario, store, backend });
            for seed in 0..SEEDS {
                runner.seed(seed);
                let trace = runner.trace();
                told.reset(&contract, &trace.ops);
                aloud.reset(&contract, &trace.ops);
                for (index, event) in (0..).zip(&trace.events) {
                    told.step(index, event, trace);
                    aloud.step_aloud(index, event, trace);
                }
                told.finish(trace, &mut findings);
                aloud.finish(trace, &mut of_all);
                let Setup { scenario, store, .. } = runner.setup();
                assert_eq!(findings, of_all, "{} with {}, seed {seed}", scenario.name, store.name);
                found += findings.len();
            }
        }
    }
    assert!(found > 1_000, "{found} findings say little");
}
