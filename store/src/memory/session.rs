//! What an engine remembers of one connection. Imports nothing but the isolation levels.

use crate::engine::Isolation;

/// A change to take back, or to make good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// In which table.
    pub(super) table: u16,
    /// To which line.
    pub(super) line: u32,
    /// What was done to it.
    pub(super) kind: Kind,
}

/// What was done to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It was inserted.
    Inserted,
    /// It has a new version.
    Updated,
    /// It was deleted.
    Deleted,
    /// It was locked.
    Locked,
}

/// How far a session is in a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// In none: every statement commits by itself.
    #[default]
    Idle,
    /// In one.
    Open(Isolation),
    /// In one that an error has aborted.
    Aborted,
}

/// What a blocked session waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waiting {
    /// For nothing.
    #[default]
    No,
    /// For the end of a session's transaction, by its number.
    End {
        /// The session.
        session: u32,
        /// Which of its transactions.
        number: u64,
    },
    /// For the right to read: the writer has to end.
    Shared,
    /// For the right to write the file: the writer and all readers have to end.
    Exclusive,
}

/// One connection.
#[derive(Debug, Default)]
pub(super) struct SessionState {
    /// How far it is in a transaction.
    pub(super) phase: Phase,
    /// How many transactions it has ended; statements outside one count too.
    pub(super) ended: u64,
    /// The last commit that its snapshot sees, while it holds one.
    pub(super) snapshot: Option<u64>,
    /// What its open transaction has done, in order.
    pub(super) changes: Vec<Change>,
    /// What it waits for.
    pub(super) waiting: Waiting,
    /// Its slot among the serializable transactions.
    pub(super) serial: Option<u32>,
    /// Whether it holds the file's SHARED lock.
    pub(super) shared: bool,
}

impl SessionState {
    /// Forgets everything, keeps the room.
    pub(super) fn clear(&mut self) {
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        *self = Self { changes, ..Self::default() };
    }
}
