//! `insert-or-select`: asks in one stroke for the record that is there, or else for the one that it
//! inserts (`WITH … INSERT … ON CONFLICT DO NOTHING … UNION SELECT`). What it sees was fixed before
//! it waited for the winner: it inserts nothing, finds nothing, and fails.
//!
//! One statement has one snapshot. Here it is said as the two parts that it has: the SELECT sees what
//! was there when the statement began, and the INSERT waits for the other transaction after that.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "inserts the key or selects it, both as of one moment; the loser of a \
    race inserts nothing, finds nothing, and fails (500)";

/// Inserts or selects, as of one moment.
#[derive(Debug)]
pub struct InsertOrSelect;

impl Store for InsertOrSelect {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let selected = tx.find_record(ctx, request).await?;
        let inserted = match &selected {
            Some(_) => false,
            None => tx.insert_if_absent(&RECORDS, in_progress(ctx, request)).await?,
        };
        if !inserted {
            let record = selected.ok_or_else(|| Failure::Other("the query gave no row".into()))?;
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
