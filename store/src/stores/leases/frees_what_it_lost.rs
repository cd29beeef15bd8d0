//! `frees-what-it-lost`: effect and reply are one transaction, which holds only while the lease is its
//! own. But a handler that has lost its lease cleans up behind itself, and deletes the record
//! without asking whose it is: the next retry finds nothing, and charges again.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "a handler that has lost its lease deletes the record, \
    which is the other one's by now; the next retry charges again";

/// Cleans up what is no longer its own.
#[derive(Debug)]
pub struct FreesWhatItLost;

impl Store for FreesWhatItLost {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let reply = Reply::created(tx.apply(request.effect).await?);
        if lease.settle(&tx, request, &reply).await? {
            tx.commit().await?;
            return Ok(reply);
        }
        tx.rollback().await?;
        lease::free_blindly(&ctx.db(), request).await?;
        Ok(Reply::in_flight())
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
