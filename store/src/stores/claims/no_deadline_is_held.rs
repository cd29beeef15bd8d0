//! `no-deadline-is-held`: the same as `no-deadline-is-orphan` but for one word: a claim without a
//! deadline is held until it expires. A crash leaves it in progress, as in `key-then-effect`.

use super::table::{CLAIMS, DEADLINE, EXPIRES_AT, claimed, look_up, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "takes over a claim whose deadline has passed, and leaves one that has \
    none. Right, as long as no server crashes";

/// A claim without a deadline is held.
#[derive(Debug)]
pub struct NoDeadlineIsHeld;

impl Store for NoDeadlineIsHeld {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        // Nobody has told this process how long it may take.
        let claim = claimed(ctx, request, (&request.tenant).into());
        if !db.insert_if_absent(&CLAIMS, claim).await? {
            let Some(row) = look_up(&db, request).await? else { return Ok(Reply::in_flight()) };
            let reply = replay_or_refuse(&row, request);
            let over = row.time(DEADLINE).is_some_and(|deadline| deadline <= ctx.now());
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
