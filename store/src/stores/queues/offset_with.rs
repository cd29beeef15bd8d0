//! `consumer-offset-with-output`: stores the place up to which it has come in the transaction of its output,
//! under a lock. What is read again from an earlier place is already reflected, and left alone. It relies on the
//! order of the stream.

use super::processed::{CONSUMER, OFFSETS, STREAM, UP_TO};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "stores its place in the stream in the transaction of its \
    output";

/// Stores place and output together.
#[derive(Debug)]
pub(super) struct OffsetWith;

impl Store for OffsetWith {
    const TABLES: &'static [&'static Table] = &[&OFFSETS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let this = [CONSUMER.is(&request.operation), STREAM.is(&request.tenant)];
        let first = [CONSUMER.set(&request.operation), STREAM.set(&request.tenant), UP_TO.set(0)];
        tx.insert_if_absent(&OFFSETS, first).await?;
        let offset = tx.read_for_update(&OFFSETS, this.clone()).await?;
        let place = i64::from(request.sequence);
        if offset.and_then(|offset| offset.int(UP_TO)).is_some_and(|up_to| place <= up_to) {
            return Ok(Reply::no_content());
        }
        tx.apply(request.effect).await?;
        tx.update(&OFFSETS, this, [UP_TO.set(place)]).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
