//! `call-each-time`: calls the other service each time it is asked, without a key. A lost answer, and
//! the retry calls again.

use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "calls the other service each time it is asked, without a key";

/// Calls the other service each time it is asked.
#[derive(Debug)]
pub(super) struct CallEachTime;

impl Store for CallEachTime {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let receipt = ctx.call(None, request.effect).await?;
        Ok(Reply::created(receipt))
    }
}
