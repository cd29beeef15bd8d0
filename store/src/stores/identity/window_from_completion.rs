//! `window-from-completion`: one transaction; the window begins when the work is done, and not when the key
//! was claimed. Work that takes long takes nothing off it.

use crate::record::{EXPIRES_AT, RECORDS, key_of};
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "lets the window begin when the work is done. \
    Right, as long as that outlives the retries";

/// Begins the window at completion.
#[derive(Debug)]
pub struct WindowFromCompletion;

impl Store for WindowFromCompletion {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        let until = EXPIRES_AT.set(ctx.now() + ctx.settings().window);
        tx.update(&RECORDS, key_of(request), [until]).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
