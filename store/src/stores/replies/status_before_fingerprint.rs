//! `status-before-fingerprint`: as `key-then-effect`, but asks whether the record is in progress before it
//! asks whose payload it is. Another payload under the key is told "come again", and not that it is wrong.

use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "asks whether the key is in progress before it compares payloads; \
    another payload is told to come again";

/// Asks for the status before the fingerprint.
#[derive(Debug)]
pub struct StatusBeforeFingerprint;

impl Store for StatusBeforeFingerprint {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            if record.reply.is_none() {
                return Ok(Reply::in_flight());
            }
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
