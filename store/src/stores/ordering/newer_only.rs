//! `set-if-newer`: sets under the condition that the stored version is lower, in one statement; an older update
//! is acknowledged, and changes nothing.

use super::things::{AMOUNT, TARGET, THINGS, UPDATE, VERSION};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "sets if the stored version is lower, in one statement";

/// Sets if it is newer.
#[derive(Debug)]
pub(super) struct NewerOnly;

impl Store for NewerOnly {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let version = i64::from(request.sequence);
        let new = [TARGET.set(&request.target), VERSION.set(0), AMOUNT.set(0)];
        tx.insert_if_absent(&THINGS, new).await?;
        let set = [VERSION.set(version), AMOUNT.set(request.effect.amount)];
        tx.update_as_effect(
            &THINGS,
            [TARGET.is(&request.target), VERSION.at_most(version - 1)],
            set,
            UPDATE,
        )
        .await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
