//! `born-expired`: the lock and the stored reply share one expiry. The claim sets it to the end of its
//! lease, and the reply that replaces it leaves it alone: a reply that is stored late is born
//! expired, and the next retry charges again.

use super::lease::{self, EXPIRES_AT, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "the reply keeps the expiry of the lock that it replaces; \
    after the lease nobody knows of it";

/// One expiry for the lock and for the reply.
#[derive(Debug)]
pub struct BornExpired;

/// A claim that clears itself, should its owner die.
const TERMS: Terms = Terms {
    is_over: lease::is_over,
    writes: |ctx| Some(EXPIRES_AT.set(ctx.now() + ctx.settings().lease)),
};

impl Store for BornExpired {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, TERMS).await? {
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
