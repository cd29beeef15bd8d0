//! `runs-on-a-hit`: sends the stored reply to a retry, and then calls the handler all the same: the reply is
//! replayed, and the effect is made again.

use crate::{Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str =
    "sends the stored reply to a retry, and runs the handler all the same";

/// Runs the handler on a hit, too.
#[derive(Debug)]
pub struct RunsOnAHit;

impl Store for RunsOnAHit {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let saved = ctx.db().find_record(ctx, request).await?;
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let receipt = tx.apply(request.effect).await?;
        let reply = match saved {
            Some(record) => record.replay_or_refuse(request),
            None => Reply::created(receipt),
        };
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
