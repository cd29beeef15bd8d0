//! `as-agreed`: one transaction, which keeps to what the contract says: from when a record counts, and
//! whether an attempt waits for one that is in flight or is refused. It reads that with its settings,
//! and so holds under contracts that differ.

use crate::record::{EXPIRES_AT, RECORDS, key_of};
use crate::{
    Claim, Ctx, DbError, Failure, InFlight, Isolation, Reply, Request, Store, Tx, WindowFrom,
};

pub(super) const SUMMARY: &str = "one transaction; reads in the contract from when a record counts, \
    and whether to wait or to refuse. Right, as long as keys outlive the retries";

/// Keeps to the contract.
#[derive(Debug)]
pub struct AsAgreed;

impl Store for AsAgreed {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        loop {
            let mut tx = ctx.db().begin(Isolation::ReadCommitted).await?;
            if ctx.settings().in_flight == InFlight::Refuse {
                tx.refuse_to_wait();
            }
            let reply = match tx.claim(ctx, request).await {
                Ok(Claim::Won) => make((ctx, &tx), request).await?,
                Ok(Claim::Lost(record)) => {
                    let reply = record.replay_or_refuse(request);
                    if reply.is_success() && !hit((ctx, &tx), request).await? {
                        continue; // it was swept since it was read
                    }
                    reply
                }
                Err(DbError::WouldWait) => return Ok(Reply::in_flight()),
                Err(error) => return Err(error.into()),
            };
            tx.commit().await?;
            return Ok(reply);
        }
    }
}

async fn make((ctx, tx): (&Ctx, &Tx), request: &Request) -> Result<Reply, Failure> {
    let reply = Reply::created(tx.apply(request.effect).await?);
    tx.settle(request, &reply).await?;
    if ctx.settings().window_from == WindowFrom::Completion {
        counts_anew((ctx, tx), request).await?;
    }
    Ok(reply)
}

/// Takes note that the stored reply is about to be given; says whether it is still there.
async fn hit((ctx, tx): (&Ctx, &Tx), request: &Request) -> Result<bool, DbError> {
    let renews = ctx.settings().window_from == WindowFrom::LastHit;
    Ok(!renews || counts_anew((ctx, tx), request).await?)
}

/// Lets the record count for a window from now; says whether it is there.
async fn counts_anew((ctx, tx): (&Ctx, &Tx), request: &Request) -> Result<bool, DbError> {
    let until = EXPIRES_AT.set(ctx.now() + ctx.settings().window);
    Ok(tx.update(&RECORDS, key_of(request), [until]).await? == 1)
}
