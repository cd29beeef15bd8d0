//! `token-per-incarnation`: as `token-of-the-dead`, but a volume that is gone gives its token free for another one.

use super::volumes::{DELETED, VOLUMES, attach, clean_up, make, make_anew};
use crate::{Ctx, Failure, Reply, Request, Store, Table, Turn};

pub(super) const SUMMARY: &str = "a thing that is gone frees its token for the next one";

/// Makes another one.
#[derive(Debug)]
pub(super) struct Incarnation;

impl Store for Incarnation {
    const TABLES: &'static [&'static Table] = &[&VOLUMES];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let volume = make(ctx, request).await?;
        if let Some(dead) = volume.filter(|volume| volume.int(DELETED) == Some(1)) {
            make_anew(ctx, request, &dead).await?;
        }
        attach(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        clean_up(ctx).await
    }
}
