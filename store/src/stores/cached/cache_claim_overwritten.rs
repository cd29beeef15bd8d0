//! `cache-claim-overwritten`: looks the key up, and claims it with a plain SET. The second claim overwrites
//! the first without an error that anybody could see, and both attempts do it.

use super::{IN_PROGRESS, key_of, replay_or_refuse, text_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claims the key in a cache with SET where it should be SET NX: \
    a second claim overwrites the first, and nobody is told";

/// A claim that always succeeds.
#[derive(Debug)]
pub(super) struct CacheClaimOverwritten;

impl Store for CacheClaimOverwritten {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, key, window) = (ctx.cache(), key_of(request), Some(ctx.settings().window));
        let found = cache.get(&key).await?;
        if found.is_some() {
            return Ok(replay_or_refuse(found.as_ref(), request));
        }
        cache.set(&key, IN_PROGRESS, window).await?;
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        cache.set(&key, text_of(request, &reply), window).await?;
        Ok(reply)
    }
}
