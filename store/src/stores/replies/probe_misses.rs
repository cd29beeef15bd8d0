//! `probe-misses`: looks the key up as it came, and writes it through a wrapper that puts a prefix before it.
//! The look-up never finds anything; each part alone passes its tests.

use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "looks the key up under one name and writes it under another; \
    no retry is ever found";

/// Looks up under one name, and writes under another.
#[derive(Debug)]
pub struct ProbeMisses;

impl Store for ProbeMisses {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.db().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        let mut key = Text::const_new("app:");
        key.push_str(&request.key);
        tx.record(ctx, &Request { key, ..request.clone() }, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
