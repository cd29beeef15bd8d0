//! `mail-may-fail`: claims the key, makes the effect and stores the reply in one transaction; the
//! receipt is mailed after it, and a mail that fails takes nothing back.

use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "one transaction; the receipt is mailed after it, and may \
    fail";

/// Mails after the commit.
#[derive(Debug)]
pub(super) struct MailMayFail;

impl Store for MailMayFail {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        // Whether it arrives is nobody's promise.
        let _ = ctx.call_tell(None).await;
        Ok(reply)
    }
}
