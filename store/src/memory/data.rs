//! Tables and sessions, and how a transaction ends: what both profiles stand on.
//!
//! A commit stamps everything that its transaction touched; a rollback takes it back, last first.
//! What no snapshot can see any more is dropped at once, or when the last such snapshot goes.

use super::heap::Heap;
use super::session::{Change, Kind, Phase, SessionState, Waiting};
use super::stamp::{Stamp, View};
use super::table::Table;
use crate::engine::{DbError, Origin};
use crate::schema;
use crate::statement::Row;
use std::collections::VecDeque;

/// Why a statement did not come to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// It has to wait for this session's transaction.
    Wait(u32),
    /// It is refused.
    Refused(DbError),
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Self {
        Self::Refused(error)
    }
}

/// Who runs a statement, and what it may see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Actor {
    /// The session.
    pub(super) session: u32,
    /// What the statement sees.
    pub(super) view: View,
    /// Whether the view is the whole transaction's: a row that has moved on is then an error.
    pub(super) fixed: bool,
    /// Whether the transaction is serializable.
    pub(super) serial: bool,
    /// Whether the statement commits by itself and nothing can take it back.
    pub(super) last: bool,
}

/// Something dead that a snapshot may still see.
#[derive(Debug)]
struct Dead {
    commit: u64,
    table: u16,
    line: u32,
}

/// Tables and sessions.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// Every table that was ever held; only the first `used` are in use.
    pub(super) tables: Vec<Table>,
    used: usize,
    /// One for each session number seen.
    pub(super) sessions: Vec<SessionState>,
    /// Number of the last commit that changed something.
    pub(super) commits: u64,
    /// Origins of the rows that the last statement deleted.
    pub(super) deleted: Vec<Origin>,
    /// Lines that a statement has picked to change.
    pub(super) picked: Vec<u32>,
    /// Lines that the last statement of a serializable transaction has changed.
    pub(super) touched: Vec<u32>,
    /// Sessions that hold a snapshot.
    holders: Vec<u32>,
    /// What was seen at this commit is kept, though no session holds it: for a replica.
    pub(super) kept: Option<u64>,
    dead: VecDeque<Dead>,
}

impl Data {
    /// Forgets everything, keeps the room.
    pub(super) fn reset(&mut self, tables: &[&'static schema::Table]) {
        for (place, schema) in tables.iter().enumerate() {
            match self.tables.get_mut(place) {
                Some(table) => table.reuse(schema),
                None => self.tables.push(Table::new(schema)),
            }
        }
        self.used = tables.len();
        self.sessions.iter_mut().for_each(SessionState::clear);
        self.commits = 0;
        self.deleted.clear();
        self.holders.clear();
        self.kept = None;
        self.dead.clear();
    }

    /// The place of a table.
    pub(super) fn table(&self, schema: &'static schema::Table) -> Result<u16, DbError> {
        let same = |table: &Table| std::ptr::eq(table.schema, schema);
        match self.tables[..self.used].iter().position(same) {
            Some(place) => Ok(place as u16),
            None => Err(DbError::BadStatement(format!("there is no table {}", schema.name))),
        }
    }

    /// The rows of each table in use.
    pub(super) fn heaps(&self) -> impl Iterator<Item = &Heap> {
        self.tables[..self.used].iter().map(|table| &table.heap)
    }

    /// How many versions of rows are kept.
    pub(super) fn versions(&self) -> usize {
        self.heaps().map(Heap::versions).sum()
    }

    /// All committed rows, in the order of insertion.
    pub(super) fn committed(&self, table: u16) -> Vec<(Origin, Row)> {
        let heap = &self.tables[usize::from(table)].heap;
        let view = View { commit: self.commits, me: Stamp::NOBODY };
        let visible =
            |line| heap.visible(line, view).map(|row| (heap.line(line).origin, row.clone()));
        heap.iter().filter_map(visible).collect()
    }

    /// The state of a session that has been seen.
    pub(super) fn session(&self, session: u32) -> Option<&SessionState> {
        self.sessions.get(session as usize)
    }

    /// The state of a session.
    pub(super) fn session_mut(&mut self, session: u32) -> &mut SessionState {
        let place = session as usize;
        if place >= self.sessions.len() {
            self.sessions.resize_with(place + 1, SessionState::default);
        }
        &mut self.sessions[place]
    }

    /// Whether a session has a transaction open, aborted or not.
    pub(super) fn in_transaction(&self, session: u32) -> bool {
        self.session(session).is_some_and(|state| state.phase != Phase::Idle)
    }

    /// Lets a session keep its snapshot beyond the statement.
    pub(super) fn hold(&mut self, session: u32) {
        if !self.holders.contains(&session) {
            self.holders.push(session);
        }
    }

    /// Lets a session's snapshot go.
    pub(super) fn release(&mut self, session: u32) {
        self.sessions[session as usize].snapshot = None;
        if let Some(place) = self.holders.iter().position(|holder| *holder == session) {
            self.holders.swap_remove(place);
        }
    }

    /// Whether a snapshot is kept beyond its statement: by some session, or for a replica.
    pub(super) fn is_held(&self) -> bool {
        !self.holders.is_empty() || self.kept.is_some()
    }

    /// Remembers a change, to be taken back or made good.
    pub(super) fn changed(&mut self, session: u32, table: u16, line: u32, kind: Kind) {
        self.sessions[session as usize].changes.push(Change { table, line, kind });
    }

    /// Makes a session's changes good, and says the number of the commit. The snapshot stays.
    pub(super) fn make_good(&mut self, session: u32) -> u64 {
        let mut changes = std::mem::take(&mut self.sessions[session as usize].changes);
        if changes.iter().any(|change| change.kind != Kind::Locked) {
            self.commits += 1;
        }
        let commit = self.commits;
        for change in &changes {
            let table = &mut self.tables[usize::from(change.table)];
            match change.kind {
                Kind::Inserted => {
                    table.heap.settle(change.line, Stamp::at(commit));
                    table.live += 1;
                }
                Kind::Updated => table.heap.settle(change.line, Stamp::at(commit)),
                Kind::Deleted => {
                    table.heap.line_mut(change.line).end = Stamp::at(commit);
                    table.live -= 1;
                }
                Kind::Locked => table.heap.line_mut(change.line).locker = Stamp::NEVER,
            }
            if matches!(change.kind, Kind::Updated | Kind::Deleted) {
                self.dead.push_back(Dead { commit, table: change.table, line: change.line });
            }
        }
        changes.clear();
        self.sessions[session as usize].changes = changes;
        commit
    }

    /// Takes a session's changes back. The snapshot stays.
    pub(super) fn take_back(&mut self, session: u32) {
        let mut changes = std::mem::take(&mut self.sessions[session as usize].changes);
        for change in changes.drain(..).rev() {
            let table = &mut self.tables[usize::from(change.table)];
            match change.kind {
                Kind::Inserted => table.remove(change.line),
                Kind::Updated => table.heap.revert(change.line),
                Kind::Deleted => table.heap.line_mut(change.line).end = Stamp::NEVER,
                Kind::Locked => table.heap.line_mut(change.line).locker = Stamp::NEVER,
            }
        }
        self.sessions[session as usize].changes = changes;
    }

    /// Ends what a session had open, once its changes are made good or taken back: whoever waits
    /// for it may proceed.
    pub(super) fn end(&mut self, session: u32) {
        let state = self.session_mut(session);
        state.ended += 1;
        state.phase = Phase::Idle;
        state.waiting = Waiting::No;
        if state.snapshot.take().is_some() && self.is_held() {
            self.release(session);
        }
        self.reclaim();
    }

    /// Drops what no snapshot can see any more.
    pub(super) fn reclaim(&mut self) {
        if self.dead.is_empty() {
            return;
        }
        let seen = |holder: &u32| self.sessions[*holder as usize].snapshot;
        let held = self.holders.iter().filter_map(seen).chain(self.kept);
        let horizon = held.min().unwrap_or(self.commits);
        while let Some(dead) = self.dead.pop_front_if(|dead| dead.commit <= horizon) {
            self.tables[usize::from(dead.table)].prune(dead.line, horizon);
        }
    }
}
