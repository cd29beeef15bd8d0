//! `ttl-of-a-day`: one transaction; records count for a day, out of habit, whatever was promised.

use crate::record::{EXPIRES_AT, RECORDS, key_of};
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Span, Store};

pub(super) const SUMMARY: &str = "one transaction, and a TTL of a day out of habit; \
    what comes later is new, whatever the contract says";

/// A habit, and not a calculation.
const DAY: Span = Span::from_secs(24 * 60 * 60);

/// Counts for a day.
#[derive(Debug)]
pub struct TtlOfADay;

impl Store for TtlOfADay {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let until = EXPIRES_AT.set(ctx.now() + DAY);
        tx.update(&RECORDS, key_of(request), [until]).await?;
        let reply = Reply::created(tx.apply(request.effect).await?);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
