//! `scoped-by-credential`: one transaction, under a key that is scoped by the credential it came with, and not
//! by the account. After a change of credential the retry is somebody else's, and is done again.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "scopes keys by the credential that they came with; \
    after a change of credential a retry is done again";

/// Scopes keys by credential.
#[derive(Debug)]
pub struct ScopedByCredential;

impl Store for ScopedByCredential {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tenant = request.credential.clone();
        OneTransaction.handle(ctx, &Request { tenant, ..request.clone() }).await
    }
}
