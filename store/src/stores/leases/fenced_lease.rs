//! `fenced-lease`: takes a lease on the key; then effect and reply are one transaction, which commits
//! only while the lease is still its own. Whoever takes over changes the owner, so a handler that
//! wakes up late changes nothing. No clock has to be right for that.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "takes a lease, then commits effect and reply together, \
    and only while the lease is its own. Right, as long as keys outlive the retries";

/// A lease that the effect asks for.
#[derive(Debug)]
pub struct FencedLease;

impl Store for FencedLease {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let reply = Reply::created(tx.apply(request.effect).await?);
        if !lease.settle(&tx, request, &reply).await? {
            tx.rollback().await?;
            return Ok(Reply::in_flight());
        }
        tx.commit().await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
