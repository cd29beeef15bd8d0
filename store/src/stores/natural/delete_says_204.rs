//! `delete-says-204`: deletes, and says 204 whether the thing was there or not: it is gone, and that is what was
//! asked for. (The table holds tombstones: what has none, is there.)

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "deletes, and says 204 each time: it is gone. Right";

/// Says 204 each time.
#[derive(Debug)]
pub struct DeleteSays204;

impl Store for DeleteSays204 {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tombstone = [THING.set(&request.target), VALUE.set(0)];
        ctx.db().insert_if_absent_as_effect(&THINGS, tombstone, mark(request)).await?;
        Ok(done(204, ""))
    }
}
