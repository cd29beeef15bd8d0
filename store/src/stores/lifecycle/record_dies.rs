//! `record-dies-with-the-thing`: the first request creates a thing, the second deletes it, and with it all records of what
//! was done to it. A late copy of the first finds no record, and the thing is there again.

use super::items::{CHANGE, DEEDS, KEY, STATE, TARGET, THINGS};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "deletes the records of a thing with the thing; a late copy of its \
    creation makes it again";

/// Forgets a thing whole.
#[derive(Debug)]
pub(super) struct RecordDies;

impl Store for RecordDies {
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
        tx.update_as_effect(&THINGS, this.clone(), [STATE.set(state)], CHANGE).await?;
        if state == 2 {
            tx.delete(&DEEDS, this).await?;
        }
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
