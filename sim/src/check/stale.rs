//! Level 3. `stale`: what stands at the end is an older update than one that had been committed
//! before: it came late, or came twice, and overwrote the newer one.

use super::per_op::PerOp;
use super::versions::versioned;
use super::{Check, Finding, Seen};
use crate::point::Op;
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Watches the order of updates to one thing.
#[derive(Debug, Default)]
pub struct Stale {
    /// By the number of the thing.
    things: PerOp<Option<Thing>>,
    stopped: bool,
}

/// What became of one thing.
#[derive(Clone, Copy, Debug)]
struct Thing {
    newest: Update,
    last: Update,
}

#[derive(Clone, Copy, Debug)]
struct Update {
    op: Op,
    version: u32,
    /// The event that committed it.
    index: u32,
}

impl Check for Stale {
    const HEARS: Kinds = Kinds::of(&[Kind::Committed, Kind::Exhausted]);

    fn reset(&mut self, _: &Contract, ops: usize) {
        self.things.reset(ops);
        self.stopped = false;
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        match event.what {
            What::Committed { op, .. } => {
                let Some(facts) = versioned(trace, op) else { return };
                let Some(thing) = self.things.get_mut(Op(facts.target)) else { return };
                let last = Update { op, version: facts.version, index };
                let before = thing.map(|thing| thing.newest);
                let newest = before.filter(|newest| newest.version > last.version).unwrap_or(last);
                *thing = Some(Thing { newest, last });
            }
            What::Exhausted => self.stopped = true,
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        if self.stopped {
            return;
        }
        for (_, thing) in self.things.iter() {
            if let Some(Thing { newest, last }) = thing
                && last.version < newest.version
            {
                let breach = (newest.index, last.index);
                findings.push(Finding::of(FindingKind::Stale, Some(newest.op), breach));
            }
        }
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        for (_, thing) in self.things.iter() {
            canon.word(thing.map_or(0, |thing| thing.newest.version));
            canon.word(thing.map_or(0, |thing| thing.last.version));
        }
        canon.flag(self.stopped);
    }
}
