//! Level 3. What is wrong with a reply to another payload under a key that is known: a 409 that hides the
//! mismatch, or a refusal where the first reply is owed.

use super::{Handler, WrongReply};
use crate::check::rival::rivals;
use crate::point::{Op, Subject};
use crate::trace::{OpFacts, Trace};
use onestroke_scenarios::Mismatch;

impl WrongReply {
    /// Another payload under the key had its effect when this handler started.
    pub(super) fn owes_the_first_reply(
        &mut self,
        handler: Handler,
        op: Op,
        index: u32,
        trace: &Trace,
    ) {
        let done = |other| {
            let known = self.known.get(other).copied().unwrap_or_default();
            let before = known.effects.complete() && known.completed < handler.began;
            (before && !self.lives.lapsed(other)).then_some(known.completed)
        };
        let first = rivals(trace, op).find_map(|(other, _)| done(other));
        if let Some(completed) = first {
            self.guilty.accuse(op, (completed, index));
        }
    }

    /// What is in flight is not this operation, but another payload under its key.
    pub(super) fn hides_a_mismatch(&self, subject: Subject, trace: &Trace) -> bool {
        let op = subject.op;
        if self.mismatch != Mismatch::RefuseAtOnce || self.lives.lapsed(op) {
            return false;
        }
        let only_one = self.handlers.of(op).all(|(other, _)| other == subject);
        let payload = trace.ops.get(op.index()).map(|facts| facts.payload);
        let another = |(other, theirs): (Op, &OpFacts)| {
            Some(theirs.payload) != payload && self.handlers.of(other).next().is_some()
        };
        only_one && rivals(trace, op).any(another)
    }
}
