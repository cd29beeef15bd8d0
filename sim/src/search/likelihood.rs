//! Level 5. Likelihood: from which decision on is the outcome of a run likely?
//!
//! The first decisions of a run are kept, and all after them are drawn anew, again and again: the
//! share of these futures that end as the run did is how likely its end was at that moment. Looked at are the
//! faults that struck, each before and after; then the steepest stretch between two of these moments
//! is halved, until single decisions stand for each jump. The same futures are tried everywhere, so a
//! difference is not made by their luck.

use super::interval::Share;
use crate::check::Finding;
use crate::choice::{Source, Strike};
use crate::point::{Op, Point};
use crate::run::{Keep, Runner};
use crate::time::Time;
use onestroke_scenarios::FindingKind;
use std::collections::BTreeMap;

/// How many futures are tried from each moment.
pub const FUTURES: u64 = 200;

/// From how many moments at most.
const MOMENTS_MOST: usize = 60;

/// Before and after how many of the faults that struck at most; the others may still be found by
/// halving.
const STRIKES_MOST: usize = 16;

/// A smaller change, in futures, is not looked into.
const JUMP_LEAST: u64 = FUTURES / 10;

/// How likely the end of a run was, from its beginning on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likelihood {
    /// What the run ended with; a future ends so when it has this kind for this operation.
    pub finding: Finding,
    /// Before the first decision, with the run's own workload and its own swarm.
    pub start: Share,
    /// The decisions that were looked at, in order.
    pub steps: Vec<Step>,
    /// The decision from which on it was likelier than not; `None` if it was so from the beginning.
    pub tip: Option<Step>,
}

/// A decision, and how likely the end was before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it was made.
    pub at: Time,
    /// Where.
    pub point: Point,
    /// The fault that struck, if one did.
    pub strike: Option<Strike>,
    /// Futures that keep all before it.
    pub before: Share,
    /// Futures that keep it too.
    pub after: Share,
}

impl Likelihood {
    /// The decision that made it much likelier, and likelier than any other did: of two that did so
    /// alike, the first.
    pub fn jump(&self) -> Option<&Step> {
        let rising = self.steps.iter().filter(|step| step.rise() >= JUMP_LEAST);
        rising.rev().max_by_key(|step| step.rise())
    }
}

impl Step {
    /// Whether it changed much.
    pub const fn jumps(&self) -> bool {
        self.after.found.abs_diff(self.before.found) >= JUMP_LEAST
    }

    /// By how many futures more it ends so after the decision.
    const fn rise(&self) -> u64 {
        self.after.found.saturating_sub(self.before.found)
    }
}

/// Looks into the run of a seed that shows this kind of finding; `None` when it does not. Of several
/// it is the one of this operation, or else the first.
pub fn likelihood(
    runner: &mut Runner,
    seed: u64,
    (kind, op): (FindingKind, Option<Op>),
) -> Option<Likelihood> {
    let keep = Keep { variations: true, details: false };
    let outcome = runner.run(Source::Seeded { seed, salt: 0 }, keep);
    let alike = outcome.findings.iter().filter(|finding| finding.kind == kind);
    let finding = alike.min_by_key(|finding| finding.op != op).copied();
    let decisions = runner.decisions().to_vec();
    let strikes = runner.strikes().to_vec();
    let finding = finding?;
    let mut futures = Futures { runner, seed, finding, tried: BTreeMap::new() };
    let all = u32::try_from(decisions.len()).expect("the events of a run are bounded");
    let struck = (0..).zip(&decisions).filter(|(_, decision)| decision.struck);
    let ends = struck.take(STRIKES_MOST).flat_map(|(at, _)| [at, at + 1]);
    for keep in [0, all].into_iter().chain(ends) {
        futures.from(keep);
    }
    futures.look_into_jumps();
    let tip = futures.tip();
    let pairs: Vec<(u32, u64, u64)> = futures.pairs().collect();
    let step = |(at, before, after): &(u32, u64, u64)| {
        let decision = decisions.get(*at as usize)?;
        let strike =
            strikes.iter().find(|strike| decision.struck && strike.point == decision.point);
        Some(Step {
            at: decision.at,
            point: decision.point,
            strike: strike.copied(),
            before: share(*before),
            after: share(*after),
        })
    };
    let tip = pairs.iter().find(|(at, ..)| Some(*at) == tip).and_then(step);
    let steps = pairs.iter().filter_map(step);
    let steps = steps.filter(|step| step.jumps() || step.strike.is_some()).collect();
    Some(Likelihood { finding, start: share(futures.from(0)), steps, tip })
}

const fn share(found: u64) -> Share {
    Share { found, runs: FUTURES }
}

/// Futures of one run.
struct Futures<'a> {
    runner: &'a mut Runner,
    seed: u64,
    finding: Finding,
    /// By how many decisions are kept: how many futures end so.
    tried: BTreeMap<u32, u64>,
}

impl Futures<'_> {
    /// How many futures end so that keep so many decisions.
    fn from(&mut self, keep: u32) -> u64 {
        if let Some(found) = self.tried.get(&keep) {
            return *found;
        }
        let ends_so = |future: &u64| self.ends_so(keep, *future);
        let found = (0..FUTURES).filter(ends_so).count() as u64;
        self.tried.insert(keep, found);
        found
    }

    fn ends_so(&mut self, keep: u32, future: u64) -> bool {
        let source = Source::Forked { seed: self.seed, keep, future };
        let Finding { kind, op, .. } = self.finding;
        let outcome = self.runner.run(source, Keep::default());
        outcome.findings.iter().any(|finding| (finding.kind, finding.op) == (kind, op))
    }

    /// Halves the steepest stretch until none that is steep is longer than one decision.
    fn look_into_jumps(&mut self) {
        while self.tried.len() < MOMENTS_MOST {
            let moments: Vec<(u32, u64)> =
                self.tried.iter().map(|(at, found)| (*at, *found)).collect();
            let long = moments.windows(2).filter(|pair| pair[1].0 - pair[0].0 > 1);
            let steep = long.filter(|pair| pair[0].1.abs_diff(pair[1].1) >= JUMP_LEAST);
            let Some(pair) = steep.rev().max_by_key(|pair| pair[0].1.abs_diff(pair[1].1)) else {
                return;
            };
            self.from(u32::midpoint(pair[0].0, pair[1].0));
        }
    }

    /// The last decision before which it was not yet likelier than not, as far as was tried.
    fn tip(&mut self) -> Option<u32> {
        let unlikely = |found: u64| found * 2 <= FUTURES;
        let mut low = self.tried.iter().rfind(|(_, found)| unlikely(**found)).map(|(at, _)| *at)?;
        let mut high = self.tried.range(low + 1..).next().map(|(at, _)| *at)?;
        while high - low > 1 {
            let middle = u32::midpoint(low, high);
            if unlikely(self.from(middle)) { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// The decisions on both sides of which futures were tried, with how many ended so.
    fn pairs(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        let next = |at: u32| self.tried.get(&(at + 1)).copied();
        self.tried.iter().filter_map(move |(at, before)| Some((*at, *before, next(*at)?)))
    }
}
