//! What a consumer has processed: a row for each message, or the place up to which it has come.

use crate::{Column, Table};

/// Which consumer.
pub(super) const CONSUMER: Column = Column::text(0, "consumer");
/// Which message.
pub(super) const MESSAGE: Column = Column::text(1, "message");

/// Messages that were processed.
pub(super) static PROCESSED: Table =
    Table::new("processed", &[CONSUMER, MESSAGE]).unique(&[&[CONSUMER, MESSAGE]]).records();

/// Up to which message of a stream.
pub(super) const UP_TO: Column = Column::int(2, "up_to");
/// Of which stream.
pub(super) const STREAM: Column = Column::text(1, "stream");

/// Places up to which consumers have come.
pub(super) static OFFSETS: Table =
    Table::new("offsets", &[CONSUMER, STREAM, UP_TO]).unique(&[&[CONSUMER, STREAM]]).records();
