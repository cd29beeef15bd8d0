//! `cache-lock`: takes a lock in the cache for a short while, looks, does and records under it, and deletes
//! the lock only if it is still its own. A holder that stands still for longer than the lock lives
//! goes on without one, beside the next holder, and nothing at the effect stops it.

use super::{LEASE, lock_of, look_and_do};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a lock of 50 ms in a cache, deleted by its owner only; \
    a holder that stands still for longer works on without it";

/// Lets go of its own lock only.
#[derive(Debug)]
pub(super) struct CacheLock;

impl Store for CacheLock {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, lock, me) = (ctx.cache(), lock_of(request), ctx.fresh_id());
        if !cache.set_if_absent(&lock, me, Some(LEASE)).await? {
            return Ok(Reply::in_flight());
        }
        let reply = look_and_do(ctx, request).await;
        cache.delete_if(&lock, me).await?;
        reply
    }
}
