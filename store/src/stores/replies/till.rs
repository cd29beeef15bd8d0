//! A till that everybody's charge goes through: one row, and nobody waits for it. Who finds it locked
//! is refused by the database, after the key was claimed and before anything was charged.

use crate::{Column, Ctx, DbError, Isolation, Reply, Request, Table};

/// There is one till.
const ID: Column = Column::int(0, "id");
/// The last amount that went in.
const LAST: Column = Column::int(1, "last");

/// The till.
pub(super) static TILL: Table = Table::new("till", &[ID, LAST]).unique(&[&[ID]]);

/// Charges, and settles the claimed key, in one transaction; fails when the till is locked.
pub(super) async fn charge(ctx: &Ctx, request: &Request) -> Result<Reply, DbError> {
    let mut tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    tx.refuse_to_wait();
    let last = [LAST.set(request.effect.amount)];
    tx.upsert(&TILL, [ID.set(1), LAST.set(request.effect.amount)], last).await?;
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(reply)
}
