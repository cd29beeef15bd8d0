//! `record-then-call`: writes "sent" with its reply, then calls the other service ("sent first").
//! Whatever falls between the two is never sent: at most once, and no better.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "writes the record with its reply, then calls the other \
    service: at most once";

/// Writes it down first, then calls.
#[derive(Debug)]
pub(super) struct RecordThenCall;

impl Store for RecordThenCall {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let reply = Reply::no_content();
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        ctx.call(None, request.effect).await?;
        Ok(reply)
    }
}
