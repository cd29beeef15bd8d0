//! `saga-gives-up-on-silence`: writes its steps down, and takes the first one back when the second one
//! does not answer. Silence is no failure: the amount may have arrived there, and then it is in both
//! places.

use super::journal::{CREDIT, ID, TRANSFERS, arrived, give_back, go_on, serve, step};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "takes the first step back when the second one does not \
    answer, though it may have been done";

/// Reads silence as failure.
#[derive(Debug)]
pub(super) struct GivesUpOnSilence;

impl Store for GivesUpOnSilence {
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
        Err(CallError::Declined | CallError::TimedOut) => give_back(ctx, transfer, id).await,
    }
}
