//! `unguarded-finish`: a claim that is too old may be stolen, and whoever finishes writes "done" or
//! "failed" over whatever stands there. A handler that notices that it is late marks the work as
//! failed, over the thief's "done": the next retry does it again.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table, Text};

pub(super) const SUMMARY: &str = "whoever finishes writes \"done\" or \"failed\" without asking \
    whose work it is by now; a late one undoes the record of the one who took over";

/// Writes how it ended, whatever stands there.
#[derive(Debug)]
pub struct UnguardedFinish;

impl Store for UnguardedFinish {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let receipt = tx.apply(request.effect).await?;
        if ctx.now() >= lease.until {
            tx.rollback().await?;
            lease::fail_blindly(ctx, request).await?;
            return Ok(Reply { status: 503, body: Text::const_new("too late") });
        }
        let reply = Reply::created(receipt);
        lease::settle_blindly(&tx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
