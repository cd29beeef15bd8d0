//! Consumers of a queue that delivers at least once, and producers that number their messages. A message is a
//! request: its key is the message's id, a success acknowledges it, and what is not acknowledged in time is
//! delivered again.

mod mark_after;
mod mark_before;
mod offset_after;
mod offset_with;
mod processed;
mod processed_table;
mod sequence;
mod sequence_by_batch;
mod sequence_by_epoch;
mod unscoped;

use crate::store::Entry;

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("consumer-marks-before", mark_before::SUMMARY, || mark_before::MarkBefore),
        Entry::new("consumer-marks-after", mark_after::SUMMARY, || mark_after::MarkAfter),
        Entry::new("consumer-unscoped", unscoped::SUMMARY, || unscoped::Unscoped),
        Entry::new("consumer-processed-table", processed_table::SUMMARY, || {
            processed_table::ProcessedTable
        }),
        Entry::new("consumer-offset-after-output", offset_after::SUMMARY, || {
            offset_after::OffsetAfter
        }),
        Entry::new("consumer-offset-with-output", offset_with::SUMMARY, || offset_with::OffsetWith),
        Entry::new("producer-sequence-by-batch", sequence_by_batch::SUMMARY, || {
            sequence_by_batch::SequenceByBatch
        }),
        Entry::new("producer-sequence", sequence::SUMMARY, || sequence::Sequence),
        Entry::new("producer-epoch", sequence_by_epoch::SUMMARY, || {
            sequence_by_epoch::SequenceByEpoch
        }),
    ]
}
