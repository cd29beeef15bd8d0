//! Level 3. What clauses remember of each operation: tables that keep their memory between runs.
//!
//! Imports [`crate::point`] and the parent's [`Finding`] only.

use super::Finding;
use crate::point::Op;
use onestroke_scenarios::FindingKind;
use onestroke_store::Canon;

/// One slot for each operation of the run.
#[derive(Debug, Default)]
pub(crate) struct PerOp<T> {
    slots: Vec<T>,
}

/// From which event an operation went wrong, and which one completes the contradiction.
pub(crate) type Breach = (u32, u32);

impl<T: Copy + Default> PerOp<T> {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, ops: usize) {
        self.slots.clear();
        self.slots.resize(ops, T::default());
    }

    /// Forgets what it knows of all operations.
    pub(crate) fn forget(&mut self) {
        self.slots.fill(T::default());
    }

    /// The slot of an operation; none for the sweeper, which is nobody's operation.
    pub(crate) fn get(&self, op: Op) -> Option<&T> {
        self.slots.get(op.index())
    }

    /// The slot of an operation, to change it.
    pub(crate) fn get_mut(&mut self, op: Op) -> Option<&mut T> {
        self.slots.get_mut(op.index())
    }

    /// Changes the slots of all operations.
    pub(crate) fn each(&mut self, change: impl FnMut(&mut T)) {
        self.slots.iter_mut().for_each(change);
    }

    /// All slots, in the order of the operations.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Op, &T)> {
        (0..Op::MOST).map(Op).zip(&self.slots)
    }
}

impl PerOp<Option<Breach>> {
    /// Keeps the first breach of an operation.
    pub(crate) fn accuse(&mut self, op: Op, breach: Breach) {
        if let Some(slot) = self.get_mut(op) {
            slot.get_or_insert(breach);
        }
    }

    /// Appends a finding for each accused operation.
    pub(crate) fn report(&self, kind: FindingKind, findings: &mut Vec<Finding>) {
        let accused = self.iter().filter_map(|(op, breach)| breach.map(|breach| (op, breach)));
        findings.extend(accused.map(|(op, breach)| Finding::of(kind, Some(op), breach)));
    }

    /// Which operations are accused. Where in the trace does not matter for what is to come.
    pub(crate) fn portray(&self, canon: &mut Canon) {
        self.slots.iter().for_each(|slot| canon.flag(slot.is_some()));
    }
}
