//! `put-replaces`: `SET balance = 80`. The whole value is written, whatever is there: twice is once, and no key
//! is needed. (An older value that arrives last still overwrites a newer one.)

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "writes the whole value, whatever is there; twice is once. \
    Right, as long as updates come in order";

/// Writes the whole value.
#[derive(Debug)]
pub struct PutReplaces;

impl Store for PutReplaces {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let value = VALUE.set(request.effect.amount);
        let cells = [THING.set(&request.target), value.clone()];
        ctx.db().upsert_as_effect(&THINGS, cells, [value], mark(request)).await?;
        Ok(done(200, "saved"))
    }
}
