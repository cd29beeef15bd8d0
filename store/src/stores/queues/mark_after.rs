//! `consumer-marks-after`: processes a message unless it is noted, then notes it. A crash between the two, or
//! two deliveries at once, and it is processed twice.

use super::processed::{CONSUMER, MESSAGE, PROCESSED};
use crate::{Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "processes a message, then notes it; a crash between the two \
    processes it twice";

/// Processes, then notes.
#[derive(Debug)]
pub(super) struct MarkAfter;

impl Store for MarkAfter {
    const TABLES: &'static [&'static Table] = &[&PROCESSED];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        let this = [CONSUMER.is(&request.operation), MESSAGE.is(&request.key)];
        if db.read(&PROCESSED, this).await?.is_some() {
            return Ok(Reply::no_content());
        }
        db.apply(request.effect).await?;
        let cells = [CONSUMER.set(&request.operation), MESSAGE.set(&request.key)];
        db.insert_if_absent(&PROCESSED, cells).await?;
        Ok(Reply::no_content())
    }
}
