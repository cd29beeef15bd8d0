//! `refusal-recorded`: when the other service declines, the refusal is settled under the key before it is
//! told: whoever comes again hears the same.

use super::refusal::{Came, call};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "stores a refusal under the key, and tells it to whoever comes again. \
    Right, as long as no server crashes";

/// Keeps a refusal.
#[derive(Debug)]
pub(super) struct RefusalRecorded;

impl Store for RefusalRecorded {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        match call(ctx, request).await? {
            Came::Answer(reply) => Ok(reply),
            Came::Declined => {
                let reply = Reply::declined();
                ctx.db().settle(request, &reply).await?;
                Ok(reply)
            }
        }
    }
}
