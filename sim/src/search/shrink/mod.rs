//! Level 5. Shrink: from a seed that shows a finding to a plan that names only what matters.
//!
//! Faults go first, then clients and operations, harmless choices, attempts; then what is left is
//! made simpler: the least magnitude, a lost message in place of a partition. All this again until
//! nothing more can be taken, so nothing single can be missed. Only the same kind of finding counts.
//! Bounded by [`RUNS_MOST`] and [`EVENTS_MOST`]. At last each magnitude is varied, to say whether it matters.

mod attempts;
mod label;
mod leave_out;
mod renamed;
mod shrinker;
mod simpler;
mod subset;
mod workload;

pub use label::Label;
pub use workload::Kept;

use crate::check::Finding;
use crate::choice::{Source, Strike};
use crate::plan::{Plan, Size};
use crate::run::{Keep, Runner};
use onestroke_scenarios::FindingKind;
use shrinker::Shrinker;
use thiserror::Error;

/// A shrink gives up after so many runs, with the shortest plan so far.
pub const RUNS_MOST: u32 = 20_000;

/// And after runs with so many events and choices together: a few seconds.
pub const EVENTS_MOST: u64 = 20_000_000;

/// A finding with the plan that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The finding, as the plan shows it.
    pub finding: Finding,
    /// The faults that matter.
    pub plan: Plan,
    /// How many faults had struck before shrinking.
    pub struck: usize,
    /// Nothing single can be taken from the plan. Not so where it was not shrunk, or the runs were
    /// used up before.
    pub minimal: bool,
    /// Trace hash of the plan's run.
    pub hash: u64,
    /// By fault of the plan: whether its magnitude matters. Each fault itself is needed.
    pub labels: Vec<(Strike, Label)>,
}

/// A finding, and what its shrinking took.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The finding with its plan.
    pub found: Found,
    /// How many runs were made, those for the labels included.
    pub runs: u32,
}

impl Found {
    /// Orders findings for telling: the graver kind first, then the shorter story.
    pub fn weight(&self) -> (FindingKind, usize, u32) {
        (self.finding.kind, self.plan.strikes.len(), self.finding.second)
    }

    /// Runs the plan once more, with texts, and says where in that trace the finding lies: a store's own
    /// lines are events there.
    pub fn with_details(&self, runner: &mut Runner) -> Finding {
        let keep = Keep { details: true, variations: false };
        let outcome = runner.replay(&self.plan, keep);
        let same = |one: &&Finding| (one.kind, one.op) == (self.finding.kind, self.finding.op);
        outcome.findings.iter().find(same).copied().unwrap_or(self.finding)
    }
}

/// The harness is broken: what it found is not found again.
#[derive(Debug, Error)]
#[error(
    "seed {seed} showed {kind} with trace hash {first:016x}, and now {second:016x} without it: \
     the harness or the store is not deterministic (does the store read a clock, a random number or \
     a static of its own?)",
    kind = kind.name()
)]
pub struct Diverged {
    /// The seed.
    pub seed: u64,
    /// What it had shown.
    pub kind: FindingKind,
    /// Trace hash of the first run.
    pub first: u64,
    /// Trace hash of the second run.
    pub second: u64,
}

/// Confirms and shrinks the finding of this kind under a seed.
pub fn shrink(runner: &mut Runner, seed: u64, kind: FindingKind) -> Result<Found, Diverged> {
    shrink_counted(runner, seed, kind).map(|shrunk| shrunk.found)
}

/// The same, and says what it took.
pub fn shrink_counted(
    runner: &mut Runner,
    seed: u64,
    kind: FindingKind,
) -> Result<Shrunk, Diverged> {
    let seeded = Source::Seeded { seed, salt: 0 };
    let first = runner.run(seeded.clone(), Keep::default()).hash;
    let second = runner.run(seeded, Keep { variations: true, details: false });
    let again = second.findings.iter().any(|finding| finding.kind == kind);
    if !again || second.hash != first {
        return Err(Diverged { seed, kind, first, second: second.hash });
    }
    let mut whole = whole_run(runner, seed, kind);
    let struck = whole.strikes.len();
    sort(&mut whole);
    let mut plain = Plan { variations: vec![], workload: None, ..whole.clone() };
    let mut shrinker = Shrinker::new(runner);
    // Two faults may cancel each other where neither has its timing: fewer may show what all do not.
    let shortest = if shrinker.try_few_faults(&mut plain) || shrinker.shows(&plain).is_some() {
        shrinker.shortest(plain)
    } else if shrinker.shows(&whole).is_some() {
        shrinker.shortest(whole)
    } else {
        let second = shrinker.runner.outcome().hash;
        return Err(Diverged { seed, kind, first, second });
    };
    shrinker.told(shortest, struck).ok_or(Diverged { seed, kind, first, second: 0 })
}

/// The seed's run, which was the last one, as a plan of all that it chose.
fn whole_run(runner: &Runner, seed: u64, kind: FindingKind) -> Plan {
    let setup = runner.setup();
    Plan {
        scenario: setup.scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
        expect: Some(kind),
        workload: Some(seed),
        size: Size::FULL,
        strikes: runner.strikes().to_vec(),
        variations: runner.variations().to_vec(),
        // Whoever changes a trace without harm shall find the plan green.
        hash: None,
    }
}

/// As a plan's text has it: one fault a point, one variation a point.
fn sort(plan: &mut Plan) {
    plan.strikes.sort_by_key(|strike| strike.point);
    plan.strikes.dedup_by_key(|strike| strike.point);
    plan.variations.sort_by_key(|variation| variation.point);
    plan.variations.dedup_by_key(|variation| variation.point);
}
