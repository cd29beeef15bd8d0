//! A record that is completed in two strokes: the receipt together with the effect, and the reply in a
//! write of its own after it.

use crate::record::sweep_table;
use crate::value::Value;
use crate::{
    Column, Condition, Ctx, Failure, Isolation, Receipt, Reply, Request, Row, Sweep, Table, Verb,
};

const TENANT: Column = Column::text(0, "tenant");
const KEY: Column = Column::text(1, "key");
const FINGERPRINT: Column = Column::digest(2, "fingerprint");
/// The receipt; set when the effect is there.
const RECEIPT: Column = Column::id(3, "receipt").nullable();
const STATUS: Column = Column::int(4, "status").nullable();
const BODY: Column = Column::text(5, "body").nullable();
const EXPIRES_AT: Column = Column::time(6, "expires_at");

/// The records.
pub(super) static COMPLETIONS: Table =
    Table::new("completions", &[TENANT, KEY, FINGERPRINT, RECEIPT, STATUS, BODY, EXPIRES_AT])
        .unique(&[&[TENANT, KEY]])
        .records();

/// What stands under a key.
pub(super) enum Standing {
    /// Nothing stood there: the effect was made, and this is its reply.
    Done(Reply),
    /// Something stands there, and says what to reply.
    Replied(Reply),
    /// It is completed, and there is no reply.
    Torn(Receipt),
    /// Somebody is at work on it.
    InProgress,
}

/// Claims the key and makes the effect in one transaction, and writes the reply after it.
pub(super) async fn serve(ctx: &Ctx, request: &Request) -> Result<Standing, Failure> {
    let db = ctx.db();
    let tx = db.begin(Isolation::ReadCommitted).await?;
    let claim = [
        TENANT.set(&request.tenant),
        KEY.set(&request.key),
        FINGERPRINT.set(request.payload.fingerprint()),
        RECEIPT.set(Value::Null),
        STATUS.set(Value::Null),
        BODY.set(Value::Null),
        EXPIRES_AT.set(ctx.now() + ctx.settings().window),
    ];
    if !tx.insert_if_absent(&COMPLETIONS, claim).await? {
        let row = tx.read(&COMPLETIONS, same(request)).await?;
        return Ok(row.map_or(Standing::InProgress, |row| standing(&row, request)));
    }
    let receipt = tx.apply(request.effect).await?;
    tx.update(&COMPLETIONS, same(request), [RECEIPT.set(receipt.id)]).await?;
    tx.commit().await?;
    Ok(Standing::Done(respond(ctx, request, receipt).await?))
}

/// Writes the reply of a completed record.
pub(super) async fn respond(
    ctx: &Ctx,
    request: &Request,
    receipt: Receipt,
) -> Result<Reply, Failure> {
    let reply = Reply::created(receipt);
    let cells = [STATUS.set(i64::from(reply.status)), BODY.set(&reply.body)];
    ctx.db().update_as(Verb::Settle, &COMPLETIONS, same(request), cells).await?;
    Ok(reply)
}

/// Clears the records that are over.
pub(super) async fn sweep_completions(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &COMPLETIONS, EXPIRES_AT).await
}

fn standing(row: &Row, request: &Request) -> Standing {
    if row.digest(FINGERPRINT) != Some(request.payload.fingerprint()) {
        return Standing::Replied(Reply::mismatch());
    }
    let status = row.int(STATUS).and_then(|status| u16::try_from(status).ok());
    match (status, row.id(RECEIPT)) {
        (Some(status), _) => Standing::Replied(Reply { status, body: row.text(BODY) }),
        (None, Some(id)) => Standing::Torn(Receipt { id }),
        (None, None) => Standing::InProgress,
    }
}

fn same(request: &Request) -> [Condition; 2] {
    [TENANT.is(&request.tenant), KEY.is(&request.key)]
}
