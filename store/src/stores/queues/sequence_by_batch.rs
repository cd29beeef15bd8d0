//! `producer-sequence-by-batch`: as `producer-sequence`, but after its first batch it expects the number to grow
//! by the size of a batch, where the producer counts records. What comes next is out of order for ever.

use super::processed::{CONSUMER, OFFSETS, STREAM, UP_TO};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "counts batches where the producer counts records; what comes \
    next is out of order for ever";

/// Counts batches for records.
#[derive(Debug)]
pub(super) struct SequenceByBatch;

impl Store for SequenceByBatch {
    const TABLES: &'static [&'static Table] = &[&OFFSETS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let this = [CONSUMER.is(&request.operation), STREAM.is(&request.tenant)];
        let first = [CONSUMER.set(&request.operation), STREAM.set(&request.tenant), UP_TO.set(0)];
        tx.insert_if_absent(&OFFSETS, first).await?;
        let last = tx.read_for_update(&OFFSETS, this.clone()).await?;
        let last = last.and_then(|row| row.int(UP_TO)).unwrap_or(0);
        let sequence = i64::from(request.sequence);
        if sequence <= last {
            return Ok(Reply::no_content());
        }
        // A batch here has two records, and this one had one.
        if last > 0 && sequence != last + 2 {
            return Ok(Reply::in_flight());
        }
        tx.apply(request.effect).await?;
        tx.update(&OFFSETS, this, [UP_TO.set(sequence)]).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
