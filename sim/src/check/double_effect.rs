//! Level 3. `double-effect`: a part of an operation's effect is committed more than once, and a
//! repeat of it matters.

use super::effects::Effects;
use super::per_op::{Breach, PerOp};
use super::{Check, Finding, Seen};
use crate::point::Op;
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, Promise};
use onestroke_store::Canon;

/// Counts committed effects.
#[derive(Debug, Default)]
pub struct DoubleEffect {
    effects: PerOp<Effects>,
    /// The first event that committed any part.
    first: PerOp<Option<u32>>,
    guilty: PerOp<Option<Breach>>,
    /// The contract promises less.
    allowed: bool,
}

impl Check for DoubleEffect {
    const HEARS: Kinds = Kinds::of(&[Kind::Committed, Kind::Compensated, Kind::Vanished]);

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.allowed = contract.promise == Promise::AtLeastOnce;
        self.effects.reset(ops);
        self.first.reset(ops);
        self.guilty.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        if let What::Compensated { op, part, .. } | What::Vanished { op, part } = event.what
            && let Some(effects) = self.effects.get_mut(op)
        {
            effects.take_back(part);
        }
        let What::Committed { op, part, parts, kind, .. } = event.what else { return };
        let Some(effects) = self.effects.get_mut(op) else { return };
        let from = self.first.get_mut(op).map_or(index, |first| *first.get_or_insert(index));
        if effects.commit(part, parts) && kind.repeat_matters() && !self.allowed {
            self.guilty.accuse(op, (first_commit(trace, (op, part), from, index), index));
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        self.guilty.report(FindingKind::DoubleEffect, findings);
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        self.effects.iter().for_each(|(_, effects)| canon.word(effects.bits()));
        self.guilty.portray(canon);
    }
}

/// The event that committed this part of an operation for the first time, from the one on that committed
/// its first part; `otherwise` when there is none.
pub(super) fn first_commit(trace: &Trace, (op, part): (Op, u8), from: u32, otherwise: u32) -> u32 {
    let is_first = |(_, event): &(u32, &Event)| {
        matches!(event.what, What::Committed { op: whose, part: which, .. }
            if (whose, which) == (op, part))
    };
    let mut since = (from..).zip(&trace.events[from as usize..]);
    since.find(is_first).map_or(otherwise, |(at, _)| at)
}
