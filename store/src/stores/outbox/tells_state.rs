//! `outbox-tells-state`: an outbox whose messages bear the request's key. A retry is told how things stand: on
//! its way (202), or done (201), once the relay has noted it.

use super::charge;
use super::table::key_of as number_as_key;
use crate::record::{KEY, OPERATION, RECORDS, TENANT, key_of};
use crate::{
    Claim, Column, Ctx, DbError, Failure, Isolation, Receipt, Reply, Request, Store, Table, Turn,
    Tx,
};

pub(super) const SUMMARY: &str = "an outbox and its relay; a retry is told how things stand now, \
    and not what the first attempt was told";

const ID: Column = Column::id(3, "id");
const SENT: Column = Column::int(4, "sent");

/// Messages to be sent, under the keys that asked for them.
static PAYMENTS: Table = Table::new("payments", &[TENANT, OPERATION, KEY, ID, SENT])
    .unique(&[&[TENANT, OPERATION, KEY], &[ID]]);

/// Tells how things stand.
#[derive(Debug)]
pub(super) struct TellsState;

impl Store for TellsState {
    const TABLES: &'static [&'static Table] = &[&RECORDS, &PAYMENTS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        if let Claim::Lost(record) = tx.claim(ctx, request).await? {
            let reply = record.replay_or_refuse(request);
            let now = if reply.is_success() { state(&tx, request).await? } else { None };
            return Ok(now.unwrap_or(reply));
        }
        let id = ctx.fresh_id();
        let Request { tenant, operation, key, .. } = request;
        let whose = [TENANT.set(tenant), OPERATION.set(operation), KEY.set(key)];
        let message = whose.into_iter().chain([ID.set(id), SENT.set(0)]);
        if !tx.insert_if_absent(&PAYMENTS, message.clone()).await? {
            // A key whose record has expired is a new one: its message gives way.
            tx.delete(&PAYMENTS, key_of(request)).await?;
            tx.insert(&PAYMENTS, message).await?;
        }
        let reply = Reply::accepted(id);
        tx.settle(request, &reply).await?;
        tx.commit().await?;
        Ok(reply)
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        for message in ctx.db().scan(&PAYMENTS, [SENT.is(0)], 10).await? {
            let Some(id) = message.id(ID) else { continue };
            let ctx = ctx.on_behalf_of(id);
            ctx.call(Some(&number_as_key(id)), charge()).await?;
            ctx.db().update(&PAYMENTS, [ID.is(id)], [SENT.set(1)]).await?;
        }
        Ok(Reply::no_content())
    }
}

/// How things stand.
async fn state(tx: &Tx, request: &Request) -> Result<Option<Reply>, DbError> {
    let row = tx.read(&PAYMENTS, key_of(request)).await?;
    let done = row.filter(|row| row.int(SENT) == Some(1)).and_then(|row| row.id(ID));
    Ok(done.map(|id| Reply::created(Receipt { id })))
}
