//! The rows of one table: each a line of versions, newest first, in the order of insertion.
//!
//! The newest version lies in the line itself; older ones are kept only while some snapshot may
//! see them. Slots are reused, so a steady state allocates nothing. Knows nothing of sessions,
//! keys or locks beyond the stamps that they leave.

use super::stamp::{Stamp, View};
use crate::engine::Origin;
use crate::statement::Row;

/// No line, or no version.
pub(super) const NONE: u32 = u32::MAX;

/// One row through its life.
#[derive(Debug)]
pub(super) struct Line {
    /// Its newest version.
    pub(super) row: Row,
    /// When the newest version began.
    pub(super) begin: Stamp,
    /// When the row was deleted.
    pub(super) end: Stamp,
    /// Whose open transaction has locked it without changing it.
    pub(super) locker: Stamp,
    /// Whose row it is.
    pub(super) origin: Origin,
    /// Place in the order of insertion.
    pub(super) number: u64,
    older: u32,
    previous: u32,
    next: u32,
    free: bool,
}

/// A version that has a newer one.
#[derive(Debug)]
struct Old {
    row: Row,
    begin: Stamp,
    end: Stamp,
    older: u32,
}

/// All lines of a table.
#[derive(Debug)]
pub(super) struct Heap {
    lines: Vec<Line>,
    free_lines: Vec<u32>,
    olds: Vec<Old>,
    free_olds: Vec<u32>,
    first: u32,
    last: u32,
    inserted: u64,
}

impl Heap {
    pub(super) const fn new() -> Self {
        Self {
            lines: Vec::new(),
            free_lines: Vec::new(),
            olds: Vec::new(),
            free_olds: Vec::new(),
            first: NONE,
            last: NONE,
            inserted: 0,
        }
    }

    /// Forgets all rows, keeps the room.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.free_lines.clear();
        self.olds.clear();
        self.free_olds.clear();
        self.first = NONE;
        self.last = NONE;
        self.inserted = 0;
    }

    /// How many lines there are, dead ones that are still kept included.
    pub(super) fn len(&self) -> usize {
        self.lines.len() - self.free_lines.len()
    }

    /// How many versions are kept.
    pub(super) fn versions(&self) -> usize {
        self.len() + self.olds.len() - self.free_olds.len()
    }

    /// The line in this slot.
    pub(super) fn line(&self, line: u32) -> &Line {
        &self.lines[line as usize]
    }

    /// The line in this slot.
    pub(super) fn line_mut(&mut self, line: u32) -> &mut Line {
        &mut self.lines[line as usize]
    }

    /// All lines in the order of insertion.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let existing = |line: u32| (line != NONE).then_some(line);
        std::iter::successors(existing(self.first), move |&line| existing(self.line(line).next))
    }

    /// Adds a row at the end.
    pub(super) fn push(&mut self, row: Row, origin: Origin, begin: Stamp) -> u32 {
        let line = Line {
            row,
            begin,
            end: Stamp::NEVER,
            locker: Stamp::NEVER,
            origin,
            number: self.inserted,
            older: NONE,
            previous: self.last,
            next: NONE,
            free: false,
        };
        self.inserted += 1;
        let slot = if let Some(slot) = self.free_lines.pop() {
            self.lines[slot as usize] = line;
            slot
        } else {
            self.lines.push(line);
            (self.lines.len() - 1) as u32
        };
        match self.last {
            NONE => self.first = slot,
            last => self.line_mut(last).next = slot,
        }
        self.last = slot;
        slot
    }

    /// Takes a line out, with all its versions.
    pub(super) fn remove(&mut self, slot: u32) {
        self.drop_older(slot, u64::MAX);
        let line = self.line_mut(slot);
        assert!(!line.free, "a line is removed twice");
        line.free = true;
        let (previous, next) = (line.previous, line.next);
        match previous {
            NONE => self.first = next,
            previous => self.line_mut(previous).next = next,
        }
        match next {
            NONE => self.last = previous,
            next => self.line_mut(next).previous = previous,
        }
        self.free_lines.push(slot);
    }

    /// Begins a new version of a line, as a copy of the one before.
    pub(super) fn renew(&mut self, slot: u32, begin: Stamp) {
        let line = &mut self.lines[slot as usize];
        let old = Old { row: line.row.clone(), begin: line.begin, end: begin, older: line.older };
        line.begin = begin;
        line.older = if let Some(place) = self.free_olds.pop() {
            self.olds[place as usize] = old;
            place
        } else {
            self.olds.push(old);
            (self.olds.len() - 1) as u32
        };
    }

    /// Takes the newest version back.
    pub(super) fn revert(&mut self, slot: u32) {
        let line = &mut self.lines[slot as usize];
        let place = line.older;
        let old = &mut self.olds[place as usize];
        std::mem::swap(&mut line.row, &mut old.row);
        line.begin = old.begin;
        line.older = old.older;
        self.free_olds.push(place);
    }

    /// Stamps the newest version of a line, and the end of the one before, as begun at `begin`.
    pub(super) fn settle(&mut self, slot: u32, begin: Stamp) {
        let line = &mut self.lines[slot as usize];
        line.begin = begin;
        if line.older != NONE {
            self.olds[line.older as usize].end = begin;
        }
    }

    /// The version of a line that a view sees.
    pub(super) fn visible(&self, slot: u32, view: View) -> Option<&Row> {
        let line = self.line(slot);
        if view.sees(line.begin) {
            return (!view.sees(line.end)).then_some(&line.row);
        }
        let mut place = line.older;
        while place != NONE {
            let old = &self.olds[place as usize];
            if view.sees(old.begin) {
                return (!view.sees(old.end)).then_some(&old.row);
            }
            place = old.older;
        }
        None
    }

    /// All versions of a line, the newest first, with when they began and ended.
    pub(super) fn each_version(&self, slot: u32, mut see: impl FnMut(&Row, Stamp, Stamp)) {
        let line = self.line(slot);
        see(&line.row, line.begin, line.end);
        let mut place = line.older;
        while place != NONE {
            let old = &self.olds[place as usize];
            see(&old.row, old.begin, old.end);
            place = old.older;
        }
    }

    /// The newest version of a line, and the one that `by` has put it in the place of.
    pub(super) fn after_and_before(&self, slot: u32, by: Stamp) -> [Option<&Row>; 2] {
        let line = self.line(slot);
        let older = (line.older != NONE).then(|| &self.olds[line.older as usize]);
        [Some(&line.row), older.filter(|old| old.end == by).map(|old| &old.row)]
    }

    /// Whether a version that this stamp began or ended fits; looks back to the first version that
    /// was there at the commit `since`.
    pub(super) fn touched(
        &self,
        slot: u32,
        by: Stamp,
        since: u64,
        fits: impl Fn(&Row) -> bool,
    ) -> bool {
        let line = self.line(slot);
        let mut version = (&line.row, line.begin, line.end, line.older);
        loop {
            let (row, begin, end, older) = version;
            if (begin == by || end == by) && fits(row) {
                return true;
            }
            if begin.by(since) || older == NONE {
                return false;
            }
            let old = &self.olds[older as usize];
            version = (&old.row, old.begin, old.end, old.older);
        }
    }

    /// Drops what nobody can see who sees all commits up to `horizon`. True: the line itself is
    /// dead.
    pub(super) fn prune(&mut self, slot: u32, horizon: u64) -> bool {
        if self.line(slot).free {
            return false;
        }
        self.drop_older(slot, horizon);
        self.line(slot).end.by(horizon)
    }

    /// Drops the older versions of a line that ended by `horizon`.
    fn drop_older(&mut self, slot: u32, horizon: u64) {
        let mut link = self.line(slot).older;
        let mut newer = NONE;
        while link != NONE && !self.olds[link as usize].end.by(horizon) {
            newer = link;
            link = self.olds[link as usize].older;
        }
        match newer {
            NONE => self.line_mut(slot).older = NONE,
            newer => self.olds[newer as usize].older = NONE,
        }
        while link != NONE {
            self.free_olds.push(link);
            link = self.olds[link as usize].older;
        }
    }
}
