//! `as-agreed`: one transaction, which keeps to what the contract says: from when a record counts. It
//! reads that with its settings, and so holds under contracts that differ.

use crate::record::{EXPIRES_AT, RECORDS, key_of};
use crate::{Claim, Ctx, DbError, Failure, Isolation, Reply, Request, Store, Tx, WindowFrom};

pub(super) const SUMMARY: &str = "one transaction; reads in the contract from when a record counts. \
    Right, as long as that outlives the retries";

/// Keeps to the contract.
#[derive(Debug)]
pub struct AsAgreed;

impl Store for AsAgreed {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let agreed = ctx.settings();
        loop {
            let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
            if let Claim::Lost(record) = tx.claim(ctx, request).await? {
                let reply = record.replay_or_refuse(request);
                let renews = agreed.window_from == WindowFrom::LastHit && reply.is_success();
                if renews && !counts_anew((ctx, &tx), request).await? {
                    continue; // it was swept since it was read
                }
                tx.commit().await?;
                return Ok(reply);
            }
            let reply = Reply::created(tx.apply(request.effect).await?);
            tx.settle(request, &reply).await?;
            if agreed.window_from == WindowFrom::Completion {
                counts_anew((ctx, &tx), request).await?;
            }
            tx.commit().await?;
            return Ok(reply);
        }
    }
}

/// Lets the record count for a window from now; says whether it is there.
async fn counts_anew((ctx, tx): (&Ctx, &Tx), request: &Request) -> Result<bool, DbError> {
    let until = EXPIRES_AT.set(ctx.now() + ctx.settings().window);
    Ok(tx.update(&RECORDS, key_of(request), [until]).await? == 1)
}
