//! Level 3. Whether an operation's record still has to count: neither swept nor past its window.
//!
//! Errs on the side of the store: the window is taken to begin with the operation's first handler,
//! before any record of it can have been claimed, and where the contract counts from later, anew at
//! that. Imports [`super::per_op`] and levels below.

use super::Seen;
use super::per_op::PerOp;
use super::rival::rivals;
use super::since::{began, hit};
use crate::point::Op;
use crate::time::{Span, Time};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, WindowFrom};
use onestroke_store::Canon;

/// The lives of all operations' records.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    window: Span,
    from: WindowFrom,
    now: Time,
    each: PerOp<Life>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Life {
    /// Since when it counts.
    since: Option<Time>,
    completed: bool,
    /// A hit came after its end: what it found may be another record.
    gone: bool,
    swept: bool,
}

impl Lives {
    /// What it listens to. What is asked of it is about the moment of the last event that it was told.
    pub(crate) const HEARS: Kinds =
        Kinds::of(&[Kind::Started, Kind::Finished, Kind::Committed, Kind::Forgotten]);

    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, contract: &Contract, ops: usize) {
        self.window = contract.window;
        self.from = contract.window_from;
        self.now = Time::ZERO;
        self.each.reset(ops);
    }

    /// Takes in the next event.
    pub(crate) fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        self.now = event.at;
        match event.what {
            What::Started { subject, .. } => {
                if let Some(life) = self.each.get_mut(subject.op) {
                    life.since.get_or_insert(event.at);
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
            What::Committed { op, subject, .. } if self.from == WindowFrom::Completion => {
                let Some(life) = self.each.get_mut(op) else { return };
                if !std::mem::replace(&mut life.completed, true) {
                    let since = began(self.from, (trace, index), subject);
                    life.since = Some(since.unwrap_or(event.at));
                }
            }
            what @ What::Finished { .. } => {
                let Some((op, since)) = hit(self.from, (trace, index), what) else { return };
                if let Some(life) = self.each.get_mut(op) {
                    let over = life.since.is_some_and(|began| event.at >= began + self.window);
                    life.gone |= over;
                    life.since = life.since.max(Some(since));
                }
            }
            _ => {}
        }
    }

    /// Whether the operation's record may have ceased to count by now.
    pub(crate) fn lapsed(&self, op: Op) -> bool {
        let Some(life) = self.each.get(op) else { return true };
        life.swept || life.gone || life.since.is_some_and(|since| self.now >= since + self.window)
    }

    /// Writes whose record still counts, and for how long.
    pub(crate) fn portray(&self, canon: &mut Canon, Seen { trace, live }: Seen<'_>) {
        for (_, life) in self.each.iter() {
            canon.flag(life.swept);
            canon.flag(life.completed);
            canon.flag(life.gone);
            canon.flag(life.since.is_some());
            life.since.into_iter().for_each(|since| canon.age(since, self.window));
        }
        if self.from == WindowFrom::FirstSight {
            return;
        }
        // What their effect or their reply will let count anew.
        let all = u32::try_from(trace.events.len()).unwrap_or(u32::MAX);
        for subject in live.iter().filter(|subject| !subject.is_background()) {
            let since = began(self.from, (trace, all), *subject).unwrap_or(Time::ZERO);
            canon.age(since, self.window);
        }
    }
}
