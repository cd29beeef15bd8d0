//! `select-first-in-transaction`: looks the key up and writes effect and key in one read-committed
//! transaction. The transaction does not make the SELECT a lock: two that overlap both see nothing.

use crate::{Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "guards one read-committed transaction with a SELECT; \
    two that overlap both see nothing";

/// Guards a read-committed transaction with a SELECT.
#[derive(Debug)]
pub struct SelectFirstInTransaction;

impl Store for SelectFirstInTransaction {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Some(record) = tx.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
