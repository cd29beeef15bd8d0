//! `completed-without-response`: key, effect and receipt in one transaction, and the reply in a write
//! after it. A crash between the two leaves a record that is completed and has no reply: the code falls
//! through to the lock, which is taken for ever.

use super::completed::{COMPLETIONS, Standing, serve, sweep_completions};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "writes the reply after the transaction that completes the record; \
    a crash between the two refuses every retry";

/// Takes a completed record without a reply for one in progress.
#[derive(Debug)]
pub struct CompletedWithoutResponse;

impl Store for CompletedWithoutResponse {
    const TABLES: &'static [&'static Table] = &[&COMPLETIONS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        Ok(match serve(ctx, request).await? {
            Standing::Done(reply) | Standing::Replied(reply) => reply,
            Standing::Torn(_) | Standing::InProgress => Reply::in_flight(),
        })
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_completions(ctx, sweep).await
    }
}
