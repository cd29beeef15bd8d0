//! `exception-releases-claim`: claims the key, then charges and settles in one transaction; when that
//! fails nothing was charged, and the claim is given back. (A crash still leaves it behind.)

use super::till::{TILL, charge};
use crate::record::RECORDS;
use crate::{Claim, Ctx, Failure, Reply, Request, Store, Table};

pub(super) const SUMMARY: &str = "claims the key, then charges; when that fails, nothing was charged, \
    and the key is given back. Right, as long as no server crashes";

/// Gives its claim back when it fails.
#[derive(Debug)]
pub struct ExceptionReleasesClaim;

impl Store for ExceptionReleasesClaim {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TILL];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        match charge(ctx, request).await {
            Ok(reply) => Ok(reply),
            Err(error) => {
                db.release(request).await?;
                Err(error.into())
            }
        }
    }
}
