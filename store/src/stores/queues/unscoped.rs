//! `consumer-unscoped`: notes a message as processed in the transaction of its effect, but not by whom. A
//! second consumer of the same messages finds them noted, and never does anything.

use super::processed::{CONSUMER, MESSAGE, PROCESSED};
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "notes messages in the transaction of their effect, but not \
    which consumer it was";

/// Shares its notes with all consumers.
#[derive(Debug)]
pub(super) struct Unscoped;

impl Store for Unscoped {
    const TABLES: &'static [&'static Table] = &[&PROCESSED];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let cells = [CONSUMER.set("anybody"), MESSAGE.set(&request.key)];
        if !tx.insert_if_absent(&PROCESSED, cells).await? {
            return Ok(Reply::no_content());
        }
        tx.apply(request.effect).await?;
        tx.commit().await?;
        Ok(Reply::no_content())
    }
}
