//! `replay-loses-status`: one transaction, but a replay has the stored body and a status of its own:
//! 200, where the first reply said 201. A client that looks for what was created does not find it.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str =
    "one transaction, but a replay says 200 where the first reply said 201";

/// Replays the body, and not the status.
#[derive(Debug)]
pub struct ReplayLosesStatus;

impl Store for ReplayLosesStatus {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            let reply = record.replay_or_refuse(request);
            let status = if reply.is_success() { 200 } else { reply.status };
            return Ok(Reply { status, ..reply });
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
