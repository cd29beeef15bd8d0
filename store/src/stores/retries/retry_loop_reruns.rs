//! `retry-loop-reruns`: looks the key up, then runs its transaction in a loop that begins again when the
//! connection breaks. A commit whose answer was lost is a commit: the second run charges again, and its key
//! overwrites the first one's.

use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "runs its transaction again when the answer to the commit is lost; \
    it was committed, and is charged again";

/// Runs its transaction again.
#[derive(Debug)]
pub struct RetryLoopReruns;

impl Store for RetryLoopReruns {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.db().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
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
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    tx.record(ctx, request, &reply).await?;
    tx.commit().await?;
    Ok(reply)
}
