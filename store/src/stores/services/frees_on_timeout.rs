//! `frees-on-timeout`: claims the key, calls the other service, and gives the key back when no answer
//! comes in time. The call lives on: it was made, or is made later, and the retry makes another.

use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "gives the key back when the other service does not answer \
    in time, and the call lives on";

/// Reads silence as failure.
#[derive(Debug)]
pub(super) struct FreesOnTimeout;

impl Store for FreesOnTimeout {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        match ctx.call(None, request.effect).await {
            Ok(receipt) => {
                let reply = Reply::created(receipt);
                db.settle(request, &reply).await?;
                Ok(reply)
            }
            Err(silence) => {
                db.release(request).await?;
                Err(silence.into())
            }
        }
    }
}
