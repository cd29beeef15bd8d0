//! Leases: a claim that is its owner's for a while, and what becomes of it when the owner is slow,
//! dead, or has another clock.

mod age_on_readers_clock;
mod born_expired;
mod fenced_lease;
mod frees_what_it_lost;
mod lease;
mod no_deadline_is_orphaned;
mod points_apart;
mod reaper_frees_live_locks;
mod recovery_points;
mod renewed_lease;
mod unfenced_lease;
mod unguarded_finish;

pub use age_on_readers_clock::AgeOnReadersClock;
pub use born_expired::BornExpired;
pub use fenced_lease::FencedLease;
pub use frees_what_it_lost::FreesWhatItLost;
pub use no_deadline_is_orphaned::NoDeadlineIsOrphaned;
pub use points_apart::PointsApart;
pub use reaper_frees_live_locks::ReaperFreesLiveLocks;
pub use recovery_points::RecoveryPoints;
pub use renewed_lease::RenewedLease;
pub use unfenced_lease::UnfencedLease;
pub use unguarded_finish::UnguardedFinish;

use crate::store::Entry;

/// A key with a lease.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("unfenced-lease", unfenced_lease::SUMMARY, || UnfencedLease),
        Entry::new("renewed-lease", renewed_lease::SUMMARY, || RenewedLease),
        Entry::new("frees-what-it-lost", frees_what_it_lost::SUMMARY, || FreesWhatItLost),
        Entry::new("unguarded-finish", unguarded_finish::SUMMARY, || UnguardedFinish),
        Entry::new("no-deadline-is-orphaned", no_deadline_is_orphaned::SUMMARY, || {
            NoDeadlineIsOrphaned
        }),
        Entry::new("reaper-frees-live-locks", reaper_frees_live_locks::SUMMARY, || {
            ReaperFreesLiveLocks
        }),
        Entry::new("born-expired", born_expired::SUMMARY, || BornExpired),
        Entry::new("age-on-readers-clock", age_on_readers_clock::SUMMARY, || AgeOnReadersClock),
        Entry::new("fenced-lease", fenced_lease::SUMMARY, || FencedLease),
        Entry::new("points-apart", points_apart::SUMMARY, || PointsApart),
        Entry::new("recovery-points", recovery_points::SUMMARY, || RecoveryPoints),
    ]
}
