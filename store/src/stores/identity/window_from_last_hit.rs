//! `window-from-last-hit`: one transaction; each hit makes the record count for a whole window more. A client
//! that comes again within each window never meets its end, however long it goes on.

use crate::record::{EXPIRES_AT, RECORDS, key_of};
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "makes the record count for a window more at each hit. \
    Right, as long as no two attempts are a window apart";

/// Renews the window at each hit.
#[derive(Debug)]
pub struct WindowFromLastHit;

impl Store for WindowFromLastHit {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            let until = EXPIRES_AT.set(ctx.now() + ctx.settings().window);
            tx.update(&RECORDS, key_of(request), [until]).await?;
            tx.commit().await?;
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
