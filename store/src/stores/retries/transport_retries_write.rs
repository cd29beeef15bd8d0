//! `transport-retries-write`: its database driver sends a write again when the answer is lost, though the write is
//! in no transaction and has no key. What was written is written again.

use super::step::{AMOUNT, FLOW, JOURNAL, STEP};
use crate::{Ctx, DbError, Failure, Mark, Reply, Request, Store, Table, Text};

pub(super) const SUMMARY: &str = "its driver sends a plain write again when the answer is lost; \
    it is written twice";

/// How often a write is sent.
const TRIES: u8 = 3;

/// Sends a plain write again.
#[derive(Debug)]
pub struct TransportRetriesWrite;

impl Store for TransportRetriesWrite {
    const TABLES: &'static [&'static Table] = &[&JOURNAL];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let mark = Mark { kind: request.effect.kind, part: 0, parts: 1 };
        let line = [FLOW.set(&request.target), STEP.set(1), AMOUNT.set(request.effect.amount)];
        for _ in 1..TRIES {
            match ctx.db().insert_as_effect(&JOURNAL, line.clone(), mark).await {
                Err(DbError::ConnectionLost) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => return Ok(Reply { status: 201, body: Text::const_new("written") }),
            }
        }
        Err(DbError::ConnectionLost.into())
    }
}
