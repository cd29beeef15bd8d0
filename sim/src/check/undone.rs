//! Level 3. `undone`: an effect was taken back that was not there (a refund of nothing, or a second
//! one), or one that the client has been promised by a success and that nobody made again.

use super::effects::Effects;
use super::per_op::{Breach, PerOp};
use super::{Check, Finding, Seen};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Watches what is taken back.
#[derive(Debug, Default)]
pub struct Undone {
    effects: PerOp<Known>,
    guilty: PerOp<Option<Breach>>,
    stopped: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    effects: Effects,
    /// The client's success.
    promised: Option<u32>,
    taken_back: Option<u32>,
}

impl Check for Undone {
    const HEARS: Kinds = Kinds::of(&[
        Kind::Succeeded,
        Kind::Committed,
        Kind::Compensated,
        Kind::Vanished,
        Kind::Exhausted,
    ]);

    fn reset(&mut self, _: &Contract, ops: usize) {
        self.effects.reset(ops);
        self.guilty.reset(ops);
        self.stopped = false;
    }

    fn step(&mut self, index: u32, event: &Event, _: &Trace) {
        match event.what {
            What::Committed { op, part, parts, .. } => {
                if let Some(known) = self.effects.get_mut(op) {
                    known.effects.commit(part, parts);
                }
            }
            What::Compensated { op, part, .. } => {
                let Some(known) = self.effects.get_mut(op) else { return };
                let there = known.effects.take_back(part);
                let before = known.taken_back.replace(index);
                if !there {
                    self.guilty.accuse(op, (before.unwrap_or(index), index));
                }
            }
            What::Vanished { op, part } => {
                // What a cache loses, nobody took back: `lost-effect` judges it.
                if let Some(known) = self.effects.get_mut(op) {
                    known.effects.take_back(part);
                }
            }
            What::Succeeded { op, .. } => {
                if let Some(known) = self.effects.get_mut(op) {
                    known.promised.get_or_insert(index);
                }
            }
            What::Exhausted => self.stopped = true,
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        self.guilty.report(FindingKind::Undone, findings);
        if self.stopped {
            return;
        }
        for (op, known) in self.effects.iter() {
            let accused = self.guilty.get(op).is_some_and(Option::is_some);
            if let (Some(promised), Some(taken_back)) = (known.promised, known.taken_back)
                && !known.effects.complete()
                && !accused
            {
                let breach = (promised, taken_back);
                findings.push(Finding::of(FindingKind::Undone, Some(op), breach));
            }
        }
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        for (_, known) in self.effects.iter() {
            canon.word(known.effects.bits());
            canon.flag(known.promised.is_some());
            canon.flag(known.taken_back.is_some());
        }
        self.guilty.portray(canon);
        canon.flag(self.stopped);
    }
}
