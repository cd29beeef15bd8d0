//! `no-deadline-is-orphaned`: the claim has a column for its deadline, and nobody fills it in. Whoever
//! finds a claim in progress without a deadline takes it for an orphan, and takes it over at once:
//! two attempts that overlap both charge.

use super::lease::{self, LEASE_UNTIL, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table, Value};

pub(super) const SUMMARY: &str = "a claim without a deadline counts as orphaned, \
    and is taken over while its owner works";

/// Without a deadline there is no owner.
#[derive(Debug)]
pub struct NoDeadlineIsOrphaned;

/// No claim says when it ends, and none that says nothing is respected.
const TERMS: Terms = Terms {
    is_over: |ctx, row| row.time(LEASE_UNTIL).is_none() || lease::is_over(ctx, row),
    writes: |_| Some(LEASE_UNTIL.set(Value::Null)),
};

impl Store for NoDeadlineIsOrphaned {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Taken::Not(reply) = lease::take(ctx, request, TERMS).await? {
            return Ok(reply);
        }
        let db = ctx.db();
        let reply = Reply::created(db.apply(request.effect).await?);
        lease::settle_blindly(&db, request, &reply).await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
