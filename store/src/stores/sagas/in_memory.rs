//! `saga-in-memory`: takes the amount here in the transaction of the key, then brings it there; how far
//! it has come, only the process knows. After a crash, or silence from the other side, the amount is
//! gone from here and has not arrived, and every retry is told that somebody is at work.

use super::journal::{CREDIT, ID, TRANSFERS, arrived, give_back, serve};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Reply, Request, Row, Store, Table};

pub(super) const SUMMARY: &str = "takes the amount here, then brings it there; how far it has come, \
    only the process knows";

/// Remembers its steps in memory.
#[derive(Debug)]
pub(super) struct InMemory;

impl Store for InMemory {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        serve(ctx, request, true, drive).await
    }
}

/// Brings the amount there, once.
async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
    match ctx.call_part(None, CREDIT).await {
        Ok(_) => arrived(ctx, transfer, id).await,
        Err(CallError::Declined) => give_back(ctx, transfer, id).await,
        Err(silence) => Err(silence.into()),
    }
}
