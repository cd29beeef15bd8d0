//! `items-of-a-batch`: an item is known by its batch and its place in it. A repeat is a batch with the same key; a batch that
//! only overlaps is another one.

use super::items::{BATCH, BATCHED, ITEM, items_of};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "knows an item by its batch; what only overlaps is no repeat";

/// Scopes items by batch.
#[derive(Debug)]
pub(super) struct ItemsOfABatch;

impl Store for ItemsOfABatch {
    const TABLES: &'static [&'static Table] = &[&BATCHED];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        for (item, mark) in items_of(request) {
            let cells = [BATCH.set(&request.key), ITEM.set(item)];
            match tx.insert_as_effect(&BATCHED, cells, mark).await {
                Ok(()) => {}
                Err(DbError::UniqueViolation { .. }) => return Ok(Reply::no_content()),
                Err(error) => return Err(error.into()),
            }
        }
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
