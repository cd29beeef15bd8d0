//! `create-under-natural-id`: PUT, or `INSERT … ON CONFLICT DO NOTHING`: the thing has the id that the client has
//! for it, and can be made once. The reply follows from the request, so it is the same each time.

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "creates a thing under the id that the client has for it; \
    the second time finds it there. Right";

/// Creates under the id of the client.
#[derive(Debug)]
pub struct CreateUnderNaturalId;

impl Store for CreateUnderNaturalId {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let row = [THING.set(&request.target), VALUE.set(request.effect.amount)];
        ctx.db().insert_if_absent_as_effect(&THINGS, row, mark(request)).await?;
        Ok(done(201, "created"))
    }
}
