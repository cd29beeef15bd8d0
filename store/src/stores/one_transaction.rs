//! `one-transaction`: claims the key, applies the effect and stores the reply in one transaction; the
//! loser of a race waits for the winner, and replays its reply. It breaks only when the record
//! expires before the retries end.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claim, effect and reply in one transaction; the loser waits, \
    and replays. Right, as long as keys outlive the retries";

/// Claim, effect and reply in one stroke of ink; the loser waits.
#[derive(Debug)]
pub struct OneTransaction;

impl Store for OneTransaction {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
