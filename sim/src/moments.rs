//! Level 3. Which dangerous situations a run passed through: a fold over the trace, like a check.
//!
//! Imports `check`'s tables, levels below, and [`Moment`]. A moment is never a finding: it says
//! that silence means something.

mod observer;
mod twins;

pub use observer::Observer;

use onestroke_scenarios::Moment;
use serde::ser::{Serialize, SerializeMap, Serializer};

const COUNT: usize = Moment::ALL.len();

/// How often each moment occurred in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments([u64; COUNT]);

/// How often each moment occurred in many runs, and in how many of them. Adding commutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MomentTotals {
    /// Occurrences, over all runs.
    pub occurrences: Moments,
    /// Runs in which it occurred at least once.
    pub runs: Moments,
}

impl Moments {
    /// How often this one occurred.
    pub const fn of(&self, moment: Moment) -> u64 {
        self.0[moment as usize]
    }

    /// It occurred so many times more.
    pub const fn count(&mut self, moment: Moment, times: u64) {
        self.0[moment as usize] += times;
    }

    /// Adds the counts of another. The order of adding does not matter.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// All moments with their counts, in the order of [`Moment::ALL`]; zeros are included.
    pub fn iter(&self) -> impl Iterator<Item = (Moment, u64)> {
        Moment::ALL.into_iter().zip(self.0)
    }
}

impl MomentTotals {
    /// Adds one run.
    pub fn add_run(&mut self, run: &Moments) {
        self.occurrences.add(run);
        for (runs, occurrences) in self.runs.0.iter_mut().zip(run.0) {
            *runs += u64::from(occurrences > 0);
        }
    }

    /// Adds the totals of another worker. The order of adding does not matter.
    pub fn add(&mut self, other: &Self) {
        self.occurrences.add(&other.occurrences);
        self.runs.add(&other.runs);
    }
}

impl Serialize for Moments {
    /// A map from names to counts, in the order of [`Moment::ALL`]; zeros are included.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(COUNT))?;
        for (moment, count) in self.iter() {
            map.serialize_entry(moment.name(), &count)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests;
