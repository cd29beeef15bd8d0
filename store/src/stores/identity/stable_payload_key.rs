//! `stable-payload-key`: one transaction, under a key made of those fields that do not change from attempt to
//! attempt. Two charges of the same amount are still one to it.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "takes the stable fields of the payload for the key; \
    two equal charges are one";

/// Takes the stable fields for the key.
#[derive(Debug)]
pub struct StablePayloadKey;

impl Store for StablePayloadKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let payload = request.payload.leaving_out(&["sent_at"]);
        let key = Text::from(payload.fingerprint().to_string());
        OneTransaction.handle(ctx, &Request { key, payload, ..request.clone() }).await
    }
}
