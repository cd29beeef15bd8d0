//! `recovery-points`: the work goes in atomic phases. Each commits one step of the effect together with
//! the record that says so, and only while the lease is its own; whoever takes over goes on from the
//! last phase. Each step is done once, and a crash loses none. A record that expires between two
//! phases leaves half of the work behind.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "atomic phases: each commits a step and the record of it, \
    while the lease is its own. Right, as long as keys outlive the retries";

/// Atomic phases with recovery points.
#[derive(Debug)]
pub struct RecoveryPoints;

impl Store for RecoveryPoints {
    const TABLES: &'static [&'static Table] = &[&LEASES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let lease = match lease::take(ctx, request, Terms::USUAL).await? {
            Taken::Ours(lease) => lease,
            Taken::Not(reply) => return Ok(reply),
        };
        let db = ctx.db();
        for part in 0..request.effect.parts {
            let point = i64::from(part);
            if point < lease.point {
                continue;
            }
            let tx = db.begin(Isolation::ReadCommitted).await?;
            if !lease.step((ctx, &tx), request, point).await? {
                tx.rollback().await?;
                return Ok(Reply::in_flight());
            }
            lease::apply_part((ctx, &tx), request.effect, part).await?;
            tx.commit().await?;
        }
        let reply = lease.reply();
        let ours = lease.settle(&db, request, &reply).await?;
        Ok(if ours { reply } else { Reply::in_flight() })
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
