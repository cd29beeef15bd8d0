//! The catalogue's faulty stores as they look after somebody added a feature to them: two reads of a
//! table that has nothing to do with idempotency, one at the beginning and one in the middle.

use onestroke_store::record::RECORDS;
use onestroke_store::{
    Claim, Column, Ctx, Db, DbError, Entry, Failure, Isolation, Reply, Request, Store, Table, Text,
};

const FLAG: Column = Column::int(0, "flag");

/// Something that a later feature wants to know.
static FEATURES: Table = Table::new("features", &[FLAG]).unique(&[&[FLAG]]);

const TABLES: &[&Table] = &[&RECORDS, &FEATURES];

/// The stores, under the names that their plans know.
pub(crate) fn stores() -> Vec<Entry> {
    const SUMMARY: &str = "as in the catalogue, with two more reads";
    vec![
        Entry::new("no-dedup", SUMMARY, || NoDedup),
        Entry::new("check-then-act", SUMMARY, || CheckThenAct),
        Entry::new("effect-then-key", SUMMARY, || EffectThenKey),
        Entry::new("key-then-effect", SUMMARY, || KeyThenEffect),
        Entry::new("select-first-in-transaction", SUMMARY, || SelectFirstInTransaction),
        Entry::new("seen-means-done", SUMMARY, || SeenMeansDone),
        Entry::new("bare-duplicate", SUMMARY, || BareDuplicate),
    ]
}

async fn look(db: &Db) -> Result<(), DbError> {
    db.read(&FEATURES, [FLAG.is(1)]).await.map(drop)
}

struct NoDedup;

impl Store for NoDedup {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        look(&ctx.db()).await?;
        let receipt = ctx.db().apply(request.effect).await?;
        look(&ctx.db()).await?;
        Ok(Reply::created(receipt))
    }
}

struct CheckThenAct;

impl Store for CheckThenAct {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        look(&ctx.db()).await?;
        if let Some(record) = ctx.db().find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let receipt = tx.apply(request.effect).await?;
        look(&tx).await?;
        let reply = Reply::created(receipt);
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}

struct EffectThenKey;

impl Store for EffectThenKey {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        look(&db).await?;
        if let Some(record) = db.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = db.apply(request.effect).await?;
        look(&db).await?;
        let reply = Reply::created(receipt);
        db.record(ctx, request, &reply).await?;
        Ok(reply)
    }
}

struct KeyThenEffect;

impl Store for KeyThenEffect {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        look(&db).await?;
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        look(&db).await?;
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}

struct SelectFirstInTransaction;

impl Store for SelectFirstInTransaction {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        look(&ctx.db()).await?;
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Some(record) = tx.find_record(ctx, request).await? {
            return Ok(record.replay_or_refuse(request));
        }
        let receipt = tx.apply(request.effect).await?;
        look(&tx).await?;
        let reply = Reply::created(receipt);
        tx.record(ctx, request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}

struct SeenMeansDone;

impl Store for SeenMeansDone {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        look(&db).await?;
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(match record.replay_or_refuse(request) {
                reply if reply == Reply::in_flight() => Reply::no_content(),
                reply => reply,
            });
        }
        look(&db).await?;
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}

struct BareDuplicate;

impl Store for BareDuplicate {
    const TABLES: &'static [&'static Table] = TABLES;

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        look(&ctx.db()).await?;
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            let reply = record.replay_or_refuse(request);
            let duplicate = Reply { status: 400, body: Text::const_new("duplicate") };
            return Ok(if reply.is_success() { duplicate } else { reply });
        }
        look(&tx).await?;
        let receipt = tx.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
