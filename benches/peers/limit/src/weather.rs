//! The draws of the limit: one word decides all about a message, and half a word all about a step.
//!
//! Odds are parts of 65,536, and a draw of 16 bits picks one of a few milliseconds: both as near to W1
//! as 1 in 65,536.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::ops::RangeInclusive;

/// One stream for a whole seed.
pub(crate) struct Weather(ChaCha8Rng);

/// When the copies of a message arrive, from now.
pub(crate) struct Fate {
    pub(crate) first: Option<u32>,
    pub(crate) second: Option<u32>,
}

const DROP: u64 = odds(spec::DROP);
const DUPLICATE: u64 = odds(spec::DUPLICATE);
const CRASH: u64 = odds(spec::CRASH);

#[expect(clippy::cast_sign_loss, reason = "a probability is not negative")]
const fn odds(probability: f64) -> u64 {
    (probability * 65_536.0) as u64
}

impl Weather {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    #[inline]
    pub(crate) fn message(&mut self) -> Fate {
        let word = self.0.next_u64();
        let lost = part(word, 0) < DROP;
        let doubled = part(word, 1) < DUPLICATE;
        Fate {
            first: (!lost).then(|| pick(part(word, 2), spec::DELAY)),
            second: doubled.then(|| pick(part(word, 3), spec::DELAY)),
        }
    }

    /// How long a step takes, and whether the server dies at its end.
    #[inline]
    pub(crate) fn step(&mut self) -> (u32, bool) {
        let word = u64::from(self.0.next_u32());
        (pick(part(word, 1), spec::STEP), part(word, 0) < CRASH)
    }
}

#[inline]
const fn part(word: u64, at: u32) -> u64 {
    word >> (16 * at) & 0xffff
}

#[inline]
fn pick(part: u64, range: RangeInclusive<u32>) -> u32 {
    let (low, high) = range.into_inner();
    low + ((part * u64::from(high - low + 1)) >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_millisecond_of_a_range_is_picked_and_no_other() {
        let picked = |range: RangeInclusive<u32>| {
            let mut all: Vec<_> = (0..0x1_0000).map(|part| pick(part, range.clone())).collect();
            all.dedup();
            all
        };
        assert_eq!(picked(spec::STEP), [1, 2, 3]);
        assert_eq!(picked(spec::DELAY), (1..=50).collect::<Vec<_>>());
    }
}
