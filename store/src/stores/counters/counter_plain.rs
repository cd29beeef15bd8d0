//! `counter-plain`: adds to the counter whenever the message comes. Whoever delivers it twice, or asks
//! again because the answer to the increment was lost, counts it twice.

use super::{REVENUE, counted, mark_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "adds to a counter in a cache with each delivery; \
    a redelivery counts twice";

/// Counts deliveries.
#[derive(Debug)]
pub(super) struct CounterPlain;

impl Store for CounterPlain {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let effect = request.effect;
        ctx.cache().increment_as_effect(&REVENUE, effect.amount, mark_of(effect)).await?;
        Ok(counted())
    }
}
