//! The reference workload through the whole product, in two tiers. Events are counted as every simulator
//! counts them; the trace has two to three entries for each.
//!
//! The limit: a hand-written loop of state machines over a flat queue, with a running trace hash and no trace,
//! no contract and no moments, spends about 180 instructions an event.

use criterion::{BenchmarkId, Criterion, Throughput};
use onestroke_benches::w1::{Tier, run, runner};

/// Seeds of one measurement.
const SEEDS: u64 = 20;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("w1");
    for (name, tier) in [("simple-store", Tier::Simple), ("one-transaction", Tier::Real)] {
        let mut runner = runner(tier);
        let events = run(&mut runner, 0..SEEDS).events;
        group.throughput(Throughput::Elements(events));
        group.bench_function(BenchmarkId::new("events", name), |bencher| {
            bencher.iter(|| run(&mut runner, 0..SEEDS).hash);
        });
        group.throughput(Throughput::Elements(SEEDS));
        group.bench_function(BenchmarkId::new("seeds", name), |bencher| {
            bencher.iter(|| run(&mut runner, 0..SEEDS).hash);
        });
    }
    group.finish();
}
