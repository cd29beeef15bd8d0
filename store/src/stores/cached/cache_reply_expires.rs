//! `cache-reply-expires`: marks the key as seen for ever, and keeps the reply for a short while. Once the
//! reply has expired, a retry finds a key that was seen and no reply, and is refused as in flight,
//! for ever; and the marks are never cleared.

use super::{LEASE, replay_or_refuse, text_of, written};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "the key is marked as seen for ever, its reply is kept for 50 ms; \
    a later retry finds a key without a reply, and is refused";

/// A mark that outlives its reply.
#[derive(Debug)]
pub(super) struct CacheReplyExpires;

impl Store for CacheReplyExpires {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let cache = ctx.cache();
        let Request { tenant, key, .. } = request;
        let seen = written(format_args!("seen/{tenant}/{key}"));
        let stored = written(format_args!("reply/{tenant}/{key}"));
        if !cache.set_if_absent(&seen, 1, None).await? {
            return Ok(replay_or_refuse(cache.get(&stored).await?.as_ref(), request));
        }
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        cache.set(&stored, text_of(request, &reply), Some(LEASE)).await?;
        Ok(reply)
    }
}
