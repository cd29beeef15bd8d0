//! The record under an idempotency key, and what stores do with it: claim, settle, release, sweep.
//!
//! A record without a status is in progress; one with a status holds the first reply. It is scoped
//! by tenant and operation type, and bound to the fingerprint of its payload.

use crate::ctx::{Ctx, Db};
use crate::engine::DbError;
use crate::request::{Failure, Reply, Request, Sweep};
use crate::schema::{Column, Table};
use crate::statement::{Assignment, Condition, Row, Verb};
use crate::value::{Digest, Time, Value};

/// Whose key it is.
pub const TENANT: Column = Column::text(0, "tenant");
/// The operation type that the key is for.
pub const OPERATION: Column = Column::text(1, "operation");
/// The key that the client chose.
pub const KEY: Column = Column::text(2, "key");
/// Fingerprint of the payload.
pub const FINGERPRINT: Column = Column::digest(3, "fingerprint");
/// Status of the first reply; NULL while in progress.
pub const STATUS: Column = Column::int(4, "status").nullable();
/// Body of the first reply; NULL while in progress.
pub const BODY: Column = Column::text(5, "body").nullable();
/// When the key was claimed, on the claiming node's clock.
pub const CREATED_AT: Column = Column::time(6, "created_at");
/// When the record ceases to count.
pub const EXPIRES_AT: Column = Column::time(7, "expires_at");

/// The table of idempotency records: one hook, one ticket.
pub static RECORDS: Table = Table::new(
    "records",
    &[TENANT, OPERATION, KEY, FINGERPRINT, STATUS, BODY, CREATED_AT, EXPIRES_AT],
)
.unique(&[&[TENANT, OPERATION, KEY]])
.records();

/// What a claim came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// The key is ours: nobody has done this.
    Won,
    /// Somebody is doing it, or has done it.
    Lost(Record),
}

/// A record as read from the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Fingerprint of the payload that claimed the key.
    pub fingerprint: Digest,
    /// The first reply; `None` while in progress.
    pub reply: Option<Reply>,
    /// When it ceases to count.
    pub expires_at: Time,
}

impl Record {
    /// The stored reply to a retry; 422 to another payload; 409 while in progress.
    pub fn replay_or_refuse(self, request: &Request) -> Reply {
        if self.fingerprint != request.payload.fingerprint() {
            return Reply::mismatch();
        }
        self.reply.unwrap_or_else(Reply::in_flight)
    }

    pub(crate) fn from_row(row: &Row) -> Self {
        let reply = row
            .int(STATUS)
            .and_then(|status| u16::try_from(status).ok())
            .map(|status| Reply { status, body: row.text(BODY) });
        Self {
            fingerprint: row.digest(FINGERPRINT).unwrap_or_default(),
            reply,
            expires_at: row.time(EXPIRES_AT).unwrap_or(Time::ZERO),
        }
    }
}

/// How often a claim is tried again when the record vanishes between its two statements.
const CLAIM_TRIES: u32 = 8;

impl Db {
    /// Claims the request's key with one insert-if-absent, or takes an expired record over; the
    /// loser is told what stands there. In a transaction, the loser of a race waits for the winner.
    pub async fn claim(&self, ctx: &Ctx, request: &Request) -> Result<Claim, DbError> {
        for _ in 0..CLAIM_TRIES {
            let cells = in_progress(ctx, request);
            if self.insert_if_absent_as(Verb::Claim, &RECORDS, cells).await? {
                return Ok(Claim::Won);
            }
            // Read committed: a statement of its own sees the winner that the insert waited for.
            let Some(row) = self.read(&RECORDS, key_of(request)).await? else { continue };
            let record = Record::from_row(&row);
            if record.expires_at > ctx.now() {
                return Ok(Claim::Lost(record));
            }
            let [tenant, operation, key] = key_of(request);
            let same = [tenant, operation, key, EXPIRES_AT.is(record.expires_at)];
            let anew = in_progress(ctx, request).into_iter().skip(3);
            if self.update_as(Verb::Claim, &RECORDS, same, anew).await? == 1 {
                return Ok(Claim::Won);
            }
        }
        Err(DbError::Engine("the record kept vanishing while it was claimed".into()))
    }

    /// Looks the request's record up; an expired one does not count.
    pub async fn find_record(
        &self,
        ctx: &Ctx,
        request: &Request,
    ) -> Result<Option<Record>, DbError> {
        let row = self.read(&RECORDS, key_of(request)).await?;
        let record = row.as_ref().map(Record::from_row);
        Ok(record.filter(|record| record.expires_at > ctx.now()))
    }

    /// Writes the reply into the claimed record.
    pub async fn settle(&self, request: &Request, reply: &Reply) -> Result<(), DbError> {
        let cells = [STATUS.set(i64::from(reply.status)), BODY.set(&reply.body)];
        self.update_as(Verb::Settle, &RECORDS, key_of(request), cells).await.map(drop)
    }

    /// Writes a whole record with its reply, over whatever stands there.
    pub async fn record(&self, ctx: &Ctx, request: &Request, reply: &Reply) -> Result<(), DbError> {
        let mut cells = in_progress(ctx, request);
        cells[4] = STATUS.set(i64::from(reply.status));
        cells[5] = BODY.set(&reply.body);
        let over = cells.clone().into_iter().skip(3);
        self.upsert_as(Verb::Settle, &RECORDS, cells, over).await
    }

    /// Clears the request's record if it has expired, as the sweeper would: for a store whose insert meets
    /// one that nobody has swept.
    pub async fn clear_expired(&self, ctx: &Ctx, request: &Request) -> Result<(), DbError> {
        let [tenant, operation, key] = key_of(request);
        let expired = [tenant, operation, key, EXPIRES_AT.at_most(ctx.now())];
        self.delete(&RECORDS, expired).await.map(drop)
    }

    /// Gives a claimed key back, so that the next attempt can try again.
    pub async fn release(&self, request: &Request) -> Result<(), DbError> {
        self.delete_as(Verb::Release, &RECORDS, key_of(request)).await.map(drop)
    }
}

/// Clears expired records: the default of [`crate::Store::sweep`].
pub async fn sweep(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &RECORDS, EXPIRES_AT).await
}

/// Clears the expired rows of a table of records: those that this column says are over.
pub async fn sweep_table(
    ctx: &Ctx,
    sweep: Sweep,
    table: &'static Table,
    expires_at: Column,
) -> Result<Reply, Failure> {
    let horizon = ctx.now() + sweep.ahead;
    ctx.db().delete(table, [expires_at.at_most(horizon)]).await?;
    Ok(Reply::no_content())
}

/// The conditions that find the request's record.
pub fn key_of(request: &Request) -> [Condition; 3] {
    [TENANT.is(&request.tenant), OPERATION.is(&request.operation), KEY.is(&request.key)]
}

/// The cells of a record that is being claimed: in progress from now until the window has passed.
pub fn in_progress(ctx: &Ctx, request: &Request) -> [Assignment; 8] {
    let now = ctx.now();
    [
        TENANT.set(&request.tenant),
        OPERATION.set(&request.operation),
        KEY.set(&request.key),
        FINGERPRINT.set(request.payload.fingerprint()),
        STATUS.set(Value::Null),
        BODY.set(Value::Null),
        CREATED_AT.set(now),
        EXPIRES_AT.set(now + ctx.settings().window),
    ]
}
