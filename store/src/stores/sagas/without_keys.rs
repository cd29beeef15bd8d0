//! `saga-without-keys`: writes its steps down, and an orchestrator goes on with what is unfinished; but
//! each step is called without a key, so that going on after a lost answer does it again.

use super::journal::{CREDIT, ID, TRANSFERS, arrived, give_back, go_on, serve};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "steps are written down and gone on with, but called \
    without a key";

/// Calls its steps without keys.
#[derive(Debug)]
pub(super) struct WithoutKeys;

impl Store for WithoutKeys {
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
    match ctx.call_part(None, CREDIT).await {
        Ok(_) => arrived(ctx, transfer, id).await,
        Err(CallError::Declined) => give_back(ctx, transfer, id).await,
        Err(silence) => Err(silence.into()),
    }
}
