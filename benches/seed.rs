//! One whole run: world, store, memory model, checks and moments.
//!
//! The limit is the sum of the parts, which have groups of their own.

use criterion::{Criterion, Throughput};
use std::hint::black_box;

/// A seed in which all sorts of things happen.
const SEED: u64 = 42;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut runner = crate::rainy_night();
    let events = runner.seed(SEED).events;
    let mut group = criterion.benchmark_group("seed");
    group.throughput(Throughput::Elements(events));
    group.bench_function("rainy-night/one-transaction", |bencher| {
        bencher.iter(|| runner.seed(black_box(SEED)).hash);
    });
    group.finish();
}
