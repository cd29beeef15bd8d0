//! `create-under-own-id`: POST: each attempt that arrives makes a thing with an id of the server's. The id that
//! the client has for it is written nowhere.

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Reply, Request, Store, Table, Text};

pub(super) const SUMMARY: &str =
    "creates a thing under an id of its own; every retry creates another";

/// Creates under an id of the server.
#[derive(Debug)]
pub struct CreateUnderOwnId;

impl Store for CreateUnderOwnId {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let own = Text::from(ctx.fresh_id().to_string());
        let row = [THING.set(&own), VALUE.set(request.effect.amount)];
        ctx.db().insert_as_effect(&THINGS, row, mark(request)).await?;
        Ok(done(201, "created"))
    }
}
