//! How often, and from where to where: [`Rate`] and [`Range`].
//!
//! Imports nothing of this crate. No floating point: a rate is a whole number of parts per million.

use onestroke_store::Span;
use std::fmt;

/// How often something happens, in parts per million of the occasions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u32);

/// A stretch of spans, both ends included; a value is drawn evenly from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The shortest.
    pub least: Span,
    /// The longest; never less than `least`.
    pub most: Span,
}

impl Rate {
    /// It never happens.
    pub const NEVER: Self = Self(0);
    /// It happens on every occasion.
    pub const ALWAYS: Self = Self(1_000_000);

    /// So many parts per million; more than a million count as always.
    pub const fn from_ppm(ppm: u32) -> Self {
        if ppm > 1_000_000 { Self::ALWAYS } else { Self(ppm) }
    }

    /// So many percent; more than a hundred count as always.
    pub const fn percent(percent: u32) -> Self {
        Self::from_ppm(percent.saturating_mul(10_000))
    }

    /// Parts per million.
    pub const fn ppm(self) -> u32 {
        self.0
    }

    /// Whether it never happens.
    pub const fn is_never(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Rate {
    /// Percent, with as many decimals as are needed: `10%`, `0.5%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 10_000, self.0 % 10_000);
        let text = if rest == 0 {
            format!("{whole}%")
        } else {
            let decimals = format!("{rest:04}");
            format!("{whole}.{}%", decimals.trim_end_matches('0'))
        };
        f.pad(&text)
    }
}
