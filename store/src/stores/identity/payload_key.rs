//! `payload-key`: one transaction, under a key made of the whole payload. Two charges of the same amount are
//! one to it, and two attempts that differ in a time stamp are two.

use crate::stores::OneTransaction;
use crate::{Ctx, Failure, Reply, Request, Store, Text};

pub(super) const SUMMARY: &str = "takes the payload for the key; two equal charges are one, \
    and a retry with another time stamp is a second";

/// Takes the whole payload for the key.
#[derive(Debug)]
pub struct PayloadKey;

impl Store for PayloadKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let key = Text::from(request.payload.fingerprint().to_string());
        OneTransaction.handle(ctx, &Request { key, ..request.clone() }).await
    }
}
