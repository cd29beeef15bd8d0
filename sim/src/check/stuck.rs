//! Level 3. `stuck`: a probe in calm weather gets no final answer within the contract's bound, or
//! the run went on beyond its bound of events.

use super::per_op::{Breach, PerOp};
use super::{Check, Finding, Seen};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Looks for questions without an answer.
#[derive(Debug, Default)]
pub struct Stuck {
    probed: PerOp<Option<u32>>,
    guilty: PerOp<Option<Breach>>,
    exhausted: Option<u32>,
}

impl Check for Stuck {
    const HEARS: Kinds = Kinds::of(&[Kind::Probed, Kind::Unanswered, Kind::Exhausted]);

    fn reset(&mut self, _: &Contract, ops: usize) {
        self.probed.reset(ops);
        self.guilty.reset(ops);
        self.exhausted = None;
    }

    fn step(&mut self, index: u32, event: &Event, _: &Trace) {
        match event.what {
            What::Probed { op } => {
                if let Some(probed) = self.probed.get_mut(op) {
                    probed.get_or_insert(index);
                }
            }
            What::Unanswered { op } => {
                let probed = self.probed.get(op).copied().flatten().unwrap_or(index);
                self.guilty.accuse(op, (probed, index));
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

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        self.guilty.portray(canon);
        canon.word(self.exhausted.is_some());
    }
}
