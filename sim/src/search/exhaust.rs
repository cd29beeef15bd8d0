//! Level 5. Exhaust: every plan with at most k faults, fewest first.
//!
//! A run lists all that could have struck, in the order in which it reached the points. A plan is
//! extended only by what its own run reached *after* its last fault: until there the two runs are
//! the same, so every plan is made exactly once, and points that only a fault brings about are found
//! as runs reach them. Overtakings are counted apart from the other faults. The first level that
//! shows a finding is run to its end; none of its plans can be shorter, so all of them are minimal.
//!
//! Variation is benign throughout: what is claimed is claimed of the scenario's least latencies.

use super::hunt::Control;
use crate::choice::{Fault, Source, Strike};
use crate::run::{Keep, Runner, Setup};
use onestroke_scenarios::FindingKind;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// At most so many faults in a plan, overtakings not counted.
    pub faults: usize,
    /// At most so many overtakings besides.
    pub overtakings: usize,
    /// Stop after so many runs.
    pub runs_most: u64,
}

/// One level: all plans with the same number of strikes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// How many faults and overtakings its plans have.
    pub strikes: usize,
    /// How many plans were run.
    pub runs: u64,
    /// How many different traces they gave.
    pub traces: u64,
    /// All of its plans were run.
    pub complete: bool,
}

/// A plan that shows a finding, though no shorter one does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Minimal {
    /// The kind that it shows first.
    pub kind: FindingKind,
    /// Its faults, in the order in which the run reaches them.
    pub strikes: Vec<Strike>,
}

/// What an exhaustive search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exhausted {
    /// Level by level, from no fault at all.
    pub levels: Vec<Level>,
    /// The findings of the first level that has any.
    pub minimal: Vec<Minimal>,
}

impl Exhausted {
    /// How many strikes the store survives in every placement: `None` when not even calm weather.
    pub fn survives(&self) -> Option<usize> {
        let complete = self.levels.iter().filter(|level| level.complete).count();
        let clean = if self.minimal.is_empty() { complete } else { self.levels.len() - 1 };
        clean.checked_sub(1)
    }

    /// How many plans were run.
    pub fn runs(&self) -> u64 {
        self.levels.iter().map(|level| level.runs).sum()
    }
}

/// Runs every plan with at most so many faults, fewest first, until a level shows a finding.
pub fn exhaust(setup: &Setup, depth: Depth, threads: usize, control: &Control) -> Exhausted {
    let mut result = Exhausted::default();
    let mut parents: Vec<Vec<Strike>> = Vec::new();
    for strikes in 0..=depth.faults + depth.overtakings {
        let last = strikes == depth.faults + depth.overtakings;
        let budget = depth.runs_most.saturating_sub(result.runs());
        let order = Order { setup, depth, parents: &parents, strikes, budget, keep: !last };
        let part = order.run(threads, control);
        result.levels.push(part.level.clone());
        result.minimal = part.minimal;
        if !result.minimal.is_empty() || !part.level.complete || part.level.runs == 0 {
            break;
        }
        parents = part.plans;
    }
    result
}

/// One level to be run.
struct Order<'a> {
    setup: &'a Setup,
    depth: Depth,
    parents: &'a [Vec<Strike>],
    strikes: usize,
    budget: u64,
    keep: bool,
}

/// What one parent's plans came to.
#[derive(Default)]
struct Part {
    level: Level,
    hashes: BTreeSet<u64>,
    plans: Vec<Vec<Strike>>,
    minimal: Vec<Minimal>,
}

impl Order<'_> {
    /// Runs the level; the result does not depend on the number of threads, unless it is cut short.
    fn run(&self, threads: usize, control: &Control) -> Part {
        let next = AtomicUsize::new(0);
        let spent = Mutex::new(0_u64);
        let parts: Mutex<Vec<(usize, Part)>> = Mutex::new(Vec::new());
        let units = if self.strikes == 0 { 1 } else { self.parents.len() };
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut runner = Runner::new(self.setup);
                    runner.set_exploring(true);
                    loop {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        let over = *spent.lock().expect("no worker panics") >= self.budget;
                        if unit >= units || over || control.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let part = self.run_unit(&mut runner, unit);
                        *spent.lock().expect("no worker panics") += part.level.runs;
                        control.seeds.fetch_add(part.level.runs, Ordering::Relaxed);
                        control.findings.fetch_add(part.minimal.len() as u64, Ordering::Relaxed);
                        parts.lock().expect("no worker panics").push((unit, part));
                    }
                });
            }
        });
        let mut parts = parts.into_inner().expect("no worker panics");
        parts.sort_unstable_by_key(|(unit, _)| *unit);
        let complete = parts.len() == units;
        let mut whole = Part::default();
        for (_, part) in parts {
            whole.level.runs += part.level.runs;
            whole.hashes.extend(part.hashes);
            whole.plans.extend(part.plans);
            whole.minimal.extend(part.minimal);
        }
        whole.level.strikes = self.strikes;
        whole.level.traces = whole.hashes.len() as u64;
        whole.level.complete = complete;
        whole.minimal.sort_unstable();
        whole
    }

    fn run_unit(&self, runner: &mut Runner, unit: usize) -> Part {
        let mut part = Part::default();
        if self.strikes == 0 {
            self.run_plan(runner, vec![], &mut part);
            return part;
        }
        let parent = &self.parents[unit];
        run(runner, parent);
        for strike in self.extensions(parent, runner.offers()) {
            let mut plan = parent.clone();
            plan.push(strike);
            self.run_plan(runner, plan, &mut part);
        }
        part
    }

    fn run_plan(&self, runner: &mut Runner, plan: Vec<Strike>, part: &mut Part) {
        run(runner, &plan);
        part.level.runs += 1;
        part.hashes.insert(runner.outcome().hash);
        if let Some(finding) = runner.outcome().findings.first() {
            part.minimal.push(Minimal { kind: finding.kind, strikes: plan });
        } else if self.keep {
            part.plans.push(plan);
        }
    }

    /// What the parent's run reached after its last strike, within the budget of faults.
    fn extensions(&self, parent: &[Strike], offers: &[Strike]) -> Vec<Strike> {
        let overtakings = parent.iter().filter(|strike| is_overtaking(**strike)).count();
        let faults = parent.len() - overtakings;
        let begin = parent.last().map_or(0, |last| {
            let at = offers.iter().rposition(|offer| offer.point == last.point);
            at.map_or(offers.len(), |at| at + 1)
        });
        let fits = |offer: &&Strike| {
            if is_overtaking(**offer) {
                overtakings < self.depth.overtakings
            } else {
                faults < self.depth.faults
            }
        };
        offers[begin..].iter().filter(fits).copied().collect()
    }
}

fn is_overtaking(strike: Strike) -> bool {
    matches!(strike.fault, Fault::Hold(_))
}

fn run(runner: &mut Runner, plan: &[Strike]) {
    let source = Source::Planned { strikes: plan.to_vec(), variations: vec![], workload: None };
    runner.run(source, Keep::default());
}
