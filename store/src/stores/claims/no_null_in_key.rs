//! `no-null-in-key`: the same as `null-in-key` but for one word: those without a tenant have the empty
//! text, which equals itself. The unique key holds.

use super::table::{CLAIMS, EXPIRES_AT, KEY, TENANT, claimed, replay_or_refuse, settle};
use crate::record::sweep_table;
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "has the empty text in the unique key of those without a tenant. \
    Right, as long as keys outlive the retries";

/// Whoever has no tenant.
const NOBODY: &str = "";

/// Has no NULL in its unique key.
#[derive(Debug)]
pub struct NoNullInKey;

impl Store for NoNullInKey {
    const TABLES: &'static [&'static Table] = &[&CLAIMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(row) = db.read(&CLAIMS, [TENANT.is(NOBODY), KEY.is(&request.key)]).await? {
            return Ok(replay_or_refuse(&row, request));
        }
        let tx = db.begin(Isolation::ReadCommitted).await?;
        if !tx.insert_if_absent(&CLAIMS, claimed(ctx, request, NOBODY.into())).await? {
            return Ok(Reply::in_flight());
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        settle(&tx, request, NOBODY.into(), &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_table(ctx, sweep, &CLAIMS, EXPIRES_AT).await
    }
}
