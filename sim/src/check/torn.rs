//! Level 3. `torn`: at the end of the run, part of an operation's effect is committed and part is
//! not.
//!
//! A run that was stopped midway says nothing about its end: then nothing is torn.

use super::effects::Effects;
use super::per_op::PerOp;
use super::{Check, Finding, Seen};
use crate::trace::{Event, Kind, Kinds, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

/// Looks for missing parts.
#[derive(Debug, Default)]
pub struct Torn {
    effects: PerOp<(Effects, Commits)>,
    stopped: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Commits {
    first: u32,
    last: u32,
}

impl Check for Torn {
    const HEARS: Kinds =
        Kinds::of(&[Kind::Committed, Kind::Compensated, Kind::Vanished, Kind::Exhausted]);

    fn reset(&mut self, _: &Contract, ops: usize) {
        self.effects.reset(ops);
        self.stopped = false;
    }

    fn step(&mut self, index: u32, event: &Event, _: &Trace) {
        match event.what {
            What::Committed { op, part, parts, .. } => {
                let Some((effects, commits)) = self.effects.get_mut(op) else { return };
                if !effects.any() {
                    commits.first = index;
                }
                commits.last = index;
                effects.commit(part, parts);
            }
            What::Compensated { op, part, .. } | What::Vanished { op, part } => {
                if let Some((effects, _)) = self.effects.get_mut(op) {
                    effects.take_back(part);
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
        for (op, (effects, commits)) in self.effects.iter() {
            if effects.any() && !effects.complete() {
                let breach = (commits.first, end_of_handler(trace, commits.last));
                findings.push(Finding::of(FindingKind::Torn, Some(op), breach));
            }
        }
    }

    fn portray(&self, canon: &mut Canon, _: Seen<'_>) {
        self.effects.iter().for_each(|(_, (effects, _))| canon.word(effects.bits()));
        canon.flag(self.stopped);
    }
}

/// Where the handler that stopped midway came to its end; the commit itself when that is not known.
fn end_of_handler(trace: &Trace, commit: u32) -> u32 {
    let Some(event) = trace.events.get(commit as usize) else { return commit };
    let What::Committed { subject: maker, .. } = event.what else { return commit };
    let ends = |event: &Event| match event.what {
        What::Finished { subject, .. } | What::Died { subject } | What::Cancelled { subject } => {
            subject == maker
        }
        _ => false,
    };
    let after = trace.events[commit as usize..].iter().position(ends);
    after.and_then(|at| u32::try_from(at).ok()).map_or(commit, |at| commit + at)
}
