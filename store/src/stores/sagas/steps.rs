//! `saga-in-steps`: takes the amount here and writes the transfer down in the transaction of the key,
//! then brings it there under a key of that step; an orchestrator goes on with what is unfinished. Only
//! a refusal takes the first step back, once, in the transaction that writes the decision down.

use super::journal::{CREDIT, ID, TRANSFERS, arrived, give_back, go_on, serve, step};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "steps are written down, called under keys of their own, and \
    gone on with; only a refusal takes a step back, once";

/// Writes each step down, and goes on.
#[derive(Debug)]
pub(super) struct Steps;

impl Store for Steps {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        serve(ctx, request, true, drive).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        go_on(ctx, drive).await
    }
}

/// Goes on with a transfer from where it is written down.
async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
    match ctx.call_part(Some(&step(id, "credit")), CREDIT).await {
        Ok(_) => arrived(ctx, transfer, id).await,
        Err(CallError::Declined) => give_back(ctx, transfer, id).await,
        Err(silence) => Err(silence.into()),
    }
}
