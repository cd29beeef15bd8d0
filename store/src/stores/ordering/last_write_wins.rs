//! `last-write-wins`: sets whatever arrives. A set is idempotent, and says nothing about order: an older
//! update that comes late overwrites the newer one.

use super::things::{AMOUNT, TARGET, THINGS, UPDATE, VERSION};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "sets whatever arrives; an older update that comes late \
    overwrites the newer one";

/// Sets whatever arrives.
#[derive(Debug)]
pub(super) struct LastWriteWins;

impl Store for LastWriteWins {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let version = i64::from(request.sequence);
        let new = [TARGET.set(&request.target), VERSION.set(0), AMOUNT.set(0)];
        tx.insert_if_absent(&THINGS, new).await?;
        let set = [VERSION.set(version), AMOUNT.set(request.effect.amount)];
        tx.update_as_effect(&THINGS, [TARGET.is(&request.target)], set, UPDATE).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
