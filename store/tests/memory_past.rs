//! The memory database looks back: what a replica reads that has seen so many commits.

mod memory_script;

use memory_script::{THINGS, parse};
use onestroke_store::memory::{Memory, Profile};
use onestroke_store::{DbAnswer, DbError, Engine, Isolation, Origin, Outcome, Row, Session};

const PROFILES: [Profile; 2] = [Profile::Postgres, Profile::Sqlite];

fn engine(profile: Profile) -> Memory {
    let mut engine = Memory::new(profile);
    engine.reset(&[&THINGS]);
    engine.keep_since(0);
    engine
}

fn does(engine: &mut Memory, session: u32, text: &str) -> u64 {
    let outcome = engine.execute(Session(session), &parse(text), Origin::NONE);
    assert!(matches!(outcome, Outcome::Done(Ok(_))), "{text}: {outcome:?}");
    engine.commits().expect("it counts")
}

fn sees(engine: &mut Memory, commit: u64) -> Vec<Row> {
    match engine.read_at(&parse("scan"), commit) {
        Ok(DbAnswer::Rows(rows)) => rows,
        answer => panic!("a scan was answered with {answer:?}"),
    }
}

#[test]
fn the_past_is_read_as_it_was_whatever_came_after() {
    for profile in PROFILES {
        let mut engine = engine(profile);
        let inserted = does(&mut engine, 0, "insert k=1 v=10");
        let was = sees(&mut engine, inserted);
        assert_eq!(was.len(), 1);
        let updated = does(&mut engine, 0, "update k=1 set v=11");
        let then = sees(&mut engine, updated);
        assert_ne!(then, was);
        let deleted = does(&mut engine, 0, "delete k=1");
        assert_eq!(sees(&mut engine, 0), []);
        assert_eq!(sees(&mut engine, inserted), was, "{profile:?}");
        assert_eq!(sees(&mut engine, updated), then, "{profile:?}");
        assert_eq!(sees(&mut engine, deleted), []);
    }
}

#[test]
fn what_is_not_committed_is_in_no_past() {
    for profile in PROFILES {
        let mut engine = engine(profile);
        let before = engine.commits().expect("it counts");
        engine.begin(Session(0), Isolation::ReadCommitted);
        does(&mut engine, 0, "insert k=1 v=10");
        assert_eq!(sees(&mut engine, before), [], "{profile:?}");
        engine.commit(Session(0));
        assert_eq!(sees(&mut engine, before), [], "{profile:?}");
        let now = engine.commits().expect("it counts");
        assert_eq!(sees(&mut engine, now).len(), 1, "{profile:?}");
    }
}

#[test]
fn what_is_not_kept_any_more_is_dropped() {
    for profile in PROFILES {
        let mut engine = engine(profile);
        does(&mut engine, 0, "insert k=1 v=10");
        for value in 0..5 {
            does(&mut engine, 0, &format!("update k=1 set v={value}"));
        }
        assert_eq!(engine.tuples(), 6, "{profile:?}");
        let now = engine.commits().expect("it counts");
        engine.keep_since(now);
        assert_eq!(engine.tuples(), 1, "{profile:?}");
        assert_eq!(sees(&mut engine, now).len(), 1, "{profile:?}");
    }
}

#[test]
fn the_past_can_only_be_read() {
    let mut engine = engine(Profile::Postgres);
    let refused = engine.read_at(&parse("insert k=1 v=10"), 0);
    assert!(matches!(refused, Err(DbError::BadStatement(_))), "{refused:?}");
}
