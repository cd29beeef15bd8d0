//! Level 3. Whether an operation's record still has to count: neither swept nor past its window.
//!
//! Errs on the side of the store: the window is taken to begin with the operation's first handler,
//! before any record of it can have been claimed. Imports [`super::per_op`] and levels below.

use super::per_op::PerOp;
use super::rival::rivals;
use crate::point::Op;
use crate::time::{Span, Time};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_store::Canon;

/// The lives of all operations' records.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    window: Span,
    now: Time,
    each: PerOp<Life>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Life {
    started: Option<Time>,
    swept: bool,
}

impl Lives {
    /// What it listens to. What is asked of it is about the moment of the last event that it was told.
    pub(crate) const HEARS: Kinds = Kinds::of(&[Kind::Started, Kind::Forgotten]);

    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, window: Span, ops: usize) {
        self.window = window;
        self.now = Time::ZERO;
        self.each.reset(ops);
    }

    /// Takes in the next event.
    pub(crate) fn step(&mut self, event: &Event, trace: &Trace) {
        self.now = event.at;
        match event.what {
            What::Started { subject, .. } => {
                if let Some(life) = self.each.get_mut(subject.op) {
                    life.started.get_or_insert(event.at);
                }
            }
            What::Forgotten { op, swept: true } => {
                let same_key = rivals(trace, op).map(|(other, _)| other);
                for op in std::iter::once(op).chain(same_key) {
                    if let Some(life) = self.each.get_mut(op) {
                        life.swept = true;
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the operation's record may have ceased to count by now.
    pub(crate) fn lapsed(&self, op: Op) -> bool {
        let Some(life) = self.each.get(op) else { return true };
        life.swept || life.started.is_some_and(|started| self.now >= started + self.window)
    }

    /// Writes whose record still counts, and for how long.
    pub(crate) fn portray(&self, canon: &mut Canon) {
        for (_, life) in self.each.iter() {
            canon.word(life.swept);
            canon.word(life.started.is_some());
            life.started.into_iter().for_each(|started| canon.age(started, self.window));
        }
    }
}
