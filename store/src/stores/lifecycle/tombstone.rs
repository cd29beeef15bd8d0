//! `tombstone`: as `record-dies-with-the-thing`, but the records stay for their window when the thing is gone.

use super::items::{CHANGE, DEEDS, KEY, STATE, TARGET, THINGS};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "keeps the records of a thing when the thing is gone";

/// Remembers the dead.
#[derive(Debug)]
pub(super) struct Tombstone;

impl Store for Tombstone {
    const TABLES: &'static [&'static Table] = &[&DEEDS, &THINGS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let deed = [TARGET.set(&request.target), KEY.set(&request.key)];
        if !tx.insert_if_absent(&DEEDS, deed).await? {
            return Ok(Reply::no_content());
        }
        let state = i64::from(request.sequence);
        tx.insert_if_absent(&THINGS, [TARGET.set(&request.target), STATE.set(0)]).await?;
        let this = [TARGET.is(&request.target)];
        tx.update_as_effect(&THINGS, this, [STATE.set(state)], CHANGE).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
