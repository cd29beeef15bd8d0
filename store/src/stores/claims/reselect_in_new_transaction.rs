//! `reselect-in-new-transaction`: looks the key up and inserts it in one snapshot transaction; when the
//! key turns out to be taken it ends that one, and looks again in a new one, which sees the winner. A record
//! that has expired counts no more, swept or not: it is cleared, and the key claimed anew. SQLite
//! refuses the loser before it has met the key: there it says 503, and whoever tries again is shown the winner.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "when the key turns out to be taken, looks again in a new transaction, \
    and replays. Right, as long as keys outlive the retries";

/// Looks again, in a transaction that sees the winner.
#[derive(Debug)]
pub struct ReselectInNewTransaction;

impl Store for ReselectInNewTransaction {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(reply) = once(ctx, request).await? {
            return Ok(reply);
        }
        ctx.db().clear_expired(ctx, request).await?;
        Ok(once(ctx, request).await?.unwrap_or_else(Reply::in_flight))
    }
}

/// Nothing, when the key is taken by a record that has expired, or by one that is gone by now.
async fn once(ctx: &Ctx, request: &Request) -> Result<Option<Reply>, DbError> {
    let tx = ctx.db().begin(Isolation::Snapshot).await?;
    if let Some(record) = tx.find_record(ctx, request).await? {
        return Ok(Some(record.replay_or_refuse(request)));
    }
    match tx.insert(&RECORDS, in_progress(ctx, request)).await {
        Ok(()) => {}
        Err(DbError::UniqueViolation { .. }) => {
            tx.rollback().await?;
            let anew = ctx.db().begin(Isolation::Snapshot).await?;
            let record = anew.find_record(ctx, request).await?;
            return Ok(record.map(|record| record.replay_or_refuse(request)));
        }
        Err(error) => return Err(error),
    }
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(Some(reply))
}
