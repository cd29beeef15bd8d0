//! `stream-stored-empty`: one transaction, but what is stored of the reply is its stream, made JSON: `{}`.
//! The first reply is whole, and every replay is an empty success.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "one transaction, but the stored body is an empty `{}`; \
    every replay is an empty success";

/// Stores the stream, and not what it carries.
#[derive(Debug)]
pub struct StreamStoredEmpty;

impl Store for StreamStoredEmpty {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        let stored = Reply { body: Text::const_new("{}"), ..reply.clone() };
        tx.settle(request, &stored).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
