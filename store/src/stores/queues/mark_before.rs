//! `consumer-marks-before`: notes a message as processed, then processes it. A crash between the two, and the
//! redelivery is taken for a repeat and acknowledged: the message is lost.

use super::processed::{CONSUMER, MESSAGE, PROCESSED};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "notes a message as processed, then processes it; a crash \
    between the two loses it";

/// Notes, then processes.
#[derive(Debug)]
pub(super) struct MarkBefore;

impl Store for MarkBefore {
    const TABLES: &'static [&'static Table] = &[&PROCESSED];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if !db
            .insert_if_absent(
                &PROCESSED,
                [CONSUMER.set(&request.operation), MESSAGE.set(&request.key)],
            )
            .await?
        {
            return Ok(Reply::no_content());
        }
        db.apply(request.effect).await?;
        Ok(Reply::no_content())
    }
}
