//! `unfenced-lease`: takes a lease on the key, then applies the effect, then stores the reply, each in
//! a write of its own. A handler whose lease has run out does not notice, and charges after the one
//! who took over has charged.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "takes a lease on the key, then applies the effect; \
    a handler that outlives its lease charges beside the one who took over";

/// A lease, and an effect that does not ask for it.
#[derive(Debug)]
pub struct UnfencedLease;

impl Store for UnfencedLease {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let db = ctx.db();
        let reply = Reply::created(db.apply(request.effect).await?);
        lease.settle(&db, request, &reply).await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
