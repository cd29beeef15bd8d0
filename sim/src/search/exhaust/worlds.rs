//! Level 5. The worlds that were reached, and with how much.

use crate::choice::{Fault, Strike};
use crate::time::Time;
use hashbrown::HashMap;
use onestroke_scenarios::FindingKind;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::mem::{Discriminant, discriminant};

/// All worlds that were reached, by hash. Looked up, and sorted before anybody sees them in a row.
#[derive(Debug, Default)]
pub(super) struct Worlds {
    reached: HashMap<u128, SmallVec<[Reach; 1]>, FxBuildHasher>,
}

/// With what a world was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    /// When. Later is worse: the fault horizon is nearer.
    pub(super) now: Time,
    /// With how many faults.
    pub(super) faults: u8,
    /// With how many overtakings.
    pub(super) overtakings: u8,
    /// What follows from it, if nothing else strikes.
    pub(super) finding: Option<FindingKind>,
}

impl Reach {
    /// Whether all that can still be done from the other can be done from here.
    const fn covers(self, other: Self) -> bool {
        self.now.as_micros() <= other.now.as_micros()
            && self.faults <= other.faults
            && self.overtakings <= other.overtakings
    }
}

impl Worlds {
    /// How a world was reached with no more, and no later.
    pub(super) fn covers(&self, world: u128, reach: Reach) -> Option<Reach> {
        self.reached.get(&world)?.iter().find(|one| one.covers(reach)).copied()
    }

    /// All worlds with how they were reached, sorted.
    pub(super) fn sorted(&self) -> Vec<(u128, Reach)> {
        let each =
            self.reached.iter().flat_map(|(world, all)| all.iter().map(|one| (*world, *one)));
        let mut sorted: Vec<_> = each.collect();
        sorted.sort_unstable();
        sorted
    }

    /// Adds a world. Says whether it was new.
    pub(super) fn add(&mut self, world: u128, reach: Reach) -> bool {
        let all = self.reached.entry(world).or_default();
        let new = all.is_empty();
        all.retain(|one| !reach.covers(*one));
        all.push(reach);
        new
    }
}

/// What a plan has used up, where each sort of fault is counted on its own: part of its worlds.
pub(super) fn used(strikes: &[Strike]) -> u128 {
    let sort = |strike: &Strike| sort_of(strike.fault);
    strikes.iter().fold(0, |sum, strike| sum + (1 << (8 * sort(strike))))
}

/// How many of the plan's faults are of the same sort.
pub(super) fn alike(strikes: &[Strike], fault: Fault) -> usize {
    let sort = |fault: &Fault| -> Discriminant<Fault> { discriminant(fault) };
    strikes.iter().filter(|strike| sort(&strike.fault) == sort(&fault)).count()
}

const fn sort_of(fault: Fault) -> u32 {
    match fault {
        Fault::Drop => 0,
        Fault::Duplicate => 1,
        Fault::Late(_) => 2,
        Fault::Partition => 3,
        Fault::Sweep => 4,
        Fault::Crash { .. } => 5,
        Fault::Cancel => 6,
        Fault::Pause(_) => 7,
        Fault::Hold(_) => 8,
        Fault::Sever { .. } => 9,
        Fault::FailOver => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(now: u64, faults: u8, overtakings: u8) -> Reach {
        Reach { now: Time::from_micros(now), faults, overtakings, finding: None }
    }

    fn covers(worlds: &Worlds, world: u128, reach: Reach) -> bool {
        worlds.covers(world, reach).is_some()
    }

    #[test]
    fn a_world_is_covered_by_an_earlier_and_cheaper_way_to_it() {
        let mut worlds = Worlds::default();
        assert!(worlds.add(7, reach(10, 2, 0)));
        assert!(covers(&worlds, 7, reach(10, 2, 0)));
        assert!(covers(&worlds, 7, reach(11, 3, 1)));
        assert!(!covers(&worlds, 7, reach(9, 2, 0)), "earlier");
        assert!(!covers(&worlds, 7, reach(10, 1, 1)), "with fewer faults");
        assert!(!covers(&worlds, 8, reach(10, 2, 0)), "another world");
        assert!(!worlds.add(7, reach(9, 1, 1)), "another way to the same world");
        assert!(covers(&worlds, 7, reach(9, 1, 1)) && covers(&worlds, 7, reach(10, 2, 0)));
    }
}
