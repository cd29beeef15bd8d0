//! Level 3. `stale`: what stands at the end is an older update than one that had been committed
//! before: it came late, or came twice, and overwrote the newer one.

use super::per_op::PerOp;
use super::{Check, Finding, Seen};
use crate::point::Op;
use crate::trace::{Event, OpFacts, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Watches the order of updates to one thing.
#[derive(Debug, Default)]
pub struct Stale {
    /// By operation: the last commit of it.
    commits: PerOp<Option<Commit>>,
    count: u32,
    stopped: bool,
}

#[derive(Clone, Copy, Debug)]
struct Commit {
    index: u32,
    /// How many commits had been before.
    order: u32,
}

impl Stale {
    /// What became of the thing that an operation updates: the operation whose update stands, and the
    /// newest one that was ever committed.
    fn stands(&self, trace: &Trace, target: u32) -> Option<[(Op, OpFacts, Commit); 2]> {
        let same = |(op, commit): (Op, &Option<Commit>)| {
            let facts = *trace.ops.get(op.index())?;
            (facts.target == target && facts.version > 0).then_some((op, facts, (*commit)?))
        };
        let last = self.commits.iter().filter_map(same).max_by_key(|(.., commit)| commit.order)?;
        let newest =
            self.commits.iter().filter_map(same).max_by_key(|(_, facts, _)| facts.version)?;
        Some([last, newest])
    }
}

impl Check for Stale {
    fn reset(&mut self, _: &Contract, ops: usize) {
        self.commits.reset(ops);
        self.count = 0;
        self.stopped = false;
    }

    fn step(&mut self, index: u32, event: &Event, _: &Trace) {
        match event.what {
            What::Committed { op, .. } => {
                if let Some(commit) = self.commits.get_mut(op) {
                    *commit = Some(Commit { index, order: self.count });
                    self.count += 1;
                }
            }
            What::Exhausted => self.stopped = true,
            _ => {}
        }
    }

    fn finish(&mut self, trace: &Trace, findings: &mut Vec<Finding>) {
        if self.stopped {
            return;
        }
        for (op, _) in self.commits.iter() {
            let facts = trace.ops.get(op.index());
            let Some(facts) = facts.filter(|facts| facts.version > 0) else { continue };
            if let Some([last, newest]) = self.stands(trace, facts.target)
                && newest.0 == op
                && last.1.version < newest.1.version
            {
                let breach = (newest.2.index, last.2.index);
                findings.push(Finding::of(FindingKind::Stale, Some(op), breach));
            }
        }
    }

    fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        // Only the order among updates of one thing matters.
        for (op, commit) in self.commits.iter() {
            let facts = seen.trace.ops.get(op.index());
            let versioned = facts.is_some_and(|facts| facts.version > 0);
            let Some(commit) = commit.filter(|_| versioned) else {
                canon.word(u64::MAX);
                continue;
            };
            let before = |other: &Option<Commit>| other.is_some_and(|o| o.order < commit.order);
            let target = facts.map(|facts| facts.target);
            let mine = self.commits.iter().filter(|(other, theirs)| {
                let facts = seen.trace.ops.get(other.index());
                facts.map(|facts| facts.target) == target && before(theirs)
            });
            canon.size(mine.count());
        }
        canon.word(self.stopped);
    }
}
