//! `consumer-processed-table`: notes (consumer, message) in the transaction of the effect, under a unique key.
//! Whatever is redelivered finds its note, or waits for it, and is acknowledged.

use super::processed::{CONSUMER, MESSAGE, PROCESSED};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "notes (consumer, message) in the transaction of the effect, under \
    a unique key";

/// Notes and processes in one transaction.
#[derive(Debug)]
pub(super) struct ProcessedTable;

impl Store for ProcessedTable {
    const TABLES: &'static [&'static Table] = &[&PROCESSED];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let cells = [CONSUMER.set(&request.operation), MESSAGE.set(&request.key)];
        if !tx.insert_if_absent(&PROCESSED, cells).await? {
            return Ok(Reply::no_content());
        }
        tx.apply(request.effect).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
