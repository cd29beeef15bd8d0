//! `outbox-marks-first`: a relay notes a message as sent, then sends it. A crash between the two, or a
//! call that is lost, and it is never sent.

use super::charge;
use super::table::{ID, OUTBOX, accept, key_of, mark, waiting};
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Store, Table, Turn};

pub(super) const SUMMARY: &str = "an outbox; the relay notes a message as sent before it sends it";

/// Notes it, then sends it.
#[derive(Debug)]
pub(super) struct MarksFirst;

impl Store for MarksFirst {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &OUTBOX];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        accept(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        for message in waiting(ctx).await? {
            let Some(id) = message.id(ID) else { continue };
            let ctx = ctx.on_behalf_of(id);
            mark(&ctx, id).await?;
            ctx.call(Some(&key_of(id)), charge()).await?;
        }
        Ok(Reply::no_content())
    }
}
