//! Claims: how a key is taken, and what the loser of the race does then.

mod first_nonce_wins;
mod insert_or_select;
mod loser_is_an_outage;
mod loser_reads_again;
mod no_null_in_key;
mod null_in_key;
mod overwritten_claim;
mod process_local;
mod read_back_fingerprint;
mod read_back_nonce;
mod reselect_in_new_transaction;
mod reselect_in_old_snapshot;
mod table;

pub use first_nonce_wins::FirstNonceWins;
pub use insert_or_select::InsertOrSelect;
pub use loser_is_an_outage::LoserIsAnOutage;
pub use loser_reads_again::LoserReadsAgain;
pub use no_null_in_key::NoNullInKey;
pub use null_in_key::NullInKey;
pub use overwritten_claim::OverwrittenClaim;
pub use process_local::ProcessLocal;
pub use read_back_fingerprint::ReadBackFingerprint;
pub use read_back_nonce::ReadBackNonce;
pub use reselect_in_new_transaction::ReselectInNewTransaction;
pub use reselect_in_old_snapshot::ReselectInOldSnapshot;
pub use table::CLAIMS;

use crate::store::Entry;

pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("overwritten-claim", overwritten_claim::SUMMARY, || OverwrittenClaim),
        Entry::new("read-back-fingerprint", read_back_fingerprint::SUMMARY, || ReadBackFingerprint),
        Entry::new("read-back-nonce", read_back_nonce::SUMMARY, || ReadBackNonce),
        Entry::new("first-nonce-wins", first_nonce_wins::SUMMARY, || FirstNonceWins),
        Entry::new("loser-is-an-outage", loser_is_an_outage::SUMMARY, || LoserIsAnOutage),
        Entry::new("loser-reads-again", loser_reads_again::SUMMARY, || LoserReadsAgain),
        Entry::new("insert-or-select", insert_or_select::SUMMARY, || InsertOrSelect),
        Entry::new("reselect-in-old-snapshot", reselect_in_old_snapshot::SUMMARY, || {
            ReselectInOldSnapshot
        }),
        Entry::new("reselect-in-new-transaction", reselect_in_new_transaction::SUMMARY, || {
            ReselectInNewTransaction
        }),
        Entry::new("null-in-key", null_in_key::SUMMARY, || NullInKey),
        Entry::new("no-null-in-key", no_null_in_key::SUMMARY, || NoNullInKey),
        Entry::new("process-local", process_local::SUMMARY, ProcessLocal::default),
    ]
}
