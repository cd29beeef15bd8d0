//! `cache-claim`: claims the key in the cache with SET NX for the whole window, applies the effect in the
//! database, and puts the reply over the claim. A fail-over of the cache loses the claim, or the reply, and
//! the next attempt does it again. A crash in between leaves the claim, and every retry is refused.

use super::{IN_PROGRESS, key_of, replay_or_refuse, text_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "claims the key in a cache with SET NX, the effect is in the \
    database; a fail-over of the cache loses the claim, a crash leaves it for ever";

/// A claim that the cache can lose.
#[derive(Debug)]
pub(super) struct CacheClaim;

impl Store for CacheClaim {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, key, window) = (ctx.cache(), key_of(request), Some(ctx.settings().window));
        if !cache.set_if_absent(&key, IN_PROGRESS, window).await? {
            return Ok(replay_or_refuse(cache.get(&key).await?.as_ref(), request));
        }
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        cache.set(&key, text_of(request, &reply), window).await?;
        Ok(reply)
    }
}
