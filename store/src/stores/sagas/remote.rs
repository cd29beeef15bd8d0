//! `saga-keyed-both-ways`: both steps are at other services, and called under keys, each of its own; what
//! takes a step back is an operation too, and has a key too.

use super::journal::{TRANSFERS, drive_remote, go_on, serve, step};
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "calls its steps, and what takes them back, under keys of \
    their own";

/// Has a key for each direction.
#[derive(Debug)]
pub(super) struct Remote;

impl Store for Remote {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        serve(ctx, request, false, drive).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        go_on(ctx, drive).await
    }
}

async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    drive_remote(ctx, transfer, |id| Some(step(id, "undo"))).await
}
