//! `age-on-readers-clock`: a claim says when it was made, on the clock of its owner, and whoever reads
//! it works out its age on his own. A clock that is ahead finds every claim of the others too old,
//! and takes it over at once: two attempts that overlap both charge.

use super::lease::{self, LEASES, SINCE, Taken, Terms};
use crate::{Ctx, Failure, Reply, Request, Row, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "works out the age of a claim on another clock than the one that \
    it was made on; a clock that is ahead takes over at once";

/// Whose clock? The reader's.
#[derive(Debug)]
pub struct AgeOnReadersClock;

const TERMS: Terms = Terms { is_over: is_too_old, writes: |_| None };

fn is_too_old(ctx: &Ctx, row: &Row) -> bool {
    row.time(SINCE).is_some_and(|since| ctx.now().since(since) >= ctx.settings().lease)
}

impl Store for AgeOnReadersClock {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, TERMS).await? {
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
