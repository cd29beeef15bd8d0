//! `token-of-the-dead`: the token under which a volume is made follows from its name. When the cleanup has deleted the
//! volume, every retry finds the token taken, by something that is no more.

use super::volumes::{DELETED, VOLUMES, attach, clean_up, make};
use crate::{Ctx, Failure, Reply, Request, Store, Table, Turn};

pub(super) const SUMMARY: &str = "a token that follows from the name stays taken when the thing is \
    gone";

/// Resolves a name to what is no more.
#[derive(Debug)]
pub(super) struct StaleToken;

impl Store for StaleToken {
    const TABLES: &'static [&'static Table] = &[&VOLUMES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let volume = make(ctx, request).await?;
        if let Some(dead) = volume.filter(|volume| volume.int(DELETED) == Some(1)) {
            let _ = dead;
            return Err(Failure::Other("the volume of this token is gone".into()));
        }
        attach(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        clean_up(ctx).await
    }
}
