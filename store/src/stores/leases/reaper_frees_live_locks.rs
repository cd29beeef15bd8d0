//! `reaper-frees-live-locks`: a claim is a lock without an end, and a reaper clears those that are
//! older than a lease. It cannot see whether anybody still works under one: the retry finds the key
//! free, and charges beside the handler that was only slow.

use super::lease::{self, LEASES, SINCE, Taken, Terms};
use crate::record::STATUS;
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "a reaper clears claims that are older than a lease, \
    and cannot see whether anybody still works under them";

/// Locks without an end, and a reaper for the old ones.
#[derive(Debug)]
pub struct ReaperFreesLiveLocks;

/// Nobody takes over: that is what the reaper is for.
const TERMS: Terms = Terms { is_over: |_, _| false, writes: |_| None };

impl Store for ReaperFreesLiveLocks {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Taken::Not(reply) = lease::take(ctx, request, TERMS).await? {
            return Ok(reply);
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let reply = Reply::created(tx.apply(request.effect).await?);
        lease::settle_blindly(&tx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        let too_old = ctx.now() - ctx.settings().lease;
        ctx.db().delete(&LEASES, [STATUS.is_null(), SINCE.at_most(too_old)]).await?;
        lease::sweep(ctx, sweep).await
    }
}
