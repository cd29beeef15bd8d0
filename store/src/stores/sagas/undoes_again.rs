//! `saga-undoes-again`: both steps are at other services, and called under keys; what takes the first one
//! back is not. An orchestrator that starts again in the middle of it pays back twice.

use super::journal::{TRANSFERS, drive_remote, go_on, serve};
use crate::record::RECORDS;
use crate::{Ctx, Failure, Reply, Request, Row, Store, Table, Turn};

pub(super) const SUMMARY: &str = "calls its steps under keys, and takes them back without \
    one";

/// Takes back without a key.
#[derive(Debug)]
pub(super) struct UndoesAgain;

impl Store for UndoesAgain {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &TRANSFERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        serve(ctx, request, false, drive).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        go_on(ctx, drive).await
    }
}

async fn drive(ctx: &Ctx, transfer: &Row) -> Result<Reply, Failure> {
    drive_remote(ctx, transfer, |_| None).await
}
