//! `cache-lock-fenced`: takes a lock in the cache to save work, and makes the effect under a unique key of the
//! database, in one transaction with it. When the lock fails, the second holder waits at the
//! database, and replays.

use super::{LEASE, do_once, lock_of};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a lock in a cache saves work, and a unique key beside the effect \
    decides. Right, whatever becomes of the lock";

/// The lock saves work; the database decides.
#[derive(Debug)]
pub(super) struct CacheLockFenced;

impl Store for CacheLockFenced {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (cache, lock, me) = (ctx.cache(), lock_of(request), ctx.fresh_id());
        if !cache.set_if_absent(&lock, me, Some(LEASE)).await? {
            return Ok(Reply::in_flight());
        }
        let reply = do_once(ctx, request).await;
        cache.delete_if(&lock, me).await?;
        reply
    }
}
