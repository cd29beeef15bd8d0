//! `dedup-then-set`: applies each update once, by its key. That stops copies, and not an older update that comes
//! for the first time, late.

use super::things::{AMOUNT, TARGET, THINGS, UPDATE, VERSION};
use crate::record::RECORDS;
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "applies each update once, by its key, and does not look at its \
    version";

/// Applies each update once.
#[derive(Debug)]
pub(super) struct OnceEach;

impl Store for OnceEach {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let version = i64::from(request.sequence);
        let new = [TARGET.set(&request.target), VERSION.set(0), AMOUNT.set(0)];
        tx.insert_if_absent(&THINGS, new).await?;
        let set = [VERSION.set(version), AMOUNT.set(request.effect.amount)];
        tx.update_as_effect(&THINGS, [TARGET.is(&request.target)], set, UPDATE).await?;
        tx.settle(request, &Reply::no_content()).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
