//! What one seed, or many, came to: in sum, and event by event.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What seeds came to, as every system can say it. Of many seeds: sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// Messages delivered, timeouts, restarts, and steps of handlers.
    pub events: u64,
    /// Breaches of exactly-once.
    pub violations: u64,
    /// Hash of which event followed which.
    pub trace: u64,
    /// The events by what they are, if the system counts them so.
    pub counts: Option<Counts>,
}

/// Counts of events, and the hash of their order. Of many seeds: sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Messages that a living process received.
    pub deliveries: u64,
    /// Attempts that had no response in time.
    pub timeouts: u64,
    /// Servers that came up again.
    pub restarts: u64,
    /// Steps of handlers that were reached, also those at which the server died.
    pub steps: u64,
    /// Crashes of the server.
    pub crashes: u64,
    /// Operations whose client got its response.
    pub acknowledged: u64,
    /// Operations given up after all their attempts.
    pub exhausted: u64,
    /// Operations applied more than once, and responses that were wrong or of operations never applied.
    pub violations: u64,
    /// Hash of which event followed which.
    pub trace: u64,
}

impl Counts {
    /// What is counted as an event.
    pub const fn events(&self) -> u64 {
        self.deliveries + self.timeouts + self.restarts + self.steps
    }

    /// Adds a word to the hash of the trace.
    #[inline]
    pub const fn note(&mut self, word: u64) {
        self.trace = (self.trace ^ word).wrapping_mul(0xa076_1d64_78bd_642f).rotate_left(29);
    }
}

impl From<Counts> for Total {
    fn from(counts: Counts) -> Self {
        let Counts { violations, trace, .. } = counts;
        Self { events: counts.events(), violations, trace, counts: Some(counts) }
    }
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.violations += other.violations;
        // A sum, so that it does not matter which thread had which seed.
        self.trace = self.trace.wrapping_add(other.trace);
        match (&mut self.counts, other.counts) {
            (Some(counts), Some(others)) => *counts += others,
            (counts, others) => *counts = counts.or(others),
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.deliveries += other.deliveries;
        self.timeouts += other.timeouts;
        self.restarts += other.restarts;
        self.steps += other.steps;
        self.crashes += other.crashes;
        self.acknowledged += other.acknowledged;
        self.exhausted += other.exhausted;
        self.violations += other.violations;
        // A sum, so that it does not matter which thread had which seed.
        self.trace = self.trace.wrapping_add(other.trace);
    }
}
