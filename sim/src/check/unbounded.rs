//! Level 3. `unbounded`: after the window and a last sweep, more records are left than the contract
//! allows.

use super::{Check, Finding, Seen};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Counts what is left.
#[derive(Debug, Default)]
pub struct Unbounded {
    most: Option<u64>,
    guilty: Option<u32>,
}

impl Check for Unbounded {
    const HEARS: Kinds = Kinds::of(&[Kind::Remaining]);

    fn reset(&mut self, contract: &Contract, _: usize) {
        self.most = contract.records_at_most;
        self.guilty = None;
    }

    fn step(&mut self, index: u32, event: &Event, _: &Trace) {
        if let What::Remaining { records } = event.what
            && self.most.is_some_and(|most| u64::from(records) > most)
        {
            self.guilty.get_or_insert(index);
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        findings.extend(self.guilty.map(|at| Finding::of(FindingKind::Unbounded, None, (at, at))));
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        canon.flag(self.guilty.is_some());
    }
}
