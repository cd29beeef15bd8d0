//! `failure-recorded`: claims the key, then charges; when that fails, the failure is settled as the
//! reply. Every retry is told of a blip that has long passed, and nothing is ever tried again.

use super::till::{TILL, charge};
use crate::record::RECORDS;
use crate::{Claim, Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "claims the key, then charges; a failure is recorded as the reply, \
    and replayed to every retry";

/// Records its failures.
#[derive(Debug)]
pub struct FailureRecorded;

impl Store for FailureRecorded {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TILL];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        match charge(ctx, request).await {
            Ok(reply) => Ok(reply),
            Err(error) => {
                let reply = Failure::from(error).reply();
                db.settle(request, &reply).await?;
                Ok(reply)
            }
        }
    }
}
