//! `server-made-key`: one transaction; a request without a key gets one, made by the server. Each attempt
//! gets another, so a retry is a new operation.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "makes a key for a request that has none; every retry gets another, \
    and is done again";

/// Makes the missing key itself.
#[derive(Debug)]
pub struct ServerMadeKey;

impl Store for ServerMadeKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let mut key = request.key.clone();
        if key.is_empty() {
            key = Text::from(ctx.fresh_id().to_string());
        }
        OneTransaction.handle(ctx, &Request { key, ..request.clone() }).await
    }
}
