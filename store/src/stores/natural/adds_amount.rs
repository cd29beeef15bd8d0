//! `adds-amount`: `balance = balance - 20`. Each attempt that arrives is one more step, and there is no key
//! that could say that it was the same.

use super::things::{THING, THINGS, VALUE, done};
use crate::{Ctx, EffectKind, Failure, Isolation, Mark, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "adds to what is there; every retry of a lost reply adds again";

/// Adds to what is there.
#[derive(Debug)]
pub struct AddsAmount;

impl Store for AddsAmount {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let row = tx.read_for_update(&THINGS, [THING.is(&request.target)]).await?;
        let sum = row.and_then(|row| row.int(VALUE)).unwrap_or(0) + request.effect.amount;
        let cells = [THING.set(&request.target), VALUE.set(sum)];
        let added = Mark { kind: EffectKind::Add, part: 0, parts: 1 };
        tx.upsert_as_effect(&THINGS, cells, [VALUE.set(sum)], added).await?;
        tx.commit().await?;
        Ok(done(200, "saved"))
    }
}
