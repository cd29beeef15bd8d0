//! `any-payload`: one transaction; the key alone decides. Another payload under a known key gets the first
//! one's reply, and is not compared: a client with a bug is told that it has paid what it never paid.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "one transaction; does not compare payloads: another one under the same \
    key gets the first one's reply. Right, where the contract says so";

/// Looks at the key only.
#[derive(Debug)]
pub struct AnyPayload;

impl Store for AnyPayload {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.reply.unwrap_or_else(Reply::in_flight));
        }
        let reply = Reply::created(tx.apply(request.effect).await?);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
