//! `null-in-key`: one transaction with a unique key over (tenant, key), where those without a tenant
//! have NULL. NULL equals nothing, so the unique key holds nobody back: two attempts that overlap both
//! claim. One after the other all is well, because the look-up says IS NULL.

use super::table::{CLAIMS, EXPIRES_AT, KEY, TENANT, claimed, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::value::Value;
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "has NULL in the unique key of those without a tenant; NULL equals \
    nothing, and two that overlap both claim";

/// Has NULL in its unique key.
#[derive(Debug)]
pub struct NullInKey;

impl Store for NullInKey {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(row) = db.read(&CLAIMS, [TENANT.is_null(), KEY.is(&request.key)]).await? {
            return Ok(replay_or_refuse(&row, request));
        }
        let tx = db.begin(Isolation::ReadCommitted).await?;
        if !tx.insert_if_absent(&CLAIMS, claimed(ctx, request, Value::Null)).await? {
            return Ok(Reply::in_flight());
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        settle(&tx, request, Value::Null, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_table(ctx, sweep, &CLAIMS, EXPIRES_AT).await
    }
}
