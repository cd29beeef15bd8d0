//! The outbox: messages that are written beside the effect, and sent later; and how they get there.

use crate::{
    Claim, Column, Ctx, DbError, Failure, Id, Isolation, Reply, Request, Row, Table, Text,
};

/// The message's number.
pub(super) const ID: Column = Column::id(0, "id");
/// Whether it was sent: 0 or 1.
pub(super) const SENT: Column = Column::int(1, "sent");

/// Messages to be sent.
pub(super) static OUTBOX: Table = Table::new("outbox", &[ID, SENT]).unique(&[&[ID]]);

/// Claims the key, writes the message and stores the reply, in one transaction.
pub(super) async fn accept(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    if let Claim::Lost(record) = tx.claim(ctx, request).await? {
        return Ok(record.replay_or_refuse(request));
    }
    let id = ctx.fresh_id();
    tx.insert(&OUTBOX, [ID.set(id), SENT.set(0)]).await?;
    let reply = Reply::accepted(id);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(reply)
}

/// The messages that wait to be sent.
pub(super) async fn waiting(ctx: &Ctx) -> Result<Vec<Row>, DbError> {
    ctx.db().scan(&OUTBOX, [SENT.is(0)], 10).await
}

/// Notes that a message was sent.
pub(super) async fn mark(ctx: &Ctx, id: Id) -> Result<(), DbError> {
    ctx.db().update(&OUTBOX, [ID.is(id)], [SENT.set(1)]).await.map(drop)
}

/// A number as a key.
pub(super) fn key_of(id: Id) -> Text {
    Text::from(format!("message-{id}"))
}
