//! The oracle: all clauses of the contract, folded over the trace of one run.
//!
//! The limit: one dispatch an entry, about a nanosecond; what some clause listens to costs a table look-up more.

use criterion::{Criterion, Throughput};
use onestroke_sim::check::Checks;
use std::hint::black_box;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut runner = crate::rainy_night();
    runner.seed(42);
    let contract = runner.setup().scenario.contract;
    let trace = runner.trace();
    let mut checks = Checks::new();
    let mut findings = Vec::new();
    let mut group = criterion.benchmark_group("checks");
    group.throughput(Throughput::Elements(trace.events.len() as u64));
    group.bench_function("all-clauses", |bencher| {
        bencher.iter(|| {
            checks.reset(&contract, &trace.ops);
            for (index, event) in (0..).zip(black_box(&trace.events)) {
                checks.step(index, event, trace);
            }
            checks.finish(trace, &mut findings);
            findings.len()
        });
    });
    group.finish();
}
