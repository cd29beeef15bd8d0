//! `completed-then-repaired`: the same as `completed-without-response`, but whoever finds a completed
//! record without a reply makes the reply from the receipt, and writes it.

use super::completed::{COMPLETIONS, Standing, respond, serve, sweep_completions};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "writes the reply after the transaction that completes the record; \
    a retry that finds none makes it from the receipt. Right, as long as keys outlive the retries";

/// Repairs a completed record without a reply.
#[derive(Debug)]
pub struct CompletedThenRepaired;

impl Store for CompletedThenRepaired {
    const TABLES: &'static [&'static Table] = &[&COMPLETIONS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        match serve(ctx, request).await? {
            Standing::Done(reply) | Standing::Replied(reply) => Ok(reply),
            Standing::Torn(receipt) => respond(ctx, request, receipt).await,
            Standing::InProgress => Ok(Reply::in_flight()),
        }
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_completions(ctx, sweep).await
    }
}
