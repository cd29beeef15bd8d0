//! Each store by itself, without a world: a first request and a replayed one, on the memory model and on
//! real SQLite in memory. What differs is the questions that a store asks and what the engine does for
//! them; `sim bench` says what its clients wait for.

use criterion::{BenchmarkGroup, Criterion, measurement::WallTime};
use onestroke_sim::world::tables_of;
use onestroke_store::memory::{Memory, Profile};
use onestroke_store::sqlite::Sqlite;
use onestroke_store::stores::catalogue;
use onestroke_store::{
    Effect, EffectKind, Engine, Entry, Outside, Payload, Request, Settings, Text, Time, Trigger,
    block_on,
};
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

/// The families whose stores need nothing but a database.
const FAMILIES: [&str; 2] = ["keys", "leases"];

/// Requests between two resets: an engine keeps what it was given.
const REQUESTS: usize = 256;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stores");
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    group.sample_size(10);
    let requests: Vec<Rc<Request>> = (0..REQUESTS).map(|number| Rc::new(request(number))).collect();
    for store in catalogue().iter().filter(|store| FAMILIES.contains(&store.family)) {
        let mut memory = Memory::new(Profile::Postgres);
        of_engine(&mut group, (store, "memory"), &mut memory, &requests);
        let mut sqlite = Sqlite::new();
        of_engine(&mut group, (store, "sqlite"), &mut sqlite, &requests);
    }
    group.finish();
}

fn of_engine(
    group: &mut BenchmarkGroup<'_, WallTime>,
    (store, name): (&Entry, &str),
    engine: &mut dyn Engine,
    requests: &[Rc<Request>],
) {
    let tables = tables_of(store);
    let mut next = 0;
    group.bench_function(format!("first/{name}/{}", store.name), |bencher| {
        bencher.iter(|| {
            if next % requests.len() == 0 {
                engine.reset(&tables);
            }
            next += 1;
            handle(store, engine, &requests[next % requests.len()], next)
        });
    });
    engine.reset(&tables);
    handle(store, engine, &requests[0], 1);
    next = 1;
    // A store without keys does it again, and its table grows: it has nothing to replay.
    if store.name != "no-dedup" {
        group.bench_function(format!("replayed/{name}/{}", store.name), |bencher| {
            bencher.iter(|| {
                next += 1;
                handle(store, engine, &requests[0], next)
            });
        });
    }
}

/// Each call has ids of its own, as a server that lives on gives them out.
fn handle(store: &Entry, engine: &mut dyn Engine, request: &Rc<Request>, number: usize) -> u16 {
    let settings = Settings::default();
    let outside = Outside { now: Time::from_micros(1), first_id: 16 * number as u64, settings };
    let trigger = Trigger::Request(Rc::clone(black_box(request)));
    let reply = block_on(store, engine, trigger, outside);
    reply.unwrap_or_else(|failure| panic!("{} fails: {failure}", store.name)).status
}

fn request(number: usize) -> Request {
    Request {
        tenant: Text::const_new("tenant-1"),
        credential: Text::const_new("credential-1"),
        authenticated: true,
        operation: Text::const_new("charge"),
        key: format!("key-{number}").into(),
        payload: Payload::new(r#"{"account":"account-1","amount":40}"#).expect("it is JSON"),
        effect: Effect { kind: EffectKind::Add, amount: 40, parts: 1 },
        target: Text::const_new("thing-1"),
        connection: Text::const_new("connection-1"),
        sequence: 1,
        epoch: 1,
    }
}
