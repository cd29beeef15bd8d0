//! Layers below the client that retry by themselves: a loop, a driver, a step of a workflow.

mod guarded_step;
mod retry_loop_claims;
mod retry_loop_reruns;
mod side_write_in_step;
mod step;
mod transport_retries_write;

pub use guarded_step::GuardedStep;
pub use retry_loop_claims::RetryLoopClaims;
pub use retry_loop_reruns::RetryLoopReruns;
pub use side_write_in_step::SideWriteInStep;
pub use transport_retries_write::TransportRetriesWrite;

use crate::store::Entry;

pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("retry-loop-reruns", retry_loop_reruns::SUMMARY, || RetryLoopReruns),
        Entry::new("retry-loop-claims", retry_loop_claims::SUMMARY, || RetryLoopClaims),
        Entry::new("transport-retries-write", transport_retries_write::SUMMARY, || {
            TransportRetriesWrite
        }),
        Entry::new("side-write-in-step", side_write_in_step::SUMMARY, || SideWriteInStep),
        Entry::new("guarded-step", guarded_step::SUMMARY, || GuardedStep),
    ]
}
