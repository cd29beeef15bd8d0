//! `advances-by-one`: "advance the status by one". Each attempt that arrives is one more step: a retry delivers
//! what was only to be shipped.

use super::things::{THING, THINGS, VALUE, done};
use crate::{Ctx, EffectKind, Failure, Isolation, Mark, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str =
    "advances the state by one; every retry of a lost reply advances it again";

/// Advances the state by one.
#[derive(Debug)]
pub struct AdvancesByOne;

impl Store for AdvancesByOne {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let row = tx.read_for_update(&THINGS, [THING.is(&request.target)]).await?;
        let next = row.and_then(|row| row.int(VALUE)).unwrap_or(0) + 1;
        let cells = [THING.set(&request.target), VALUE.set(next)];
        let advanced = Mark { kind: EffectKind::Add, part: 0, parts: 1 };
        tx.upsert_as_effect(&THINGS, cells, [VALUE.set(next)], advanced).await?;
        tx.commit().await?;
        Ok(done(200, "shipped"))
    }
}
