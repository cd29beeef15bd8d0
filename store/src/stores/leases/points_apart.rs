//! `points-apart`: the work goes in steps, and the record says how many are done, so that whoever takes
//! over goes on from there. But step and record are two writes: a crash between them, and the step
//! is done again.

use super::lease::{self, LEASES, Taken, Terms};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "recovery points that are written after their steps; \
    a crash between the two does the step again";

/// Recovery points apart from their steps.
#[derive(Debug)]
pub struct PointsApart;

impl Store for PointsApart {
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
            lease::apply_part((ctx, &db), request.effect, part).await?;
            if !lease.step((ctx, &db), request, point).await? {
                return Ok(Reply::in_flight());
            }
        }
        let reply = lease.reply();
        let ours = lease.settle(&db, request, &reply).await?;
        Ok(if ours { reply } else { Reply::in_flight() })
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        lease::sweep(ctx, sweep).await
    }
}
