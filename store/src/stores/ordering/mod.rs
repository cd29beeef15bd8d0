//! Updates that arrive out of order.

mod last_write_wins;
mod newer_only;
mod once_each;
mod things;

use crate::store::Entry;

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("last-write-wins", last_write_wins::SUMMARY, || last_write_wins::LastWriteWins),
        Entry::new("dedup-then-set", once_each::SUMMARY, || once_each::OnceEach),
        Entry::new("set-if-newer", newer_only::SUMMARY, || newer_only::NewerOnly),
    ]
}
