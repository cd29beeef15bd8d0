//! The memory model's SQLite profile against real SQLite: random interleavings of the same commands
//! on both, the same outcome at every step, the same rows in the end. Where they differ, real SQLite
//! is right.
//!
//! The cases are the same in every run; `PROPTEST_CASES` asks for more than the default.
#![cfg(feature = "sqlite")]

use onestroke_store::memory::{Memory, Profile};
use onestroke_store::sqlite::Sqlite;
use onestroke_store::{
    Action, Column, Compare, Condition, DbAnswer, DbError, Engine, Filter, Isolation, OnConflict,
    Origin, Outcome, Row, Session, Statement, Table, Value, Verb, Wait,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::RefCell;
use std::fmt;

const KEY: Column = Column::int(0, "key");
const OTHER: Column = Column::int(1, "other").nullable();
const NOTE: Column = Column::int(2, "note").nullable();
static THINGS: Table = Table::new("things", &[KEY, OTHER, NOTE]).unique(&[&[KEY], &[OTHER]]);
static SINGLES: Table = Table::new("singles", &[KEY, OTHER, NOTE]).unique(&[&[KEY, OTHER]]);

const CASES_MIN: u32 = 8_000;
/// An agreement on what never happened is none.
const SEEN_MIN: u32 = 100;
const SESSIONS_MAX: u32 = 4;
const STEPS_MAX: usize = 40;

/// What a session is told to do. A session that is blocked asks the same again instead, unless it is
/// told to give up or to roll back.
#[derive(Clone)]
enum Command {
    Begin(Isolation),
    Run(Box<Statement>),
    Commit,
    Rollback,
    GiveUp,
}

#[test]
fn the_model_does_what_sqlite_does() {
    let default = ProptestConfig::default();
    let cases = CASES_MIN.max(default.cases);
    let config = ProptestConfig { cases, failure_persistence: None, ..default };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let pair = RefCell::new(Pair::new());
    let mut runner = TestRunner::new_with_rng(config, rng);
    let drawn = (any::<bool>(), steps());
    let end = runner.run(&drawn, |(fresh, steps)| pair.borrow_mut().agree_on(fresh, steps));
    match end {
        Ok(()) => {
            let seen = &pair.borrow().seen;
            assert!(seen.least() >= SEEN_MIN, "too little happened in {cases} cases: {seen:?}");
        }
        Err(TestError::Fail(difference, (fresh, steps))) => {
            let lines =
                steps.iter().map(|(session, command)| format!("\n{}: {command:?}", session.0));
            let lines = lines.collect::<String>();
            panic!("with new connections: {fresh}, after{lines}\n{difference}");
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

/// The real one and its model, side by side.
struct Pair {
    real: Sqlite,
    model: Memory,
    /// What each session is blocked on.
    blocked: Vec<Option<Command>>,
    next_origin: u32,
    seen: Seen,
}

/// How often something worth agreeing on has happened in all cases together.
#[derive(Debug, Default)]
struct Seen {
    blocked: u32,
    blocked_again: u32,
    commits_blocked: u32,
    busy: u32,
    taken: u32,
    conflicts: u32,
    upserts_over: u32,
    deletes: u32,
    commits: u32,
}

type Agreement<T> = Result<T, TestCaseError>;

impl Pair {
    fn new() -> Self {
        let (real, model) = (Sqlite::new(), Memory::new(Profile::Sqlite));
        Self { real, model, blocked: Vec::new(), next_origin: 0, seen: Seen::default() }
    }

    /// Connections that are not new know the schema; a new one reads it with its first statement, and
    /// may have to wait for that.
    fn agree_on(&mut self, fresh: bool, steps: Vec<(Session, Command)>) -> Agreement<()> {
        if fresh {
            self.real = Sqlite::new();
        }
        self.real.reset(&[&THINGS, &SINGLES]);
        self.model.reset(&[&THINGS, &SINGLES]);
        self.blocked = vec![None; SESSIONS_MAX as usize];
        self.next_origin = 0;
        for (session, command) in steps {
            self.step(session, command)?;
            self.agree_on_sessions()?;
        }
        (0..SESSIONS_MAX).map(Session).for_each(|session| self.roll_back(session));
        self.agree_on_rows()
    }

    fn step(&mut self, session: Session, command: Command) -> Agreement<()> {
        let open = self.real.in_transaction(session);
        let waits = self.blocked[session.0 as usize].take();
        match (command, waits, open) {
            (Command::Rollback, _, _) => self.roll_back(session),
            (Command::GiveUp, Some(_), _) => {
                let (real, model) = (self.real.give_up(session), self.model.give_up(session));
                prop_assert_eq!(real, model);
            }
            (_, Some(again), _) => self.ask_again(session, again)?,
            (Command::GiveUp, None, _)
            | (Command::Begin(_), None, true)
            | (Command::Commit, None, false) => {}
            (command, None, _) => self.ask(session, command).map(drop)?,
        }
        Ok(())
    }

    /// An engine that says "it cannot proceed yet" must be right: the world would not ask. One
    /// exception costs nothing but time, since readers end: a statement that waits for readers, and
    /// whose unique key is taken meanwhile, could fail already.
    fn ask_again(&mut self, session: Session, command: Command) -> Agreement<()> {
        let hopes = [self.real.may_proceed(session), self.model.may_proceed(session)];
        let outcome = self.ask(session, command)?;
        let blocked = outcome == Outcome::Blocked;
        self.seen.blocked_again += u32::from(blocked);
        let taken = matches!(outcome, Outcome::Done(Err(DbError::UniqueViolation { .. })));
        prop_assert!(hopes == [true; 2] || blocked || taken, "{:?}, {:?}", hopes, outcome);
        Ok(())
    }

    fn ask(&mut self, session: Session, command: Command) -> Agreement<Outcome> {
        let origin = Origin(self.next_origin);
        self.next_origin += 1;
        let real = ask(&mut self.real, session, &command, origin);
        let model = ask(&mut self.model, session, &command, origin);
        prop_assert_eq!(&real, &model, "{:?} {:?}: left is real", session, command);
        self.seen.note(&command, &real);
        match &real {
            Outcome::Blocked => self.blocked[session.0 as usize] = Some(command),
            Outcome::Done(Ok(DbAnswer::Changed(_))) => {
                prop_assert_eq!(self.real.deleted(), self.model.deleted());
            }
            Outcome::Done(_) => {}
        }
        Ok(real)
    }

    fn roll_back(&mut self, session: Session) {
        self.real.rollback(session);
        self.model.rollback(session);
        self.blocked[session.0 as usize] = None;
    }

    fn agree_on_sessions(&mut self) -> Agreement<()> {
        for session in (0..SESSIONS_MAX).map(Session) {
            prop_assert_eq!(self.real.in_transaction(session), self.model.in_transaction(session));
            if self.blocked[session.0 as usize].is_some() {
                let mut circle = Vec::new();
                self.model.deadlock(session, &mut circle);
                prop_assert!(circle.is_empty(), "the model sees a circle: {:?}", circle);
            }
        }
        for table in [&THINGS, &SINGLES] {
            prop_assert_eq!(self.real.count(table), self.model.count(table));
        }
        Ok(())
    }

    fn agree_on_rows(&mut self) -> Agreement<()> {
        for table in [&THINGS, &SINGLES] {
            prop_assert_eq!(self.real.committed(table), self.model.committed(table));
        }
        Ok(())
    }
}

impl Seen {
    fn note(&mut self, command: &Command, outcome: &Outcome) {
        let commits = matches!(command, Command::Commit);
        let upserts =
            matches!(command, Command::Run(run) if matches!(run.action, Action::Insert { .. }));
        let deletes =
            matches!(command, Command::Run(run) if matches!(run.action, Action::Delete { .. }));
        match outcome {
            Outcome::Blocked => {
                self.blocked += 1;
                self.commits_blocked += u32::from(commits);
            }
            Outcome::Done(Err(DbError::Busy)) => self.busy += 1,
            Outcome::Done(Err(DbError::UniqueViolation { .. })) => self.taken += 1,
            Outcome::Done(Ok(DbAnswer::Conflict)) => self.conflicts += 1,
            Outcome::Done(Ok(DbAnswer::Committed)) => self.commits += 1,
            Outcome::Done(Ok(DbAnswer::Changed(1..))) => {
                self.upserts_over += u32::from(upserts);
                self.deletes += u32::from(deletes);
            }
            Outcome::Done(_) => {}
        }
    }

    /// The least of them all.
    fn least(&self) -> u32 {
        let blocked = self.blocked.min(self.blocked_again).min(self.commits_blocked);
        let written = self.taken.min(self.conflicts).min(self.upserts_over).min(self.deletes);
        blocked.min(written).min(self.busy).min(self.commits)
    }
}

fn ask(db: &mut dyn Engine, session: Session, command: &Command, origin: Origin) -> Outcome {
    match command {
        Command::Begin(isolation) => db.begin(session, *isolation),
        Command::Run(statement) => db.execute(session, statement, origin),
        Command::Commit => db.commit(session),
        Command::Rollback | Command::GiveUp => unreachable!("nobody waits for {command:?}"),
    }
}

/// One line a command: a counterexample is to be read.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Run(statement) = self else {
            return f.write_str(match self {
                Self::Begin(_) => "begin",
                Self::Commit => "commit",
                Self::Rollback => "roll back",
                Self::GiveUp => "give up",
                Self::Run(_) => unreachable!("it is no statement"),
            });
        };
        match &statement.action {
            Action::Insert { row, on_conflict } => {
                write!(f, "insert {:?}", row.0)?;
                match on_conflict {
                    OnConflict::Fail => Ok(()),
                    OnConflict::Nothing => f.write_str(" or nothing"),
                    OnConflict::Update(set) => write!(f, " or set note to {}", set[0].value),
                }
            }
            Action::Read { filter, .. } => write!(f, "read where {}", Where(filter)),
            Action::Scan { filter, limit } => write!(f, "scan {limit} where {}", Where(filter)),
            Action::Delete { filter } => write!(f, "delete where {}", Where(filter)),
            Action::Update { filter, set } => {
                write!(f, "set note to {} where {}", set[0].value, Where(filter))
            }
        }?;
        write!(f, " in {}, {:?}", statement.table.name, statement.wait)
    }
}

struct Where<'a>(&'a Filter);

impl fmt::Display for Where<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|Condition { column, compare, value }| {
            write!(f, "{} {compare:?} {value}; ", column.name)
        })
    }
}

fn steps() -> impl Strategy<Value = Vec<(Session, Command)>> {
    let of = |sessions| vec(((0..sessions).prop_map(Session), command()), 1..STEPS_MAX);
    (2..=SESSIONS_MAX).prop_flat_map(of)
}

fn command() -> impl Strategy<Value = Command> {
    let isolation = prop_oneof![
        Just(Isolation::ReadCommitted),
        Just(Isolation::Snapshot),
        Just(Isolation::Serializable)
    ];
    prop_oneof![
        3 => isolation.prop_map(Command::Begin),
        8 => statement().prop_map(|statement| Command::Run(Box::new(statement))),
        4 => Just(Command::Commit),
        1 => Just(Command::Rollback),
        1 => Just(Command::GiveUp),
    ]
}

fn statement() -> impl Strategy<Value = Statement> {
    let table = prop_oneof![3 => Just(&THINGS), 1 => Just(&SINGLES)];
    let wait = prop_oneof![6 => Just(Wait::Block), 1 => Just(Wait::Refuse)];
    (table, action(), wait).prop_map(|(table, action, wait)| Statement {
        verb: Verb::Update,
        table,
        action,
        effect: None,
        undoes: false,
        cause: None,
        wait,
    })
}

fn action() -> impl Strategy<Value = Action> {
    let set = || value().prop_map(|value| [NOTE.set(value)].into_iter().collect());
    let on_conflict = prop_oneof![
        Just(OnConflict::Fail),
        Just(OnConflict::Nothing),
        set().prop_map(OnConflict::Update),
    ];
    let row = (0..3_i64, value(), value()).prop_map(|(key, other, note)| {
        Row::of(&THINGS, [KEY.set(key), OTHER.set(other), NOTE.set(note)])
    });
    prop_oneof![
        4 => (row, on_conflict).prop_map(|(row, on_conflict)| Action::Insert { row, on_conflict }),
        4 => (filter(), any::<bool>()).prop_map(|(filter, lock)| Action::Read { filter, lock }),
        1 => (filter(), 0..4_u32).prop_map(|(filter, limit)| Action::Scan { filter, limit }),
        2 => (filter(), set()).prop_map(|(filter, set)| Action::Update { filter, set }),
        2 => filter().prop_map(|filter| Action::Delete { filter }),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    vec(condition(), 0..3).prop_map(|conditions| conditions.into_iter().collect())
}

fn condition() -> impl Strategy<Value = Condition> {
    let column = prop_oneof![3 => Just(KEY), 1 => Just(OTHER), 1 => Just(NOTE)];
    let compare = prop_oneof![
        4 => Just(Compare::Is),
        1 => Just(Compare::IsNot),
        1 => Just(Compare::AtMost),
        1 => Just(Compare::MoreThan),
        1 => Just(Compare::IsNull),
    ];
    (column, compare, value()).prop_map(|(column, compare, value)| Condition {
        column,
        compare,
        value,
    })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![6 => (0..3_i64).prop_map(Value::Int), 1 => Just(Value::Null)]
}
