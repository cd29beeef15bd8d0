//! Where in a handler a fault may fall: before or after a question of some kind.
//!
//! Imports nothing of this crate.

use onestroke_store::Verb;
use std::fmt;

/// On which side of a question's execution a fault falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Before it is executed.
    Before,
    /// After it was executed, and before its answer arrives.
    After,
}

/// A set of sites, one bit for each side of each verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sites(u64);

impl Side {
    /// Both sides, in the order of time.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// Its name in scenarios and plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// The side with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.name() == name)
    }
}

impl Sites {
    /// No site.
    pub const NOWHERE: Self = Self(0);
    /// Every site.
    pub const EVERYWHERE: Self = Self((1 << (2 * Verb::ALL.len())) - 1);

    /// The one site on this side of this verb.
    pub const fn of(side: Side, verb: Verb) -> Self {
        Self(1 << (2 * verb as u8 + side as u8))
    }

    /// Every verb's site on this side.
    pub fn on(side: Side) -> Self {
        Verb::ALL.into_iter().fold(Self::NOWHERE, |sites, verb| sites.with(Self::of(side, verb)))
    }

    /// These sites and those.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of these sites that are on this side.
    #[must_use]
    pub fn only(self, side: Side) -> Self {
        Self(self.0 & Self::on(side).0)
    }

    /// Whether the site on this side of this verb is one of them.
    pub const fn contains(&self, side: Side, verb: Verb) -> bool {
        self.0 & Self::of(side, verb).0 != 0
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// The sites with this name: `after commit`, or both sides of a bare `commit`.
    pub fn parse(name: &str) -> Option<Self> {
        let (side, verb) = match name.split_once(' ') {
            Some((side, verb)) => (Some(Side::parse(side)?), verb),
            None => (None, name),
        };
        let verb = Verb::ALL.into_iter().find(|one| one.name() == verb)?;
        Some(match side {
            Some(side) => Self::of(side, verb),
            None => Self::of(Side::Before, verb).with(Self::of(Side::After, verb)),
        })
    }

    /// The names of all single sites, for messages.
    pub(crate) fn names() -> Vec<String> {
        let both = |verb: Verb| Side::ALL.map(|side| format!("{side} {verb}"));
        Verb::ALL.into_iter().flat_map(both).collect()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
