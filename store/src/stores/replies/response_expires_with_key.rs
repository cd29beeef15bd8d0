//! `response-expires-with-key`: the same as `response-expires-first`, but key and reply are kept for the
//! same window, and cleared together: by the sweeper, or by whoever comes first after that.

use super::seen::{Keeps, RESPONSES, SEEN, serve, sweep_responses, sweep_seen};
use crate::{Ctx, Failure, Reply, Request, Store, Sweep, Table};

pub(super) const SUMMARY: &str = "remembers the key and its reply for the same window, in a table each. \
    Right, as long as that outlives the retries";

/// Forgets the reply with the key.
#[derive(Debug)]
pub struct ResponseExpiresWithKey;

impl Store for ResponseExpiresWithKey {
    const TABLES: &'static [&'static Table] = &[&SEEN, &RESPONSES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let keeps = Keeps { key_for_ever: false, reply: ctx.settings().window };
        serve(ctx, request, keeps).await
    }

    async fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
        sweep_responses(ctx, sweep).await?;
        sweep_seen(ctx, sweep).await
    }
}
