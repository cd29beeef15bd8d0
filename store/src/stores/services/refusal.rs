//! What the two stores share that differ in what becomes of a refusal.

use super::derived;
use crate::{CallError, Claim, Ctx, Failure, Reply, Request};

/// What came of a call.
pub(super) enum Came {
    /// It was declined for good, and nothing has been done about the key.
    Declined,
    /// Anything else, and this is the answer.
    Answer(Reply),
}

/// Claims the key and calls the other service under it; what is in progress is refused.
pub(super) async fn call(ctx: &Ctx, request: &Request) -> Result<Came, Failure> {
    let db = ctx.db();
    if let Claim::Lost(record) = db.claim(ctx, request).await? {
        return Ok(Came::Answer(record.replay_or_refuse(request)));
    }
    match ctx.call(Some(&derived(request)), request.effect).await {
        Ok(receipt) => {
            let reply = Reply::created(receipt);
            db.settle(request, &reply).await?;
            Ok(Came::Answer(reply))
        }
        Err(CallError::Declined) => Ok(Came::Declined),
        Err(error) => Err(error.into()),
    }
}
