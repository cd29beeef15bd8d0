//! SQLite's rules, as they are over its in-memory file system `memdb` with a rollback journal.
//!
//! One lock word (`memdbLock` in `memdb.c`): any number of readers hold SHARED, one of them may be
//! the writer and hold RESERVED; while there is a writer, nobody else gets SHARED anew; the commit
//! of a writer needs all other readers gone. BEGIN is deferred and takes nothing. SQLite waits
//! (calls the busy handler) only where the session holds no lock yet, or at the commit; a reader
//! that wants to become the second writer is told at once that the file is busy
//! (`sqlite3BtreeBeginTrans`). So a session that waits holds nothing, or is the one writer and
//! waits for readers, who never wait: there is no circle.
//!
//! Fault model: none of its own. Whoever calls decides who goes first, who dies, and when.

use super::check::check;
use super::data::{Actor, Data, Stop};
use super::session::{Phase, Waiting};
use super::stamp::{Stamp, View};
use super::write::Insertion;
use crate::canon::Canon;
use crate::engine::{DbAnswer, DbError, Isolation, Origin, Outcome, Session};
use crate::statement::{Action, Statement, Wait};

/// A database that behaves as SQLite does.
#[derive(Debug, Default)]
pub(super) struct Sqlite {
    pub(super) data: Data,
    /// How many sessions hold SHARED, the writer included.
    readers: u32,
    /// Who holds RESERVED.
    writer: Option<u32>,
}

/// Why a lock is not to be had.
#[derive(Clone, Copy)]
enum Denied {
    /// It may be had later: SQLite calls its busy handler.
    Later(Waiting),
    /// SQLite does not wait here.
    Now,
}

impl Sqlite {
    pub(super) fn reset(&mut self, tables: &[&'static crate::schema::Table]) {
        self.data.reset(tables);
        self.readers = 0;
        self.writer = None;
    }

    /// Isolation levels are all one here: only one transaction writes, and nobody reads past it.
    pub(super) fn begin(&mut self, session: u32, isolation: Isolation) -> Outcome {
        let state = self.data.session_mut(session);
        if state.phase != Phase::Idle {
            let why = "cannot start a transaction within a transaction".to_owned();
            return Outcome::Done(Err(DbError::BadStatement(why)));
        }
        state.phase = Phase::Open(isolation);
        Outcome::Done(Ok(DbAnswer::Began(Session(session))))
    }

    pub(super) fn execute(
        &mut self,
        session: u32,
        statement: &Statement,
        origin: Origin,
    ) -> Outcome {
        self.data.deleted.clear();
        self.data.session_mut(session).waiting = Waiting::No;
        let place = match self.data.table(statement.table) {
            Ok(place) => place,
            Err(error) => return Outcome::Done(Err(error)),
        };
        if let Err(error) = check(&self.data.tables[usize::from(place)], statement) {
            return Outcome::Done(Err(error));
        }
        if let Err(denied) = self.take_locks(session, writes(&statement.action)) {
            return self.deny(session, denied, statement.wait);
        }
        let answer = self.act(session, place, statement, origin);
        if self.data.in_transaction(session) {
            return Outcome::Done(answer);
        }
        if answer.is_ok() && !self.may_write_file(session) {
            self.data.take_back(session);
            self.data.deleted.clear();
            self.end(session);
            return self.deny(session, Denied::Later(Waiting::Exclusive), statement.wait);
        }
        // A refused statement has changed nothing, so that this takes nothing over.
        self.data.make_good(session);
        self.end(session);
        Outcome::Done(answer)
    }

    pub(super) fn commit(&mut self, session: u32) -> Outcome {
        self.data.session_mut(session).waiting = Waiting::No;
        if !self.data.in_transaction(session) {
            let why = "cannot commit: no transaction is active".to_owned();
            return Outcome::Done(Err(DbError::BadStatement(why)));
        }
        if !self.may_write_file(session) {
            return self.deny(session, Denied::Later(Waiting::Exclusive), Wait::Block);
        }
        self.data.make_good(session);
        self.end(session);
        Outcome::Done(Ok(DbAnswer::Committed))
    }

    pub(super) fn rollback(&mut self, session: u32) {
        self.data.session_mut(session);
        self.data.take_back(session);
        self.end(session);
    }

    pub(super) fn may_proceed(&self, session: u32) -> bool {
        let Some(state) = self.data.session(session) else { return true };
        let no_writer = self.writer.is_none_or(|writer| writer == session);
        match state.waiting {
            Waiting::No | Waiting::End { .. } => true,
            Waiting::Shared => no_writer,
            Waiting::Exclusive => no_writer && self.readers == u32::from(state.shared),
        }
    }

    pub(super) fn give_up(&mut self, session: u32) -> DbError {
        self.data.session_mut(session).waiting = Waiting::No;
        DbError::Busy
    }

    /// Writes all that it holds. How many read follows from the sessions.
    pub(super) fn portray(&self, canon: &mut Canon) {
        self.data.portray(canon, None);
        match self.writer {
            None => canon.word(0_u8),
            Some(writer) => {
                canon.word(1_u8);
                canon.session(Session(writer));
            }
        }
    }

    fn act(
        &mut self,
        session: u32,
        place: u16,
        statement: &Statement,
        origin: Origin,
    ) -> Result<DbAnswer, DbError> {
        let data = &mut self.data;
        let view = View { commit: data.commits, me: Stamp::pending(session) };
        // With other readers the statement may have to be taken back.
        let last = self.readers == 1 && !data.in_transaction(session);
        let actor = Actor { session, view, fixed: false, serial: false, last };
        let answer = match &statement.action {
            Action::Insert { row, on_conflict } => {
                data.insert(actor, place, Insertion { row, on_conflict, origin })
            }
            Action::Read { filter, .. } => Ok(data.read(view, place, filter)),
            Action::Scan { filter, limit } => Ok(data.scan(view, place, filter, *limit)),
            Action::Update { filter, set } => data.update(actor, place, filter, set),
            Action::Delete { filter } => data.delete(actor, place, filter),
        };
        answer.map_err(|stop| match stop {
            Stop::Refused(error) => error,
            Stop::Wait(other) => unreachable!("the only writer waits for session {other}"),
        })
    }

    fn take_locks(&mut self, session: u32, write: bool) -> Result<(), Denied> {
        let other_writes = self.writer.is_some_and(|writer| writer != session);
        let state = &mut self.data.sessions[session as usize];
        if !state.shared {
            if other_writes {
                return Err(Denied::Later(Waiting::Shared));
            }
            state.shared = true;
            self.readers += 1;
        } else if write && other_writes {
            return Err(Denied::Now);
        }
        if write {
            self.writer = Some(session);
        }
        Ok(())
    }

    /// Whether a session may commit: it holds no RESERVED, or nobody else reads. A writer that has
    /// changed nothing asks for EXCLUSIVE as any other (`vdbeCommit` in `vdbeaux.c`).
    fn may_write_file(&self, session: u32) -> bool {
        self.writer != Some(session) || self.readers == 1
    }

    fn deny(&mut self, session: u32, denied: Denied, wait: Wait) -> Outcome {
        match denied {
            Denied::Later(waiting) if wait == Wait::Block => {
                self.data.sessions[session as usize].waiting = waiting;
                Outcome::Blocked
            }
            Denied::Later(_) | Denied::Now => Outcome::Done(Err(DbError::Busy)),
        }
    }

    /// Ends what the session had open, and lets go of its locks.
    fn end(&mut self, session: u32) {
        if self.writer == Some(session) {
            self.writer = None;
        }
        let state = &mut self.data.sessions[session as usize];
        if std::mem::take(&mut state.shared) {
            self.readers -= 1;
        }
        self.data.end(session);
    }
}

/// Whether it takes RESERVED. There are no row locks: a locking read is a plain one.
const fn writes(action: &Action) -> bool {
    match action {
        Action::Insert { .. } | Action::Update { .. } | Action::Delete { .. } => true,
        Action::Read { .. } | Action::Scan { .. } => false,
    }
}
