//! `refuses-second-step`: "set it to shipped if it is packed", in a transaction, and an error if it is not. The
//! step is taken once; the retry of a step that was taken is told that its state is invalid.

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "takes a step if the state is the one before, and refuses otherwise; \
    a retry of a step that was taken is told that it failed";

/// Refuses the second step.
#[derive(Debug)]
pub struct RefusesSecondStep;

impl Store for RefusesSecondStep {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let shipped = [THING.set(&request.target), VALUE.set(1)];
        if !tx.insert_if_absent_as_effect(&THINGS, shipped, mark(request)).await? {
            return Ok(done(400, "invalid state"));
        }
        tx.commit().await?;
        Ok(done(200, "shipped"))
    }
}
