//! `consumer-offset-after-output`: commits its output, then stores the place up to which it has come. A crash
//! between the two, and it reads the same message again.

use super::processed::{CONSUMER, OFFSETS, STREAM, UP_TO};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "commits its output, then stores its place in the stream";

/// Stores its place after its output.
#[derive(Debug)]
pub(super) struct OffsetAfter;

impl Store for OffsetAfter {
    const TABLES: &'static [&'static Table] = &[&OFFSETS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        let this = [CONSUMER.is(&request.operation), STREAM.is(&request.tenant)];
        let offset = db.read(&OFFSETS, this).await?;
        let place = i64::from(request.sequence);
        if offset.and_then(|offset| offset.int(UP_TO)).is_some_and(|up_to| place <= up_to) {
            return Ok(Reply::no_content());
        }
        db.apply(request.effect).await?;
        let now = [CONSUMER.set(&request.operation), STREAM.set(&request.tenant), UP_TO.set(place)];
        db.upsert(&OFFSETS, now, [UP_TO.set(place)]).await?;
        Ok(Reply::no_content())
    }
}
