//! Outputs of a message, kept beside its key until they are noted as sent.

use crate::{Claim, Column, Ctx, DbError, Failure, Id, Isolation, Reply, Request, Row, Table};

/// Whose message.
const TENANT: Column = Column::text(0, "tenant");
/// Which message.
const MESSAGE: Column = Column::text(1, "message");
/// The output's number.
pub(super) const ID: Column = Column::id(2, "id");
/// Whether it was sent: 0 or 1.
const SENT: Column = Column::int(3, "sent");

/// Outputs to be sent.
pub(super) static OUTPUTS: Table =
    Table::new("outputs", &[TENANT, MESSAGE, ID, SENT]).unique(&[&[TENANT, MESSAGE]]);

/// Claims the message and keeps its output, or finds out that this was done; with the output that still
/// is to be sent.
pub(super) async fn begin(ctx: &Ctx, request: &Request) -> Result<(Reply, Option<Row>), Failure> {
    let this = [TENANT.is(&request.tenant), MESSAGE.is(&request.key)];
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    if let Claim::Lost(record) = tx.claim(ctx, request).await? {
        let reply = record.replay_or_refuse(request);
        if !reply.is_success() {
            return Ok((reply, None));
        }
        let output = tx.read(&OUTPUTS, this).await?;
        return Ok((reply, output.filter(|output| output.int(SENT) == Some(0))));
    }
    let id = ctx.fresh_id();
    let cells = [TENANT.set(&request.tenant), MESSAGE.set(&request.key), ID.set(id), SENT.set(0)];
    let output = Row::of(&OUTPUTS, cells.clone());
    // A message whose record has expired is a new one: its output gives way.
    tx.upsert(&OUTPUTS, cells, [ID.set(id), SENT.set(0)]).await?;
    let reply = Reply::accepted(id);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok((reply, Some(output)))
}

/// Notes that an output was sent.
pub(super) async fn dispatched(ctx: &Ctx, id: Id) -> Result<(), DbError> {
    ctx.db().update(&OUTPUTS, [ID.is(id)], [SENT.set(1)]).await.map(drop)
}
