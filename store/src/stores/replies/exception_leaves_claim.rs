//! `exception-leaves-claim`: claims the key, then charges and settles in one transaction. When that
//! fails, the error goes out and the claim stays: every retry is told that the first is in flight.

use super::till::{TILL, charge};
use crate::record::RECORDS;
use crate::{Claim, Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "claims the key, then charges; an error in between goes out, \
    and the claim stays behind and refuses every retry";

/// Leaves its claim behind when it fails.
#[derive(Debug)]
pub struct ExceptionLeavesClaim;

impl Store for ExceptionLeavesClaim {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TILL];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Claim::Lost(record) = ctx.db().claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        Ok(charge(ctx, request).await?)
    }
}
