//! Level 3. `stuck`: a probe in calm weather gets no final answer within the contract's bound, or
//! the run went on beyond its bound of events.
//!
//! Where the contract has all outcomes stored, a stored failure (5xx) is a final answer: the one that the
//! first handler of the operation that failed had given, told again by a handler that nobody had refused
//! anything.

use super::per_op::{Breach, PerOp};
use super::{Check, Finding, Seen};
use crate::trace::{Event, Kind, Kinds, ReplyId, Result as Came, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, Stored};
use onestroke_store::Canon;

/// Looks for questions without an answer.
#[derive(Debug, Default)]
pub struct Stuck {
    failures_stored: bool,
    probed: PerOp<Option<u32>>,
    told: PerOp<Told>,
    guilty: PerOp<Option<Breach>>,
    exhausted: Option<u32>,
}

/// What was said of an operation, where failures are stored.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// The first failure.
    failure: Option<ReplyId>,
    /// The last handler told it again, and had not been refused anything itself.
    again: bool,
    refused: bool,
}

/// What it listens to under every contract.
const ALWAYS: Kinds = Kinds::of(&[Kind::Probed, Kind::Unanswered, Kind::Exhausted]);

impl Check for Stuck {
    const HEARS: Kinds = ALWAYS.and(Kinds::of(&[Kind::Started, Kind::Executed, Kind::Finished]));

    fn hears(&self) -> Kinds {
        if self.failures_stored { Self::HEARS } else { ALWAYS }
    }

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.failures_stored = contract.stored == Stored::All;
        self.probed.reset(ops);
        self.told.reset(ops);
        self.guilty.reset(ops);
        self.exhausted = None;
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        if self.failures_stored {
            self.listen(event, trace);
        }
        match event.what {
            What::Probed { op } => {
                if let Some(probed) = self.probed.get_mut(op) {
                    probed.get_or_insert(index);
                }
            }
            What::Unanswered { op } => {
                let probed = self.probed.get(op).copied().flatten().unwrap_or(index);
                if !self.told.get(op).is_some_and(|told| told.again) {
                    self.guilty.accuse(op, (probed, index));
                }
            }
            What::Exhausted => self.exhausted = Some(index),
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        if let Some(at) = self.exhausted {
            findings.push(Finding::of(FindingKind::Stuck, None, (at, at)));
        }
        self.guilty.report(FindingKind::Stuck, findings);
    }

    fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        self.guilty.portray(canon);
        canon.flag(self.exhausted.is_some());
        if !self.failures_stored {
            return;
        }
        for (_, told) in self.told.iter() {
            canon.flag(told.failure.is_some());
            told.failure.into_iter().for_each(|reply| seen.trace.portray_reply(canon, reply));
            canon.flag(told.again);
            canon.flag(told.refused);
        }
    }
}

impl Stuck {
    fn listen(&mut self, event: &Event, trace: &Trace) {
        match event.what {
            What::Started { subject, .. } => {
                if let Some(told) = self.told.get_mut(subject.op) {
                    told.refused = false;
                }
            }
            What::Executed { step, result: Came::Refused, .. } => {
                if let Some(told) = self.told.get_mut(step.subject.op) {
                    told.refused = true;
                }
            }
            What::Finished { subject, reply } => {
                let Some(told) = self.told.get_mut(subject.op) else { return };
                told.again = told.failure == Some(reply) && !told.refused;
                if trace.reply(reply).status >= 500 {
                    told.failure.get_or_insert(reply);
                }
            }
            _ => {}
        }
    }
}
