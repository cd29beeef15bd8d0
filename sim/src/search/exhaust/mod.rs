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
//! further, and the plan is extended only up to there. What follows from
//! a world is known from whoever was there first, so each plan that was made is judged. No plan is made
//! through a world that belongs to another; what it would come to, the other's comes to.
//!
//! Variation is benign throughout: what is claimed is claimed of the scenario's least latencies, and of
//! deliveries that go to the servers in turn.

mod level;
mod saved;
mod worlds;

pub use saved::{Mismatch, Saved};

use super::hunt::Control;
use crate::choice::{Fault, Strike};
use crate::run::{Blind, Runner, Setup};
use level::{Order, Parent, Part};
use onestroke_scenarios::FindingKind;
use serde::{Deserialize, Serialize};
use worlds::Worlds;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// At most so many faults in a plan, overtakings not counted.
    pub faults: usize,
    /// At most so many overtakings besides.
    pub overtakings: usize,
    /// At most so many of each sort of fault.
    pub each: usize,
    /// Stop after so many runs, and go on from there when asked to.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    depth: Depth,
    threads: usize,
    control: &Control,
    visit: Visit<'_>,
) -> Exhausted {
    let mut search = Search::new(setup, depth);
    search.go_on(setup, threads, control, visit);
    search.result()
}

/// A search that can be stopped, kept, and gone on with.
#[derive(Debug)]
pub struct Search {
    depth: Depth,
    /// What the levels before came to.
    before: Exhausted,
    worlds: Worlds,
    /// What the plans of the present level extend.
    parents: Vec<Parent>,
    /// What the present level has come to so far.
    part: Part,
    over: bool,
}

impl Search {
    /// A search that has not begun.
    pub fn new(setup: &Setup, mut depth: Depth) -> Self {
        let mut before = Exhausted::default();
        if depth.prune {
            before.blind = Runner::new(setup).blind();
            depth.prune = before.blind.is_none();
        }
        let (worlds, parents, part) = (Worlds::default(), vec![Parent::root()], Part::default());
        Self { depth, before, worlds, parents, part, over: false }
    }

    /// Goes on until it is over, is stopped, or has run as many plans as it may this time.
    pub fn go_on(&mut self, setup: &Setup, threads: usize, control: &Control, visit: Visit<'_>) {
        let (depth, last) = (self.depth, self.depth.faults + self.depth.overtakings);
        let mut left = depth.runs_most;
        while !self.over {
            let so_far = self.part.level.runs;
            let keep = self.part.level.strikes < last;
            let order = Order { setup, depth, parents: &self.parents, keep, visit };
            let most = so_far.saturating_add(left);
            order.run(threads, (&mut self.worlds, &mut self.part), most, control);
            left = left.saturating_sub(self.part.level.runs - so_far);
            if !self.part.level.complete {
                return;
            }
            let part = std::mem::take(&mut self.part);
            self.part.level.strikes = part.level.strikes + 1;
            self.before.minimal.extend(part.minimal);
            let found = !self.before.minimal.is_empty() && !depth.past_findings;
            self.over = found || !keep || part.level.runs == 0;
            self.before.levels.push(part.level);
            self.parents = part.parents;
        }
    }

    /// Whether there is nothing left to do.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// What it came to so far; a level that was begun is part of it.
    pub fn result(&self) -> Exhausted {
        let mut result = self.before.clone();
        if !self.over {
            result.levels.push(self.part.level.clone());
            result.minimal.extend(self.part.minimal.iter().cloned());
        }
        result
    }
}

const fn is_overtaking(strike: Strike) -> bool {
    matches!(strike.fault, Fault::Hold(_))
}
