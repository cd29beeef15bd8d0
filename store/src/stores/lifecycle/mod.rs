//! What becomes of a key when the thing that it made is gone, when batches overlap, and when two doors of one
//! house have two rules.

mod batches;
mod incarnation;
mod items;
mod one_rule;
mod per_batch;
mod per_item;
mod record_dies;
mod stale_token;
mod tombstone;
mod two_rules;
mod volumes;

use crate::store::Entry;

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("two-rules", two_rules::SUMMARY, || two_rules::TwoRules),
        Entry::new("one-rule", one_rule::SUMMARY, || one_rule::OneRule),
        Entry::new("token-of-the-dead", stale_token::SUMMARY, || stale_token::StaleToken),
        Entry::new("token-per-incarnation", incarnation::SUMMARY, || incarnation::Incarnation),
        Entry::new("record-dies-with-the-thing", record_dies::SUMMARY, || record_dies::RecordDies),
        Entry::new("tombstone", tombstone::SUMMARY, || tombstone::Tombstone),
        Entry::new("overlap-drops-batch", per_batch::SUMMARY, || per_batch::DropsBatch),
        Entry::new("overlap-drops-item", per_item::SUMMARY, || per_item::DropsItem),
        Entry::new("items-of-a-batch", batches::SUMMARY, || batches::ItemsOfABatch),
    ]
}
