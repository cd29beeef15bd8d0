//! Level 5. Hunt: random seeds on all cores.
//!
//! Threads take blocks of seeds from one counter, and each keeps a runner of its own; what they
//! gather is merged by sums, minima and XOR, so the result does not depend on their number. The first
//! finding of each kind is the one with the lowest seed. Besides, the lowest seeds of each kind are
//! kept, to be shrunk and grouped, and all runs are counted by their faults.

use super::influence::{FaultCounts, Faults};
use crate::moments::MomentTotals;
use crate::run::{Runner, Setup};
use onestroke_scenarios::FindingKind;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// How many seeds a thread takes at a time.
const BLOCK: u64 = 256;

/// How many seeds of each kind are kept: its lowest ones.
pub const KEPT: usize = 32;

/// How a campaign is watched and stopped from outside.
#[derive(Debug, Default)]
pub struct Control {
    /// Set to stop after the blocks that are under way.
    pub stop: AtomicBool,
    /// Seeds run so far, over all campaigns that share this control.
    pub seeds: AtomicU64,
    /// Runs with a finding so far.
    pub findings: AtomicU64,
}

/// What a campaign of seeds came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Campaign {
    /// The first seed.
    pub first: u64,
    /// How many seeds were run, from the first on without a gap.
    pub seeds: u64,
    /// Events of all runs together.
    pub events: u64,
    /// XOR over all runs of a mix of seed and trace hash: equal digests are equal campaigns.
    pub digest: u64,
    /// Dangerous situations, over all runs.
    pub moments: MomentTotals,
    /// All runs, by their faults.
    pub faults: FaultCounts,
    /// By kind of finding.
    pub found: BTreeMap<FindingKind, Tally>,
}

/// How often a kind of finding was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// In how many runs.
    pub seeds: u64,
    /// The lowest seed that shows it.
    pub first: u64,
    /// The lowest seeds that show it, in order: all, or [`KEPT`] of them.
    pub lowest: Vec<u64>,
    /// The runs that show it, by their faults.
    pub faults: FaultCounts,
}

/// Runs the seeds on so many threads.
pub fn hunt(setup: &Setup, seeds: Range<u64>, threads: usize, control: &Control) -> Campaign {
    let next = AtomicU64::new(seeds.start);
    let parts: Vec<Campaign> = thread::scope(|scope| {
        let worker = || work(setup, &seeds, &next, control);
        let handles: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|told| resume_unwind(told)))
            .collect()
    });
    let mut campaign = Campaign { first: seeds.start, ..Campaign::default() };
    for part in parts {
        campaign.merge(&part);
    }
    campaign
}

/// A store that panics must not take its seed with it.
fn or_name<T>(setup: &Setup, seed: u64, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let plain = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = plain.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        panic!(
            "store {} panicked under seed {seed} in scenario {}: {text}\nsee it again: --seed {seed} \
             --scenario {} --store {}",
            setup.store.name, setup.scenario.name, setup.scenario.name, setup.store.name
        )
    })
}

fn work(setup: &Setup, seeds: &Range<u64>, next: &AtomicU64, control: &Control) -> Campaign {
    let mut runner = Runner::new(setup);
    let mut campaign = Campaign { first: seeds.start, ..Campaign::default() };
    while !control.stop.load(Ordering::Relaxed) {
        let from = next.fetch_add(BLOCK, Ordering::Relaxed);
        if from >= seeds.end {
            break;
        }
        let block = from..seeds.end.min(from + BLOCK);
        let take = |seed: &u64| or_name(setup, *seed, || campaign.take(&mut runner, *seed));
        let found = block.clone().filter(take).count();
        control.seeds.fetch_add(block.end - block.start, Ordering::Relaxed);
        control.findings.fetch_add(found as u64, Ordering::Relaxed);
    }
    campaign
}

impl Campaign {
    /// Runs one seed and takes it in. Says whether it has a finding.
    fn take(&mut self, runner: &mut Runner, seed: u64) -> bool {
        let outcome = runner.seed(seed);
        self.seeds += 1;
        self.events += outcome.events;
        self.digest ^= outcome.hash.rotate_left((seed % 63) as u32).wrapping_mul(seed | 1);
        self.moments.add_run(&outcome.moments);
        let faults = Faults::of(runner);
        self.faults.add_run(faults);
        let mut last = None;
        for finding in &runner.outcome().findings {
            if last != Some(finding.kind) {
                last = Some(finding.kind);
                let tally = self.found.entry(finding.kind).or_insert_with(|| Tally::none(seed));
                tally.take(seed, faults);
            }
        }
        last.is_some()
    }

    fn merge(&mut self, other: &Self) {
        self.seeds += other.seeds;
        self.events += other.events;
        self.digest ^= other.digest;
        self.moments.add(&other.moments);
        self.faults.add(&other.faults);
        for (kind, tally) in &other.found {
            self.found.entry(*kind).or_insert_with(|| Tally::none(tally.first)).merge(tally);
        }
    }
}

impl Tally {
    /// Nothing yet; `first` is the seed that is about to be taken.
    fn none(first: u64) -> Self {
        let lowest = Vec::with_capacity(KEPT);
        Self { seeds: 0, first, lowest, faults: FaultCounts::default() }
    }

    /// Takes a seed that is higher than all before it.
    fn take(&mut self, seed: u64, faults: Faults) {
        self.seeds += 1;
        self.faults.add_run(faults);
        if self.lowest.len() < KEPT {
            self.lowest.push(seed);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.seeds += other.seeds;
        self.first = self.first.min(other.first);
        self.faults.add(&other.faults);
        self.lowest.extend(&other.lowest);
        self.lowest.sort_unstable();
        self.lowest.truncate(KEPT);
    }
}
