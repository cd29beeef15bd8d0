//! `effect-then-key`: applies the effect, and records the key after it, in a write of its own. A
//! crash between the two leaves an effect that no key knows of, and the retry charges again.

use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "applies the effect, and records the key after it; \
    a crash between the two forgets that it happened";

/// Applies the effect, then records the key.
#[derive(Debug)]
pub struct EffectThenKey;

impl Store for EffectThenKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(record) = db.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.record(ctx, request, &reply).await?;
        Ok(reply)
    }
}
