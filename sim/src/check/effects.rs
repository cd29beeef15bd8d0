//! Level 3. Which parts of an operation's effect are committed.
//!
//! Imports nothing.

/// The committed parts of one operation's effect. Parts from the 65th on are not judged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effects {
    seen: u64,
    whole: u64,
}

impl Effects {
    /// Takes in a committed part, and says whether it had been committed before.
    pub(crate) fn commit(&mut self, part: u8, parts: u8) -> bool {
        self.whole = 1_u64.checked_shl(u32::from(parts)).map_or(u64::MAX, |bit| bit - 1);
        let bit = 1_u64.checked_shl(u32::from(part)).unwrap_or(0);
        let repeated = self.seen & bit != 0;
        self.seen |= bit;
        repeated
    }

    /// Takes in that a part was taken back, and says whether it was there.
    pub(crate) fn take_back(&mut self, part: u8) -> bool {
        let bit = 1_u64.checked_shl(u32::from(part)).unwrap_or(0);
        let there = self.seen & bit != 0;
        self.seen &= !bit;
        there
    }

    /// Whether any part is there.
    pub(crate) const fn any(self) -> bool {
        self.seen != 0
    }

    /// Whether all parts are there.
    pub(crate) const fn complete(self) -> bool {
        self.any() && self.seen & self.whole == self.whole
    }

    /// The parts that are there, as bits.
    pub(crate) const fn bits(self) -> u64 {
        self.seen
    }
}
