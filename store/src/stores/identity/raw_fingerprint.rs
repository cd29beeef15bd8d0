//! `raw-fingerprint`: one transaction, but the fingerprint is one of the bytes that came. A retry whose fields
//! come in another order is taken for another payload, and refused (422).

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "fingerprints the bytes that came; a retry with its fields in another order \
    is refused as another payload";

/// Fingerprints the bytes that came.
#[derive(Debug)]
pub struct RawFingerprint;

impl Store for RawFingerprint {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let payload = request.payload.as_sent();
        OneTransaction.handle(ctx, &Request { payload, ..request.clone() }).await
    }
}
