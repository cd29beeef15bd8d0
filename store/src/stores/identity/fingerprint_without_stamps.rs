//! `fingerprint-without-stamps`: one transaction; what changes from attempt to attempt (when it was sent) is no
//! part of the fingerprint.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "leaves out of the fingerprint what changes from attempt to attempt. \
    Right, as long as keys outlive the retries";

/// Fingerprints what the client means.
#[derive(Debug)]
pub struct FingerprintWithoutStamps;

impl Store for FingerprintWithoutStamps {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let payload = request.payload.leaving_out(&["sent_at"]);
        OneTransaction.handle(ctx, &Request { payload, ..request.clone() }).await
    }
}
