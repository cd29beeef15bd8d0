//! Level 3. `mismatch-accepted`: of the operations of one tenant with one key and different
//! payloads, more than one was accepted: had an effect committed, or got a success.
//!
//! Whichever came first to claim the key may have it; the later invoked one is reported. A key is
//! free again once the record of the one accepted first has been swept or its window has passed.
//!
//! Where another payload gets the first one's reply, a success is that reply, and only effects count.

use super::life::Lives;
use super::per_op::{Breach, PerOp};
use super::rival::rivals;
use super::{Check, Finding, Seen};
use crate::point::{Leg, Op};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, Mismatch};
use onestroke_store::Canon;

/// Knows who was accepted under which key.
#[derive(Debug, Default)]
pub struct MismatchAccepted {
    judges: bool,
    /// A success is the first one's reply.
    replays: bool,
    lives: Lives,
    accepted: PerOp<Option<u32>>,
    guilty: PerOp<Option<Breach>>,
}

impl Check for MismatchAccepted {
    const HEARS: Kinds =
        Lives::HEARS.and(Kinds::of(&[Kind::Delivered, Kind::Succeeded, Kind::Committed]));

    fn hears(&self) -> Kinds {
        if self.judges { Self::HEARS } else { Kinds::of(&[]) }
    }

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.judges = contract.mismatch != Mismatch::Ignore;
        self.replays = contract.mismatch == Mismatch::Replay;
        self.lives.reset(contract, ops);
        self.accepted.reset(ops);
        self.guilty.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        if !self.judges {
            return;
        }
        self.lives.step(index, event, trace);
        match event.what {
            What::Committed { op, .. } => self.accept(op, index, trace),
            _ if self.replays => {}
            What::Succeeded { op, reply, .. } if trace.reply(reply).is_success() => {
                self.accept(op, index, trace);
            }
            What::Delivered { message, reply: Some(reply), .. }
                if message.leg == Leg::Reply && trace.reply(reply).is_success() =>
            {
                self.accept(message.subject.op, index, trace);
            }
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        self.guilty.report(FindingKind::MismatchAccepted, findings);
    }

    fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        if !self.judges {
            return;
        }
        self.accepted.iter().for_each(|(_, at)| canon.flag(at.is_some()));
        self.lives.portray(canon, seen);
        self.guilty.portray(canon);
        // Whoever was invoked later is to blame.
        let shares_its_key =
            |op: Op| seen.trace.ops.get(op.index()).is_some_and(|facts| !facts.alone);
        for event in &seen.trace.events {
            if let What::Invoked { op } = event.what
                && shares_its_key(op)
            {
                canon.word(op.0);
            }
        }
        canon.word(u64::MAX);
    }
}

impl MismatchAccepted {
    /// No operation of this run shares its key: there is nothing to judge.
    pub(super) fn spare(&mut self) {
        self.judges = false;
    }

    fn accept(&mut self, op: Op, index: u32, trace: &Trace) {
        match self.accepted.get_mut(op) {
            Some(accepted @ None) => *accepted = Some(index),
            _ => return,
        }
        let payload = trace.ops.get(op.index()).map(|facts| facts.payload);
        for (other, facts) in rivals(trace, op) {
            let Some(Some(first)) = self.accepted.get(other).copied() else { continue };
            if Some(facts.payload) != payload && !self.lives.lapsed(other) {
                self.guilty.accuse(invoked_later(trace, op, other), (first, index));
            }
        }
    }
}

fn invoked_later(trace: &Trace, one: Op, other: Op) -> Op {
    let invoked = trace.events.iter().rev().find_map(|event| match event.what {
        What::Invoked { op } if op == one || op == other => Some(op),
        _ => None,
    });
    invoked.unwrap_or(one.max(other))
}
