//! `no-deadline-is-orphan`: claims the key, and takes a claim over whose deadline has passed. A claim
//! without a deadline counts as one whose deadline has passed, and is taken over while its owner works.

use super::table::{CLAIMS, DEADLINE, EXPIRES_AT, claimed, look_up, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "takes over a claim whose deadline has passed, and one that has none; \
    two attempts that overlap both work";

/// A claim without a deadline is an orphan.
#[derive(Debug)]
pub struct NoDeadlineIsOrphan;

impl Store for NoDeadlineIsOrphan {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        // Nobody has told this process how long it may take.
        let claim = claimed(ctx, request, (&request.tenant).into());
        if !db.insert_if_absent(&CLAIMS, claim).await? {
            let Some(row) = look_up(&db, request).await? else { return Ok(Reply::in_flight()) };
            let reply = replay_or_refuse(&row, request);
            let over = row.time(DEADLINE).is_none_or(|deadline| deadline <= ctx.now());
            if reply != Reply::in_flight() || !over {
                return Ok(reply);
            }
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        settle(&db, request, (&request.tenant).into(), &reply).await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_table(ctx, sweep, &CLAIMS, EXPIRES_AT).await
    }
}
