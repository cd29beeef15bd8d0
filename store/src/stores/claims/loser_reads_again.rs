//! `loser-reads-again`: claim, effect and reply in one transaction; a taken key is no failure, but an
//! answer: the loser rolls back, and reads what the winner wrote. A record that has expired counts no more, swept or
//! not: it is cleared, and the key claimed anew.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "takes the taken key for an answer: rolls back, reads what the winner \
    wrote, and replays. Right, as long as keys outlive the retries";

/// Reads what the winner wrote.
#[derive(Debug)]
pub struct LoserReadsAgain;

impl Store for LoserReadsAgain {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(reply) = once(ctx, request).await? {
            return Ok(reply);
        }
        ctx.db().clear_expired(ctx, request).await?;
        Ok(once(ctx, request).await?.unwrap_or_else(Reply::in_flight))
    }
}

/// Nothing, when the key is taken by a record that has expired, or by one that is gone by now.
async fn once(ctx: &Ctx, request: &Request) -> Result<Option<Reply>, DbError> {
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    match tx.insert(&RECORDS, in_progress(ctx, request)).await {
        Ok(()) => {}
        Err(DbError::UniqueViolation { .. }) => {
            tx.rollback().await?;
            let record = ctx.db().find_record(ctx, request).await?;
            return Ok(record.map(|record| record.replay_or_refuse(request)));
        }
        Err(error) => return Err(error),
    }
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(Some(reply))
}
