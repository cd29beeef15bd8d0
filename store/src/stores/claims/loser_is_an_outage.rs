//! `loser-is-an-outage`: claim, effect and reply in one transaction; a taken key is an error of the
//! database like any other: tried three times, and then reported as an outage (503). The key stays
//! taken, so every retry ends like that, and a client whose first reply was lost never learns of it.

use crate::record::{RECORDS, in_progress};
use crate::{Ctx, DbError, Failure, Isolation, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "takes the taken key for a failure of the database: tries again, and \
    reports an outage (503) to every retry";

/// How often a transaction is tried.
const TRIES: u8 = 3;

/// Takes the taken key for an outage.
#[derive(Debug)]
pub struct LoserIsAnOutage;

impl Store for LoserIsAnOutage {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        for _ in 0..TRIES {
            match charge(ctx, request).await {
                Err(DbError::UniqueViolation { .. }) => {}
                result => return Ok(result?),
            }
        }
        Ok(Reply { status: 503, body: Text::const_new("database unavailable") })
    }
}

async fn charge(ctx: &Ctx, request: &Request) -> Result<Reply, DbError> {
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    tx.insert(&RECORDS, in_progress(ctx, request)).await?;
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(reply)
}
