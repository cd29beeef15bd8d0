//! `replica-then-claim`: looks the key up on the replica, which answers most retries, and where it finds
//! none claims it on the primary, in one transaction with effect and reply. What the replica does not
//! know yet, the claim finds.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a read replica answers the retries that it knows of, and a claim \
    on the primary decides. Right, as long as keys outlive the retries";

/// The replica saves work; the primary decides.
#[derive(Debug)]
pub(super) struct ReplicaThenClaim;

impl Store for ReplicaThenClaim {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.replica().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let reply = Reply::created(tx.apply(request.effect).await?);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
