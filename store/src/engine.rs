//! What a database must do for a store, whoever it is: the memory model or a real engine.
//!
//! An engine is a state machine with no clock and no choice of its own. It says who is blocked, who
//! may proceed and who stands in a circle of waits; its caller decides who goes first and who dies.
//! A session is one connection. Outside a transaction every statement commits by itself.

use crate::canon::Canon;
use crate::schema::Table;
use crate::statement::{Row, Statement};
use thiserror::Error;

/// One connection to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Session(pub u32);

/// Which operation a write is for. Hidden from stores; stored beside each row, so that the world can
/// say whose row it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub u32);

impl Origin {
    /// Belongs to no operation: a sweeper, the world itself.
    pub const NONE: Self = Self(u32::MAX);
}

/// How far a transaction is kept from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before it began.
    ReadCommitted,
    /// The whole transaction sees one snapshot (PostgreSQL's REPEATABLE READ).
    Snapshot,
    /// As if transactions ran one after another.
    Serializable,
}

/// What the database says to a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum DbAnswer {
    /// A transaction began, on this session.
    Began(Session),
    /// The row was inserted.
    Inserted,
    /// Nothing was inserted: a unique key is taken.
    Conflict,
    /// The row read, if there is one.
    Row(Option<Row>),
    /// The rows read.
    Rows(Vec<Row>),
    /// So many rows were updated or deleted.
    Changed(u64),
    /// The transaction is committed.
    Committed,
    /// The transaction is rolled back.
    RolledBack,
}

/// What the database refuses, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DbError {
    /// A unique key is taken (SQLSTATE 23505, `SQLITE_CONSTRAINT_UNIQUE`).
    #[error("unique key of table {table} is taken")]
    UniqueViolation {
        /// The table.
        table: &'static str,
    },
    /// The transaction cannot be placed in any order with its neighbours (SQLSTATE 40001).
    #[error("could not serialize access")]
    SerializationFailure,
    /// The world chose this transaction to end a deadlock (SQLSTATE 40P01).
    #[error("deadlock detected")]
    Deadlock,
    /// Another session holds the lock and this one may not wait (`SQLITE_BUSY`).
    #[error("database is locked")]
    Busy,
    /// The statement was told not to wait, and would have to (SQLSTATE 55P03).
    #[error("lock not available")]
    WouldWait,
    /// The connection broke: what was asked may have been done, or not (SQLSTATE 08006). An open
    /// transaction is rolled back.
    #[error("the connection broke")]
    ConnectionLost,
    /// An earlier statement failed; only a rollback is possible (SQLSTATE 25P02).
    #[error("current transaction is aborted")]
    TransactionAborted,
    /// A value does not fit its column: a bug in the store.
    #[error("column {column} of table {table} does not accept {value}")]
    BadValue {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// What was offered.
        value: String,
    },
    /// The statement is not possible: a bug in the store.
    #[error("{0}")]
    BadStatement(String),
    /// The engine failed in a way that the model does not know.
    #[error("engine failure: {0}")]
    Engine(String),
}

/// The outcome of asking an engine to do something.
#[expect(
    clippy::large_enum_variant,
    reason = "it holds the row that was read; a box would allocate"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was done, or refused.
    Done(Result<DbAnswer, DbError>),
    /// It had no effect yet: it waits for another session. Ask the same again once that may proceed.
    Blocked,
}

/// A database under a simulator: one call at a time, several sessions.
pub trait Engine {
    /// Its name: `memory-postgres`, `memory-sqlite`, `sqlite`.
    fn name(&self) -> &'static str;

    /// Forgets all rows and sessions, and holds these tables from now on. Keeps what it has
    /// allocated.
    fn reset(&mut self, tables: &[&'static Table]);

    /// Begins a transaction on a session that has none. May block on an engine that opens lazily.
    fn begin(&mut self, session: Session, isolation: Isolation) -> Outcome;

    /// Runs one statement: inside the session's transaction, or by itself when it has none. Rows
    /// that it inserts belong to `origin`.
    fn execute(&mut self, session: Session, statement: &Statement, origin: Origin) -> Outcome;

    /// Commits. An aborted transaction rolls back and says [`DbError::TransactionAborted`].
    fn commit(&mut self, session: Session) -> Outcome;

    /// Rolls back whatever the session has open; fine when it has nothing.
    fn rollback(&mut self, session: Session);

    /// Whether the session has a transaction open.
    fn in_transaction(&self, session: Session) -> bool;

    /// Whether a blocked session may now proceed (it may still block again on another).
    fn may_proceed(&self, session: Session) -> bool;

    /// The sessions in a circle of waits with this blocked one, lowest first; empty when there is
    /// none. The caller picks the victim and calls [`Engine::give_up`].
    fn deadlock(&self, session: Session, circle: &mut Vec<Session>);

    /// Ends the wait of a blocked session as its engine would, and says with which error.
    fn give_up(&mut self, session: Session) -> DbError;

    /// The origins of the rows that the last statement deleted.
    fn deleted(&self) -> &[Origin];

    /// All committed rows of a table with their origins, in the order of insertion: for the world's
    /// own bookkeeping at the end of a run.
    fn committed(&mut self, table: &'static Table) -> Vec<(Origin, Row)>;

    /// How many committed rows a table has.
    fn count(&mut self, table: &'static Table) -> u64;

    /// The number of the last commit that changed something; `None`: it cannot look back, and the two
    /// below are not to be called.
    fn commits(&self) -> Option<u64> {
        None
    }

    /// From now on keeps what was seen at this commit, until told a later one.
    fn keep_since(&mut self, commit: u64) {
        unreachable!("{} was told to keep commit {commit}, and cannot look back", self.name());
    }

    /// Runs a plain read as it would have come out at this commit, which must be kept.
    fn read_at(&mut self, statement: &Statement, commit: u64) -> Result<DbAnswer, DbError> {
        let _ = (statement, commit);
        Err(DbError::BadStatement(format!("{} cannot look back", self.name())))
    }

    /// Writes down all that it holds and that can matter for what is to come: rows, locks, open
    /// transactions. The sessions in use must have been written before. Says whether it could: a
    /// real engine's state cannot be seen.
    fn portray(&self, canon: &mut Canon) -> bool {
        let _ = canon;
        false
    }
}
