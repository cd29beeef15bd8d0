//! `counter-once`: adds to the counter and puts the message's id beside it, in one script of the cache. A
//! redelivery finds the id, and counts nothing. What the cache loses in a fail-over it loses together,
//! and nobody counts it again once it was acknowledged.

use super::{REVENUE, counted, mark_of};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store, Text};
use std::fmt::Write as _;

pub(super) const SUMMARY: &str = "adds to a counter and notes the message's id in one script of a \
    cache. Right, until the cache fails over and loses both";

/// Counts each message once.
#[derive(Debug)]
pub(super) struct CounterOnce;

impl Store for CounterOnce {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let effect = request.effect;
        let mut once = Text::const_new("counted/");
        let _ = write!(once, "{}/{}", request.tenant, request.key);
        let noted = (&once, mark_of(effect));
        ctx.cache().increment_once_as_effect(&REVENUE, effect.amount, noted).await?;
        Ok(counted())
    }
}
