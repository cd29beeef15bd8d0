//! `response-expires-first`: one transaction; the key is remembered for ever, its reply for half a
//! second. A later retry finds that its key was seen, and nothing to tell it: 409, for ever. The set of
//! keys is never cleared.

use super::seen::{Keeps, RESPONSES, SEEN, serve, sweep_responses};
use crate::{Ctx, Failure, Reply, Request, Span, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "remembers the key for ever and its reply for half a second; \
    a later retry is refused for ever, and the keys pile up";

/// How long a reply is kept.
const LIFE: Span = Span::from_millis(500);

/// Forgets the reply before the key.
#[derive(Debug)]
pub struct ResponseExpiresFirst;

impl Store for ResponseExpiresFirst {
    const TABLES: &'static [&'static Table] = &[&SEEN, &RESPONSES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        serve(ctx, request, Keeps { key_for_ever: true, reply: LIFE }).await
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_responses(ctx, sweep).await
    }
}
