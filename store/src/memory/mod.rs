//! The memory database: a pure state machine that behaves as a real one does, for a simulator.
//!
//! It has no clock and makes no choice. It says who is blocked, who may proceed and who stands in
//! a circle of waits; whoever calls it decides the rest. Two profiles: PostgreSQL (versions of
//! rows, snapshots, row locks, serializable transactions) and SQLite (one lock word over the whole
//! file).
//!
//! | file | holds |
//! |---|---|
//! | `stamp` | when versions begin and end, and what a view sees |
//! | `heap` | the rows of a table as lines of versions |
//! | `table` | a table: heap, unique keys, where a filter's rows are |
//! | `session` | what is remembered of a connection |
//! | `data` | tables and sessions; commit, rollback, reclaiming |
//! | `check` | statements that are not possible at all |
//! | `read`, `write` | what statements do, for both profiles |
//! | `postgres`, `waits`, `serial` | PostgreSQL's rules; who waits; its serializable level |
//! | `sqlite` | SQLite's rules |
//! | `portray` | the canonical form of all of it |
//!
//! It may import the vocabulary of this crate (engine, schema, statement, value) and nothing else.

mod check;
mod data;
mod heap;
mod portray;
mod postgres;
mod read;
mod serial;
mod session;
mod sqlite;
mod stamp;
mod table;
mod waits;
mod write;

use self::data::Data;
use self::postgres::Postgres;
use self::sqlite::Sqlite;
use self::stamp::{Stamp, View};
use crate::canon::Canon;
use crate::engine::{DbAnswer, DbError, Engine, Isolation, Origin, Outcome, Session};
use crate::schema::Table;
use crate::statement::{Action, Row, Statement};

/// Which real database the memory database behaves as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// PostgreSQL.
    Postgres,
    /// SQLite with a rollback journal, as its in-memory file system locks.
    Sqlite,
}

/// The memory database.
#[derive(Debug)]
pub struct Memory {
    model: Model,
}

#[derive(Debug)]
enum Model {
    Postgres(Postgres),
    Sqlite(Sqlite),
}

impl Memory {
    /// An empty database; [`Engine::reset`] gives it its tables.
    pub fn new(profile: Profile) -> Self {
        let model = match profile {
            Profile::Postgres => Model::Postgres(Postgres::default()),
            Profile::Sqlite => Model::Sqlite(Sqlite::default()),
        };
        Self { model }
    }

    /// Which real database it behaves as.
    pub const fn profile(&self) -> Profile {
        match self.model {
            Model::Postgres(_) => Profile::Postgres,
            Model::Sqlite(_) => Profile::Sqlite,
        }
    }

    /// How many versions of rows it keeps: one for each row, and those that a snapshot may still
    /// see.
    pub fn tuples(&self) -> usize {
        self.data().versions()
    }

    const fn data_mut(&mut self) -> &mut Data {
        match &mut self.model {
            Model::Postgres(postgres) => &mut postgres.data,
            Model::Sqlite(sqlite) => &mut sqlite.data,
        }
    }

    const fn data(&self) -> &Data {
        match &self.model {
            Model::Postgres(postgres) => &postgres.data,
            Model::Sqlite(sqlite) => &sqlite.data,
        }
    }

    fn place(&self, table: &'static Table) -> u16 {
        self.data().table(table).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Engine for Memory {
    fn name(&self) -> &'static str {
        match self.model {
            Model::Postgres(_) => "memory-postgres",
            Model::Sqlite(_) => "memory-sqlite",
        }
    }

    fn reset(&mut self, tables: &[&'static Table]) {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.reset(tables),
            Model::Sqlite(sqlite) => sqlite.reset(tables),
        }
    }

    fn begin(&mut self, session: Session, isolation: Isolation) -> Outcome {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.begin(session.0, isolation),
            Model::Sqlite(sqlite) => sqlite.begin(session.0, isolation),
        }
    }

    fn execute(&mut self, session: Session, statement: &Statement, origin: Origin) -> Outcome {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.execute(session.0, statement, origin),
            Model::Sqlite(sqlite) => sqlite.execute(session.0, statement, origin),
        }
    }

    fn commit(&mut self, session: Session) -> Outcome {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.commit(session.0),
            Model::Sqlite(sqlite) => sqlite.commit(session.0),
        }
    }

    fn rollback(&mut self, session: Session) {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.rollback(session.0),
            Model::Sqlite(sqlite) => sqlite.rollback(session.0),
        }
    }

    fn in_transaction(&self, session: Session) -> bool {
        self.data().in_transaction(session.0)
    }

    fn may_proceed(&self, session: Session) -> bool {
        match &self.model {
            Model::Postgres(postgres) => postgres.data.may_proceed(session.0),
            Model::Sqlite(sqlite) => sqlite.may_proceed(session.0),
        }
    }

    fn deadlock(&self, session: Session, circle: &mut Vec<Session>) {
        circle.clear();
        match &self.model {
            Model::Postgres(postgres) => postgres.data.deadlock(session.0, circle),
            // Who waits for SQLite's lock holds nothing that a session it waits for could want.
            Model::Sqlite(_) => {}
        }
    }

    fn give_up(&mut self, session: Session) -> DbError {
        match &mut self.model {
            Model::Postgres(postgres) => postgres.give_up(session.0),
            Model::Sqlite(sqlite) => sqlite.give_up(session.0),
        }
    }

    fn deleted(&self) -> &[Origin] {
        &self.data().deleted
    }

    fn committed(&mut self, table: &'static Table) -> Vec<(Origin, Row)> {
        self.data().committed(self.place(table))
    }

    fn count(&mut self, table: &'static Table) -> u64 {
        self.data().tables[usize::from(self.place(table))].live
    }

    fn commits(&self) -> Option<u64> {
        Some(self.data().commits)
    }

    fn keep_since(&mut self, commit: u64) {
        let data = self.data_mut();
        data.kept = Some(commit);
        data.reclaim();
    }

    fn read_at(&mut self, statement: &Statement, commit: u64) -> Result<DbAnswer, DbError> {
        let data = self.data();
        let place = data.table(statement.table)?;
        check::check(&data.tables[usize::from(place)], statement)?;
        let view = View { commit, me: Stamp::NOBODY };
        match &statement.action {
            Action::Read { filter, lock: false } => Ok(data.read(view, place, filter)),
            Action::Scan { filter, limit } => Ok(data.scan(view, place, filter, *limit)),
            _ => Err(DbError::BadStatement("the past can only be read".into())),
        }
    }

    fn portray(&self, canon: &mut Canon) -> bool {
        match &self.model {
            Model::Postgres(postgres) => postgres.portray(canon),
            Model::Sqlite(sqlite) => sqlite.portray(canon),
        }
        true
    }
}
