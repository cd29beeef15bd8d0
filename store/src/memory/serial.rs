//! Which serializable transactions could not have run one after another.
//!
//! Snapshots alone allow anomalies only where one transaction T1 missed a write of a concurrent
//! T2, and T2 missed a write of a concurrent T3, and T3 was the first of all to commit (Fekete and
//! others 2005; Ports and Grittner 2012). So each serializable transaction keeps what it has read,
//! as conditions, and what it has written, as lines; a read that misses a write leaves an edge
//! from its reader to its writer, in whichever order the two came. A transaction is refused when
//! its commit would complete such a triple. Like PostgreSQL this can refuse what was harmless, and
//! never lets pass what was not.

use super::data::Data;
use super::heap::Heap;
use super::portray::{Base, condition, line};
use super::stamp::Stamp;
use super::write::fits;
use crate::canon::Canon;
use crate::statement::{Filter, Row};
use std::collections::VecDeque;

/// One serializable transaction, kept as long as another one that it overlaps is open.
#[derive(Debug)]
struct Transaction {
    snapshot: u64,
    /// What it leaves on versions: its session's while it is open.
    stamp: Stamp,
    /// Number of its commit; `OPEN` before.
    commit: u64,
    /// First commit among those whose writes it missed; `OPEN` when none has committed.
    first_out: u64,
    reads: Vec<(u16, Filter)>,
    writes: Vec<(u16, u32)>,
    /// Who missed a write of this one.
    readers: Vec<u32>,
    /// Whose writes this one missed.
    writers: Vec<u32>,
}

const OPEN: u64 = u64::MAX;

/// All serializable transactions that matter.
#[derive(Debug, Default)]
pub(super) struct Serial {
    slots: Vec<Transaction>,
    free: Vec<u32>,
    open: Vec<u32>,
    /// In the order of their commits.
    done: VecDeque<u32>,
}

/// What a transaction wrote to one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// The table.
    pub(super) table: u16,
    /// The line.
    pub(super) line: u32,
}

impl Serial {
    /// Forgets everything, keeps the room.
    pub(super) fn reset(&mut self) {
        self.free.clear();
        self.free.extend(0..self.slots.len() as u32);
        self.open.clear();
        self.done.clear();
    }

    /// Takes a transaction in, when its snapshot is taken.
    pub(super) fn enter(&mut self, snapshot: u64, stamp: Stamp) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Transaction::new());
            (self.slots.len() - 1) as u32
        });
        self.slots[slot as usize].start(snapshot, stamp);
        self.open.push(slot);
        slot
    }

    /// Whether this transaction has to be refused.
    pub(super) fn is_doomed(&self, slot: u32) -> bool {
        let this = &self.slots[slot as usize];
        let pivot = this.first_out != OPEN && {
            let first = |reader: &u32| self.slots[*reader as usize].commit >= this.first_out;
            this.readers.iter().any(first)
        };
        pivot
            || this.writers.iter().any(|writer| {
                let pivot = &self.slots[*writer as usize];
                pivot.commit != OPEN && pivot.first_out < pivot.commit
            })
    }

    /// The transaction has read all rows of a table that fit.
    pub(super) fn has_read(&mut self, slot: u32, table: u16, filter: Filter, heap: &Heap) {
        let snapshot = self.slots[slot as usize].snapshot;
        self.each_concurrent(slot, |serial, other| {
            let writer = &serial.slots[other as usize];
            let missed = |&&(place, line): &&(u16, u32)| {
                place == table
                    && heap.touched(line, writer.stamp, snapshot, |row| fits(&filter, row))
            };
            if writer.writes.iter().find(missed).is_some() {
                serial.connect(slot, other);
            }
        });
        self.slots[slot as usize].reads.push((table, filter));
    }

    /// The transaction has written a line, whose versions before and after are these.
    pub(super) fn has_written(&mut self, slot: u32, written: Written, versions: [Option<&Row>; 2]) {
        self.slots[slot as usize].writes.push((written.table, written.line));
        self.would_write(slot, written.table, versions);
    }

    /// Whoever has read these versions has missed what the transaction makes of them.
    pub(super) fn would_write(&mut self, slot: u32, table: u16, versions: [Option<&Row>; 2]) {
        self.each_concurrent(slot, |serial, other| {
            let reader = &serial.slots[other as usize];
            let meant = |(place, filter): &(u16, Filter)| {
                *place == table && versions.iter().flatten().any(|row| fits(filter, row))
            };
            if reader.reads.iter().any(meant) {
                serial.connect(other, slot);
            }
        });
    }

    /// The transaction has committed. One that wrote nothing shares its number with the commit
    /// before it. That hides no triple: it matters only as T1, and then T3 is at or before that
    /// commit.
    pub(super) fn commit(&mut self, slot: u32, commit: u64) {
        let this = &mut self.slots[slot as usize];
        this.commit = commit;
        this.stamp = Stamp::at(commit);
        let readers = std::mem::take(&mut this.readers);
        for reader in &readers {
            let reader = &mut self.slots[*reader as usize];
            reader.first_out = reader.first_out.min(commit);
        }
        self.slots[slot as usize].readers = readers;
        self.open.retain(|open| *open != slot);
        self.done.push_back(slot);
        self.forget();
    }

    /// The transaction has rolled back: as if it had never been.
    pub(super) fn abort(&mut self, slot: u32) {
        let readers = std::mem::take(&mut self.slots[slot as usize].readers);
        let writers = std::mem::take(&mut self.slots[slot as usize].writers);
        for reader in &readers {
            self.slots[*reader as usize].writers.retain(|writer| *writer != slot);
        }
        for writer in &writers {
            self.slots[*writer as usize].readers.retain(|reader| *reader != slot);
        }
        let this = &mut self.slots[slot as usize];
        (this.readers, this.writers) = (readers, writers);
        self.open.retain(|open| *open != slot);
        self.free.push(slot);
        self.forget();
    }

    /// The oldest snapshot of a transaction that is kept.
    pub(super) fn oldest(&self) -> Option<u64> {
        let kept = self.open.iter().chain(&self.done);
        kept.map(|slot| self.slots[*slot as usize].snapshot).min()
    }

    /// Writes all transactions that are kept.
    pub(super) fn portray(&self, canon: &mut Canon, data: &Data, base: Base) {
        let kept = || self.open.iter().chain(&self.done);
        canon.size(self.open.len());
        for slot in kept() {
            let this = &self.slots[*slot as usize];
            base.commit(canon, this.snapshot);
            base.stamp(canon, this.stamp);
            base.commit(canon, this.commit);
            base.commit(canon, this.first_out);
            canon.size(this.reads.len());
            for (table, filter) in &this.reads {
                canon.word(*table);
                canon.size(filter.len());
                filter.iter().for_each(|one| condition(canon, one));
            }
            canon.size(this.writes.len());
            for (table, written) in &this.writes {
                canon.word(*table);
                line(canon, &data.tables[usize::from(*table)].heap, *written);
            }
            for others in [&this.readers, &this.writers] {
                canon.size(others.len());
                for other in others {
                    let place = kept().position(|slot| slot == other);
                    canon.size(place.unwrap_or(usize::MAX));
                    base.commit(canon, self.slots[*other as usize].commit);
                    base.commit(canon, self.slots[*other as usize].first_out);
                }
            }
        }
        canon.word(u64::MAX);
    }

    /// Forgets the transactions that no open one overlaps.
    fn forget(&mut self) {
        let snapshots = self.open.iter().map(|slot| self.slots[*slot as usize].snapshot);
        let oldest = snapshots.min().unwrap_or(OPEN);
        while let Some(&slot) = self.done.front()
            && self.slots[slot as usize].commit <= oldest
        {
            self.done.pop_front();
            self.free.push(slot);
        }
    }

    /// Calls `act` for each transaction that overlaps an open one: the open ones, and those that
    /// have committed after its snapshot.
    fn each_concurrent(&mut self, slot: u32, mut act: impl FnMut(&mut Self, u32)) {
        for place in 0..self.open.len() {
            let other = self.open[place];
            if other != slot {
                act(self, other);
            }
        }
        let snapshot = self.slots[slot as usize].snapshot;
        for place in (0..self.done.len()).rev() {
            let other = self.done[place];
            if self.slots[other as usize].commit <= snapshot {
                break;
            }
            act(self, other);
        }
    }

    /// `reader` has missed a write of `writer`.
    fn connect(&mut self, reader: u32, writer: u32) {
        let (writers, readers) =
            (&self.slots[reader as usize].writers, &self.slots[writer as usize].readers);
        let known = if writers.len() <= readers.len() {
            writers.contains(&writer)
        } else {
            readers.contains(&reader)
        };
        if known {
            return;
        }
        self.slots[writer as usize].readers.push(reader);
        let commit = self.slots[writer as usize].commit;
        let reader = &mut self.slots[reader as usize];
        reader.writers.push(writer);
        reader.first_out = reader.first_out.min(commit);
    }
}

impl Transaction {
    const fn new() -> Self {
        Self {
            snapshot: 0,
            stamp: Stamp::NEVER,
            commit: OPEN,
            first_out: OPEN,
            reads: Vec::new(),
            writes: Vec::new(),
            readers: Vec::new(),
            writers: Vec::new(),
        }
    }

    fn start(&mut self, snapshot: u64, stamp: Stamp) {
        self.snapshot = snapshot;
        self.stamp = stamp;
        self.commit = OPEN;
        self.first_out = OPEN;
        self.reads.clear();
        self.writes.clear();
        self.readers.clear();
        self.writers.clear();
    }
}
