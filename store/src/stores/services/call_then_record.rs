//! `call-then-record`: looks the key up, calls the other service, then writes the record ("attempt
//! first"). Whatever falls between the two makes the retry call again: at least once, and no better.

use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "calls the other service, then writes the record: \
    at least once";

/// Calls first, then writes it down.
#[derive(Debug)]
pub(super) struct CallThenRecord;

impl Store for CallThenRecord {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(record) = db.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = ctx.call(None, request.effect).await?;
        let reply = Reply::created(receipt);
        db.record(ctx, request, &reply).await?;
        Ok(reply)
    }
}
