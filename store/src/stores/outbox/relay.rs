//! `outbox-relay`: a request writes its message in the transaction of its key; a relay sends what waits,
//! under the message's own number, and notes it after. Two relays, or a crash between sending and
//! noting, send twice, and the receiver knows the number.

use super::charge;
use super::table::{ID, OUTBOX, accept, key_of, mark, waiting};
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Store, Table, Turn};

pub(super) const SUMMARY: &str = "an outbox; the relay sends each message under its own number, and \
    notes it after";

/// Sends under the message's own number.
#[derive(Debug)]
pub(super) struct Relay;

impl Store for Relay {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &OUTBOX];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        accept(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        for message in waiting(ctx).await? {
            let Some(id) = message.id(ID) else { continue };
            let ctx = ctx.on_behalf_of(id);
            ctx.call(Some(&key_of(id)), charge()).await?;
            mark(&ctx, id).await?;
        }
        Ok(Reply::no_content())
    }
}
