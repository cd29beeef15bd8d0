//! Named dangerous situations: a green run says which of them it passed through.
//!
//! Imports nothing of this crate.

use std::fmt;

/// A dangerous situation that a run can pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// A request did not reach a server: dropped, cut off, or no server was up.
    RequestLost,
    /// A reply that does not ask for a retry was lost, of an operation whose effect was committed.
    ReplyLost,
    /// A copy of a request reached a server that another copy of the same attempt had reached.
    DuplicateDelivered,
    /// A handler started while another of the same operation was in flight.
    AttemptsOverlap,
    /// A handler that had executed a write or a claim died, and had executed no part of an effect.
    CrashBeforeEffect,
    /// A handler died after its effect was executed, committed or not, before its reply was sent.
    CrashAfterEffect,
    /// A handler died after its effect was committed and before its reply was sent.
    CrashAfterCommit,
    /// A handler was dropped after a question was executed, because its client had hung up.
    CancelledMidway,
    /// A delivery under a key that had also arrived with another payload, of the same tenant.
    KeyReused,
    /// A delivery under a key that had also arrived from another tenant.
    KeySharedByTenants,
    /// A delivery arrived after the client of its operation was done.
    LateDuplicate,
    /// A handler started later than a window after its operation's record had begun to count: by the
    /// contract, when it was first committed, at completion, or at the last hit.
    RetryAfterExpiry,
    /// A handler started after its operation's record had been swept.
    SweptThenRetried,
    /// A handler that had executed a question stood still with its server; each such one counts.
    PausedMidway,
    /// A handler was held, and another with the same key executed a question meanwhile.
    Overtaken,
    /// A request was lost because its client was cut off.
    PartitionedAttempt,
    /// The final sweep cleared at least one record.
    RecordsCleared,
    /// A handler was told that its connection broke, and lived on.
    ConnectionLost,
    /// A question was executed, and its handler was told that its connection broke.
    AnswerLost,
    /// A turn of background work began while another was in flight.
    TurnsOverlap,
    /// An effect was taken back.
    EffectTakenBack,
    /// An update arrived after a newer one of the same thing had been committed.
    OldAfterNew,
    /// The database refused a question of a handler that had written something before.
    RefusedMidway,
    /// A delivery with a payload that had also arrived under another key, of the same tenant.
    PayloadRepeated,
    /// A request arrived that has no key.
    KeyMissing,
    /// The cache failed over, and lost at least one write.
    CacheWritesLost,
    /// A question asked the cache for a key that had expired.
    CacheKeyExpired,
    /// The replica answered, and the database would have answered otherwise.
    ReplicaBehind,
}

impl Moment {
    /// All moments, in the order in which they are listed.
    pub const ALL: [Self; 28] = [
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
        Self::ConnectionLost,
        Self::AnswerLost,
        Self::TurnsOverlap,
        Self::EffectTakenBack,
        Self::OldAfterNew,
        Self::RefusedMidway,
        Self::PayloadRepeated,
        Self::KeyMissing,
        Self::CacheWritesLost,
        Self::CacheKeyExpired,
        Self::ReplicaBehind,
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
            Self::ConnectionLost => "connection-lost",
            Self::AnswerLost => "answer-lost",
            Self::TurnsOverlap => "turns-overlap",
            Self::EffectTakenBack => "effect-taken-back",
            Self::OldAfterNew => "old-after-new",
            Self::RefusedMidway => "refused-midway",
            Self::PayloadRepeated => "payload-repeated",
            Self::KeyMissing => "key-missing",
            Self::CacheWritesLost => "cache-writes-lost",
            Self::CacheKeyExpired => "cache-key-expired",
            Self::ReplicaBehind => "replica-behind",
        }
    }

    /// What it means, in a sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::RequestLost => {
                "a request did not reach a server: dropped, cut off, or no server was up"
            }
            Self::ReplyLost => {
                "a reply that does not ask for a retry was lost, of an operation whose effect was committed"
            }
            Self::DuplicateDelivered => {
                "a copy of a request reached a server that another copy of the same attempt had reached"
            }
            Self::AttemptsOverlap => {
                "a handler started while another of the same operation was in flight"
            }
            Self::CrashBeforeEffect => {
                "a handler that had executed a write or a claim died, and had executed no part of an effect"
            }
            Self::CrashAfterEffect => {
                "a handler died after its effect was executed, committed or not, before its reply was sent"
            }
            Self::CrashAfterCommit => {
                "a handler died after its effect was committed and before its reply was sent"
            }
            Self::CancelledMidway => {
                "a handler was dropped after a question was executed, because its client had hung up"
            }
            Self::KeyReused => {
                "a delivery under a key that had also arrived with another payload, of the same tenant"
            }
            Self::KeySharedByTenants => {
                "a delivery under a key that had also arrived from another tenant"
            }
            Self::LateDuplicate => "a delivery arrived after the client of its operation was done",
            Self::RetryAfterExpiry => {
                "a handler started later than a window after its operation's record had begun to count"
            }
            Self::SweptThenRetried => {
                "a handler started after its operation's record had been swept"
            }
            Self::PausedMidway => {
                "a handler that had executed a question stood still with its server; each such one counts"
            }
            Self::Overtaken => {
                "a handler was held, and another with the same key executed a question meanwhile"
            }
            Self::PartitionedAttempt => "a request was lost because its client was cut off",
            Self::RecordsCleared => "the final sweep cleared at least one record",
            Self::ConnectionLost => "a handler was told that its connection broke, and lived on",
            Self::AnswerLost => {
                "a question was executed, and its handler was told that its connection broke"
            }
            Self::TurnsOverlap => "a turn of background work began while another was in flight",
            Self::EffectTakenBack => "an effect was taken back",
            Self::OldAfterNew => {
                "an update arrived after a newer one of the same thing had been committed"
            }
            Self::RefusedMidway => {
                "the database refused a question of a handler that had written something before"
            }
            Self::PayloadRepeated => {
                "a delivery with a payload that had also arrived under another key, of the same tenant"
            }
            Self::KeyMissing => "a request arrived that has no key",
            Self::CacheWritesLost => "the cache failed over, and lost at least one write",
            Self::CacheKeyExpired => "a question asked the cache for a key that had expired",
            Self::ReplicaBehind => {
                "the replica answered, and the database would have answered otherwise"
            }
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
