//! `outbox-fresh-ids`: a relay gives each sending a number of its own. Two relays that see the same
//! message, or a crash before it is noted, and the receiver cannot know that it is the same.

use super::charge;
use super::table::{ID, OUTBOX, accept, key_of, mark, waiting};
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Store, Table, Turn};

pub(super) const SUMMARY: &str = "an outbox; the relay numbers each sending anew, so that \
    nobody can tell a repeat";

/// Numbers each sending anew.
#[derive(Debug)]
pub(super) struct FreshIds;

impl Store for FreshIds {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &OUTBOX];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        accept(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        for message in waiting(ctx).await? {
            let Some(id) = message.id(ID) else { continue };
            let ctx = ctx.on_behalf_of(id);
            ctx.call(Some(&key_of(ctx.fresh_id())), charge()).await?;
            mark(&ctx, id).await?;
        }
        Ok(Reply::no_content())
    }
}
