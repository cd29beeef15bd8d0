//! `overwritten-claim`: looks the key up, and when it is absent writes the claim over whatever stands
//! there: SETEX where NX was meant. Two attempts that overlap both claim, and no error says so.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "looks the key up, then writes its claim over whatever stands there; \
    two attempts that overlap both claim, and nobody is told";

/// Writes its claim over whatever stands there.
#[derive(Debug)]
pub struct OverwrittenClaim;

impl Store for OverwrittenClaim {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(record) = db.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let claim = in_progress(ctx, request);
        db.upsert(&RECORDS, claim.clone(), claim.into_iter().skip(3)).await?;
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
