//! `cache-claim-short`: claims the key in the cache for a short while, so that a crash does not leave it
//! for ever. A handler that stands still for longer is overtaken by a retry, and both do it; and
//! a crash after the effect lets the retry do it again.

use super::{IN_PROGRESS, LEASE, key_of, replay_or_refuse, text_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claims the key in a cache for 50 ms; a handler that takes longer \
    is taken for dead, and both do it";

/// A claim that is shorter than some handlers.
#[derive(Debug)]
pub(super) struct CacheClaimShort;

impl Store for CacheClaimShort {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, key) = (ctx.cache(), key_of(request));
        if !cache.set_if_absent(&key, IN_PROGRESS, Some(LEASE)).await? {
            return Ok(replay_or_refuse(cache.get(&key).await?.as_ref(), request));
        }
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        cache.set(&key, text_of(request, &reply), Some(ctx.settings().window)).await?;
        Ok(reply)
    }
}
