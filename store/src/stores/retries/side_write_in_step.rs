//! `side-write-in-step`: claims the key of the workflow, then runs a step that writes and opens the till, again and
//! again until the till is free. The workflow is guarded, and the write within its step is not.

use super::step::{AMOUNT, DRAWER, FLOW, JOURNAL, STEP, open_till};
use crate::record::RECORDS;
use crate::{Claim, Ctx, DbError, Failure, Mark, Reply, Request, Span, Store, Table, Text};

pub(super) const SUMMARY: &str = "claims the workflow, and repeats a step until it succeeds; \
    what the step writes on the way is written each time";

/// How long it waits before it runs the step again.
const PAUSE: Span = Span::from_millis(5);

/// Writes within a step that is repeated.
#[derive(Debug)]
pub struct SideWriteInStep;

impl Store for SideWriteInStep {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &JOURNAL, &DRAWER];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let mark = Mark { kind: request.effect.kind, part: 0, parts: 1 };
        let line = [FLOW.set(&request.target), STEP.set(1), AMOUNT.set(request.effect.amount)];
        loop {
            db.insert_as_effect(&JOURNAL, line.clone(), mark).await?;
            match open_till(ctx, request.effect.amount).await {
                Ok(()) => break,
                Err(DbError::WouldWait | DbError::Busy) => ctx.sleep(PAUSE).await,
                Err(error) => return Err(error.into()),
            }
        }
        let reply = Reply { status: 201, body: Text::const_new("written") };
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}
