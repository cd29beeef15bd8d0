//! Runs a script of sessions A, B, C, … against the memory database and checks each answer.
//!
//! One step a line: `A insert k=1 v=10 -> inserted`. After `->` stands the answer, and ` wakes B`
//! when the step lets a blocked session proceed. `A again` asks a blocked statement again, `A
//! nowait …` refuses to wait. The table has two nullable keys `k` and `o`, a value `v`, and a
//! note.

#![allow(dead_code, reason = "not every test file uses all of it")]

use onestroke_store::memory::{Memory, Profile};
use onestroke_store::{
    Action, Assignment, Column, Condition, DbAnswer, DbError, Engine, Isolation, OnConflict,
    Origin, Outcome, Row, Session, Statement, Table, Value, Verb, Wait,
};

pub(crate) const K: Column = Column::int(0, "k").nullable();
pub(crate) const O: Column = Column::int(1, "o").nullable();
pub(crate) const V: Column = Column::int(2, "v").nullable();
pub(crate) const NOTE: Column = Column::text(3, "note").nullable();

pub(crate) static THINGS: Table = Table::new("things", &[K, O, V, NOTE]).unique(&[&[K], &[O]]);

/// Runs a script; every line's answer must be the one that stands there.
pub(crate) fn check(profile: Profile, script: &str) {
    let mut world = World::new(profile);
    let (mut told, mut expected) = (Vec::new(), Vec::new());
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (step, answer) = line.split_once("->").expect("a line has an answer");
        let (step, answer) = (step.trim(), answer.trim());
        expected.push(format!("{step} -> {answer}"));
        told.push(format!("{step} -> {}", world.step(step)));
    }
    let (told, expected) = (told.join("\n"), expected.join("\n"));
    assert!(told == expected, "expected:\n{expected}\n\ntold:\n{told}");
}

/// What a blocked session asked.
enum Asked {
    Statement(Box<Statement>),
    Commit,
}

pub(crate) struct World {
    pub(crate) engine: Memory,
    blocked: Vec<(u32, Asked)>,
}

impl World {
    pub(crate) fn new(profile: Profile) -> Self {
        let mut engine = Memory::new(profile);
        engine.reset(&[&THINGS]);
        Self { engine, blocked: Vec::new() }
    }

    /// Runs one step and says what came of it.
    pub(crate) fn step(&mut self, step: &str) -> String {
        let (session, what) = step.split_once(' ').unwrap_or((step, ""));
        let waiting = self.stuck();
        let mut told = match session {
            "rows" => show_rows(self.engine.committed(&THINGS).iter().map(|(_, row)| row)),
            "owners" => {
                let rows = self.engine.committed(&THINGS);
                join(rows.iter().map(|(origin, row)| format!("{}:{}", row[K], origin.0)))
            }
            "count" => self.engine.count(&THINGS).to_string(),
            "tuples" => self.engine.tuples().to_string(),
            name => self.act(u32::from(name.as_bytes()[0] - b'A'), what),
        };
        let still_blocked = |session: &u32| self.blocked.iter().any(|(other, _)| other == session);
        let woken =
            |session: &&u32| still_blocked(session) && self.engine.may_proceed(Session(**session));
        let names: Vec<_> = waiting.iter().filter(woken).map(|session| name(*session)).collect();
        if !names.is_empty() {
            told = format!("{told} wakes {}", names.join(" "));
        }
        told
    }

    fn stuck(&self) -> Vec<u32> {
        let sessions = self.blocked.iter().map(|(session, _)| *session);
        sessions.filter(|session| !self.engine.may_proceed(Session(*session))).collect()
    }

    fn act(&mut self, number: u32, what: &str) -> String {
        let session = Session(number);
        match what {
            "begin" | "begin rc" => show(self.engine.begin(session, Isolation::ReadCommitted)),
            "begin snapshot" => show(self.engine.begin(session, Isolation::Snapshot)),
            "begin serializable" => show(self.engine.begin(session, Isolation::Serializable)),
            "commit" => self.ask(number, Asked::Commit),
            "again" => {
                let asked = self.forget(number).expect("the session is blocked");
                self.ask(number, asked)
            }
            "rollback" => {
                self.forget(number);
                self.engine.rollback(session);
                "rolled back".into()
            }
            "give up" => {
                self.forget(number);
                show_error(&self.engine.give_up(session))
            }
            "circle?" => {
                let mut circle = Vec::new();
                self.engine.deadlock(session, &mut circle);
                if circle.is_empty() {
                    return "none".into();
                }
                join(circle.iter().map(|session| name(session.0)))
            }
            "open?" => self.engine.in_transaction(session).to_string(),
            "deleted?" => join(self.engine.deleted().iter().map(|origin| origin.0.to_string())),
            _ => self.ask(number, Asked::Statement(Box::new(parse(what)))),
        }
    }

    fn ask(&mut self, number: u32, asked: Asked) -> String {
        let outcome = match &asked {
            Asked::Statement(statement) => {
                self.engine.execute(Session(number), statement, Origin(number))
            }
            Asked::Commit => self.engine.commit(Session(number)),
        };
        if outcome == Outcome::Blocked {
            self.blocked.push((number, asked));
        }
        show(outcome)
    }

    fn forget(&mut self, number: u32) -> Option<Asked> {
        let place = self.blocked.iter().position(|(session, _)| *session == number)?;
        Some(self.blocked.remove(place).1)
    }
}

/// Reads one statement: `update k=1 set v=2`.
pub(crate) fn parse(text: &str) -> Statement {
    let (wait, text) = match text.strip_prefix("nowait ") {
        Some(rest) => (Wait::Refuse, rest),
        None => (Wait::Block, text),
    };
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (main, set) = rest.split_once("set ").unwrap_or((rest, ""));
    let filter = || main.split_whitespace().map(condition).collect();
    let row = || Row::of(&THINGS, main.split_whitespace().map(assignment));
    let assignments = || set.split_whitespace().map(assignment).collect();
    let (verb, action) = match verb {
        "insert" => (Verb::Insert, Action::Insert { row: row(), on_conflict: OnConflict::Fail }),
        "claim" => (Verb::Claim, Action::Insert { row: row(), on_conflict: OnConflict::Nothing }),
        "upsert" => {
            let on_conflict = OnConflict::Update(assignments());
            (Verb::Upsert, Action::Insert { row: row(), on_conflict })
        }
        "read" => (Verb::Read, Action::Read { filter: filter(), lock: false }),
        "lock" => (Verb::Read, Action::Read { filter: filter(), lock: true }),
        "scan" => (Verb::Scan, Action::Scan { filter: filter(), limit: 100 }),
        "update" => (Verb::Update, Action::Update { filter: filter(), set: assignments() }),
        "delete" => (Verb::Delete, Action::Delete { filter: filter() }),
        verb => panic!("no such verb: {verb}"),
    };
    Statement { verb, table: &THINGS, action, effect: None, undoes: false, wait, cause: None }
}

fn column(name: &str) -> Column {
    match name {
        "k" => K,
        "o" => O,
        "v" => V,
        "note" => NOTE,
        name => panic!("no such column: {name}"),
    }
}

fn value(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) => number.into(),
        Err(_) if text == "null" => Value::Null,
        Err(_) => text.into(),
    }
}

fn assignment(text: &str) -> Assignment {
    let (name, text) = text.split_once('=').expect("an assignment has a value");
    column(name).set(value(text))
}

fn condition(text: &str) -> Condition {
    if let Some((name, text)) = text.split_once("<=") {
        column(name).at_most(value(text))
    } else if let Some((name, text)) = text.split_once("!=") {
        column(name).is_not(value(text))
    } else if let Some((name, text)) = text.split_once('>') {
        column(name).more_than(value(text))
    } else if let Some(name) = text.strip_suffix("?null") {
        column(name).is_null()
    } else {
        let (name, text) = text.split_once('=').expect("a condition has a value");
        column(name).is(value(text))
    }
}

pub(crate) fn show(outcome: Outcome) -> String {
    match outcome {
        Outcome::Blocked => "blocked".into(),
        Outcome::Done(Err(error)) => show_error(&error),
        Outcome::Done(Ok(answer)) => match answer {
            DbAnswer::Began(_) => "began".into(),
            DbAnswer::Inserted => "inserted".into(),
            DbAnswer::Conflict => "conflict".into(),
            DbAnswer::Row(row) => show_rows(row.iter()),
            DbAnswer::Rows(rows) => show_rows(rows.iter()),
            DbAnswer::Changed(rows) => format!("changed {rows}"),
            DbAnswer::Committed => "committed".into(),
            DbAnswer::RolledBack => "rolled back".into(),
        },
    }
}

fn show_error(error: &DbError) -> String {
    match error {
        DbError::UniqueViolation { .. } => "violation",
        DbError::SerializationFailure => "not serializable",
        DbError::Deadlock => "deadlock",
        DbError::Busy => "busy",
        DbError::WouldWait => "would wait",
        DbError::ConnectionLost => "connection lost",
        DbError::TransactionAborted => "aborted",
        DbError::BadValue { .. } => "bad value",
        DbError::BadStatement(_) => "bad statement",
        DbError::Engine(_) => "engine failure",
    }
    .into()
}

fn show_rows<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    join(rows.map(|row| match row[O] {
        Value::Null => format!("{}:{}", row[K], row[V]),
        ref other => format!("{}/{other}:{}", row[K], row[V]),
    }))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() { "none".into() } else { parts.join(" ") }
}

fn name(session: u32) -> String {
    char::from(b'A' + session as u8).to_string()
}
