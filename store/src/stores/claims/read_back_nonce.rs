//! `read-back-nonce`: as `read-back-fingerprint`, with a nonce that is nobody else's. It is not
//! enough: who reads back before the other has overwritten its claim has won, and so has the other.

use super::table::{CLAIMS, NONCE, claimed, look_up, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "writes its claim with a nonce over whatever stands there, and reads \
    it back; whoever reads before the other overwrites has won, and so has the other";

/// Knows its claim by a nonce, and overwrites others.
#[derive(Debug)]
pub struct ReadBackNonce;

impl Store for ReadBackNonce {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(row) = look_up(&db, request).await? {
            return Ok(replay_or_refuse(&row, request));
        }
        let (nonce, tenant) = (ctx.fresh_id(), (&request.tenant).into());
        let mut claim = claimed(ctx, request, tenant);
        claim[5] = NONCE.set(nonce);
        db.upsert(&CLAIMS, claim.clone(), claim.into_iter().skip(2)).await?;
        match look_up(&db, request).await? {
            Some(row) if row.id(NONCE) == Some(nonce) => {}
            _ => return Ok(Reply::in_flight()),
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        settle(&db, request, (&request.tenant).into(), &reply).await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_table(ctx, sweep, &CLAIMS, super::table::EXPIRES_AT).await
    }
}
