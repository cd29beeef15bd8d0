//! `producer-sequence`: takes a producer's message only if its number is the next one; lower numbers are
//! repeats, and acknowledged; higher ones are out of order, and must wait.

use super::processed::{CONSUMER, OFFSETS, STREAM, UP_TO};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "takes a producer's message only if its number is the next; \
    lower ones are repeats";

/// Knows what comes next.
#[derive(Debug)]
pub(super) struct Sequence;

impl Store for Sequence {
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
        if sequence > last + 1 {
            return Ok(Reply::in_flight());
        }
        tx.apply(request.effect).await?;
        tx.update(&OFFSETS, this, [UP_TO.set(sequence)]).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
