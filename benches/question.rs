//! Question and answer: a whole handler of the reference workload, polled without a simulator; six of the
//! polls come to a question.
//!
//! The limit: a poll of a suspended function and an answer from a map, each some ten nanoseconds; what
//! is more is the size of questions and answers, which hold whole rows.

use criterion::{Criterion, Throughput};
use onestroke_benches::w1::{Simple, Sound};
use onestroke_store::{
    Effect, EffectKind, Engine, Entry, Outside, Payload, Request, Settings, Text, Time, Trigger,
    block_on,
};
use std::hint::black_box;
use std::rc::Rc;

/// Begin, claim, apply, keep, commit.
const QUESTIONS: u64 = 5;

pub(crate) fn bench(criterion: &mut Criterion) {
    let entry = Entry::new("sound", "key and effect in one transaction", || Sound);
    let mut engine = Simple::default();
    let request = Rc::new(request());
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("question");
    group.throughput(Throughput::Elements(QUESTIONS));
    group.bench_function("a-handler-of-five", |bencher| {
        bencher.iter(|| {
            engine.reset(&[]);
            let trigger = Trigger::Request(Rc::clone(black_box(&request)));
            let outside = Outside { now: Time::ZERO, first_id: 1, settings };
            block_on(&entry, &mut engine, trigger, outside)
        });
    });
    group.finish();
}

fn request() -> Request {
    let payload = Payload::new(r#"{"account":"account-1","amount":40}"#).expect("it is JSON");
    Request {
        tenant: Text::const_new("tenant-1"),
        credential: Text::const_new("credential-1"),
        authenticated: true,
        operation: Text::const_new("charge"),
        key: Text::const_new("key-1"),
        payload,
        effect: Effect { kind: EffectKind::Add, amount: 40, parts: 1 },
        target: Text::const_new("thing-1"),
        connection: Text::const_new("connection-1"),
        sequence: 1,
        epoch: 1,
    }
}
