//! `password-consumes-key`: one transaction; the refusal of a wrong password is recorded under the key like any
//! reply. The right password comes with the same key, and is told the same.

use crate::stores::OneTransaction;
use crate::{Claim, Ctx, Failure, Isolation, Reply, Request, Store};

pub(super) const SUMMARY: &str = "records the refusal of a wrong password under the key; \
    the right password is refused, too";

/// Records the refusal of a wrong password.
#[derive(Debug)]
pub struct PasswordConsumesKey;

impl Store for PasswordConsumesKey {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if request.authenticated {
            return OneTransaction.handle(ctx, request).await;
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        tx.settle(request, &Reply::unauthorized()).await?;
        tx.commit().await?;
        Ok(Reply::unauthorized())
    }
}
