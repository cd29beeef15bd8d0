//! `no-dedup`: applies the effect each time it is asked. Every retry of a request whose reply was
//! lost, and every duplicate, charges again.

use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "applies the effect each time it is asked; \
    every retry of a lost reply charges again";

/// Applies the effect each time it is asked.
#[derive(Debug)]
pub struct NoDedup;

impl Store for NoDedup {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let receipt = ctx.db().apply(request.effect).await?;
        Ok(Reply::created(receipt))
    }
}
