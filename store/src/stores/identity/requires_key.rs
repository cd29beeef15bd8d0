//! `requires-key`: one transaction; a request without a key is refused (400) before anything is done.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "refuses a request without a key (400). \
    Right, as long as keys outlive the retries";

/// Refuses a request without a key.
#[derive(Debug)]
pub struct RequiresKey;

impl Store for RequiresKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if request.key.is_empty() {
            return Ok(Reply::key_missing());
        }
        OneTransaction.handle(ctx, request).await
    }
}
