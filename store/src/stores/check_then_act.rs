//! `check-then-act`: looks the key up, and when it is absent writes effect and key in one
//! transaction. Two attempts that overlap both find it absent, and both charge.

use crate::{Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "looks the key up first, then writes effect and key together; \
    two attempts that overlap both find it absent";

/// Looks the key up, then acts.
#[derive(Debug)]
pub struct CheckThenAct;

impl Store for CheckThenAct {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.db().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
