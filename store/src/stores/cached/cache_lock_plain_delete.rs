//! `cache-lock-plain-delete`: takes a lock in the cache for a short while, looks, does and records under it,
//! and deletes the lock. When it comes to that so late that its lock has expired, it deletes the lock of whoever
//! holds it now, and a third walks in beside the second.

use super::{LEASE, lock_of, look_and_do};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a lock of 50 ms in a cache, deleted without a look at its owner: \
    a late holder deletes the lock of another";

/// Lets go of whatever lock is there.
#[derive(Debug)]
pub(super) struct CacheLockPlainDelete;

impl Store for CacheLockPlainDelete {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, lock, me) = (ctx.cache(), lock_of(request), ctx.fresh_id());
        if !cache.set_if_absent(&lock, me, Some(LEASE)).await? {
            return Ok(Reply::in_flight());
        }
        let reply = look_and_do(ctx, request).await;
        cache.delete(&lock).await?;
        reply
    }
}
