//! Family `cached`: the key, or a lock, is in a cache, and the effect in the database. No transaction
//! spans both, the cache forgets what expires, and it can lose what it was told last.

mod cache_claim;
mod cache_claim_fenced;
mod cache_claim_overwritten;
mod cache_claim_short;
mod cache_lock;
mod cache_lock_fenced;
mod cache_lock_plain_delete;
mod cache_reply_expires;
mod effect_then_cache_key;

use crate::{Ctx, Entry, Failure, Reply, Request, Span, Text, Value};
use std::fmt::{self, Write as _};

/// The stores of this family, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("effect-then-cache-key", effect_then_cache_key::SUMMARY, || {
            effect_then_cache_key::EffectThenCacheKey
        }),
        Entry::new("cache-claim-overwritten", cache_claim_overwritten::SUMMARY, || {
            cache_claim_overwritten::CacheClaimOverwritten
        }),
        Entry::new("cache-claim", cache_claim::SUMMARY, || cache_claim::CacheClaim),
        Entry::new("cache-claim-short", cache_claim_short::SUMMARY, || {
            cache_claim_short::CacheClaimShort
        }),
        Entry::new("cache-reply-expires", cache_reply_expires::SUMMARY, || {
            cache_reply_expires::CacheReplyExpires
        }),
        Entry::new("cache-lock-plain-delete", cache_lock_plain_delete::SUMMARY, || {
            cache_lock_plain_delete::CacheLockPlainDelete
        }),
        Entry::new("cache-lock", cache_lock::SUMMARY, || cache_lock::CacheLock),
        Entry::new("cache-lock-fenced", cache_lock_fenced::SUMMARY, || {
            cache_lock_fenced::CacheLockFenced
        }),
        Entry::new("cache-claim-fenced", cache_claim_fenced::SUMMARY, || {
            cache_claim_fenced::CacheClaimFenced
        }),
    ]
}

/// How long a lock, or a short claim, is held at most. Handlers are quicker, unless they stand still.
const LEASE: Span = Span::from_millis(50);

/// What stands under a key that was claimed, until there is a reply.
const IN_PROGRESS: &str = "in progress";

/// Where a request's claim and reply are.
fn key_of(request: &Request) -> Text {
    let Request { tenant, operation, key, .. } = request;
    written(format_args!("{tenant}/{operation}/{key}"))
}

/// Where the lock of a request's tenant is: one request of a tenant at a time.
fn lock_of(request: &Request) -> Text {
    written(format_args!("lock/{}", request.tenant))
}

fn written(words: fmt::Arguments<'_>) -> Text {
    let mut text = Text::const_new("");
    let _ = text.write_fmt(words);
    text
}

/// The text of a reply, behind the fingerprint of the payload that it answers: `6b86b273 201 receipt id-7`.
fn text_of(request: &Request, reply: &Reply) -> Text {
    let fingerprint = request.payload.fingerprint();
    written(format_args!("{fingerprint} {} {}", reply.status, reply.body))
}

/// The reply that stands under a key, or 422 to another payload; a claim without a reply is in flight.
fn replay_or_refuse(value: Option<&Value>, request: &Request) -> Reply {
    let Some(Value::Text(text)) = value else { return Reply::in_flight() };
    let fingerprint = written(format_args!("{}", request.payload.fingerprint()));
    let stored = text.split_once(' ').and_then(|(whose, reply)| {
        let (status, body) = reply.split_once(' ')?;
        let reply = Reply { status: status.parse().ok()?, body: body.into() };
        Some(if whose == fingerprint { reply } else { Reply::mismatch() })
    });
    stored.unwrap_or_else(Reply::in_flight)
}

/// Looks the key up in the database, applies the effect and records the key: three steps that only a lock
/// keeps together.
async fn look_and_do(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
    let db = ctx.db();
    if let Some(record) = db.find_record(ctx, request).await? {
        return Ok(record.replay_or_refuse(request));
    }
    let reply = Reply::created(db.apply(request.effect).await?);
    db.record(ctx, request, &reply).await?;
    Ok(reply)
}

/// Claim, effect and reply in one transaction of the database: whoever comes second replays.
async fn do_once(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
    let tx = ctx.db().begin(crate::Isolation::ReadCommitted).await?;
    if let crate::Claim::Lost(record) = tx.claim(ctx, request).await? {
        return Ok(record.replay_or_refuse(request));
    }
    let reply = Reply::created(tx.apply(request.effect).await?);
    tx.settle(request, &reply).await?;
    tx.commit().await?;
    Ok(reply)
}
