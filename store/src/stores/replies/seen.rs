//! Keys that were seen, and the replies to them, in a table each.

use crate::record::sweep_table;
use crate::{Column, Ctx, Failure, Isolation, Reply, Request, Span, Sweep, Table};

const TENANT: Column = Column::text(0, "tenant");
const KEY: Column = Column::text(1, "key");
const FINGERPRINT: Column = Column::digest(2, "fingerprint");
const SEEN_UNTIL: Column = Column::time(3, "expires_at");
const STATUS: Column = Column::int(2, "status");
const BODY: Column = Column::text(3, "body");
const KEPT_UNTIL: Column = Column::time(4, "expires_at");

/// The keys that were seen.
pub(super) static SEEN: Table =
    Table::new("seen", &[TENANT, KEY, FINGERPRINT, SEEN_UNTIL]).unique(&[&[TENANT, KEY]]).records();

/// The replies to them.
pub(super) static RESPONSES: Table =
    Table::new("responses", &[TENANT, KEY, STATUS, BODY, KEPT_UNTIL])
        .unique(&[&[TENANT, KEY]])
        .records();

/// Marks the key, applies the effect and keeps the reply for this long, in one transaction. A key
/// that was seen gets its reply, or 409 when there is none.
pub(super) async fn serve(ctx: &Ctx, request: &Request, life: Span) -> Result<Reply, Failure> {
    let now = ctx.now();
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    let seen = [
        TENANT.set(&request.tenant),
        KEY.set(&request.key),
        FINGERPRINT.set(request.payload.fingerprint()),
        SEEN_UNTIL.set(now + ctx.settings().window),
    ];
    let same = [TENANT.is(&request.tenant), KEY.is(&request.key)];
    if !tx.insert_if_absent(&SEEN, seen).await? {
        let other = FINGERPRINT.is_not(request.payload.fingerprint());
        let others = [same[0].clone(), same[1].clone(), other];
        if tx.read(&SEEN, others).await?.is_some() {
            return Ok(Reply::mismatch());
        }
        let kept = tx.read(&RESPONSES, same).await?;
        let kept = kept.filter(|row| row.time(KEPT_UNTIL).is_some_and(|until| until > ctx.now()));
        return Ok(kept.map_or_else(Reply::in_flight, |row| Reply {
            status: row.int(STATUS).and_then(|status| u16::try_from(status).ok()).unwrap_or(200),
            body: row.text(BODY),
        }));
    }
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    let kept = [
        TENANT.set(&request.tenant),
        KEY.set(&request.key),
        STATUS.set(i64::from(reply.status)),
        BODY.set(&reply.body),
        KEPT_UNTIL.set(now + life),
    ];
    tx.insert(&RESPONSES, kept).await?;
    tx.commit().await?;
    Ok(reply)
}

/// Clears the keys that are over.
pub(super) async fn sweep_seen(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &SEEN, SEEN_UNTIL).await
}

/// Clears the replies that are over.
pub(super) async fn sweep_responses(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &RESPONSES, KEPT_UNTIL).await
}
