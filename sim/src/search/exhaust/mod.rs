//! Level 5. Exhaust: every plan with at most k faults, fewest first.
//!
//! A run lists all that could have struck, in the order in which it reached the points. A plan is
//! extended only by what its own run reached *after* its last fault: until there the two runs are
//! the same, so every plan is made at most once, and points that only a fault brings about are found
//! as runs reach them. Overtakings are counted apart from the other faults. The first level that
//! shows a finding is run to its end; none of its plans can be shorter, so all of them are minimal.
//!
//! Many plans lead to one world: a request that was lost and one that a dead server refused leave
//! the same behind. Between two events, once all faults of a plan have struck, what is to come
//! depends on the world alone. So the world is written down in its canonical form and hashed; if
//! another plan with no more faults has been in that world, no later, the run is not followed any
//! further, and the plan is extended only up to there. Each kind of finding is still found, at the
//! same level; of several plans that come to it through one world, the first is kept.
//!
//! Variation is benign throughout: what is claimed is claimed of the scenario's least latencies.

mod level;
mod worlds;

use super::hunt::Control;
use crate::choice::{Fault, Strike};
use crate::run::{Blind, Runner, Setup};
use level::{Order, Parent};
use onestroke_scenarios::FindingKind;
use worlds::Worlds;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// At most so many faults in a plan, overtakings not counted.
    pub faults: usize,
    /// At most so many overtakings besides.
    pub overtakings: usize,
    /// At most so many of each sort of fault.
    pub each: usize,
    /// Stop after so many runs.
    pub runs_most: u64,
    /// Whether worlds that were reached before are left alone.
    pub prune: bool,
    /// Whether to go on to the last level, and to extend plans that show a finding.
    pub past_findings: bool,
}

impl Depth {
    /// Every placement of at most so many faults and no overtaking, with pruning, up to the first
    /// level that shows a finding.
    pub const fn of(faults: usize) -> Self {
        Self {
            faults,
            overtakings: 0,
            each: usize::MAX,
            runs_most: u64::MAX,
            prune: true,
            past_findings: false,
        }
    }
}

/// One level: all plans with the same number of strikes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// How many faults and overtakings its plans have.
    pub strikes: usize,
    /// How many plans were run.
    pub runs: u64,
    /// How many of them came to a world that was known, and were not followed further.
    pub met: u64,
    /// How many worlds they reached that were new, counted between events and after their last
    /// fault; zero without pruning.
    pub worlds: u64,
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
    /// The findings of the first level that has any; of all levels, when the search went past them.
    pub minimal: Vec<Minimal>,
    /// Why known worlds were not left alone, though it was asked for.
    pub blind: Option<Blind>,
}

impl Exhausted {
    /// How many strikes the store survives in every placement: `None` when not even calm weather.
    pub fn survives(&self) -> Option<usize> {
        let complete = self.levels.iter().take_while(|level| level.complete).count();
        let first = self.minimal.iter().map(|minimal| minimal.strikes.len()).min();
        first.map_or(complete, |first| first.min(complete)).checked_sub(1)
    }

    /// How many plans were run.
    pub fn runs(&self) -> u64 {
        self.levels.iter().map(|level| level.runs).sum()
    }

    /// How many different worlds they reached; zero without pruning.
    pub fn worlds(&self) -> u64 {
        self.levels.iter().map(|level| level.worlds).sum()
    }
}

/// Who sees each run of a search, with its plan, on whichever thread it ran.
pub type Visit<'a> = &'a (dyn Fn(&Runner, &[Strike]) + Sync);

/// Runs every plan with at most so many faults, fewest first, until a level shows a finding.
pub fn exhaust(setup: &Setup, depth: Depth, threads: usize, control: &Control) -> Exhausted {
    exhaust_visiting(setup, depth, threads, control, &|_, _| {})
}

/// As [`exhaust`]; `visit` sees each run that came to its end.
pub fn exhaust_visiting(
    setup: &Setup,
    mut depth: Depth,
    threads: usize,
    control: &Control,
    visit: Visit<'_>,
) -> Exhausted {
    let mut result = Exhausted::default();
    if depth.prune {
        result.blind = Runner::new(setup).blind();
        depth.prune = result.blind.is_none();
    }
    let mut worlds = Worlds::default();
    let mut parents = vec![Parent::root()];
    let last = depth.faults + depth.overtakings;
    for strikes in 0..=last {
        let budget = depth.runs_most.saturating_sub(result.runs());
        let keep = strikes < last;
        let order = Order { setup, depth, parents: &parents, strikes, budget, keep, visit };
        let part = order.run(threads, &mut worlds, control);
        let go_on = part.level.complete && part.level.runs > 0;
        result.levels.push(part.level);
        result.minimal.extend(part.minimal);
        if !go_on || (!result.minimal.is_empty() && !depth.past_findings) {
            break;
        }
        parents = part.parents;
    }
    result
}

const fn is_overtaking(strike: Strike) -> bool {
    matches!(strike.fault, Fault::Hold(_))
}
