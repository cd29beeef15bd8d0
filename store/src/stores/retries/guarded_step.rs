//! `guarded-step`: the same as `side-write-in-step`, but what the step writes has a unique key of workflow and step:
//! however often the step is run, it is written once. (A crash leaves the claim, as in `key-then-effect`.)

use super::step::{AMOUNT, DRAWER, FLOW, STEP, STEPS, open_till};
use crate::record::RECORDS;
use crate::{Claim, Ctx, DbError, Failure, Mark, Reply, Request, Span, Store, Table, Text};

pub(super) const SUMMARY: &str = "claims the workflow, and repeats a step until it succeeds; \
    what it writes is guarded by the step. Right, as long as no server crashes";

/// How long it waits before it runs the step again.
const PAUSE: Span = Span::from_millis(5);

/// Guards what a step writes by the step.
#[derive(Debug)]
pub struct GuardedStep;

impl Store for GuardedStep {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &STEPS, &DRAWER];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let mark = Mark { kind: request.effect.kind, part: 0, parts: 1 };
        let line = [FLOW.set(&request.target), STEP.set(1), AMOUNT.set(request.effect.amount)];
        loop {
            db.insert_if_absent_as_effect(&STEPS, line.clone(), mark).await?;
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
