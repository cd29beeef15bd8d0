//! `delete-says-404`: deletes, and says 404 when there is nothing to delete. The retry of a delete whose reply
//! was lost is told that the thing was never there. (The table holds tombstones: what has none, is there.)

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "deletes, and says 404 to the second time; \
    a retry is told that there was nothing";

/// Says 404 to the second time.
#[derive(Debug)]
pub struct DeleteSays404;

impl Store for DeleteSays404 {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tombstone = [THING.set(&request.target), VALUE.set(0)];
        let gone = ctx.db().insert_if_absent_as_effect(&THINGS, tombstone, mark(request)).await?;
        Ok(if gone { done(204, "") } else { done(404, "not found") })
    }
}
