//! Level 3. The newest version of each thing that was ever committed, by the number of the thing.
//!
//! Imports [`PerOp`] and the trace.

use super::per_op::PerOp;
use crate::point::Op;
use crate::trace::{OpFacts, Trace};

/// The newest committed versions; 0 where nothing was committed. A thing's number is below that of
/// the operations, so that the tables by operation have room for it.
#[derive(Debug, Default)]
pub(crate) struct Versions(PerOp<u32>);

impl Versions {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, ops: usize) {
        self.0.reset(ops);
    }

    /// An operation's update is committed.
    pub(crate) fn commit(&mut self, trace: &Trace, op: Op) {
        if let Some(facts) = versioned(trace, op)
            && let Some(newest) = self.0.get_mut(Op(facts.target))
        {
            *newest = facts.version.max(*newest);
        }
    }

    /// Whether a newer update of what this operation updates has been committed.
    pub(crate) fn supersede(&self, trace: &Trace, op: Op) -> bool {
        versioned(trace, op).is_some_and(|facts| {
            self.0.get(Op(facts.target)).is_some_and(|newest| *newest > facts.version)
        })
    }
}

/// What is known of an operation that writes a version.
pub(crate) fn versioned(trace: &Trace, op: Op) -> Option<&OpFacts> {
    trace.ops.get(op.index()).filter(|facts| facts.version > 0)
}
