//! `unscoped-key`: one transaction, but the key is looked up without its tenant. Two tenants that
//! choose the same key share one record, and the second is handed the first one's reply.

use super::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "one transaction, but keys of all tenants share one space; \
    the second tenant is handed the first one's reply";

/// Keys of all tenants share one space.
#[derive(Debug)]
pub struct UnscopedKey;

impl Store for UnscopedKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let anyone = Request { tenant: Text::const_new("anyone"), ..request.clone() };
        OneTransaction.handle(ctx, &anyone).await
    }
}
