//! `read-back-fingerprint`: writes its claim over whatever stands there, reads it back, and takes it
//! for its own when the fingerprint is its own. Retries of one request have one fingerprint: all win.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "writes its claim, reads it back, and compares the fingerprint; \
    identical retries have identical fingerprints, so all of them win";

/// Knows its claim by the fingerprint of the payload.
#[derive(Debug)]
pub struct ReadBackFingerprint;

impl Store for ReadBackFingerprint {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Some(record) = db.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let claim = in_progress(ctx, request);
        db.upsert(&RECORDS, claim.clone(), claim.into_iter().skip(3)).await?;
        match db.find_record(ctx, request).await? {
            Some(mine) if mine.fingerprint == request.payload.fingerprint() => {}
            _ => return Ok(Reply::mismatch()),
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
