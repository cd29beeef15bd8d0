//! The six steps of the reference workload's handler: begin; look for the key; make the effect; keep
//! the reply; commit; reply. And the same with a planted bug.

use onestroke_store::{
    Column, Ctx, Db, DbError, Failure, Isolation, Receipt, Reply, Request, Store, Table, Tx,
};

/// The key that the client chose.
pub(super) const KEY: Column = Column::text(0, "key");
/// The receipt that was handed out under it.
pub(super) const RECEIPT: Column = Column::id(1, "receipt");
/// Keys with their receipts.
pub(super) static KEYS: Table = Table::new("keys", &[KEY, RECEIPT]).unique(&[&[KEY]]);

/// Key and effect in one transaction. An attempt that finds its key locked falls silent.
#[derive(Debug)]
pub struct Sound;

/// The same, but the effect is made outside of the transaction: the planted bug.
#[derive(Debug)]
pub struct Torn;

impl Store for Sound {
    const TABLES: &'static [&'static Table] = &[&KEYS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Some(receipt) = look_up(&tx, request).await? {
            return Ok(Reply::created(receipt));
        }
        let receipt = tx.apply(request.effect).await?;
        keep_and_commit(tx, request, receipt).await
    }
}

impl Store for Torn {
    const TABLES: &'static [&'static Table] = &[&KEYS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Some(receipt) = look_up(&tx, request).await? {
            return Ok(Reply::created(receipt));
        }
        let receipt = ctx.db().apply(request.effect).await?;
        keep_and_commit(tx, request, receipt).await
    }
}

/// The receipt under the request's key. There is none: this transaction has locked the key.
async fn look_up(db: &Db, request: &Request) -> Result<Option<Receipt>, Failure> {
    match db.read_for_update(&KEYS, [KEY.is(&request.key)]).await {
        Ok(row) => Ok(row.and_then(|row| row.id(RECEIPT)).map(|id| Receipt { id })),
        Err(DbError::WouldWait) => Err(Failure::Silent),
        Err(error) => Err(error.into()),
    }
}

async fn keep_and_commit(tx: Tx, request: &Request, receipt: Receipt) -> Result<Reply, Failure> {
    tx.insert(&KEYS, [KEY.set(&request.key), RECEIPT.set(receipt.id)]).await?;
    tx.commit().await?;
    Ok(Reply::created(receipt))
}
