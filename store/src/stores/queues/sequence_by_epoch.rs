//! `producer-epoch`: as `producer-sequence`, but numbers are counted anew in each of a producer's epochs. What
//! a producer sends after a restart is new, though it bears numbers that were there before; and what it
//! had sent before is still known.

use super::processed::{CONSUMER, OFFSETS, STREAM, UP_TO};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table, Text};

pub(super) const SUMMARY: &str = "takes a producer's message only if its number is the next in its epoch; \
    a restart is a new epoch";

/// Knows what comes next in each epoch.
#[derive(Debug)]
pub(super) struct SequenceByEpoch;

impl Store for SequenceByEpoch {
    const TABLES: &'static [&'static Table] = &[&OFFSETS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let stream = Text::from(format!("{}/epoch-{}", request.tenant, request.epoch));
        let this = [CONSUMER.is(&request.operation), STREAM.is(&stream)];
        let first = [CONSUMER.set(&request.operation), STREAM.set(&stream), UP_TO.set(0)];
        tx.insert_if_absent(&OFFSETS, first).await?;
        let last = tx.read_for_update(&OFFSETS, this.clone()).await?;
        let last = last.and_then(|row| row.int(UP_TO)).unwrap_or(0);
        let sequence = i64::from(request.sequence);
        if sequence <= last {
            return Ok(Reply::no_content());
        }
        if sequence > last + 1 {
            return Ok(Reply::in_flight());
        }
        tx.apply(request.effect).await?;
        tx.update(&OFFSETS, this, [UP_TO.set(sequence)]).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
