//! `retry-loop-claims`: the same loop as in `retry-loop-reruns`, but the key is claimed within the transaction that
//! is run again: the second run finds what the first one wrote, and replays it.

use crate::{Claim, Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "runs its transaction again when the answer to the commit is lost, \
    and claims the key within it. Right, as long as keys outlive the retries";

/// Claims within the transaction that is run again.
#[derive(Debug)]
pub struct RetryLoopClaims;

impl Store for RetryLoopClaims {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        for _ in 1..TRIES {
            match charge(ctx, request).await {
                Err(DbError::ConnectionLost) => {}
                result => return Ok(result?),
            }
        }
        Ok(charge(ctx, request).await?)
    }
}

/// How often the transaction is run.
const TRIES: u8 = 3;

async fn charge(ctx: &Ctx, request: &Request) -> Result<Reply, DbError> {
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
