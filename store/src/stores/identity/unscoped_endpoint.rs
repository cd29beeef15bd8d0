//! `unscoped-endpoint`: one transaction, but a key is looked up whatever endpoint it came to. The second
//! endpoint that is called with a key answers with the first one's reply, and does nothing.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "one transaction, but all endpoints share one space of keys; \
    the second is never executed";

/// Keys of all endpoints share one space.
#[derive(Debug)]
pub struct UnscopedEndpoint;

impl Store for UnscopedEndpoint {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let operation = Text::const_new("any");
        OneTransaction.handle(ctx, &Request { operation, ..request.clone() }).await
    }
}
