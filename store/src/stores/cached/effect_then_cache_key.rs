//! `effect-then-cache-key`: applies the effect in the database, and puts the key into the cache after it.
//! No commit spans both: a crash between the two leaves an effect that no key knows of.

use super::{key_of, replay_or_refuse, text_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "the effect in the database, then the key in a cache; \
    a crash between the two forgets that it happened";

/// The effect here, the key there.
#[derive(Debug)]
pub(super) struct EffectThenCacheKey;

impl Store for EffectThenCacheKey {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, key) = (ctx.cache(), key_of(request));
        let found = cache.get(&key).await?;
        if found.is_some() {
            return Ok(replay_or_refuse(found.as_ref(), request));
        }
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        cache.set(&key, text_of(request, &reply), Some(ctx.settings().window)).await?;
        Ok(reply)
    }
}
