//! Level 3. What clauses remember of each handler, found by its subject.
//!
//! Imports [`crate::point`] only.

use crate::point::{Op, Subject};
use onestroke_store::Canon;
use smallvec::SmallVec;
use std::cell::Cell;

const NONE: u32 = u32::MAX;

/// All handlers of a run, chained by operation; the sweeper's turns have a chain of their own.
#[derive(Debug, Default)]
pub(crate) struct Handlers<T> {
    all: Vec<Entry<T>>,
    last: Vec<u32>,
    /// Whom somebody asked for last: the next event is often about the same.
    recent: Cell<u32>,
}

#[derive(Debug)]
struct Entry<T> {
    subject: Subject,
    before: u32,
    data: T,
}

impl<T> Handlers<T> {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, ops: usize) {
        self.all.clear();
        self.last.clear();
        self.last.resize(ops + 1, NONE);
        self.recent.set(NONE);
    }

    /// Adds a handler.
    pub(crate) fn add(&mut self, subject: Subject, data: T) {
        let slot = self.slot(subject.op);
        let index = u32::try_from(self.all.len()).unwrap_or(NONE);
        let before = std::mem::replace(&mut self.last[slot], index);
        self.recent.set(index);
        self.all.push(Entry { subject, before, data });
    }

    /// The handler of this subject; the latest, if several shared the name.
    pub(crate) fn get(&self, subject: Subject) -> Option<&T> {
        self.find(subject).map(|index| &self.all[index].data)
    }

    /// The same, to change it.
    pub(crate) fn get_mut(&mut self, subject: Subject) -> Option<&mut T> {
        let index = self.find(subject)?;
        Some(&mut self.all[index].data)
    }

    /// The handler of this subject; added, if there is none.
    pub(crate) fn get_or_add(&mut self, subject: Subject) -> &mut T
    where
        T: Default,
    {
        let index = self.find(subject).unwrap_or_else(|| {
            self.add(subject, T::default());
            self.all.len() - 1
        });
        &mut self.all[index].data
    }

    /// The handlers of this operation, the latest first.
    pub(crate) fn of(&self, op: Op) -> impl Iterator<Item = (Subject, &T)> {
        let mut index = self.last[self.slot(op)];
        std::iter::from_fn(move || {
            let entry = self.all.get(index as usize)?;
            index = entry.before;
            Some((entry.subject, &entry.data))
        })
    }

    /// All handlers, in the order in which they started.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (Subject, &mut T)> {
        self.all.iter_mut().map(|entry| (entry.subject, &mut entry.data))
    }

    /// Writes all handlers, whatever the order in which they started.
    pub(crate) fn portray(&self, canon: &mut Canon, of: impl Fn(&mut Canon, &T)) {
        let mut order: SmallVec<[&Entry<T>; 16]> = self.all.iter().collect();
        // Several with one name keep their order: the latest counts.
        order.sort_by_key(|entry| entry.subject);
        for entry in order {
            entry.subject.portray(canon);
            of(canon, &entry.data);
        }
        canon.word(u64::MAX);
    }

    #[inline]
    fn find(&self, subject: Subject) -> Option<usize> {
        let recent = self.recent.get() as usize;
        match self.all.get(recent) {
            Some(entry) if entry.subject == subject => Some(recent),
            _ => self.search(subject),
        }
    }

    fn search(&self, subject: Subject) -> Option<usize> {
        let mut index = self.last[self.slot(subject.op)];
        loop {
            let entry = self.all.get(index as usize)?;
            if entry.subject == subject {
                self.recent.set(index);
                return Some(index as usize);
            }
            index = entry.before;
        }
    }

    fn slot(&self, op: Op) -> usize {
        assert!(!self.last.is_empty(), "reset comes before the first event");
        op.index().min(self.last.len() - 1)
    }
}
