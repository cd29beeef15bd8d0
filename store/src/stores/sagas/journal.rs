//! What a transfer has come to, written down: `debited`, then `done` or `undone`.

use crate::record::{BODY, KEY, OPERATION, RECORDS, STATUS, TENANT as RECORD_TENANT};
use crate::{
    CallError, Claim, Column, Ctx, DbError, EffectKind, Failure, Id, Isolation, Mark, Receipt,
    Reply, Request, Row, Table, Text, Tx,
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
const DEBIT: Mark = Mark { kind: EffectKind::Add, part: 0, parts: 2 };
/// Bringing it there: the second.
pub(super) const CREDIT: Mark = Mark { kind: EffectKind::Add, part: 1, parts: 2 };

/// What a beginning came to.
enum Begun {
    /// This transfer is ours to drive.
    New(Row),
    /// Somebody has begun it.
    Known(Reply),
}

/// Claims the key, writes the transfer down, and takes the amount where that is done here; in one
/// transaction.
async fn begin(ctx: &Ctx, request: &Request, here: bool) -> Result<Begun, Failure> {
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
async fn unfinished(ctx: &Ctx) -> Result<Vec<Row>, DbError> {
    ctx.db().scan(&TRANSFERS, [STATE.is("debited")], 10).await
}

/// Moves a transfer to its end, once, with what the client is told; in one transaction with what
/// `also` does. Whoever comes second changes nothing.
async fn finish(
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
fn done(id: Id) -> Reply {
    Reply::created(Receipt { id })
}

/// The key of one step, in one direction.
pub(super) fn step(id: Id, step: &str) -> Text {
    Text::from(format!("transfer-{id}-{step}"))
}

/// A request: begins the transfer and drives it, or says what became of it.
pub(super) async fn serve(
    ctx: &Ctx,
    request: &Request,
    here: bool,
    drive: impl AsyncFnOnce(&Ctx, &Row) -> Result<Reply, Failure>,
) -> Result<Reply, Failure> {
    match begin(ctx, request, here).await? {
        Begun::Known(reply) => Ok(reply),
        Begun::New(transfer) => drive(ctx, &transfer).await,
    }
}

/// A turn of the orchestrator: goes on with what is unfinished.
pub(super) async fn go_on(
    ctx: &Ctx,
    drive: impl AsyncFn(&Ctx, &Row) -> Result<Reply, Failure>,
) -> Result<Reply, Failure> {
    for transfer in unfinished(ctx).await? {
        let Some(id) = transfer.id(ID) else { continue };
        drive(&ctx.on_behalf_of(id), &transfer).await?;
    }
    Ok(Reply::no_content())
}

/// The amount has arrived: the transfer is done.
pub(super) async fn arrived(ctx: &Ctx, transfer: &Row, id: Id) -> Result<Reply, Failure> {
    let reply = done(id);
    finish(ctx, transfer, ("done", &reply), async |_| Ok(())).await?;
    Ok(reply)
}

/// What was taken here is given back, in the transaction that says so.
pub(super) async fn give_back(ctx: &Ctx, transfer: &Row, id: Id) -> Result<Reply, Failure> {
    let reply = Reply::declined();
    finish(ctx, transfer, ("undone", &reply), async |tx| {
        tx.take_back(Receipt { id }, DEBIT).await?;
        Ok(())
    })
    .await?;
    Ok(reply)
}

/// Both steps are at other services, under keys; `undo` is the key under which the first is taken back.
pub(super) async fn drive_remote(
    ctx: &Ctx,
    transfer: &Row,
    undo: impl FnOnce(Id) -> Option<Text>,
) -> Result<Reply, Failure> {
    let Some(id) = transfer.id(ID) else { return Ok(Reply::no_content()) };
    ctx.call_part(Some(&step(id, "debit")), DEBIT).await?;
    match ctx.call_part(Some(&step(id, "credit")), CREDIT).await {
        Ok(_) => arrived(ctx, transfer, id).await,
        Err(CallError::Declined) => {
            ctx.call_undo(undo(id).as_ref(), DEBIT).await?;
            let reply = Reply::declined();
            finish(ctx, transfer, ("undone", &reply), async |_| Ok(())).await?;
            Ok(reply)
        }
        Err(silence) => Err(silence.into()),
    }
}
