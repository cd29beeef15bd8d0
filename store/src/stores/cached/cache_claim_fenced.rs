//! `cache-claim-fenced`: claims the key in the cache for a short while, and only to save work: the effect is
//! made under a unique key of the database, in one transaction with it. Whatever the cache forgets or
//! loses, the database decides.

use super::{IN_PROGRESS, LEASE, do_once, key_of, replay_or_refuse, text_of};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a short claim in a cache saves work, and a unique key beside the \
    effect decides. Right, whatever the cache loses";

/// The cache saves work; the database decides.
#[derive(Debug)]
pub(super) struct CacheClaimFenced;

impl Store for CacheClaimFenced {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, key) = (ctx.cache(), key_of(request));
        if !cache.set_if_absent(&key, IN_PROGRESS, Some(LEASE)).await? {
            let known = replay_or_refuse(cache.get(&key).await?.as_ref(), request);
            if known.is_success() {
                return Ok(known);
            }
            // A claim without a reply may be what a fail-over brought back: the database knows better.
            let record = ctx.db().find_record(ctx, request).await?;
            return Ok(record.map_or(known, |record| record.replay_or_refuse(request)));
        }
        let reply = do_once(ctx, request).await?;
        cache.set(&key, text_of(request, &reply), Some(ctx.settings().window)).await?;
        Ok(reply)
    }
}
