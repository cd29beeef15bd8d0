//! Level 3. What clauses remember of each handler, found by its subject.
//!
//! Imports [`super::per_op`] and [`crate::point`] only.

use super::per_op::Hash;
use crate::point::{Op, Subject};

const NONE: u32 = u32::MAX;

/// All handlers of a run, chained by operation; the sweeper's turns have a chain of their own.
#[derive(Debug, Default)]
pub(crate) struct Handlers<T> {
    all: Vec<Entry<T>>,
    last: Vec<u32>,
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
    }

    /// Adds a handler.
    pub(crate) fn add(&mut self, subject: Subject, data: T) {
        let slot = self.slot(subject.op);
        let index = u32::try_from(self.all.len()).unwrap_or(NONE);
        let before = std::mem::replace(&mut self.last[slot], index);
        self.all.push(Entry { subject, before, data });
    }

    /// The handler of this subject; the latest, if several shared the name.
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

    /// A hash that does not depend on the order in which they started.
    pub(crate) fn digest(&self, of: impl Fn(&T) -> u64) -> u64 {
        let each = self.all.iter().map(|Entry { subject, data, .. }| {
            let name = Hash::default().with(subject.op.0).with(subject.attempt).with(subject.copy);
            name.with(of(data)).value()
        });
        each.fold(0, u64::wrapping_add)
    }

    fn find(&self, subject: Subject) -> Option<usize> {
        let mut index = self.last[self.slot(subject.op)];
        loop {
            let entry = self.all.get(index as usize)?;
            if entry.subject == subject {
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
