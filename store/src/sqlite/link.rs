//! One connection to SQLite, and what its errors mean.
//!
//! Blocked or refused? SQLite says `SQLITE_BUSY` to both. It calls the busy handler where waiting
//! could help, and does not where it could not: a read lock that wants to become a write lock while
//! another holds that, a snapshot that is out of date. A handler that sets a flag and gives up at
//! once tells them apart. The flag belongs to the connection, and so do all its calls.

use super::values;
use crate::engine::{DbAnswer, DbError, Origin, Outcome};
use crate::schema::Table;
use crate::statement::{Action, OnConflict, Row, Statement};
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One connection.
#[derive(Debug)]
pub(super) struct Link {
    connection: Connection,
    would_wait: Arc<AtomicBool>,
}

/// Why SQLite did not do what it was asked.
#[derive(Debug)]
pub(super) enum Stop {
    /// It would have waited for another connection, and has done nothing.
    Wait,
    /// It refuses.
    Refused(DbError),
}

/// How many prepared statements a connection keeps: more than the shapes of any one store.
const STATEMENTS_MAX: usize = 64;

impl Link {
    /// A connection that never waits, and says when it would have.
    pub(super) fn stepped(uri: &str) -> Result<Self, DbError> {
        let mut link = Self::open(Path::new(uri)).map_err(engine)?;
        link.listen().map_err(engine)?;
        Ok(link)
    }

    /// A connection that really waits, so long at most.
    pub(super) fn patient(path: &Path, patience: Duration) -> Result<Self, DbError> {
        let link = Self::open(path).map_err(engine)?;
        link.set_patience(patience)?;
        Ok(link)
    }

    /// Sets how long a connection that really waits does so.
    pub(super) fn set_patience(&self, patience: Duration) -> Result<(), DbError> {
        self.connection.busy_timeout(patience).map_err(engine)
    }

    /// Whether a transaction is open.
    pub(super) fn in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Whether the open transaction holds the write lock.
    pub(super) fn holds_write_lock(&self) -> bool {
        let state = self.connection.transaction_state(Some(rusqlite::MAIN_DB));
        matches!(state, Ok(rusqlite::TransactionState::Write))
    }

    /// Runs SQL without parameters or rows, and keeps it prepared.
    pub(super) fn command(&self, sql: &str) -> Result<(), Stop> {
        self.would_wait.store(false, Ordering::Relaxed);
        let done = self.connection.prepare_cached(sql).and_then(|mut one| one.raw_execute());
        done.map(drop).map_err(|error| self.stop("", &error))
    }

    /// Runs SQL whose rows, if any, do not matter, once.
    pub(super) fn batch(&self, sql: &str) -> Result<(), Stop> {
        self.would_wait.store(false, Ordering::Relaxed);
        self.connection.execute_batch(sql).map_err(|error| self.stop("", &error))
    }

    /// Forgets prepared statements: their tables are about to change.
    pub(super) fn forget_statements(&self) {
        self.connection.flush_prepared_statement_cache();
    }

    /// Runs one statement with its text. Notes the origins of the rows that it deletes.
    pub(super) fn run(
        &mut self,
        sql: &str,
        statement: &Statement,
        origin: Origin,
        deleted: &mut Vec<Origin>,
    ) -> Result<DbAnswer, Stop> {
        let gave_up = self.would_wait.swap(false, Ordering::Relaxed);
        let listens = if gave_up { self.listen() } else { Ok(()) };
        let answer = listens.and_then(|()| self.try_run(sql, statement, origin, deleted));
        answer.map_err(|error| self.stop(statement.table.name, &error))
    }

    /// Reads all rows of a table with the query that [`super::sql::all_rows`] makes.
    pub(super) fn all_rows(&self, sql: &str, table: &Table) -> Result<Vec<(Origin, Row)>, Stop> {
        self.would_wait.store(false, Ordering::Relaxed);
        let read = || {
            let mut prepared = self.connection.prepare_cached(sql)?;
            let mut rows = prepared.raw_query();
            let mut all = Vec::new();
            while let Some(cells) = rows.next()? {
                let origin = Origin(cells.get(table.columns.len())?);
                all.push((origin, values::row(table, cells)?));
            }
            Ok(all)
        };
        read().map_err(|error| self.stop(table.name, &error))
    }

    /// Reads one number.
    pub(super) fn number(&self, sql: &str) -> Result<i64, Stop> {
        self.would_wait.store(false, Ordering::Relaxed);
        let read = || self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0));
        read().map_err(|error| self.stop("", &error))
    }

    /// Sets the busy handler, also again after it has given up. SQLite does not call one that has
    /// (`nBusy` in `sqlite3InvokeBusyHandler`) until a statement runs (`sqlite3VdbeExec`); but before
    /// that `sqlite3_step` may have to prepare it anew and read the schema, and that may wait too. Who
    /// asks again after it was blocked never gave up, and is to be heard there. (After a busy timeout
    /// that has really run out SQLite does not wait there either. That is not simulated.)
    fn listen(&mut self) -> rusqlite::Result<()> {
        let flag = Arc::clone(&self.would_wait);
        let note = move |_: i32| {
            flag.store(true, Ordering::Relaxed);
            false
        };
        self.connection.busy_handler(Some(note))
    }

    fn open(path: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        Ok(Self { connection, would_wait: Arc::default() })
    }

    /// Every query is read to its end: an autocommit statement commits there, and may block there.
    fn try_run(
        &self,
        sql: &str,
        statement: &Statement,
        origin: Origin,
        deleted: &mut Vec<Origin>,
    ) -> rusqlite::Result<DbAnswer> {
        let mut prepared = self.connection.prepare_cached(sql)?;
        values::bind(&mut prepared, statement, origin)?;
        let table = statement.table;
        match &statement.action {
            Action::Insert { on_conflict: OnConflict::Update(_), .. } => {
                let mut rows = prepared.raw_query();
                let row = rows.next()?.expect("an upsert returns its row");
                let upserted: bool = row.get(0)?;
                while rows.next()?.is_some() {}
                Ok(if upserted { DbAnswer::Changed(1) } else { DbAnswer::Inserted })
            }
            Action::Insert { .. } => match prepared.raw_execute()? {
                0 => Ok(DbAnswer::Conflict),
                _ => Ok(DbAnswer::Inserted),
            },
            Action::Read { .. } => {
                let mut rows = prepared.raw_query();
                let row = rows.next()?.map(|cells| values::row(table, cells)).transpose()?;
                while rows.next()?.is_some() {}
                Ok(DbAnswer::Row(row))
            }
            Action::Scan { .. } => {
                let mut rows = prepared.raw_query();
                let mut all = Vec::new();
                while let Some(cells) = rows.next()? {
                    all.push(values::row(table, cells)?);
                }
                Ok(DbAnswer::Rows(all))
            }
            Action::Update { .. } => Ok(DbAnswer::Changed(prepared.raw_execute()? as u64)),
            Action::Delete { .. } => delete(&mut prepared, deleted),
        }
    }

    fn stop(&self, table: &'static str, error: &rusqlite::Error) -> Stop {
        let Some(code) = error.sqlite_error() else { return Stop::Refused(engine(error)) };
        match (code.code, code.extended_code) {
            (ErrorCode::DatabaseBusy, ffi::SQLITE_BUSY_SNAPSHOT)
            | (ErrorCode::DatabaseLocked, _) => Stop::Refused(DbError::Busy),
            (ErrorCode::DatabaseBusy, _) if self.would_wait.load(Ordering::Relaxed) => Stop::Wait,
            (ErrorCode::DatabaseBusy, _) => Stop::Refused(DbError::Busy),
            (_, ffi::SQLITE_CONSTRAINT_UNIQUE) => Stop::Refused(DbError::UniqueViolation { table }),
            _ => Stop::Refused(engine(error)),
        }
    }
}

impl Stop {
    /// What the engine says.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Wait => Outcome::Blocked,
            Self::Refused(error) => Outcome::Done(Err(error)),
        }
    }

    /// What the engine says when it may not wait.
    pub(super) fn error(self) -> DbError {
        match self {
            Self::Wait => DbError::Busy,
            Self::Refused(error) => error,
        }
    }
}

/// SQLite deletes in an order of its own; origins are told in the order of insertion.
fn delete(
    prepared: &mut rusqlite::Statement<'_>,
    deleted: &mut Vec<Origin>,
) -> rusqlite::Result<DbAnswer> {
    let mut gone: smallvec::SmallVec<[(i64, u32); 8]> = smallvec::SmallVec::new();
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next()? {
        gone.push((row.get(0)?, row.get(1)?));
    }
    gone.sort_unstable();
    deleted.extend(gone.iter().map(|&(_, origin)| Origin(origin)));
    Ok(DbAnswer::Changed(gone.len() as u64))
}

fn engine(error: impl std::fmt::Display) -> DbError {
    DbError::Engine(error.to_string())
}
