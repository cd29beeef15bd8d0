//! The memory model through the [`Engine`] trait: claim a key in a transaction, and commit.
//!
//! The limit: a map look-up and a row of some 200 bytes copied in and out, about 50 nanoseconds.

use criterion::{Criterion, Throughput};
use onestroke_store::memory::{Memory, Profile};
use onestroke_store::record::{
    CREATED_AT, EXPIRES_AT, FINGERPRINT, KEY, OPERATION, RECORDS, TENANT,
};
use onestroke_store::{
    Action, DbAnswer, Digest, Engine, Isolation, OnConflict, Origin, Outcome, Row, Session,
    Statement, Time, Verb, Wait,
};
use std::hint::black_box;

/// Claims between two resets.
const CLAIMS: u32 = 64;

pub(crate) fn bench(criterion: &mut Criterion) {
    let claims: Vec<Statement> = (0..CLAIMS).map(claim).collect();
    let mut group = criterion.benchmark_group("memory");
    group.throughput(Throughput::Elements(u64::from(CLAIMS)));
    for (name, profile) in [("postgres", Profile::Postgres), ("sqlite", Profile::Sqlite)] {
        let mut memory = Memory::new(profile);
        let engine: &mut dyn Engine = &mut memory;
        group.bench_function(format!("claim-commit/{name}"), |bencher| {
            bencher.iter(|| {
                engine.reset(&[&RECORDS]);
                for claim in &claims {
                    claim_and_commit(engine, black_box(claim));
                }
            });
        });
    }
    group.finish();
}

fn claim_and_commit(engine: &mut dyn Engine, claim: &Statement) {
    const SESSION: Session = Session(0);
    let begun = engine.begin(SESSION, Isolation::ReadCommitted);
    let claimed = engine.execute(SESSION, claim, Origin(0));
    let committed = engine.commit(SESSION);
    debug_assert!(matches!(begun, Outcome::Done(Ok(_))), "{begun:?}");
    debug_assert_eq!(claimed, Outcome::Done(Ok(DbAnswer::Inserted)));
    debug_assert_eq!(committed, Outcome::Done(Ok(DbAnswer::Committed)));
}

fn claim(number: u32) -> Statement {
    let cells = [
        TENANT.set("tenant-1"),
        OPERATION.set("charge"),
        KEY.set(format!("key-{number}").as_str()),
        FINGERPRINT.set(Digest::default()),
        CREATED_AT.set(Time::ZERO),
        EXPIRES_AT.set(Time::MAX),
    ];
    let row = Row::of(&RECORDS, cells);
    let action = Action::Insert { row, on_conflict: OnConflict::Nothing };
    Statement {
        verb: Verb::Claim,
        table: &RECORDS,
        action,
        effect: None,
        undoes: false,
        wait: Wait::Block,
        cause: None,
    }
}
