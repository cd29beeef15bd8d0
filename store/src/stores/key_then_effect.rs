//! `key-then-effect`: claims the key, then applies the effect, then stores the reply, each in a write
//! of its own. A crash after the claim leaves a key in progress for ever: every retry is refused.

use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claims the key, then applies the effect; \
    a crash between the two refuses every retry";

/// Claims the key, then applies the effect.
#[derive(Debug)]
pub struct KeyThenEffect;

impl Store for KeyThenEffect {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
