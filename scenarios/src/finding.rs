//! The kinds of findings, in the order in which the oracle tries them.
//!
//! Imports nothing of this crate.

use std::fmt;

/// What kind of breach a finding is.
///
/// Per operation the first kind that fits names the finding, so the order of the variants counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// More than one effect, and the first one's record had expired or been swept before the second
    /// began.
    Expired,
    /// More than one committed effect, of a kind that adds, for one operation.
    DoubleEffect,
    /// Part of an effect is there, part is not.
    Torn,
    /// The client was told success, and no effect is there.
    LostEffect,
    /// The same key with another payload was not refused.
    MismatchAccepted,
    /// A reply that belongs to another operation or tenant.
    Leak,
    /// Successful replies of one operation differ in what must agree; success reported as failure;
    /// a bare "duplicate" where the reply is owed.
    WrongReply,
    /// After the weather cleared and within the contract's bound, a probe still gets no final
    /// answer.
    Stuck,
    /// An older update overwrote a newer one.
    Stale,
    /// An effect was taken back that was not there, or that the client had been promised.
    Undone,
    /// More records than the contract allows are left after the window has passed.
    Unbounded,
}

impl FindingKind {
    /// All kinds, the one that is tried first foremost.
    pub const ALL: [Self; 11] = [
        Self::Expired,
        Self::DoubleEffect,
        Self::Torn,
        Self::LostEffect,
        Self::MismatchAccepted,
        Self::Leak,
        Self::WrongReply,
        Self::Stuck,
        Self::Stale,
        Self::Undone,
        Self::Unbounded,
    ];

    /// Its name in scenarios, reports and plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::DoubleEffect => "double-effect",
            Self::Torn => "torn",
            Self::LostEffect => "lost-effect",
            Self::MismatchAccepted => "mismatch-accepted",
            Self::Leak => "leak",
            Self::WrongReply => "wrong-reply",
            Self::Stuck => "stuck",
            Self::Stale => "stale",
            Self::Undone => "undone",
            Self::Unbounded => "unbounded",
        }
    }

    /// What is breached, in a sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Expired => {
                "more than one effect, and the first one's record had expired or been swept before the second began"
            }
            Self::DoubleEffect => "more than one committed effect for one operation",
            Self::Torn => "part of an effect is there, and part is not",
            Self::LostEffect => "the client was told success, and no effect is there",
            Self::MismatchAccepted => "the same key with another payload was not refused",
            Self::Leak => "a reply that belongs to another operation or tenant",
            Self::WrongReply => {
                "replies of one operation differ where the contract says they agree, or success is reported as failure"
            }
            Self::Stuck => "the weather has cleared, and a retry still gets no final answer",
            Self::Stale => "an older update overwrote a newer one",
            Self::Undone => {
                "an effect was taken back that was not there, or that the client had been promised"
            }
            Self::Unbounded => "the record table grows without limit",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
