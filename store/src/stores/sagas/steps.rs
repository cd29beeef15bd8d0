//! `saga-in-steps`: takes the amount here and writes the transfer down in the transaction of the key,
//! then brings it there under a key of that step; an orchestrator goes on with what is unfinished. Only
//! a refusal takes the first step back, once, in the transaction that writes the decision down.

use super::journal::{Begun, CREDIT, DEBIT, ID, TRANSFERS, begin, done, finish, step, unfinished};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Receipt, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "steps are written down, called under keys of their own, and \
    gone on with; only a refusal takes a step back, once";

/// Writes each step down, and goes on.
#[derive(Debug)]
pub(super) struct Steps;

impl Store for Steps {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        match begin(ctx, request, true).await? {
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

/// Goes on with a transfer from where it is written down.
async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
    match ctx.call_part(Some(&step(id, "credit")), CREDIT).await {
        Ok(_) => {
            let reply = done(id);
            finish(ctx, transfer, ("done", &reply), async |_| Ok(())).await?;
            Ok(reply)
        }
        Err(CallError::Declined) => {
            let reply = Reply::declined();
            finish(ctx, transfer, ("undone", &reply), async |tx| {
                tx.take_back(Receipt { id }, DEBIT).await?;
                Ok(())
            })
            .await?;
            Ok(reply)
        }
        Err(silence) => Err(silence.into()),
    }
}
