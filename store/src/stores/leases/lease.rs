//! The record with a lease, and what the stores of this family do with it: take, renew, step, settle,
//! free, sweep.
//!
//! A record without a status is in progress, and belongs to its owner until the lease ends; then
//! whoever comes may take it over. Taking over is one update that names all that was read: of two who
//! read the same row, one gets it, and nobody gets a lease that was renewed meanwhile.

use crate::effects::{AMOUNT, EFFECTS, ID, KIND, PART, name_of};
use crate::record::{BODY, FINGERPRINT, KEY, OPERATION, STATUS, TENANT, key_of, sweep_table};
use crate::{
    Assignment, Column, Condition, Ctx, Db, DbError, Effect, Failure, Id, Mark, Receipt, Reply,
    Request, Row, Sweep, Table, Time, Value, Verb,
};

/// Who works on it: a fresh id for each taking.
const OWNER: Column = Column::id(6, "owner");
/// Until when it is the owner's alone, on the owner's clock; NULL: nobody has said.
pub(super) const LEASE_UNTIL: Column = Column::time(7, "lease_until").nullable();
/// When the owner took it, on the owner's clock.
pub(super) const SINCE: Column = Column::time(8, "since");
/// When the record ceases to count.
pub(super) const EXPIRES_AT: Column = Column::time(9, "expires_at");
/// How many steps of the work are done.
const POINT: Column = Column::int(10, "point");

/// The table of records with leases.
pub(super) static LEASES: Table = Table::new(
    "leases",
    &[
        TENANT,
        OPERATION,
        KEY,
        FINGERPRINT,
        STATUS,
        BODY,
        OWNER,
        LEASE_UNTIL,
        SINCE,
        EXPIRES_AT,
        POINT,
    ],
)
.unique(&[&[TENANT, OPERATION, KEY]])
.records();

/// What came of an attempt to take a record.
pub(super) enum Taken {
    /// It is ours.
    Ours(Lease),
    /// It is not: this is the answer.
    Not(Reply),
}

/// A record that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    /// The token by which the owner is known.
    owner: Id,
    /// When the lease ends, on the owner's clock.
    pub(super) until: Time,
    /// The receipt of whoever finishes the work; of several owners one does.
    receipt: Id,
    /// How many steps of the work were done before.
    pub(super) point: i64,
}

/// How a store takes records.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// Whether a record in progress may be taken from its owner.
    pub(super) is_over: fn(&Ctx, &Row) -> bool,
    /// What a claim writes otherwise than usual.
    pub(super) writes: fn(&Ctx) -> Option<Assignment>,
}

impl Terms {
    /// A lease ends at its end.
    pub(super) const USUAL: Self = Self { is_over, writes: |_| None };
}

/// Whether the end of the lease has passed, by the clock of whoever reads it.
pub(super) fn is_over(ctx: &Ctx, row: &Row) -> bool {
    row.time(LEASE_UNTIL).is_some_and(|until| until <= ctx.now())
}

/// How often a record is tried to be taken when it changes between two statements.
const TRIES: u32 = 8;

/// Takes the request's record: a new one, one that has expired, or one whose lease is over.
pub(super) async fn take(ctx: &Ctx, request: &Request, terms: Terms) -> Result<Taken, DbError> {
    let db = ctx.db();
    for _ in 0..TRIES {
        let lease = Lease {
            owner: ctx.fresh_id(),
            until: ctx.now() + ctx.settings().lease,
            receipt: ctx.fresh_id(),
            point: 0,
        };
        let cells = lease.cells(ctx, request).chain((terms.writes)(ctx));
        if db.insert_if_absent_as(Verb::Claim, &LEASES, cells).await? {
            return Ok(Taken::Ours(lease));
        }
        let Some(row) = db.read(&LEASES, key_of(request)).await? else { continue };
        // Work in progress ends with its lease; only what is done expires.
        let in_progress = row.int(STATUS).is_none();
        let lives = in_progress || row.time(EXPIRES_AT).is_some_and(|until| until > ctx.now());
        if lives && let Some(reply) = answer(ctx, request, &row, terms) {
            return Ok(Taken::Not(reply));
        }
        let until = ctx.now() + ctx.settings().lease;
        let lease = if lives { lease.goes_on(&row, until) } else { Lease { until, ..lease } };
        let cells = lease.cells(ctx, request).skip(3).chain((terms.writes)(ctx));
        if db.update_as(Verb::Claim, &LEASES, as_read(request, &row), cells).await? == 1 {
            return Ok(Taken::Ours(lease));
        }
    }
    Err(DbError::Engine("the record kept changing while it was taken".into()))
}

impl Lease {
    /// What is answered when the work is done.
    pub(super) fn reply(&self) -> Reply {
        Reply::created(Receipt { id: self.receipt })
    }

    /// Lengthens the lease, if it is still ours; says whether it is.
    pub(super) async fn renew(&self, ctx: &Ctx, request: &Request) -> Result<bool, DbError> {
        let until = LEASE_UNTIL.set(ctx.now() + ctx.settings().lease);
        Ok(ctx.db().update(&LEASES, self.ours(request), [until]).await? == 1)
    }

    /// Says that one more step is done, and lengthens the lease, if it is still ours and nobody has
    /// done the step; says whether that is so.
    pub(super) async fn step(
        &self,
        (ctx, db): (&Ctx, &Db),
        request: &Request,
        point: i64,
    ) -> Result<bool, DbError> {
        let until = LEASE_UNTIL.set(ctx.now() + ctx.settings().lease);
        let here = self.ours(request).into_iter().chain([POINT.is(point)]);
        Ok(db.update(&LEASES, here, [until, POINT.set(point + 1)]).await? == 1)
    }

    /// Writes the reply, if the lease is still ours; says whether it is.
    pub(super) async fn settle(
        &self,
        db: &Db,
        request: &Request,
        reply: &Reply,
    ) -> Result<bool, DbError> {
        Ok(db.update_as(Verb::Settle, &LEASES, self.ours(request), done(reply)).await? == 1)
    }

    fn ours(&self, request: &Request) -> [Condition; 5] {
        let [tenant, operation, key] = key_of(request);
        [tenant, operation, key, OWNER.is(self.owner), STATUS.is_null()]
    }

    /// The work under this row, taken over where it stands.
    fn goes_on(self, row: &Row, until: Time) -> Self {
        Self { point: row.int(POINT).unwrap_or(0), until, ..self }
    }

    fn cells(self, ctx: &Ctx, request: &Request) -> impl Iterator<Item = Assignment> + use<> {
        let now = ctx.now();
        let cells = [
            TENANT.set(&request.tenant),
            OPERATION.set(&request.operation),
            KEY.set(&request.key),
            FINGERPRINT.set(request.payload.fingerprint()),
            STATUS.set(Value::Null),
            BODY.set(Value::Null),
            OWNER.set(self.owner),
            LEASE_UNTIL.set(self.until),
            SINCE.set(now),
            EXPIRES_AT.set(now + ctx.settings().window),
            POINT.set(self.point),
        ];
        cells.into_iter()
    }
}

/// Writes the reply, whoever owns the record, and whatever stands there.
pub(super) async fn settle_blindly(
    db: &Db,
    request: &Request,
    reply: &Reply,
) -> Result<(), DbError> {
    db.update_as(Verb::Settle, &LEASES, key_of(request), done(reply)).await.map(drop)
}

/// Deletes the record, whoever owns it, and whatever stands there.
pub(super) async fn free_blindly(db: &Db, request: &Request) -> Result<(), DbError> {
    db.delete_as(Verb::Release, &LEASES, key_of(request)).await.map(drop)
}

/// Marks the work as failed, whoever owns the record, and whatever stands there: the next attempt
/// may have it at once.
pub(super) async fn fail_blindly(ctx: &Ctx, request: &Request) -> Result<(), DbError> {
    let failed = [STATUS.set(Value::Null), BODY.set(Value::Null), LEASE_UNTIL.set(ctx.now())];
    ctx.db().update_as(Verb::Release, &LEASES, key_of(request), failed).await.map(drop)
}

/// Applies one part of an effect, under a number of its own.
pub(super) async fn apply_part(
    (ctx, db): (&Ctx, &Db),
    effect: Effect,
    part: u8,
) -> Result<(), DbError> {
    let cells = [
        ID.set(ctx.fresh_id()),
        KIND.set(name_of(effect.kind)),
        PART.set(i64::from(part)),
        AMOUNT.set(effect.amount),
    ];
    let mark = Mark { kind: effect.kind, part, parts: effect.parts };
    db.insert_as_effect(&EFFECTS, cells, mark).await
}

/// Clears what has expired.
pub(super) async fn sweep(ctx: &Ctx, sweep: Sweep) -> Result<Reply, Failure> {
    sweep_table(ctx, sweep, &LEASES, EXPIRES_AT).await
}

/// What an attempt is told of a record that lives; `None`: it may take it over.
fn answer(ctx: &Ctx, request: &Request, row: &Row, terms: Terms) -> Option<Reply> {
    if row.digest(FINGERPRINT) != Some(request.payload.fingerprint()) {
        return Some(Reply::mismatch());
    }
    if let Some(status) = row.int(STATUS).and_then(|status| u16::try_from(status).ok()) {
        return Some(Reply { status, body: row.text(BODY) });
    }
    (!(terms.is_over)(ctx, row)).then(Reply::in_flight)
}

/// The record as long as it stands as it was read.
fn as_read(request: &Request, row: &Row) -> [Condition; 6] {
    let [tenant, operation, key] = key_of(request);
    let same = |column: Column| match &row[column] {
        Value::Null => column.is_null(),
        value => column.is(value.clone()),
    };
    [tenant, operation, key, same(OWNER), same(LEASE_UNTIL), same(STATUS)]
}

fn done(reply: &Reply) -> [Assignment; 2] {
    [STATUS.set(i64::from(reply.status)), BODY.set(&reply.body)]
}
