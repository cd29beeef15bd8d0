//! One decision of the weather, at a question of a handler.
//!
//! The limit: a keyed mix of one word, a nanosecond or two, and a comparison a fault.

use criterion::{Criterion, Throughput};
use onestroke_sim::choice::{Bounds, Choice, Fault, Odds};
use onestroke_sim::point::{Op, Point, Step, Subject};
use onestroke_sim::time::{Span, Time};
use onestroke_store::Verb;
use std::hint::black_box;

/// Decisions between two resets: about what a run makes.
const DECISIONS: usize = 256;

pub(crate) fn bench(criterion: &mut Criterion) {
    let points: Vec<Point> = (0..DECISIONS).map(point).collect();
    let mut odds = Odds::default();
    odds.add(Fault::Crash { in_flight: false, linger: false }, 20_000, (1, 1));
    odds.add(Fault::Cancel, 20_000, (1, 1));
    odds.add(Fault::Pause(Span::from_millis(150)), 20_000, (1, 1));
    let bounds = Bounds { horizon: Time::MAX, most_faults: u16::MAX };
    let mut choice = Choice::new(bounds);
    let mut group = criterion.benchmark_group("choice");
    group.throughput(Throughput::Elements(DECISIONS as u64));
    group.bench_function("seeded", |bencher| {
        bencher.iter(|| {
            choice.reset_to_seed(black_box(42), 0);
            points.iter().fold(0, |sum: u32, point| {
                sum.wrapping_add(choice.at(*point, Time::ZERO, &odds, 1_000).offset)
            })
        });
    });
    group.finish();
}

fn point(index: usize) -> Point {
    let subject = Subject::new(Op((index / 64) as u32), (index / 16 % 4 + 1) as u8, 1);
    let verb = Verb::ALL[index % Verb::ALL.len()];
    Point::before(Step { subject, verb, table: 0, ordinal: (index % 16 + 1) as u8 })
}
