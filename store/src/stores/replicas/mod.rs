//! Family `replicas`: the key is looked up on a read replica, which lags behind.

mod replica_check;
mod replica_then_claim;

use crate::Entry;

/// The stores of this family, the wrong one first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("replica-check", replica_check::SUMMARY, || replica_check::ReplicaCheck),
        Entry::new("replica-then-claim", replica_then_claim::SUMMARY, || {
            replica_then_claim::ReplicaThenClaim
        }),
    ]
}
