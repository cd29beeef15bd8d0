//! `replica-check`: looks the key up on the replica, and writes effect and key on the primary, in one
//! transaction. A retry that comes before the replica has the key finds none, and does it again.

use crate::{Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "looks the key up on a read replica, and writes effect and key on \
    the primary; a retry that is quicker than the replica does it again";

/// Asks the one who hears of it last.
#[derive(Debug)]
pub(super) struct ReplicaCheck;

impl Store for ReplicaCheck {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if let Some(record) = ctx.replica().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let reply = Reply::created(tx.apply(request.effect).await?);
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
