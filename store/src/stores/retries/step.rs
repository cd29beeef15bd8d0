//! A step of a workflow: a side write, and then the till, which may be in somebody else's hands.

use crate::{Column, Ctx, DbError, Isolation, Table};

/// Which workflow.
pub(super) const FLOW: Column = Column::text(0, "flow");
/// Which of its steps.
pub(super) const STEP: Column = Column::int(1, "step");
/// How much.
pub(super) const AMOUNT: Column = Column::int(2, "amount");

/// What the steps have written; anybody may write as often as he likes.
pub(super) static JOURNAL: Table = Table::new("journal", &[FLOW, STEP, AMOUNT]);

/// What the steps have written, once each.
pub(super) static STEPS: Table =
    Table::new("steps", &[FLOW, STEP, AMOUNT]).unique(&[&[FLOW, STEP]]);

const ID: Column = Column::int(0, "id");
const LAST: Column = Column::int(1, "last");

/// There is one till.
pub(super) static DRAWER: Table = Table::new("drawer", &[ID, LAST]).unique(&[&[ID]]);

/// Opens the till, counts, and closes it; fails when it is in somebody else's hands: PostgreSQL says that it would
/// have to wait for the till, SQLite that the whole database is busy.
pub(super) async fn open_till(ctx: &Ctx, amount: i64) -> Result<(), DbError> {
    let mut tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    tx.refuse_to_wait();
    tx.upsert(&DRAWER, [ID.set(1), LAST.set(amount)], [LAST.set(amount)]).await?;
    tx.read(&DRAWER, [ID.is(1)]).await?;
    tx.commit().await
}
