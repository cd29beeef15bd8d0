//! Keys that were seen, and the replies to them, in a table each.

use crate::record::sweep_table;
use crate::{Column, Ctx, DbError, Failure, Isolation, Reply, Request, Span, Sweep, Table};

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

/// How long things are remembered.
#[derive(Clone, Copy)]
pub(super) struct Keeps {
    /// The key counts for ever, and not for the window only.
    pub key_for_ever: bool,
    /// So long the reply is kept.
    pub reply: Span,
}

/// Marks the key, applies the effect and keeps the reply, in one transaction. A key that was seen gets its
/// reply, or 409 when there is none. One that counts no more is new, whether it was swept or not.
pub(super) async fn serve(ctx: &Ctx, request: &Request, keeps: Keeps) -> Result<Reply, Failure> {
    if let Some(reply) = once(ctx, request, keeps).await? {
        return Ok(reply);
    }
    clear_expired(ctx, request).await?;
    Ok(once(ctx, request, keeps).await?.unwrap_or_else(Reply::in_flight))
}

/// Nothing, when the key was seen and counts no more.
async fn once(ctx: &Ctx, request: &Request, keeps: Keeps) -> Result<Option<Reply>, DbError> {
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
        let Some(seen) = tx.read(&SEEN, same.clone()).await? else { return Ok(None) };
        let over = seen.time(SEEN_UNTIL).is_some_and(|until| until <= ctx.now());
        if over && !keeps.key_for_ever {
            return Ok(None);
        }
        if seen.digest(FINGERPRINT) != Some(request.payload.fingerprint()) {
            return Ok(Some(Reply::mismatch()));
        }
        let kept = tx.read(&RESPONSES, same).await?;
        let kept = kept.filter(|row| row.time(KEPT_UNTIL).is_some_and(|until| until > ctx.now()));
        return Ok(Some(kept.map_or_else(Reply::in_flight, |row| Reply {
            status: row.int(STATUS).and_then(|status| u16::try_from(status).ok()).unwrap_or(200),
            body: row.text(BODY),
        })));
    }
    let receipt = tx.apply(request.effect).await?;
    let reply = Reply::created(receipt);
    let kept = [
        TENANT.set(&request.tenant),
        KEY.set(&request.key),
        STATUS.set(i64::from(reply.status)),
        BODY.set(&reply.body),
        KEPT_UNTIL.set(now + keeps.reply),
    ];
    tx.insert(&RESPONSES, kept).await?;
    tx.commit().await?;
    Ok(Some(reply))
}

/// Clears a key that is over, and its reply, as the sweeper would.
async fn clear_expired(ctx: &Ctx, request: &Request) -> Result<(), DbError> {
    let now = ctx.now();
    let [tenant, key] = [TENANT.is(&request.tenant), KEY.is(&request.key)];
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    tx.delete(&RESPONSES, [tenant.clone(), key.clone(), KEPT_UNTIL.at_most(now)]).await?;
    tx.delete(&SEEN, [tenant, key, SEEN_UNTIL.at_most(now)]).await?;
    tx.commit().await
}

/// Clears the keys that are over.
pub(super) async fn sweep_seen(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &SEEN, SEEN_UNTIL).await
}

/// Clears the replies that are over.
pub(super) async fn sweep_responses(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &RESPONSES, KEPT_UNTIL).await
}
