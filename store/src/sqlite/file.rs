//! Real SQLite outside the simulation: one connection to a database file, for [`crate::block_on`].
//!
//! The file is in WAL mode, so readers and the one writer do not wait for each other; writers wait
//! for real, ten seconds at most. Nothing here is simulated, seeded or repeatable.

use super::check::check;
use super::link::{Link, Stop};
use super::sql;
use super::texts::Texts;
use crate::engine::{DbAnswer, DbError, Engine, Isolation, Origin, Outcome, Session};
use crate::schema::Table;
use crate::statement::{Row, Statement, Wait};
use std::path::Path;
use std::time::Duration;

/// One connection to a database file. It is one session, whatever number that is given.
#[derive(Debug)]
pub struct SqliteFile {
    link: Link,
    texts: Texts,
    deleted: Vec<Origin>,
}

/// How long a statement waits for the write lock before it is refused with [`DbError::Busy`].
const PATIENCE: Duration = Duration::from_secs(10);

impl SqliteFile {
    /// Opens the database file, or makes it, and holds at least these tables; what they have in them
    /// stays. Make a new file once before several threads open it: nobody else may have it open while
    /// it is put into WAL mode.
    pub fn open(path: impl AsRef<Path>, tables: &[&'static Table]) -> Result<Self, DbError> {
        let link = Link::patient(path.as_ref(), PATIENCE)?;
        link.batch("PRAGMA journal_mode = WAL").map_err(Stop::error)?;
        let file = Self { link, texts: Texts::default(), deleted: Vec::new() };
        file.create(tables)?;
        Ok(file)
    }

    fn create(&self, tables: &[&'static Table]) -> Result<(), DbError> {
        tables.iter().try_for_each(|table| self.command(&sql::create(table)))
    }

    fn command(&self, sql: &str) -> Result<(), DbError> {
        self.link.command(sql).map_err(Stop::error)
    }

    fn run(&mut self, statement: &Statement, origin: Origin) -> Result<DbAnswer, DbError> {
        check(statement)?;
        let sql = self.texts.of(statement);
        let answer = self.link.run(sql, statement, origin, &mut self.deleted);
        answer.map_err(Stop::error)
    }

    fn run_without_waiting(
        &mut self,
        statement: &Statement,
        origin: Origin,
    ) -> Result<DbAnswer, DbError> {
        self.link.set_patience(Duration::ZERO)?;
        let answer = self.run(statement, origin);
        self.link.set_patience(PATIENCE)?;
        answer
    }
}

impl Engine for SqliteFile {
    fn name(&self) -> &'static str {
        "sqlite-file"
    }

    /// Deletes the rows of these tables, for all who use the file.
    ///
    /// # Panics
    /// When the file cannot be written.
    fn reset(&mut self, tables: &[&'static Table]) {
        self.rollback(Session(0));
        self.create(tables).expect("tables can be created");
        for table in tables {
            self.command(&sql::clear(table)).expect("tables can be cleared");
        }
        self.deleted.clear();
    }

    fn begin(&mut self, session: Session, _: Isolation) -> Outcome {
        Outcome::Done(self.command("BEGIN DEFERRED").map(|()| DbAnswer::Began(session)))
    }

    fn execute(&mut self, _: Session, statement: &Statement, origin: Origin) -> Outcome {
        self.deleted.clear();
        let answer = match statement.wait {
            Wait::Block => self.run(statement, origin),
            Wait::Refuse => self.run_without_waiting(statement, origin),
        };
        if answer.is_err() {
            self.deleted.clear();
        }
        Outcome::Done(answer)
    }

    fn commit(&mut self, session: Session) -> Outcome {
        let committed = self.command("COMMIT").map(|()| DbAnswer::Committed);
        if committed.is_err() {
            self.rollback(session);
        }
        Outcome::Done(committed)
    }

    fn rollback(&mut self, _: Session) {
        if self.link.in_transaction() {
            self.command("ROLLBACK").expect("an open transaction can be rolled back");
        }
    }

    fn in_transaction(&self, _: Session) -> bool {
        self.link.in_transaction()
    }

    /// It has waited for real, and is never blocked.
    fn may_proceed(&self, _: Session) -> bool {
        true
    }

    fn deadlock(&self, _: Session, circle: &mut Vec<Session>) {
        circle.clear();
    }

    fn give_up(&mut self, _: Session) -> DbError {
        DbError::Busy
    }

    fn deleted(&self) -> &[Origin] {
        &self.deleted
    }

    fn committed(&mut self, table: &'static Table) -> Vec<(Origin, Row)> {
        self.link.all_rows(&sql::all_rows(table), table).expect("the table can be read")
    }

    fn count(&mut self, table: &'static Table) -> u64 {
        let rows = self.link.number(&sql::count(table)).expect("the table can be counted");
        u64::try_from(rows).expect("a table has no fewer rows than none")
    }
}
