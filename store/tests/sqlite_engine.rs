//! What real SQLite does inside the simulation, case by case: who is blocked and who is refused, what
//! is inserted, updated and deleted, and what a crash and a reset leave behind.
#![cfg(feature = "sqlite")]

use onestroke_store::sqlite::{Sqlite, SqliteFile};
use onestroke_store::{
    Action, Assignment, Column, Condition, DbAnswer, DbError, Digest, Engine, Id, Isolation,
    OnConflict, Origin, Outcome, Row, Session, Statement, Table, Time, Value, Verb, Wait,
};

const NAME: Column = Column::text(0, "name");
const SEAT: Column = Column::int(1, "seat");
const NOTE: Column = Column::int(2, "note").nullable();
static GUESTS: Table = Table::new("guests", &[NAME, SEAT, NOTE]).unique(&[&[NAME], &[SEAT]]);

const KEY: Column = Column::int(0, "order");
const TEXT: Column = Column::text(1, "a \"quoted\" name").nullable();
const AT: Column = Column::time(2, "at").nullable();
const WHO: Column = Column::id(3, "rowid").nullable();
const PRINT: Column = Column::digest(4, "print").nullable();
static KINDS: Table = Table::new("all kinds", &[KEY, TEXT, AT, WHO, PRINT]);

const A: Session = Session(0);
const B: Session = Session(1);
const C: Session = Session(2);
const D: Session = Session(3);

const BUSY: Outcome = Outcome::Done(Err(DbError::Busy));

// Blocked or refused.

#[test]
fn a_transaction_takes_no_lock_before_its_first_statement() {
    let mut db = guests();
    begin(&mut db, [A, B]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert_eq!(insert(&mut db, B, "bob", 2), done(DbAnswer::Inserted));
    assert_eq!(db.commit(B), done(DbAnswer::Committed));
}

#[test]
fn nobody_starts_to_read_or_write_beside_a_writer() {
    let mut db = guests();
    begin(&mut db, [A, B]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(find(&mut db, B, "ada"), Outcome::Blocked);
    assert_eq!(insert(&mut db, B, "bob", 2), Outcome::Blocked);
    assert_eq!(find(&mut db, C, "ada"), Outcome::Blocked);
    assert_eq!(insert(&mut db, C, "cyd", 3), Outcome::Blocked);
    assert!(!db.may_proceed(B) && !db.may_proceed(C));
    assert!(db.in_transaction(B) && !db.in_transaction(C));

    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert!(db.may_proceed(B) && db.may_proceed(C));
    assert_eq!(insert(&mut db, C, "cyd", 3), done(DbAnswer::Inserted));
    assert_eq!(insert(&mut db, B, "bob", 2), done(DbAnswer::Inserted));
}

#[test]
fn a_reader_that_wants_to_write_beside_a_writer_is_refused() {
    let mut db = guests();
    begin(&mut db, [A, B]);
    assert_eq!(find(&mut db, B, "ada"), done(DbAnswer::Row(None)));
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(insert(&mut db, B, "bob", 2), BUSY);
    assert!(db.in_transaction(B), "it can still read");
    assert_eq!(find(&mut db, B, "ada"), done(DbAnswer::Row(None)));
}

#[test]
fn a_commit_waits_for_readers() {
    let mut db = guests();
    begin(&mut db, [A, B]);
    assert_eq!(find(&mut db, B, "ada"), done(DbAnswer::Row(None)));
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(db.commit(A), Outcome::Blocked);
    assert!(db.in_transaction(A) && !db.may_proceed(A));
    db.rollback(B);
    assert!(db.may_proceed(A));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert_eq!(names(&mut db), ["ada"]);
}

#[test]
fn a_statement_of_its_own_waits_for_readers_and_has_no_effect_until_then() {
    let mut db = guests();
    assert_eq!(insert(&mut db, C, "cyd", 3), done(DbAnswer::Inserted));
    begin(&mut db, [B]);
    assert_eq!(find(&mut db, B, "cyd"), done(DbAnswer::Row(Some(guest("cyd", 3)))));
    assert_eq!(insert(&mut db, A, "ada", 1), Outcome::Blocked);
    assert_eq!(upsert(&mut db, A, "cyd", 3, 7), Outcome::Blocked);
    assert_eq!(delete(&mut db, A, []), Outcome::Blocked);
    assert_eq!(db.deleted(), []);
    assert_eq!(names(&mut db), ["cyd"]);
    assert_eq!(db.commit(B), done(DbAnswer::Committed));
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(names(&mut db), ["cyd", "ada"]);
}

/// SQLite reads the schema with a session's first statement. Is the database locked then, a later
/// rollback forgets the schema (`DBFLAG_SchemaChange` stays set where `sqlite3Init` fails), and the
/// statement after that reads it anew before it is run.
#[test]
fn one_that_was_blocked_at_its_start_and_at_its_end_is_blocked_at_its_start_again() {
    let mut db = guests();
    begin(&mut db, [B, C, D]);
    assert_eq!(insert(&mut db, B, "bob", 2), done(DbAnswer::Inserted));
    assert_eq!(delete(&mut db, A, []), Outcome::Blocked, "while B writes");
    assert_eq!(db.commit(B), done(DbAnswer::Committed));
    assert_eq!(find(&mut db, C, "bob"), done(DbAnswer::Row(Some(guest("bob", 2)))));
    assert_eq!(delete(&mut db, A, []), Outcome::Blocked, "while C reads");
    assert_eq!(insert(&mut db, D, "dee", 4), done(DbAnswer::Inserted));
    assert_eq!(delete(&mut db, A, []), Outcome::Blocked, "while D writes");
    db.rollback(C);
    assert_eq!(db.commit(D), done(DbAnswer::Committed));
    assert_eq!(delete(&mut db, A, []), done(DbAnswer::Changed(2)));
}

#[test]
fn one_that_may_not_wait_is_refused_instead() {
    let mut db = guests();
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    let action = Action::Read { filter: [NAME.is("ada")].into_iter().collect(), lock: false };
    let refuse = Statement { wait: Wait::Refuse, ..statement(action) };
    assert_eq!(db.execute(B, &refuse, Origin::NONE), BUSY);
}

#[test]
fn giving_up_leaves_the_transaction_open() {
    let mut db = guests();
    begin(&mut db, [A, B]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(insert(&mut db, B, "bob", 2), Outcome::Blocked);
    let mut circle = vec![A];
    db.deadlock(B, &mut circle);
    assert_eq!(circle, []);
    assert_eq!(db.give_up(B), DbError::Busy);
    assert!(db.in_transaction(B));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert_eq!(insert(&mut db, B, "bob", 2), done(DbAnswer::Inserted));
    assert_eq!(db.commit(B), done(DbAnswer::Committed));
    assert_eq!(names(&mut db), ["ada", "bob"]);
}

// Unique keys.

#[test]
fn a_taken_key_fails_the_statement_and_not_the_transaction() {
    let mut db = guests();
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    let taken = Outcome::Done(Err(DbError::UniqueViolation { table: "guests" }));
    assert_eq!(insert(&mut db, A, "ada", 2), taken);
    assert_eq!(insert(&mut db, A, "bob", 1), taken);
    assert_eq!(insert(&mut db, A, "bob", 2), done(DbAnswer::Inserted));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert_eq!(names(&mut db), ["ada", "bob"]);
}

#[test]
fn inserting_nothing_minds_every_unique_key() {
    let mut db = guests();
    let absent = |name, seat| statement(inserting(name, seat, OnConflict::Nothing));
    let mut ask = |name, seat| db.execute(A, &absent(name, seat), Origin(1));
    assert_eq!(ask("ada", 1), done(DbAnswer::Inserted));
    assert_eq!(ask("ada", 2), done(DbAnswer::Conflict));
    assert_eq!(ask("bob", 1), done(DbAnswer::Conflict));
    assert_eq!(db.count(&GUESTS), 1);
}

#[test]
fn an_upsert_tells_which_it_did_and_keeps_the_first_origin() {
    let mut db = guests();
    assert_eq!(upsert(&mut db, Session(7), "ada", 1, 5), done(DbAnswer::Inserted));
    // Straight after the insert, on the same connection and for the same operation: nothing but the
    // branch taken differs.
    assert_eq!(upsert(&mut db, Session(7), "ada", 1, 6), done(DbAnswer::Changed(1)));
    assert_eq!(upsert(&mut db, Session(8), "ada", 1, 7), done(DbAnswer::Changed(1)));
    let taken = Outcome::Done(Err(DbError::UniqueViolation { table: "guests" }));
    assert_eq!(upsert(&mut db, A, "bob", 1, 8), taken, "only the first key is upserted over");
    let mut row = guest("ada", 1);
    row.apply([NOTE.set(7)]);
    assert_eq!(db.committed(&GUESTS), [(Origin(7), row)]);
    assert_eq!(db.count(&GUESTS), 1);
}

#[test]
fn a_delete_tells_whose_rows_in_the_order_of_insertion() {
    let mut db = guests();
    // The index on `name` would give another order.
    for (session, name) in [(3, "zoe"), (1, "ada"), (2, "bob")] {
        insert(&mut db, Session(session), name, i64::from(session));
    }
    assert_eq!(delete(&mut db, A, [NAME.is_not("bob")]), done(DbAnswer::Changed(2)));
    assert_eq!(db.deleted(), [Origin(3), Origin(1)]);
    assert_eq!(delete(&mut db, A, [NAME.is("ada")]), done(DbAnswer::Changed(0)));
    assert_eq!(db.deleted(), []);
    assert_eq!(db.count(&GUESTS), 1);
}

// Values and conditions.

#[test]
fn every_type_comes_back_as_it_went() {
    let mut db = Sqlite::new();
    db.reset(&[&KINDS]);
    let rows = [
        Row::of(&KINDS, [KEY.set(i64::MIN)]),
        Row::of(
            &KINDS,
            [
                KEY.set(i64::MAX),
                TEXT.set("räksmörgås, longer than what is kept inline\0"),
                AT.set(Time::MAX),
                WHO.set(Id::new(u64::MAX)),
                PRINT.set(Digest::new([0xab; 16])),
            ],
        ),
        Row::of(&KINDS, [KEY.set(0), TEXT.set(""), AT.set(Time::ZERO), WHO.set(Id::new(0))]),
    ];
    for row in rows.clone() {
        let action = Action::Insert { row, on_conflict: OnConflict::Fail };
        let insert = Statement { table: &KINDS, ..statement(action) };
        assert_eq!(db.execute(A, &insert, Origin::NONE), done(DbAnswer::Inserted));
    }
    assert_eq!(db.committed(&KINDS), rows.clone().map(|row| (Origin::NONE, row)));

    let scan = |filter: Condition, limit| {
        let action = Action::Scan { filter: [filter].into_iter().collect(), limit };
        Statement { table: &KINDS, ..statement(action) }
    };
    let [null, most, zero] = rows;
    for (filter, limit, fit) in [
        (AT.more_than(Time::ZERO), 9, vec![&most]),
        (AT.at_most(Time::MAX), 9, vec![&most, &zero]),
        (AT.at_most(Time::MAX), 1, vec![&most]),
        (AT.is_null(), 9, vec![&null]),
        (AT.is(Value::Null), 9, vec![]),
        (TEXT.is_not(""), 9, vec![&most]),
        (TEXT.is_not(Value::Null), 9, vec![]),
        (PRINT.is(Digest::new([0xab; 16])), 9, vec![&most]),
        (KEY.at_most(0), 9, vec![&null, &zero]),
        (KEY.at_most(0), 0, vec![]),
    ] {
        let rows = fit.into_iter().cloned().collect();
        let outcome = db.execute(A, &scan(filter.clone(), limit), Origin::NONE);
        assert_eq!(outcome, done(DbAnswer::Rows(rows)), "{filter:?}");
    }
}

#[test]
fn a_store_s_mistakes_are_told_before_they_reach_sql() {
    let mut db = guests();
    let update = |set: Assignment| Action::Update {
        filter: [NAME.is("ada")].into_iter().collect(),
        set: [set].into_iter().collect(),
    };
    let short = Action::Insert { row: Row::default(), on_conflict: OnConflict::Fail };
    let read = |filter| Action::Read { filter: [filter].into_iter().collect(), lock: false };
    let nothing =
        Action::Update { filter: [].into_iter().collect(), set: [].into_iter().collect() };
    for (action, says) in [
        (update(SEAT.set(2)), "column seat of table guests is in a unique key"),
        (update(NOTE.set("x")), "column note of table guests does not accept x"),
        (update(KEY.set(1)), "column order is not of table guests"),
        (nothing, "table guests is updated without a column to set"),
        (short, "table guests has 3 columns, and the row has 0 values"),
        (read(SEAT.is("x")), "column seat of table guests does not accept x"),
    ] {
        match db.execute(A, &statement(action), Origin::NONE) {
            Outcome::Done(Err(error)) => {
                assert!(error.to_string().starts_with(says), "{error}, and not {says}");
            }
            outcome => panic!("{outcome:?}, and not {says}"),
        }
    }
    let elsewhere = Statement { table: &KINDS, ..statement(read(KEY.is(1))) };
    let outcome = db.execute(A, &elsewhere, Origin::NONE);
    let unknown = DbError::BadStatement("table all kinds is not declared".into());
    assert_eq!(outcome, Outcome::Done(Err(unknown)));
}

// Crash, reset, several engines.

#[test]
fn a_crash_is_a_rollback_and_the_session_serves_again() {
    let mut db = guests();
    insert(&mut db, B, "bob", 2);
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(delete(&mut db, A, [NAME.is("bob")]), done(DbAnswer::Changed(1)));
    assert_eq!(db.count(&GUESTS), 1, "what is not committed does not count");
    db.rollback(A);
    db.rollback(A);
    assert!(!db.in_transaction(A));
    assert_eq!(names(&mut db), ["bob"]);
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    assert_eq!(names(&mut db), ["bob", "ada"]);
}

#[test]
fn a_reset_keeps_nothing() {
    let mut db = guests();
    for tables in [&[&GUESTS][..], &[&GUESTS], &[&KINDS, &GUESTS], &[&GUESTS]] {
        insert(&mut db, A, "ada", 1);
        begin(&mut db, [A, B]);
        assert_eq!(insert(&mut db, B, "bob", 2), done(DbAnswer::Inserted));
        assert_eq!(insert(&mut db, A, "cyd", 3), Outcome::Blocked);
        db.reset(tables);
        assert!(!db.in_transaction(A) && !db.in_transaction(B));
        assert_eq!(db.count(&GUESTS), 0);
        assert_eq!(db.committed(&GUESTS), []);
        assert_eq!(find(&mut db, A, "ada"), done(DbAnswer::Row(None)));
    }
}

#[test]
fn engines_on_one_thread_are_independent() {
    let (mut here, mut there) = (guests(), guests());
    begin(&mut here, [A]);
    assert_eq!(insert(&mut here, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(insert(&mut there, A, "ada", 1), done(DbAnswer::Inserted));
    drop(here);
    assert_eq!(names(&mut there), ["ada"]);
    assert_eq!(names(&mut guests()), [""; 0]);
}

#[test]
fn the_same_calls_have_the_same_outcomes_on_fresh_and_used_engines() {
    let story = |db: &mut Sqlite| {
        begin(db, [A, B]);
        let mut told = vec![find(db, B, "ada"), insert(db, A, "ada", 1), insert(db, C, "cyd", 3)];
        told.extend([db.commit(A), insert(db, B, "bob", 2), db.commit(B), db.commit(A)]);
        told.extend([insert(db, C, "cyd", 1), upsert(db, C, "ada", 1, 2)]);
        (told, db.committed(&GUESTS))
    };
    let mut used = guests();
    let first = story(&mut used);
    used.reset(&[&GUESTS]);
    assert_eq!(story(&mut used), first);
    assert_eq!(story(&mut guests()), first);
}

// Outside the simulation.

#[test]
fn a_file_holds_what_was_committed() {
    let folder = tempfile::tempdir().expect("a folder for the database");
    let path = folder.path().join("guests.db");
    let mut db = SqliteFile::open(&path, &[&GUESTS]).expect("the file can be made");
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(db.commit(A), done(DbAnswer::Committed));
    begin(&mut db, [A]);
    assert_eq!(insert(&mut db, A, "bob", 2), done(DbAnswer::Inserted));
    drop(db);

    let mut db = SqliteFile::open(&path, &[&GUESTS]).expect("the file is there");
    assert_eq!(db.committed(&GUESTS), [(Origin(0), guest("ada", 1))]);
    db.reset(&[&GUESTS]);
    assert_eq!(db.count(&GUESTS), 0);
}

#[test]
fn in_a_file_one_that_may_not_wait_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder for the database");
    let path = folder.path().join("guests.db");
    let open = || SqliteFile::open(&path, &[&GUESTS]).expect("the file can be opened");
    let (mut writer, mut other) = (open(), open());
    begin(&mut writer, [A]);
    assert_eq!(insert(&mut writer, A, "ada", 1), done(DbAnswer::Inserted));
    assert_eq!(find(&mut other, A, "ada"), done(DbAnswer::Row(None)), "readers do not wait");
    let insert = statement(inserting("bob", 2, OnConflict::Fail));
    let refuse = Statement { wait: Wait::Refuse, ..insert };
    assert_eq!(other.execute(A, &refuse, Origin::NONE), BUSY);
}

// Short words for all of the above. A row's origin is the number of the session that inserts it.

fn guests() -> Sqlite {
    let mut db = Sqlite::new();
    db.reset(&[&GUESTS]);
    db
}

fn begin<const N: usize>(db: &mut impl Engine, sessions: [Session; N]) {
    for session in sessions {
        assert_eq!(db.begin(session, Isolation::ReadCommitted), done(DbAnswer::Began(session)));
    }
}

fn insert(db: &mut impl Engine, session: Session, name: &str, seat: i64) -> Outcome {
    let insert = statement(inserting(name, seat, OnConflict::Fail));
    db.execute(session, &insert, Origin(session.0))
}

fn upsert(db: &mut impl Engine, session: Session, name: &str, seat: i64, note: i64) -> Outcome {
    let over = OnConflict::Update([NOTE.set(note)].into_iter().collect());
    db.execute(session, &statement(inserting(name, seat, over)), Origin(session.0))
}

fn find(db: &mut impl Engine, session: Session, name: &str) -> Outcome {
    let action = Action::Read { filter: [NAME.is(name)].into_iter().collect(), lock: false };
    db.execute(session, &statement(action), Origin(session.0))
}

fn delete<const N: usize>(
    db: &mut impl Engine,
    session: Session,
    filter: [Condition; N],
) -> Outcome {
    let action = Action::Delete { filter: filter.into_iter().collect() };
    db.execute(session, &statement(action), Origin(session.0))
}

fn names(db: &mut impl Engine) -> Vec<String> {
    db.committed(&GUESTS).iter().map(|(_, row)| row.text(NAME).into()).collect()
}

fn inserting(name: &str, seat: i64, on_conflict: OnConflict) -> Action {
    Action::Insert { row: guest(name, seat), on_conflict }
}

fn guest(name: &str, seat: i64) -> Row {
    Row::of(&GUESTS, [NAME.set(name), SEAT.set(seat)])
}

fn statement(action: Action) -> Statement {
    Statement {
        verb: Verb::Insert,
        table: &GUESTS,
        action,
        effect: None,
        undoes: false,
        wait: Wait::Block,
        cause: None,
    }
}

fn done(answer: DbAnswer) -> Outcome {
    Outcome::Done(Ok(answer))
}
