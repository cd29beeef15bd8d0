//! `saga-in-memory`: takes the amount here in the transaction of the key, then brings it there; how far
//! it has come, only the process knows. After a crash, or silence from the other side, the amount is
//! gone from here and has not arrived, and every retry is told that somebody is at work.

use super::journal::{Begun, CREDIT, DEBIT, ID, TRANSFERS, begin, done, finish};
use crate::record::RECORDS;
use crate::{CallError, Ctx, Failure, Receipt, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "takes the amount here, then brings it there; how far it has come, \
    only the process knows";

/// Remembers its steps in memory.
#[derive(Debug)]
pub(super) struct InMemory;

impl Store for InMemory {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let transfer = match begin(ctx, request, true).await? {
            Begun::Known(reply) => return Ok(reply),
            Begun::New(transfer) => transfer,
        };
        let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
        match ctx.call_part(None, CREDIT).await {
            Ok(_) => {
                let reply = done(id);
                finish(ctx, &transfer, ("done", &reply), async |_| Ok(())).await?;
                Ok(reply)
            }
            Err(CallError::Declined) => {
                let reply = Reply::declined();
                finish(ctx, &transfer, ("undone", &reply), async |tx| {
                    tx.take_back(Receipt { id }, DEBIT).await?;
                    Ok(())
                })
                .await?;
                Ok(reply)
            }
            Err(silence) => Err(silence.into()),
        }
    }
}
