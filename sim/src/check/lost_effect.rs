//! Level 3. `lost-effect`: the client was told success, and at the end no part of the effect is
//! there.
//!
//! An operation is owed an effect unless another one of its tenant had been invoked with the same
//! key before it was told success, or a newer update of the same thing is there. A transition may find that another operation
//! has moved its thing on already, and owes none where there is such an operation. A reply that names another operation's receipt is a `leak`, and promises nothing here.

use super::effects::Effects;
use super::per_op::PerOp;
use super::rival::rivals;
use super::versions::Versions;
use super::{Check, Finding, Seen};
use crate::point::Op;
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, Promise};
use onestroke_store::{Canon, EffectKind};

/// Compares what clients were told with what is there.
#[derive(Debug, Default)]
pub struct LostEffect {
    promises: PerOp<Told>,
    versions: Versions,
    stopped: bool,
    /// The contract promises less.
    allowed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Told {
    effects: Effects,
    invoked: bool,
    taken_back: bool,
    /// The success that is owed an effect.
    owed: Option<u32>,
}

impl Check for LostEffect {
    const HEARS: Kinds = Kinds::of(&[
        Kind::Invoked,
        Kind::Succeeded,
        Kind::Committed,
        Kind::Compensated,
        Kind::Vanished,
        Kind::Exhausted,
    ]);

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.allowed = contract.promise == Promise::AtMostOnce;
        self.promises.reset(ops);
        self.versions.reset(ops);
        self.stopped = false;
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        match event.what {
            What::Invoked { op } => {
                if let Some(promise) = self.promises.get_mut(op) {
                    promise.invoked = true;
                }
            }
            What::Committed { op, part, parts, .. } => {
                self.versions.commit(trace, op);
                if let Some(promise) = self.promises.get_mut(op) {
                    promise.effects.commit(part, parts);
                }
            }
            What::Vanished { op, part } => {
                if let Some(promise) = self.promises.get_mut(op) {
                    promise.effects.take_back(part);
                }
            }
            What::Compensated { op, .. } => {
                // What was taken back is for `undone` to judge.
                if let Some(promise) = self.promises.get_mut(op) {
                    promise.taken_back = true;
                }
            }
            What::Succeeded { op, reply, .. } => {
                let owner = trace.replies.get(reply.0 as usize).and_then(|reply| reply.owner);
                if owner.is_some_and(|owner| owner != op) {
                    return; // a leak: it was told of another's success, not of its own
                }
                let invoked = |other| self.promises.get(other).is_some_and(|other| other.invoked);
                let shared = rivals(trace, op).any(|(other, _)| invoked(other));
                if shared || may_be_moved_on(op, trace) {
                    return;
                }
                if let Some(promise) = self.promises.get_mut(op) {
                    promise.owed.get_or_insert(index);
                }
            }
            What::Exhausted => self.stopped = true,
            _ => {}
        }
    }

    fn finish(&mut self, trace: &Trace, findings: &mut Vec<Finding>) {
        if self.stopped || self.allowed {
            return;
        }
        for (op, promise) in self.promises.iter() {
            if let Some(owed) = promise.owed
                && !promise.effects.any()
                && !promise.taken_back
                && !self.versions.supersede(trace, op)
            {
                findings.push(Finding::of(FindingKind::LostEffect, Some(op), (owed, owed)));
            }
        }
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        for (_, promise) in self.promises.iter() {
            canon.word(promise.effects.bits());
            canon.flag(promise.invoked);
            canon.flag(promise.taken_back);
            canon.flag(promise.owed.is_some());
        }
        canon.flag(self.stopped);
    }
}

/// Whether the operation is a step of a thing that another operation is about as well.
fn may_be_moved_on(op: Op, trace: &Trace) -> bool {
    let Some(mine) = trace.ops.get(op.index()) else { return false };
    let about_it = || trace.ops.iter().filter(|facts| facts.target == mine.target).count();
    mine.kind == EffectKind::Transition && about_it() > 1
}
