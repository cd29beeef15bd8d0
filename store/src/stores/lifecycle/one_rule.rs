//! `one-rule`: a run that failed gives its key back, at whichever door it came in; the call was made under a key of
//! its own, so that the next run does nothing twice.

use crate::{Claim, Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "a failed run gives its key back at every entry point, and calls \
    under a key";

/// Has one rule.
#[derive(Debug)]
pub(super) struct OneRule;

impl Store for OneRule {
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
            Err(silence) => {
                db.release(request).await?;
                Err(silence.into())
            }
        }
    }
}
