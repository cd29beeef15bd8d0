//! What is recorded of a reply, and replayed: all of it, for as long as its key, and nothing else.

mod completed;
mod completed_then_repaired;
mod completed_without_response;
mod exception_leaves_claim;
mod exception_releases_claim;
mod failure_recorded;
mod local;
mod local_cache_of_claims;
mod local_cache_of_results;
mod probe_misses;
mod replay_loses_status;
mod response_expires_first;
mod response_expires_with_key;
mod runs_on_a_hit;
mod seen;
mod status_before_fingerprint;
mod stream_stored_empty;
mod till;
mod till_as_agreed;

pub use completed_then_repaired::CompletedThenRepaired;
pub use completed_without_response::CompletedWithoutResponse;
pub use exception_leaves_claim::ExceptionLeavesClaim;
pub use exception_releases_claim::ExceptionReleasesClaim;
pub use failure_recorded::FailureRecorded;
pub use local_cache_of_claims::LocalCacheOfClaims;
pub use local_cache_of_results::LocalCacheOfResults;
pub use probe_misses::ProbeMisses;
pub use replay_loses_status::ReplayLosesStatus;
pub use response_expires_first::ResponseExpiresFirst;
pub use response_expires_with_key::ResponseExpiresWithKey;
pub use runs_on_a_hit::RunsOnAHit;
pub use status_before_fingerprint::StatusBeforeFingerprint;
pub use stream_stored_empty::StreamStoredEmpty;
pub use till_as_agreed::TillAsAgreed;

use crate::store::Entry;

pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("exception-leaves-claim", exception_leaves_claim::SUMMARY, || {
            ExceptionLeavesClaim
        }),
        Entry::new("failure-recorded", failure_recorded::SUMMARY, || FailureRecorded),
        Entry::new("exception-releases-claim", exception_releases_claim::SUMMARY, || {
            ExceptionReleasesClaim
        }),
        Entry::new("till-as-agreed", till_as_agreed::SUMMARY, || TillAsAgreed),
        Entry::new("response-expires-first", response_expires_first::SUMMARY, || {
            ResponseExpiresFirst
        }),
        Entry::new("response-expires-with-key", response_expires_with_key::SUMMARY, || {
            ResponseExpiresWithKey
        }),
        Entry::new("completed-without-response", completed_without_response::SUMMARY, || {
            CompletedWithoutResponse
        }),
        Entry::new("completed-then-repaired", completed_then_repaired::SUMMARY, || {
            CompletedThenRepaired
        }),
        Entry::new("replay-loses-status", replay_loses_status::SUMMARY, || ReplayLosesStatus),
        Entry::new("stream-stored-empty", stream_stored_empty::SUMMARY, || StreamStoredEmpty),
        Entry::new("status-before-fingerprint", status_before_fingerprint::SUMMARY, || {
            StatusBeforeFingerprint
        }),
        Entry::new(
            "local-cache-of-claims",
            local_cache_of_claims::SUMMARY,
            LocalCacheOfClaims::default,
        ),
        Entry::new(
            "local-cache-of-results",
            local_cache_of_results::SUMMARY,
            LocalCacheOfResults::default,
        ),
        Entry::new("runs-on-a-hit", runs_on_a_hit::SUMMARY, || RunsOnAHit),
        Entry::new("probe-misses", probe_misses::SUMMARY, || ProbeMisses),
    ]
}
