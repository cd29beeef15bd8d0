//! The trace: an entry and its share of the running hash.
//!
//! The limit: three multiplications that wait for each other, and a store of 40 bytes: about five
//! nanoseconds.

use criterion::{Criterion, Throughput};
use onestroke_sim::trace::{Event, Trace};
use std::hint::black_box;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut runner = crate::rainy_night();
    runner.seed(42);
    let events = &runner.trace().events;
    let mut trace = Trace::default();
    let mut group = criterion.benchmark_group("trace");
    group.throughput(Throughput::Elements(events.len() as u64));
    group.bench_function("push-and-hash", |bencher| {
        bencher.iter(|| {
            trace.clear();
            for Event { at, what } in black_box(events) {
                trace.push(*at, *what);
            }
            trace.hash()
        });
    });
    group.finish();
}
