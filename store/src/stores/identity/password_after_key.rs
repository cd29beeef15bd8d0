//! `password-after-key`: looks the key up first, and asks for the password where there is work to do. Whoever has
//! the key and not the password is handed the stored reply.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "asks for the password after it has looked the key up; a stored reply \
    is handed to whoever has the key";

/// Asks for the password where there is work to do.
#[derive(Debug)]
pub struct PasswordAfterKey;

impl Store for PasswordAfterKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.db().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        if !request.authenticated {
            return Ok(Reply::unauthorized());
        }
        OneTransaction.handle(ctx, request).await
    }
}
