//! Level 3. `leak`: a successful reply that names the receipt of somebody else's operation.
//!
//! The old reply to a reused key of the same tenant is no leak: `mismatch-accepted` judges it.

use super::per_op::{Breach, PerOp};
use super::rival::rivals;
use super::{Check, Finding, Seen};
use crate::point::{Leg, Op};
use crate::trace::{Event, Kind, Kinds, ReplyId, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Looks for replies in the wrong hands.
#[derive(Debug, Default)]
pub struct Leak {
    guilty: PerOp<Option<Breach>>,
}

impl Check for Leak {
    const HEARS: Kinds = Kinds::of(&[Kind::Delivered, Kind::Succeeded]);

    fn reset(&mut self, _: &Contract, ops: usize) {
        self.guilty.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        match event.what {
            What::Delivered { message, reply: Some(reply), .. } if message.leg == Leg::Reply => {
                self.told(message.subject.op, reply, index, trace);
            }
            What::Succeeded { op, reply, .. } => self.told(op, reply, index, trace),
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        self.guilty.report(FindingKind::Leak, findings);
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        self.guilty.portray(canon);
    }
}

impl Leak {
    fn told(&mut self, op: Op, reply: ReplyId, index: u32, trace: &Trace) {
        let facts = trace.reply(reply);
        let Some(owner) = facts.owner.filter(|owner| *owner != op && facts.is_success()) else {
            return;
        };
        if rivals(trace, op).any(|(rival, _)| rival == owner) {
            return;
        }
        self.guilty.accuse(op, (origin(trace, owner, index), index));
    }
}

/// Where the owner's effect was committed, or the owner invoked; `otherwise` when neither is known.
fn origin(trace: &Trace, owner: Op, otherwise: u32) -> u32 {
    let find = |fits: &dyn Fn(What) -> bool| trace.events.iter().position(|event| fits(event.what));
    let committed = find(&|what| matches!(what, What::Committed { op, .. } if op == owner));
    let begun = || find(&|what| matches!(what, What::Invoked { op } if op == owner));
    let found = committed.or_else(begun);
    found.and_then(|at| u32::try_from(at).ok()).unwrap_or(otherwise)
}
