//! `steps-if-before`: the same as `refuses-second-step`, but the state after the step is what was asked for: to
//! find it there is success.

use super::things::{THING, THINGS, VALUE, done, mark};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "takes a step if the state is the one before; \
    to find it taken is success. Right";

/// Takes the step once, and says so each time.
#[derive(Debug)]
pub struct StepsIfBefore;

impl Store for StepsIfBefore {
    const TABLES: &'static [&'static Table] = &[&THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let shipped = [THING.set(&request.target), VALUE.set(1)];
        tx.insert_if_absent_as_effect(&THINGS, shipped, mark(request)).await?;
        tx.commit().await?;
        Ok(done(200, "shipped"))
    }
}
