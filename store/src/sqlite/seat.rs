//! One session inside the simulation: its connection, and what its open transaction has done so far.

use super::link::Link;
use smallvec::SmallVec;

/// One session.
#[derive(Debug)]
pub(super) struct Seat {
    /// Its connection.
    pub(super) link: Link,
    /// By how many rows the open transaction has grown each table, in the order of the tables.
    pub(super) grown: SmallVec<[i64; 4]>,
    /// How many transactions had ended when the session was blocked last.
    pub(super) blocked_at: u64,
}

impl Seat {
    /// A session over a fresh connection to a database of so many tables.
    pub(super) fn new(link: Link, tables: usize) -> Self {
        Self { link, grown: SmallVec::from_elem(0, tables), blocked_at: 0 }
    }

    /// Forgets all, for a database of so many tables.
    pub(super) fn reset(&mut self, tables: usize) {
        self.grown.clear();
        self.grown.resize(tables, 0);
        self.blocked_at = 0;
    }
}
