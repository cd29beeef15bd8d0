//! `bare-duplicate`: one transaction, but a retry is told "duplicate" (400) and not what the first
//! reply said. A client whose reply was lost never learns that its operation succeeded.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "one transaction, but a retry is told \"duplicate\" \
    in place of the first reply";

/// Answers a retry with a bare "duplicate".
#[derive(Debug)]
pub struct BareDuplicate;

impl Store for BareDuplicate {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            let reply = record.replay_or_refuse(request);
            let duplicate = Reply { status: 400, body: Text::const_new("duplicate") };
            return Ok(if reply.is_success() { duplicate } else { reply });
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
