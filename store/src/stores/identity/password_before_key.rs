//! `password-before-key`: one transaction, which is entered with a right password only: what is refused before
//! the work begins leaves nothing under the key.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "asks for the password before the key, and records no refusal of one. \
    Right, as long as keys outlive the retries";

/// Asks for the password first.
#[derive(Debug)]
pub struct PasswordBeforeKey;

impl Store for PasswordBeforeKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if !request.authenticated {
            return Ok(Reply::unauthorized());
        }
        OneTransaction.handle(ctx, request).await
    }
}
