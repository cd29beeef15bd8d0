//! Level 5. Doctor: is the harness itself sound?
//!
//! It runs every store in every scenario twice, in another order and on a runner that has seen other
//! runs, and compares trace hashes, and how much room the runner has taken; it repeats a campaign on
//! one thread and on several; and it measures how many seeds it takes to catch what is wrong on
//! purpose. A canary that stays silent, a trace that differs, room that grows with the same seeds, or
//! a planted bug that takes longer than its recorded bound: each is a fault of the harness, not of a
//! store.

pub mod bounds;

use super::hunt::{Control, hunt};
use super::interval::median_between;
use crate::run::{Backend, Runner, Setup};
use onestroke_scenarios::{FindingKind, Scenario};
use onestroke_store::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How thorough to be.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Seeds that are run twice for each store in each scenario.
    pub twice: u64,
    /// Disjoint ranges of seeds in which each planted bug is hunted.
    pub ranges: u64,
    /// How long a range is; in each a bug must be caught within so many seeds where no lower bound
    /// is recorded for it.
    pub bound: u64,
    /// Threads of the second campaign.
    pub threads: usize,
}

/// A store that is wrong on purpose, and how soon it is caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// In which scenario.
    pub scenario: String,
    /// Which store.
    pub store: &'static str,
    /// As what.
    pub kind: FindingKind,
    /// Seeds until caught, by range, sorted; the bound stands for "not within it".
    pub seeds: Vec<u64>,
    /// Within how many it must be caught.
    pub bound: u64,
    /// In how many ranges it was not caught within the bound.
    pub missed: u64,
}

impl Planted {
    /// Half of the ranges need no more seeds.
    pub fn median(&self) -> u64 {
        self.quantile(50)
    }

    /// Between which numbers of seeds the median lies, at 95 %.
    pub fn median_between(&self) -> (u64, u64) {
        let (low, high) = median_between(self.seeds.len());
        let at = |place: usize| self.seeds.get(place).copied().unwrap_or(0);
        (at(low), at(high))
    }

    /// So many percent of the ranges need no more seeds.
    pub fn quantile(&self, percent: usize) -> u64 {
        let last = self.seeds.len().saturating_sub(1);
        self.seeds.get(last * percent / 100).copied().unwrap_or(0)
    }
}

/// What the doctor found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// How many runs were made twice.
    pub compared: u64,
    /// Runs that gave another trace the second time, or took more room, one sentence each.
    pub diverged: Vec<String>,
    /// All planted bugs.
    pub planted: Vec<Planted>,
    /// It was stopped before the end.
    pub cut_short: bool,
}

impl Health {
    /// Whether nothing is wrong with the harness.
    pub fn is_sound(&self) -> bool {
        self.diverged.is_empty() && self.planted.iter().all(|planted| planted.missed == 0)
    }
}

/// Examines the harness with these stores.
pub fn examine(
    scenarios: &[Arc<Scenario>],
    stores: &[Entry],
    care: Care,
    control: &Control,
) -> Health {
    let mut health = Health::default();
    for scenario in scenarios {
        for store in scenario.cast(stores) {
            if control.stop.load(Ordering::Relaxed) {
                health.cut_short = true;
                return health;
            }
            let setup = Setup {
                scenario: Arc::clone(scenario),
                store: store.clone(),
                backend: Backend::Memory,
            };
            compare(&setup, care, &mut health);
            for kind in scenario.expect.get(store.name).into_iter().flatten() {
                health.planted.push(plant(&setup, *kind, care));
            }
            control.seeds.fetch_add(care.twice, Ordering::Relaxed);
        }
    }
    health
}

/// Runs the same seeds forwards, then backwards on the runner that has seen them all, then as a
/// campaign on one thread and on several.
fn compare(setup: &Setup, care: Care, health: &mut Health) {
    let mut fresh = Runner::new(setup);
    let forwards: Vec<u64> = (0..care.twice).map(|seed| fresh.seed(seed).hash).collect();
    let room = fresh.room();
    for seed in (0..care.twice).rev() {
        let again = fresh.seed(seed).hash;
        let before = forwards[usize::try_from(seed).expect("seeds are few")];
        health.compared += 1;
        if again != before {
            health.diverged.push(format!(
                "{} / {}: seed {seed} gave trace hash {before:016x}, and then {again:016x}",
                setup.scenario.name, setup.store.name
            ));
        }
    }
    // Slots are made in another order backwards; after that nothing new is needed.
    let backwards = fresh.room();
    (0..care.twice).for_each(|seed| {
        fresh.seed(seed);
    });
    if fresh.room() > backwards {
        health.diverged.push(format!(
            "{} / {}: the same {} seeds took room {room}, then {backwards}, then {}: it leaks",
            setup.scenario.name,
            setup.store.name,
            care.twice,
            fresh.room()
        ));
    }
    let campaign = |threads| hunt(setup, 0..care.twice, threads, &Control::default());
    let (one, many) = (campaign(1), campaign(care.threads));
    if one != many {
        health.diverged.push(format!(
            "{} / {}: a campaign on 1 thread has digest {:016x}, and on {} threads {:016x}",
            setup.scenario.name, setup.store.name, one.digest, care.threads, many.digest
        ));
    }
}

/// How many seeds it takes to catch a store as this, in each of the ranges.
fn plant(setup: &Setup, kind: FindingKind, care: Care) -> Planted {
    let mut runner = Runner::new(setup);
    let mut missed = 0;
    let bound = bounds::of(&setup.scenario.name, setup.store.name, kind).unwrap_or(care.bound);
    let bound = bound.min(care.bound);
    let mut seeds: Vec<u64> = (0..care.ranges)
        .map(|range| {
            let from = range * care.bound;
            let caught = (0..bound).find(|step| {
                let outcome = runner.seed(from + step);
                outcome.findings.iter().any(|finding| finding.kind == kind)
            });
            missed += u64::from(caught.is_none());
            caught.map_or(bound, |step| step + 1)
        })
        .collect();
    seeds.sort_unstable();
    let (scenario, store) = (setup.scenario.name.clone(), setup.store.name);
    Planted { scenario, store, kind, seeds, bound, missed }
}
