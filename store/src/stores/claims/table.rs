//! A table of claims with what the record helper's table lacks: a tenant that may be NULL, and
//! a nonce that says whose claim it is.

use crate::statement::{Assignment, Row};
use crate::value::{Time, Value};
use crate::{Column, Ctx, Db, DbError, Record, Reply, Request, Table, Verb};

/// Whose key it is; NULL for those without a tenant, in the stores that make it so.
pub(super) const TENANT: Column = Column::text(0, "tenant").nullable();
/// The key that the client chose.
pub(super) const KEY: Column = Column::text(1, "key");
/// Fingerprint of the payload.
pub(super) const FINGERPRINT: Column = Column::digest(2, "fingerprint");
/// Status of the first reply; NULL while in progress.
pub(super) const STATUS: Column = Column::int(3, "status").nullable();
/// Body of the first reply; NULL while in progress.
pub(super) const BODY: Column = Column::text(4, "body").nullable();
/// Whose claim it is, if the store marks its claims.
pub(super) const NONCE: Column = Column::id(5, "nonce").nullable();
/// When the claim ceases to count.
pub(super) const EXPIRES_AT: Column = Column::time(6, "expires_at");

/// One row for each claimed key.
pub static CLAIMS: Table =
    Table::new("claims", &[TENANT, KEY, FINGERPRINT, STATUS, BODY, NONCE, EXPIRES_AT])
        .unique(&[&[TENANT, KEY]])
        .records();

/// The cells of a claim in progress, by this tenant.
pub(super) fn claimed(ctx: &Ctx, request: &Request, tenant: Value) -> [Assignment; 7] {
    [
        TENANT.set(tenant),
        KEY.set(&request.key),
        FINGERPRINT.set(request.payload.fingerprint()),
        STATUS.set(Value::Null),
        BODY.set(Value::Null),
        NONCE.set(Value::Null),
        EXPIRES_AT.set(ctx.now() + ctx.settings().window),
    ]
}

/// The claim under the request's key, whoever made it.
pub(super) async fn look_up(db: &Db, request: &Request) -> Result<Option<Row>, DbError> {
    db.read(&CLAIMS, [TENANT.is(&request.tenant), KEY.is(&request.key)]).await
}

/// The stored reply to a retry; 422 to another payload; 409 while in progress.
pub(super) fn replay_or_refuse(row: &Row, request: &Request) -> Reply {
    let status = row.int(STATUS).and_then(|status| u16::try_from(status).ok());
    let record = Record {
        fingerprint: row.digest(FINGERPRINT).unwrap_or_default(),
        reply: status.map(|status| Reply { status, body: row.text(BODY) }),
        expires_at: row.time(EXPIRES_AT).unwrap_or(Time::ZERO),
    };
    record.replay_or_refuse(request)
}

/// Writes the reply into the claim, whoever made it.
pub(super) async fn settle(
    db: &Db,
    request: &Request,
    tenant: Value,
    reply: &Reply,
) -> Result<(), DbError> {
    let whose = if tenant == Value::Null { TENANT.is_null() } else { TENANT.is(tenant) };
    let cells = [STATUS.set(i64::from(reply.status)), BODY.set(&reply.body)];
    let same = [whose, KEY.is(&request.key)];
    db.update_as(Verb::Settle, &CLAIMS, same, cells).await.map(drop)
}
