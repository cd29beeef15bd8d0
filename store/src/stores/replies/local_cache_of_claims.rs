//! `local-cache-of-claims`: as `key-then-effect`, with a cache in the process's memory that keeps the record
//! as it was when it was claimed. A retry on the same server meets a claim that has long been settled.

use super::local::Cache;
use crate::{Claim, Ctx, Failure, Record, Reply, Request, Store};

pub(super) const SUMMARY: &str = "keeps each record in the process as it was when it was claimed; \
    a retry on the same server finds it in progress for ever";

/// Keeps claims in the process.
#[derive(Debug, Default)]
pub struct LocalCacheOfClaims {
    cache: Cache,
}

impl Store for LocalCacheOfClaims {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = self.cache.find(ctx, request) {
            return Ok(record.replay_or_refuse(request));
        }
        let db = ctx.db();
        let expires_at = ctx.now() + ctx.settings().window;
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            self.cache.keep(request, record.clone());
            return Ok(record.replay_or_refuse(request));
        }
        let fingerprint = request.payload.fingerprint();
        self.cache.keep(request, Record { fingerprint, reply: None, expires_at });
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
