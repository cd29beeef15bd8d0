//! Level 5. Hunt: random seeds on all cores.
//!
//! Threads take blocks of seeds from one counter, and each keeps a runner of its own; what they
//! gather is merged by sums, minima and XOR, so the result does not depend on their number. The first
//! finding of each kind is the one with the lowest seed.

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
    /// By kind of finding.
    pub found: BTreeMap<FindingKind, Tally>,
}

/// How often a kind of finding was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// In how many runs.
    pub seeds: u64,
    /// The lowest seed that shows it.
    pub first: u64,
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
        let mut last = None;
        for finding in &outcome.findings {
            if last != Some(finding.kind) {
                last = Some(finding.kind);
                let tally =
                    self.found.entry(finding.kind).or_insert(Tally { seeds: 0, first: seed });
                tally.seeds += 1;
                tally.first = tally.first.min(seed);
            }
        }
        last.is_some()
    }

    fn merge(&mut self, other: &Self) {
        self.seeds += other.seeds;
        self.events += other.events;
        self.digest ^= other.digest;
        self.moments.add(&other.moments);
        for (kind, tally) in &other.found {
            let own = self.found.entry(*kind).or_insert(Tally { seeds: 0, first: tally.first });
            own.seeds += tally.seeds;
            own.first = own.first.min(tally.first);
        }
    }
}
