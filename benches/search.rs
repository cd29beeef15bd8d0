//! The searches: every placement of at most two faults, with worlds told apart and without; and the
//! shrinking of a finding.
//!
//! The limits: an enumerated run cannot cost less than a run, since it starts anew; a world's hash reads all
//! that the world holds, some kilobytes. Shrinking runs a few dozen plans.

use criterion::{Criterion, Throughput};
use onestroke_scenarios::FindingKind;
use onestroke_sim::run::{Backend, Runner, Setup};
use onestroke_sim::search::exhaust::{Depth, exhaust};
use onestroke_sim::search::hunt::Control;
use onestroke_sim::search::shrink::shrink;

pub(crate) fn bench(criterion: &mut Criterion) {
    let world = setup("two-attempts", "one-transaction");
    let mut group = criterion.benchmark_group("exhaust");
    for (name, prune) in [("pruned", true), ("every-run", false)] {
        let depth = Depth { prune, ..Depth::of(2) };
        let search = || exhaust(&world, depth, 1, &Control::default());
        group.throughput(Throughput::Elements(search().runs()));
        group.bench_function(format!("runs-of-two-attempts/{name}"), |bencher| {
            bencher.iter(|| search().runs());
        });
        if prune {
            group.throughput(Throughput::Elements(search().worlds()));
            group.bench_function("worlds-of-two-attempts", |bencher| {
                bencher.iter(|| search().worlds());
            });
        }
    }
    group.finish();

    let mut runner = Runner::new(&setup("rainy-night", "check-then-act"));
    let kind = FindingKind::DoubleEffect;
    let shows = |seed: &u64| runner.seed(*seed).findings.iter().any(|found| found.kind == kind);
    let seed = (0..1_000).find(shows).expect("a rainy night shows it soon");
    let mut group = criterion.benchmark_group("shrink");
    group.bench_function("a-double-effect-of-a-rainy-night", |bencher| {
        bencher.iter(|| shrink(&mut runner, seed, kind).is_ok());
    });
    group.finish();
}

fn setup(scenario: &str, store: &str) -> Setup {
    let scenario = onestroke_scenarios::find(scenario).expect("it is in the catalogue");
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let store = stores.find(|entry| entry.name == store).expect("it is in the catalogue");
    Setup { scenario: scenario.into(), store, backend: Backend::Memory }
}
