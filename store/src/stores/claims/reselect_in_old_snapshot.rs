//! `reselect-in-old-snapshot`: looks the key up and inserts it in one snapshot transaction; when the
//! key turns out to be taken it looks again, in the same transaction. That still sees the world before
//! the winner (or nothing at all, where the error has ended it): it fails.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "when the key turns out to be taken, looks again in the same \
    transaction, which cannot see the winner, and fails (500)";

/// Looks again, in the transaction that failed.
#[derive(Debug)]
pub struct ReselectInOldSnapshot;

impl Store for ReselectInOldSnapshot {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::Snapshot).await?;
        if let Some(record) = tx.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        match tx.insert(&RECORDS, in_progress(ctx, request)).await {
            Ok(()) => {}
            Err(DbError::UniqueViolation { .. }) => {
                let record = tx.find_record(ctx, request).await?;
                let record = record.ok_or_else(|| Failure::Other("no such record".into()))?;
                return Ok(record.replay_or_refuse(request));
            }
            Err(error) => return Err(error.into()),
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
