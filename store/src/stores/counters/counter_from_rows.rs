//! `counter-from-rows`: a row for each message in the database, under the message's id, is what counts; the
//! counter in the cache is the sum of the rows, and is written anew with each message. A redelivery finds its
//! row. What the cache loses can be summed up again.

use super::{REVENUE, counted};
use crate::effects::{AMOUNT, EFFECTS};
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "a row for each message in the database is what counts, and the \
    counter in a cache is their sum. Right, as the sum can be made again";

/// Counts rows.
#[derive(Debug)]
pub(super) struct CounterFromRows;

/// More rows than a day has.
const ROWS_MOST: u32 = 10_000;

impl Store for CounterFromRows {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let reply = match tx.claim(ctx, request).await? {
            Claim::Won => {
                tx.apply(request.effect).await?;
                tx.settle(request, &counted()).await?;
                tx.commit().await?;
                counted()
            }
            Claim::Lost(record) => {
                // The sum is read outside of the transaction, which must not be in its own way.
                tx.rollback().await?;
                record.replay_or_refuse(request)
            }
        };
        let rows = ctx.db().scan(&EFFECTS, [], ROWS_MOST).await?;
        let sum: i64 = rows.iter().filter_map(|row| row.int(AMOUNT)).sum();
        ctx.cache().set(&REVENUE, sum, None).await?;
        Ok(reply)
    }
}
