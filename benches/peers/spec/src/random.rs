//! Randomness for the peers that bring none of their own.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;

/// One stream of draws, the same for the same seed.
#[derive(Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// True as often as that.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability)
    }

    /// One of these, each as likely.
    pub fn between(&mut self, range: RangeInclusive<u32>) -> u32 {
        self.0.random_range(range)
    }

    /// How many copies of a message arrive: none, one or two.
    pub fn copies(&mut self) -> u32 {
        let first = !self.chance(crate::DROP);
        let second = self.chance(crate::DUPLICATE);
        u32::from(first) + u32::from(second)
    }
}
