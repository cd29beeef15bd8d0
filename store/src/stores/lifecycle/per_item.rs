//! `overlap-drops-item`: inserts those items of a batch that no batch has brought before. A batch that only overlaps is
//! there in part.

use super::items::{BATCH, ITEM, ITEMS, items_of};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "leaves out the items that another batch has brought";

/// Drops the item.
#[derive(Debug)]
pub(super) struct DropsItem;

impl Store for DropsItem {
    const TABLES: &'static [&'static Table] = &[&ITEMS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        for (item, mark) in items_of(request) {
            let cells = [BATCH.set(&request.key), ITEM.set(item)];
            if tx.read(&ITEMS, [ITEM.is(item)]).await?.is_none() {
                tx.insert_as_effect(&ITEMS, cells, mark).await?;
            }
        }
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
