//! `saga-keyed-both-ways`: both steps are at other services, and called under keys, each of its own; what
//! takes a step back is an operation too, and has a key too.

use super::journal::{Begun, CREDIT, DEBIT, ID, TRANSFERS, begin, done, finish, step, unfinished};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "calls its steps, and what takes them back, under keys of \
    their own";

/// Has a key for each direction.
#[derive(Debug)]
pub(super) struct Remote;

impl Store for Remote {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        match begin(ctx, request, false).await? {
            Begun::Known(reply) => Ok(reply),
            Begun::New(transfer) => drive(ctx, &transfer).await,
        }
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        for transfer in unfinished(ctx).await? {
            let Some(id) = transfer.id(ID) else { continue };
            drive(&ctx.on_behalf_of(id), &transfer).await?;
        }
        Ok(Reply::no_content())
    }
}

/// Goes on with a transfer from its beginning: a step that was done is known by its key.
async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
    ctx.call_part(Some(&step(id, "debit")), DEBIT).await?;
    match ctx.call_part(Some(&step(id, "credit")), CREDIT).await {
        Ok(_) => {
            let reply = done(id);
            finish(ctx, transfer, ("done", &reply), async |_| Ok(())).await?;
            Ok(reply)
        }
        Err(CallError::Declined) => {
            ctx.call_undo(Some(&step(id, "undo")), DEBIT).await?;
            let reply = Reply::declined();
            finish(ctx, transfer, ("undone", &reply), async |_| Ok(())).await?;
            Ok(reply)
        }
        Err(silence) => Err(silence.into()),
    }
}
