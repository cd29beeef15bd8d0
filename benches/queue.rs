//! The event queue: take the next event, and put one in its place, with so many waiting.
//!
//! The limit: to find the least of a dozen keys, about ten nanoseconds; a heap of 64 costs about 25.

use criterion::{BenchmarkId, Criterion};
use onestroke_sim::queue::Queue;
use onestroke_sim::time::{Span, Time};
use std::hint::black_box;

/// How many events wait: a usual run, and a crowded one.
const WAITING: [u64; 2] = [16, 64];

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue");
    for waiting in WAITING {
        group.bench_function(BenchmarkId::new("pop-push", waiting), |bencher| {
            let mut queue = Queue::new();
            for number in 0..waiting {
                queue.push(Time::from_micros(number * 7_919 % 10_000), number as u16, number);
            }
            bencher.iter(|| {
                let (at, what) = queue.pop().expect("as many are put in as taken out");
                let later = Span::from_micros(1 + what * 2_654_435_761 % 3_000);
                queue.push(at + later, what as u16, black_box(what));
            });
        });
    }
    group.finish();
}
