//! `release-on-error`: claims the key, makes the effect, then sends a receipt by mail; when the mail
//! fails, an error handler gives the key back. The effect stays, and the retry makes it again.

use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "gives the key back on any error, also on one that comes \
    after the effect";

/// Gives the key back on any error.
#[derive(Debug)]
pub(super) struct ReleaseOnError;

impl Store for ReleaseOnError {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        if let Err(mail) = ctx.call_tell(None).await {
            db.release(request).await?;
            return Err(mail.into());
        }
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
