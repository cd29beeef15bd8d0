//! Outside the simulation: the same key from ten threads at once, on ten connections to one file.
//!
//! Nothing here is seeded. It shows that the stores of the catalogue run unchanged on a real
//! database, and that what the simulation says of them holds there.
#![cfg(feature = "sqlite")]

use onestroke_store::effects::EFFECTS;
use onestroke_store::record::RECORDS;
use onestroke_store::sqlite::SqliteFile;
use onestroke_store::{
    Effect, EffectKind, Engine, Entry, Outside, Payload, Reply, Request, Settings, Span, Time,
    Trigger, block_on, stores,
};
use std::path::Path;
use std::rc::Rc;
use std::sync::Barrier;
use std::thread;

const THREADS: u64 = 10;
const KEYS: u64 = 20;

#[test]
fn ten_threads_with_one_key_have_one_effect_and_one_reply() {
    let (replies, effects, records) = exercise("one-transaction");
    for (key, replies) in replies.iter().enumerate() {
        assert_eq!(replies[0].status, 201);
        assert!(replies.iter().all(|reply| *reply == replies[0]), "key {key}: {replies:?}");
    }
    assert_eq!((effects, records), (KEYS, KEYS));
}

/// The same exercise sees double effects where there are some.
#[test]
fn ten_threads_without_dedup_have_ten_effects() {
    let (replies, effects, records) = exercise("no-dedup");
    assert!(replies.iter().flatten().all(|reply| reply.status == 201));
    assert_eq!((effects, records), (KEYS * THREADS, 0));
}

/// Sends each key from all threads at once. Returns each key's replies, and how many rows there are
/// of effects and of records in the end. Receipts are numbered by thread: a repeat would show.
fn exercise(store: &str) -> (Vec<Vec<Reply>>, u64, u64) {
    let folder = tempfile::tempdir().expect("a folder for the database");
    let path = &folder.path().join("ten-threads.db");
    let entry = &entry(store);
    let mut world = open(path);
    let barrier = &Barrier::new(THREADS as usize);
    let by_thread: Vec<Vec<Reply>> = thread::scope(|scope| {
        let one = |thread| scope.spawn(move || send_all(entry, path, barrier, thread));
        let threads: Vec<_> = (0..THREADS).map(one).collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread has ended")).collect()
    });
    let of_key = |key| by_thread.iter().map(|replies| replies[key as usize].clone()).collect();
    ((0..KEYS).map(of_key).collect(), world.count(&EFFECTS), world.count(&RECORDS))
}

fn send_all(entry: &Entry, path: &Path, barrier: &Barrier, thread: u64) -> Vec<Reply> {
    let mut engine = open(path);
    let send = |key| {
        let outside = Outside {
            now: Time::from_micros(key),
            first_id: (thread * KEYS + key) * 100,
            settings: Settings { window: Span::from_secs(60), ..Settings::default() },
        };
        barrier.wait();
        let reply = block_on(entry, &mut engine, charge(key), outside);
        reply.unwrap_or_else(|failure| panic!("{} on thread {thread}: {failure}", entry.name))
    };
    (0..KEYS).map(send).collect()
}

fn open(path: &Path) -> SqliteFile {
    SqliteFile::open(path, &[&EFFECTS, &RECORDS]).expect("the database file can be opened")
}

fn entry(name: &str) -> Entry {
    let found = stores::catalogue().into_iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| panic!("the catalogue has no store {name}"))
}

fn charge(key: u64) -> Trigger {
    Trigger::Request(Rc::new(Request {
        target: "thing-1".into(),
        connection: "connection-1".into(),
        sequence: 1,
        epoch: 1,
        tenant: "tenant".into(),
        credential: "token".into(),
        authenticated: true,
        operation: "charge".into(),
        key: format!("key-{key}").into(),
        payload: Payload::new(r#"{"amount":40}"#).expect("it is JSON"),
        effect: Effect { kind: EffectKind::Add, amount: 40, parts: 1 },
    }))
}
