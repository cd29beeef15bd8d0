//! `local-cache-of-results`: the same as `local-cache-of-claims`, but only settled records are kept in the
//! process: they never change again. (A crash still leaves a claim behind, as in `key-then-effect`.)

use super::local::Cache;
use crate::{Claim, Ctx, Failure, Record, Reply, Request, Store};

pub(super) const SUMMARY: &str = "keeps only settled records in the process. \
    Right, as long as no server crashes";

/// Keeps results in the process.
#[derive(Debug, Default)]
pub struct LocalCacheOfResults {
    cache: Cache,
}

impl Store for LocalCacheOfResults {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = self.cache.find(ctx, request) {
            return Ok(record.replay_or_refuse(request));
        }
        let db = ctx.db();
        let expires_at = ctx.now() + ctx.settings().window;
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            if record.reply.is_some() {
                self.cache.keep(request, record.clone());
            }
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        let fingerprint = request.payload.fingerprint();
        self.cache.keep(request, Record { fingerprint, reply: Some(reply.clone()), expires_at });
        Ok(reply)
    }
}
