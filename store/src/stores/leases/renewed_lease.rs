//! `renewed-lease`: renews its lease before each part of the effect, and stops when it is no longer its
//! own. A handler may take as long as it likes, as long as no step takes longer than the lease. One
//! that stands still between renewal and effect charges beside the one who took over.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "renews its lease before each step; \
    right for slow handlers, and not for one that stands still between renewal and effect";

/// A lease that is renewed before each step.
#[derive(Debug)]
pub struct RenewedLease;

impl Store for RenewedLease {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let db = ctx.db();
        for part in 0..request.effect.parts {
            if !lease.renew(ctx, request).await? {
                return Ok(Reply::in_flight());
            }
            lease::apply_part((ctx, &db), request.effect, part).await?;
        }
        let reply = lease.reply();
        let ours = lease.settle(&db, request, &reply).await?;
        Ok(if ours { reply } else { Reply::in_flight() })
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
