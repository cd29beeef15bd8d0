//! Level 5. The shrinker: tries candidates, counts its runs, and goes on until nothing can be taken.

use super::label::labels;
use super::{EVENTS_MOST, Found, RUNS_MOST, Shrunk, sort};
use crate::check::Finding;
use crate::plan::Plan;
use crate::run::{Keep, Runner};
use crate::trace::What;
use onestroke_scenarios::Scenario;
use std::sync::Arc;

/// Tries candidates.
pub(super) struct Shrinker<'a> {
    pub(super) runner: &'a mut Runner,
    pub(super) scenario: Arc<Scenario>,
    runs: u32,
    /// Events and choices of all runs together: what they cost.
    events: u64,
}

/// A finding as a candidate shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) finding: Finding,
    /// The clients' own attempts show it, before the weather cleared and anybody asked again.
    pub(super) unprobed: bool,
}

impl<'a> Shrinker<'a> {
    pub(super) fn new(runner: &'a mut Runner) -> Self {
        let scenario = Arc::clone(&runner.setup().scenario);
        Self { runner, scenario, runs: 0, events: 0 }
    }

    /// Whether any run is left; without one nothing shows anything.
    pub(super) const fn spent(&self) -> bool {
        self.runs >= RUNS_MOST || self.events >= EVENTS_MOST
    }

    /// Runs a candidate: the finding that it expects, if it shows one.
    pub(super) fn shows(&mut self, candidate: &Plan) -> Option<Shown> {
        if self.spent() {
            return None;
        }
        self.runs += 1;
        let outcome = self.runner.replay(candidate, Keep::default());
        self.events += outcome.events + candidate.variations.len() as u64;
        let finding = *outcome.findings.iter().find(|one| Some(one.kind) == candidate.expect)?;
        let mut before = self.runner.trace().events.iter().take(finding.second as usize);
        let unprobed = !before.any(|event| event.what == What::Cleared);
        Some(Shown { finding, unprobed })
    }

    /// Puts the candidate in place of the best plan if it shows the same.
    pub(super) fn takes(&mut self, best: &mut Plan, candidate: Plan) -> bool {
        let shows = self.shows(&candidate).is_some();
        if shows {
            *best = candidate;
        }
        shows
    }

    /// From a plan that shows its finding to one from which nothing can be taken.
    pub(super) fn shortest(&mut self, mut best: Plan) -> Plan {
        loop {
            let before = best.clone();
            self.drop_faults(&mut best);
            self.drop_operations(&mut best);
            self.drop_variations(&mut best);
            self.skip_attempts(&mut best);
            self.drop_attempts(&mut best);
            self.simplify(&mut best);
            if best == before {
                self.try_few_faults(&mut best);
            }
            if best == before || self.spent() {
                return best;
            }
        }
    }

    /// Labels the shortest plan, and runs it once more.
    pub(super) fn told(mut self, mut plan: Plan, struck: usize) -> Option<Shrunk> {
        sort(&mut plan);
        let minimal = !self.spent();
        let labels = labels(&mut self, &plan);
        let outcome = self.runner.replay(&plan, Keep::default());
        let finding = *outcome.findings.iter().find(|one| Some(one.kind) == plan.expect)?;
        let found = Found { finding, hash: outcome.hash, plan, struck, minimal, labels };
        Some(Shrunk { found, runs: self.runs })
    }

    fn drop_faults(&mut self, best: &mut Plan) {
        let count = |plan: &Plan| plan.strikes.len();
        self.leave_out(best, count, |plan, range| {
            let mut fewer = plan.clone();
            fewer.strikes.drain(range);
            Some(fewer)
        });
    }

    /// Harmless choices, and the seed of the operations: most plans need none of them.
    fn drop_variations(&mut self, best: &mut Plan) {
        if best.variations.is_empty() && best.workload.is_none() {
            return;
        }
        let plain = Plan { variations: vec![], workload: None, ..best.clone() };
        if self.takes(best, plain) {
            return;
        }
        let count = |plan: &Plan| plan.variations.len();
        self.leave_out(best, count, |plan, range| {
            let mut fewer = plan.clone();
            fewer.variations.drain(range);
            Some(fewer)
        });
        if best.workload.is_some() {
            self.takes(best, Plan { workload: None, ..best.clone() });
        }
    }
}
