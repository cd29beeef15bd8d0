//! What a transfer has come to, written down: `debited`, then `done` or `undone`.

use crate::record::{BODY, KEY, OPERATION, RECORDS, STATUS, TENANT as RECORD_TENANT};
use crate::{
    Claim, Column, Ctx, DbError, EffectKind, Failure, Id, Isolation, Mark, Receipt, Reply, Request,
    Row, Table, Text, Tx,
};

/// The transfer's number, and the receipt of its first part.
pub(super) const ID: Column = Column::id(0, "id");
const TENANT: Column = Column::text(1, "tenant");
const TYPE: Column = Column::text(2, "type");
const TRANSFER: Column = Column::text(3, "transfer");
const STATE: Column = Column::text(4, "state");

/// All transfers.
pub(super) static TRANSFERS: Table =
    Table::new("transfers", &[ID, TENANT, TYPE, TRANSFER, STATE]).unique(&[&[ID]]);

/// Taking the amount from here: the first of two parts.
pub(super) const DEBIT: Mark = Mark { kind: EffectKind::Add, part: 0, parts: 2 };
/// Bringing it there: the second.
pub(super) const CREDIT: Mark = Mark { kind: EffectKind::Add, part: 1, parts: 2 };

/// What a beginning came to.
pub(super) enum Begun {
    /// This transfer is ours to drive.
    New(Row),
    /// Somebody has begun it.
    Known(Reply),
}

/// Claims the key, writes the transfer down, and takes the amount where that is done here; in one
/// transaction.
pub(super) async fn begin(ctx: &Ctx, request: &Request, here: bool) -> Result<Begun, Failure> {
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    if let Claim::Lost(record) = tx.claim(ctx, request).await? {
        return Ok(Begun::Known(record.replay_or_refuse(request)));
    }
    let id = ctx.fresh_id();
    if here {
        tx.apply_part(Receipt { id }, request.effect.amount, DEBIT).await?;
    }
    let cells = [
        ID.set(id),
        TENANT.set(&request.tenant),
        TYPE.set(&request.operation),
        TRANSFER.set(&request.key),
        STATE.set("debited"),
    ];
    let row = Row::of(&TRANSFERS, cells.clone());
    tx.insert(&TRANSFERS, cells).await?;
    tx.commit().await?;
    Ok(Begun::New(row))
}

/// The transfers that are neither done nor undone.
pub(super) async fn unfinished(ctx: &Ctx) -> Result<Vec<Row>, DbError> {
    ctx.db().scan(&TRANSFERS, [STATE.is("debited")], 10).await
}

/// Moves a transfer to its end, once, with what the client is told; in one transaction with what
/// `also` does. Whoever comes second changes nothing.
pub(super) async fn finish(
    ctx: &Ctx,
    transfer: &Row,
    (state, reply): (&'static str, &Reply),
    also: impl AsyncFnOnce(&Tx) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(()) };
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    let here = [ID.is(id), STATE.is("debited")];
    if tx.update(&TRANSFERS, here, [STATE.set(state)]).await? == 1 {
        also(&tx).await?;
        let key = [
            RECORD_TENANT.is(transfer.text(TENANT)),
            OPERATION.is(transfer.text(TYPE)),
            KEY.is(transfer.text(TRANSFER)),
        ];
        let told = [STATUS.set(i64::from(reply.status)), BODY.set(&reply.body)];
        tx.update(&RECORDS, key, told).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// What the client is told when a transfer has come to this end.
pub(super) fn done(id: Id) -> Reply {
    Reply::created(Receipt { id })
}

/// The key of one step, in one direction.
pub(super) fn step(id: Id, step: &str) -> Text {
    Text::from(format!("transfer-{id}-{step}"))
}
