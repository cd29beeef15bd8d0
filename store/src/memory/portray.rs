//! The canonical form of the memory database: what it holds and what can matter for what is to come.
//!
//! Commits are counted from the oldest snapshot that anybody holds: what everybody sees is equally
//! old. Lines are numbered by their order in the table, sessions as the caller has numbered them.
//! What is over and seen by nobody (counters of commits and of ended transactions, free slots,
//! indexes) is left out.

use super::data::Data;
use super::heap::Heap;
use super::serial::Serial;
use super::session::{Kind, Phase, SessionState, Waiting};
use super::stamp::Stamp;
use crate::canon::Canon;
use crate::engine::{Isolation, Session};
use crate::statement::Condition;

/// What numbers of commits and stamps are relative to.
#[derive(Clone, Copy)]
pub(super) struct Base(u64);

impl Base {
    /// Writes the number of a commit; `u64::MAX` stands for none.
    pub(super) fn commit(self, canon: &mut Canon, commit: u64) {
        canon.word(if commit == u64::MAX { u64::MAX } else { commit.saturating_sub(self.0) });
    }

    /// Writes a stamp.
    pub(super) fn stamp(self, canon: &mut Canon, stamp: Stamp) {
        if let Some(session) = stamp.held_by_other(Stamp::NOBODY) {
            canon.word(1_u8);
            canon.session(Session(session));
        } else if stamp == Stamp::NEVER || stamp == Stamp::NOBODY {
            canon.word(2_u8);
        } else {
            canon.word(3_u8);
            self.commit(canon, stamp.commit());
        }
    }
}

/// Writes the place of a line in the order of its table.
pub(super) fn line(canon: &mut Canon, heap: &Heap, slot: u32) {
    let place = heap.iter().position(|other| other == slot);
    canon.size(place.unwrap_or(usize::MAX));
}

/// Writes a condition.
pub(super) fn condition(canon: &mut Canon, condition: &Condition) {
    canon.word(condition.column.index);
    canon.word(condition.compare as u8);
    canon.value(&condition.value);
}

impl Data {
    /// Writes all tables and sessions; says what the numbers of commits are relative to.
    pub(super) fn portray(&self, canon: &mut Canon, serial: Option<&Serial>) -> Base {
        let held = self.sessions.iter().filter_map(|session| session.snapshot).chain(self.kept);
        let serial = serial.and_then(Serial::oldest);
        let base = Base(held.chain(serial).min().unwrap_or(self.commits).min(self.commits));
        base.commit(canon, self.commits);
        base.commit(canon, self.kept.unwrap_or(u64::MAX));
        for heap in self.heaps() {
            portray_heap(canon, heap, base);
        }
        // Those that the rows name are written by now, and whoever else is in use by the caller.
        let mut at = 0;
        while let Some(Session(session)) = canon.sessions().get(at).copied() {
            // One that has asked nothing yet is as good as new.
            let unused = SessionState::default();
            self.portray_session(canon, self.session(session).unwrap_or(&unused), base);
            at += 1;
        }
        canon.word(u64::MAX);
        base
    }

    fn portray_session(&self, canon: &mut Canon, state: &SessionState, base: Base) {
        canon.word(match state.phase {
            Phase::Idle => 0_u8,
            Phase::Open(Isolation::ReadCommitted) => 1,
            Phase::Open(Isolation::Snapshot) => 2,
            Phase::Open(Isolation::Serializable) => 3,
            Phase::Aborted => 4,
        });
        base.commit(canon, state.snapshot.unwrap_or(u64::MAX));
        canon.word(state.shared);
        match state.waiting {
            Waiting::No => canon.word(0_u8),
            Waiting::End { session, number } => {
                let ended = self.session(session).is_none_or(|other| other.ended != number);
                canon.word(if ended { 1_u8 } else { 2 });
                canon.session(Session(session));
            }
            Waiting::Shared => canon.word(3_u8),
            Waiting::Exclusive => canon.word(4_u8),
        }
        canon.size(state.changes.len());
        for change in &state.changes {
            canon.word(change.table);
            line(canon, &self.tables[usize::from(change.table)].heap, change.line);
            canon.word(match change.kind {
                Kind::Inserted => 0_u8,
                Kind::Updated => 1,
                Kind::Deleted => 2,
                Kind::Locked => 3,
            });
        }
    }
}

fn portray_heap(canon: &mut Canon, heap: &Heap, base: Base) {
    for slot in heap.iter() {
        let line = heap.line(slot);
        canon.word(line.origin.0);
        base.stamp(canon, line.locker);
        heap.each_version(slot, |row, begin, end| {
            canon.row(row);
            base.stamp(canon, begin);
            base.stamp(canon, end);
        });
        canon.word(u64::MAX);
    }
    canon.word(u64::MAX);
}
