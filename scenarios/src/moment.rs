//! Named dangerous situations: a green run says which of them it passed through.
//!
//! Imports nothing of this crate.

use std::fmt;

/// A dangerous situation that a run can pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// A request was lost on its way to the server.
    RequestLost,
    /// A reply of a handler that made or found an effect was lost on its way to the client.
    ReplyLost,
    /// A second copy of a request reached a server.
    DuplicateDelivered,
    /// A handler started while another of the same operation was in flight.
    AttemptsOverlap,
    /// A handler that had executed a write or a claim died before its effect was executed.
    CrashBeforeEffect,
    /// A handler died after its effect was executed and before its reply was sent.
    CrashAfterEffect,
    /// A handler died after its effect was committed and before its reply was sent.
    CrashAfterCommit,
    /// A handler was dropped midway because its client had hung up; the server lived on.
    CancelledMidway,
    /// A key arrived again with another payload.
    KeyReused,
    /// A key arrived from a second tenant.
    KeySharedByTenants,
    /// A delivery arrived after the client of its operation was done.
    LateDuplicate,
    /// A handler started after the window of its operation's first record had passed.
    RetryAfterExpiry,
    /// A handler started after its operation's record had been swept.
    SweptThenRetried,
    /// A handler was paused between two questions.
    PausedMidway,
    /// A handler was held until another one had passed.
    Overtaken,
    /// An attempt was sent while its client was cut off.
    PartitionedAttempt,
    /// The final sweep cleared at least one record.
    RecordsCleared,
}

impl Moment {
    /// All moments, in the order in which they are listed.
    pub const ALL: [Self; 17] = [
        Self::RequestLost,
        Self::ReplyLost,
        Self::DuplicateDelivered,
        Self::AttemptsOverlap,
        Self::CrashBeforeEffect,
        Self::CrashAfterEffect,
        Self::CrashAfterCommit,
        Self::CancelledMidway,
        Self::KeyReused,
        Self::KeySharedByTenants,
        Self::LateDuplicate,
        Self::RetryAfterExpiry,
        Self::SweptThenRetried,
        Self::PausedMidway,
        Self::Overtaken,
        Self::PartitionedAttempt,
        Self::RecordsCleared,
    ];

    /// Its name in scenarios and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RequestLost => "request-lost",
            Self::ReplyLost => "reply-lost",
            Self::DuplicateDelivered => "duplicate-delivered",
            Self::AttemptsOverlap => "attempts-overlap",
            Self::CrashBeforeEffect => "crash-before-effect",
            Self::CrashAfterEffect => "crash-after-effect",
            Self::CrashAfterCommit => "crash-after-commit",
            Self::CancelledMidway => "cancelled-midway",
            Self::KeyReused => "key-reused",
            Self::KeySharedByTenants => "key-shared-by-tenants",
            Self::LateDuplicate => "late-duplicate",
            Self::RetryAfterExpiry => "retry-after-expiry",
            Self::SweptThenRetried => "swept-then-retried",
            Self::PausedMidway => "paused-midway",
            Self::Overtaken => "overtaken",
            Self::PartitionedAttempt => "partitioned-attempt",
            Self::RecordsCleared => "records-cleared",
        }
    }

    /// The moment with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.name() == name)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
