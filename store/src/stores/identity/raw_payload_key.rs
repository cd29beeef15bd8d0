//! `raw-payload-key`: one transaction, under a key made of the bytes that came. A retry whose fields come in
//! another order has another key, and is done again.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "takes the bytes that came for the key; a retry with its fields \
    in another order is done again";

/// Takes the bytes that came for the key.
#[derive(Debug)]
pub struct RawPayloadKey;

impl Store for RawPayloadKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let key = Text::from(request.payload.as_sent().fingerprint().to_string());
        OneTransaction.handle(ctx, &Request { key, ..request.clone() }).await
    }
}
