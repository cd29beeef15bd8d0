//! `never-forgets`: one transaction, and no record is ever cleared. Nothing is charged twice, and the
//! record table grows for as long as the system lives.

use super::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Sweep};

pub(super) const SUMMARY: &str = "one transaction, and no record is ever cleared; \
    the table grows for ever";

/// Never clears a record.
#[derive(Debug)]
pub struct NeverForgets;

impl Store for NeverForgets {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        OneTransaction.handle(ctx, request).await
    }

    async fn sweep(&self, _: &Ctx, _: Sweep) -> Result<Reply, Failure> {
        Ok(Reply::no_content())
    }
}
