//! `dispatches-anew`: keeps the outputs of a message beside its key, and sends them after the commit; a
//! duplicate that comes before they are noted as sent sends them again, each under a new number.

use super::charge;
use super::dispatch::{ID, OUTPUTS, begin, dispatched};
use super::table::key_of;
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "a duplicate that comes before the outputs are noted as sent \
    sends them again, under new numbers";

/// Sends outputs again, under new numbers.
#[derive(Debug)]
pub(super) struct DispatchesAnew;

impl Store for DispatchesAnew {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &OUTPUTS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (reply, output) = begin(ctx, request).await?;
        let Some(id) = output.and_then(|output| output.id(ID)) else { return Ok(reply) };
        ctx.call(Some(&key_of(ctx.fresh_id())), charge()).await?;
        dispatched(ctx, id).await?;
        Ok(reply)
    }
}
