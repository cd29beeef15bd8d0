//! PostgreSQL's rules: who sees what, who waits for whom, and what an error does to a transaction.
//!
//! Follows the PostgreSQL documentation, chapter 13 (Transaction Isolation, Explicit Locking) and
//! the page of INSERT; where these are silent, `src/test/isolation` of its source. Unlike the real
//! one, a statement over many rows, or over many unique keys, takes nothing before it can take
//! all: while it is blocked it holds only what earlier statements of its transaction took.
//!
//! Fault model: none of its own. Whoever calls decides who goes first, who dies, and when.

use super::check::check;
use super::data::{Actor, Data, Stop};
use super::serial::{Serial, Written};
use super::session::{Phase, Waiting};
use super::stamp::{Stamp, View};
use super::write::Insertion;
use crate::canon::Canon;
use crate::engine::{DbAnswer, DbError, Isolation, Origin, Outcome, Session};
use crate::statement::{Action, Condition, Filter, Statement, Wait};

/// A database that behaves as PostgreSQL does.
#[derive(Debug, Default)]
pub(super) struct Postgres {
    pub(super) data: Data,
    serial: Serial,
}

impl Postgres {
    pub(super) fn reset(&mut self, tables: &[&'static crate::schema::Table]) {
        self.data.reset(tables);
        self.serial.reset();
    }

    pub(super) fn begin(&mut self, session: u32, isolation: Isolation) -> Outcome {
        let state = self.data.session_mut(session);
        if state.phase != Phase::Idle {
            let why = "there is already a transaction in progress".to_owned();
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
        let isolation = match self.data.session_mut(session).phase {
            Phase::Aborted => return Outcome::Done(Err(DbError::TransactionAborted)),
            Phase::Open(isolation) => isolation,
            Phase::Idle => Isolation::ReadCommitted,
        };
        match self.run(session, isolation, statement, origin) {
            Ok(answer) => {
                self.statement_done(session, isolation);
                Outcome::Done(Ok(answer))
            }
            Err(Stop::Wait(_)) if statement.wait == Wait::Refuse => {
                self.fail(session, DbError::WouldWait)
            }
            Err(Stop::Wait(other)) => {
                self.data.wait_for(session, other);
                Outcome::Blocked
            }
            Err(Stop::Refused(error)) => self.fail(session, error),
        }
    }

    pub(super) fn commit(&mut self, session: u32) -> Outcome {
        let state = self.data.session_mut(session);
        match state.phase {
            Phase::Idle => {
                let why = "there is no transaction in progress".to_owned();
                return Outcome::Done(Err(DbError::BadStatement(why)));
            }
            Phase::Aborted => {
                self.data.end(session);
                return Outcome::Done(Err(DbError::TransactionAborted));
            }
            Phase::Open(_) => {}
        }
        if state.serial.is_some_and(|slot| self.serial.is_doomed(slot)) {
            self.rollback(session);
            return Outcome::Done(Err(DbError::SerializationFailure));
        }
        self.make_good(session);
        Outcome::Done(Ok(DbAnswer::Committed))
    }

    pub(super) fn rollback(&mut self, session: u32) {
        self.data.session_mut(session);
        self.take_back(session);
        self.data.end(session);
    }

    pub(super) fn give_up(&mut self, session: u32) -> DbError {
        self.data.session_mut(session);
        self.abort(session);
        DbError::Deadlock
    }

    /// Writes all that it holds.
    pub(super) fn portray(&self, canon: &mut Canon) {
        let base = self.data.portray(canon, Some(&self.serial));
        // Which of the open sessions has which slot: the stamps of the slots name the sessions.
        self.serial.portray(canon, &self.data, base);
    }

    fn run(
        &mut self,
        session: u32,
        isolation: Isolation,
        statement: &Statement,
        origin: Origin,
    ) -> Result<DbAnswer, Stop> {
        let place = self.data.table(statement.table)?;
        check(&self.data.tables[usize::from(place)], statement)?;
        let actor = self.actor(session, isolation);
        if actor.serial {
            self.refuse_if_doomed(session)?;
        }
        self.data.touched.clear();
        let answer = self.act(actor, place, statement, origin);
        if actor.serial {
            self.note(actor, place, statement, answer.as_ref());
            match &answer {
                Ok(_) | Err(Stop::Refused(DbError::UniqueViolation { .. })) => {
                    self.refuse_if_doomed(session)?;
                }
                Err(_) => {}
            }
        }
        answer
    }

    fn act(
        &mut self,
        actor: Actor,
        place: u16,
        statement: &Statement,
        origin: Origin,
    ) -> Result<DbAnswer, Stop> {
        let data = &mut self.data;
        match &statement.action {
            Action::Insert { row, on_conflict } => {
                data.insert(actor, place, Insertion { row, on_conflict, origin })
            }
            Action::Read { filter, lock: true } => data.lock(actor, place, filter),
            Action::Read { filter, lock: false } => Ok(data.read(actor.view, place, filter)),
            Action::Scan { filter, limit } => Ok(data.scan(actor.view, place, filter, *limit)),
            Action::Update { filter, set } => data.update(actor, place, filter, set),
            Action::Delete { filter } => data.delete(actor, place, filter),
        }
    }

    /// Takes a snapshot, unless the session still has one: from an earlier statement of its
    /// transaction, or from this one's beginning when it was blocked.
    fn actor(&mut self, session: u32, isolation: Isolation) -> Actor {
        let commits = self.data.commits;
        let state = &mut self.data.sessions[session as usize];
        let me = Stamp::pending(session);
        let fixed = isolation != Isolation::ReadCommitted;
        let commit = *state.snapshot.get_or_insert(commits);
        let serial = isolation == Isolation::Serializable;
        if serial && state.serial.is_none() {
            state.serial = Some(self.serial.enter(commit, me));
        }
        let last = state.phase == Phase::Idle;
        if fixed {
            self.data.hold(session);
        }
        Actor { session, view: View { commit, me }, fixed, serial, last }
    }

    fn statement_done(&mut self, session: u32, isolation: Isolation) {
        let state = &mut self.data.sessions[session as usize];
        let waited = std::mem::take(&mut state.waiting) != Waiting::No;
        if state.phase == Phase::Idle {
            self.make_good(session);
        } else if isolation == Isolation::ReadCommitted {
            state.snapshot = None;
            if waited {
                self.data.release(session);
                self.data.reclaim();
            }
        }
    }

    fn fail(&mut self, session: u32, error: DbError) -> Outcome {
        self.data.deleted.clear();
        self.abort(session);
        Outcome::Done(Err(error))
    }

    /// Takes back what the session did, and lets go of its locks. An explicit transaction stays,
    /// aborted, until somebody ends it.
    fn abort(&mut self, session: u32) {
        let explicit = self.data.in_transaction(session);
        self.take_back(session);
        self.data.end(session);
        if explicit {
            self.data.sessions[session as usize].phase = Phase::Aborted;
        }
    }

    fn make_good(&mut self, session: u32) {
        let commit = self.data.make_good(session);
        if let Some(slot) = self.data.sessions[session as usize].serial.take() {
            self.serial.commit(slot, commit);
        }
        self.data.end(session);
    }

    fn take_back(&mut self, session: u32) {
        if let Some(slot) = self.data.sessions[session as usize].serial.take() {
            self.serial.abort(slot);
        }
        self.data.take_back(session);
    }

    fn refuse_if_doomed(&self, session: u32) -> Result<(), DbError> {
        let slot = self.data.sessions[session as usize].serial;
        if slot.is_some_and(|slot| self.serial.is_doomed(slot)) {
            return Err(DbError::SerializationFailure);
        }
        Ok(())
    }

    /// Notes what a statement of a serializable transaction has read and written. A key found
    /// taken is a read of that key; a violation is a write that its readers would have missed, so
    /// that it is told as what it is (`read-write-unique.spec`).
    fn note(
        &mut self,
        actor: Actor,
        place: u16,
        statement: &Statement,
        answer: Result<&DbAnswer, &Stop>,
    ) {
        let state = &self.data.sessions[actor.session as usize];
        let slot = state.serial.expect("a serializable transaction has entered");
        let table = &self.data.tables[usize::from(place)];
        match (&statement.action, answer) {
            (Action::Insert { row, .. }, Ok(DbAnswer::Conflict | DbAnswer::Changed(_))) => {
                for key in 0..table.keys() {
                    let filter: Filter = table.key_conditions(key, row).collect();
                    self.serial.has_read(slot, place, filter, &table.heap);
                }
            }
            (Action::Insert { row, .. }, Err(Stop::Refused(DbError::UniqueViolation { .. }))) => {
                self.serial.would_write(slot, place, [Some(row), None]);
            }
            (action, Ok(_)) => {
                if let Some(filter) = filter_of(action) {
                    self.serial.has_read(slot, place, filter.into(), &table.heap);
                }
            }
            (_, Err(_)) => {}
        }
        for &line in &self.data.touched {
            let versions = table.heap.after_and_before(line, actor.view.me);
            self.serial.has_written(slot, Written { table: place, line }, versions);
        }
    }
}

fn filter_of(action: &Action) -> Option<&[Condition]> {
    match action {
        Action::Insert { .. } => None,
        Action::Read { filter, .. }
        | Action::Scan { filter, .. }
        | Action::Update { filter, .. }
        | Action::Delete { filter } => Some(filter),
    }
}
