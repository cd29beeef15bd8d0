//! `downstream-key`: claims the key, and calls the other service under a key derived from it; a retry
//! that finds the key in progress goes on and calls again under the same one. Right, as long as the
//! other service knows keys; where it does not, this is at least once.

use super::derived;
use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "passes a key derived from its own on to the other service, \
    and a retry goes on where the first one stopped";

/// Passes its key on.
#[derive(Debug)]
pub(super) struct DownstreamKey;

impl Store for DownstreamKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            let reply = record.replay_or_refuse(request);
            if reply != Reply::in_flight() {
                return Ok(reply);
            }
        }
        let receipt = ctx.call(Some(&derived(request)), request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
