//! `overlap-drops-batch`: inserts a batch of items, and takes a batch with an item that is there already for a repeat of
//! itself. A batch that only overlaps is dropped whole, and acknowledged.

use super::items::{BATCH, ITEM, ITEMS, items_of};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "takes a batch that shares an item with another for a repeat, and \
    drops it";

/// Drops the batch.
#[derive(Debug)]
pub(super) struct DropsBatch;

impl Store for DropsBatch {
    const TABLES: &'static [&'static Table] = &[&ITEMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        for (item, mark) in items_of(request) {
            let cells = [BATCH.set(&request.key), ITEM.set(item)];
            match tx.insert_as_effect(&ITEMS, cells, mark).await {
                Ok(()) => {}
                Err(DbError::UniqueViolation { .. }) => return Ok(Reply::no_content()),
                Err(error) => return Err(error.into()),
            }
        }
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
