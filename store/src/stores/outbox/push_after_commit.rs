//! `push-after-commit`: commits key and reply, then pushes the message to a queue. A crash between the two,
//! and the message is recorded as seen and was never sent; nobody looks for it.

use super::charge;
use super::table::key_of;
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "commits the key with its reply, then pushes the message; \
    a crash between the two loses it";

/// Pushes after the commit.
#[derive(Debug)]
pub(super) struct PushAfterCommit;

impl Store for PushAfterCommit {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let id = ctx.fresh_id();
        let reply = Reply::accepted(id);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        ctx.call(Some(&key_of(id)), charge()).await?;
        Ok(reply)
    }
}
