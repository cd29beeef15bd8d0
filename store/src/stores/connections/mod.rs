//! Family `connections`: duplicates are dropped as a transport drops them, for as long as the connection
//! lives.

mod connection_dedup;

use crate::Entry;

/// The stores of this family.
pub(super) fn stores() -> Vec<Entry> {
    vec![Entry::new("connection-dedup", connection_dedup::SUMMARY, || {
        connection_dedup::ConnectionDedup::default()
    })]
}
