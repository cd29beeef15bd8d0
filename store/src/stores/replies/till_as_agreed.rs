//! `till-as-agreed`: claims the key, then charges; what becomes of a failure is as the contract says. Where
//! all outcomes are stored, it is settled and told to every retry; elsewhere the key is given back.

use super::till::{TILL, charge};
use crate::record::RECORDS;
use crate::{Claim, Ctx, Failure, Reply, Request, Store, Stored, Table};

pub(super) const SUMMARY: &str = "claims the key, then charges; stores a failure where the contract has \
    all outcomes stored, and else gives the key back. Right, as long as no server crashes";

/// Does with its failures what was agreed.
#[derive(Debug)]
pub struct TillAsAgreed;

impl Store for TillAsAgreed {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TILL];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let failure = match charge(ctx, request).await {
            Ok(reply) => return Ok(reply),
            Err(error) => Failure::from(error).reply(),
        };
        if ctx.settings().stored == Stored::All {
            db.settle(request, &failure).await?;
        } else {
            db.release(request).await?;
        }
        Ok(failure)
    }
}
