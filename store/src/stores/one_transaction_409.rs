//! `one-transaction-409`: claim, effect and reply in one transaction; while the first attempt is in
//! flight, others are refused with 409 instead of waiting. Like `one-transaction`, it breaks only
//! when the record expires before the retries end.

use crate::{Claim, Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claim, effect and reply in one transaction; the loser is refused \
    (409). Right, as long as keys outlive the retries";

/// Claim, effect and reply in one stroke of ink; the loser is refused.
#[derive(Debug)]
pub struct OneTransaction409;

impl Store for OneTransaction409 {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let mut tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        tx.refuse_to_wait();
        match tx.claim(ctx, request).await {
            Ok(Claim::Won) => {}
            Ok(Claim::Lost(record)) => return Ok(record.replay_or_refuse(request)),
            Err(DbError::WouldWait) => return Ok(Reply::in_flight()),
            Err(error) => return Err(error.into()),
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
