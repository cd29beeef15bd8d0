//! `two-rules`: a run that failed gives its key back at the one door, and is kept as failed at the other: whoever
//! comes there again is handed the dead run for ever.

use crate::{Claim, Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "a failed run gives its key back at one entry point, and is kept at \
    the other";

/// Has a rule for each entry point.
#[derive(Debug)]
pub(super) struct TwoRules;

impl Store for TwoRules {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let key = Text::from(format!("{}/{}", request.operation, request.key));
        match ctx.call(Some(&key), request.effect).await {
            Ok(receipt) => {
                let reply = Reply::created(receipt);
                db.settle(request, &reply).await?;
                Ok(reply)
            }
            Err(silence) if request.operation == "consumer-1" => {
                db.release(request).await?;
                Err(silence.into())
            }
            Err(silence) => {
                let dead = Failure::from(silence).reply();
                db.settle(request, &dead).await?;
                Ok(dead)
            }
        }
    }
}
