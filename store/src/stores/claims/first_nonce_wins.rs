//! `first-nonce-wins`: inserts its claim with a nonce unless one is there, and reads back whose nonce
//! stands: the first one's stays, and everybody sees the same. A crash leaves the claim in progress,
//! as in `key-then-effect`.

use super::table::{CLAIMS, EXPIRES_AT, NONCE, claimed, look_up, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "inserts its claim with a nonce unless one is there, and reads back \
    whose it is. Right, as long as no server crashes";

/// Knows its claim by a nonce, and overwrites nobody's.
#[derive(Debug)]
pub struct FirstNonceWins;

impl Store for FirstNonceWins {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        let nonce = ctx.fresh_id();
        let mut claim = claimed(ctx, request, (&request.tenant).into());
        claim[5] = NONCE.set(nonce);
        db.insert_if_absent(&CLAIMS, claim).await?;
        match look_up(&db, request).await? {
            Some(row) if row.id(NONCE) == Some(nonce) => {}
            Some(row) => return Ok(replay_or_refuse(&row, request)),
            None => return Ok(Reply::in_flight()),
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
