//! `controller-reads-primary`: a turn locks the wish, looks at the primary whether it is fulfilled, and
//! creates what is missing, in one transaction: it reads its own writes, and those of the turn
//! before.

use super::{CREATED, FOR, MOST, NAME, PODS, WISH, WISHES, wish, wishes};
use crate::schema::Table;
use crate::{Ctx, Failure, Isolation, Reply, Request, Store, Turn};

pub(super) const SUMMARY: &str = "a controller that locks the wish, looks at the primary and creates, \
    in one transaction. Right, as it reads what was written last";

/// Looks where it writes.
#[derive(Debug)]
pub(super) struct ControllerReadsPrimary;

impl Store for ControllerReadsPrimary {
    const TABLES: &'static [&'static Table] = &[&WISHES, &PODS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        wish(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        let pods = ctx.replica().scan(&PODS, [], MOST).await?;
        for wanted in wishes(ctx).await? {
            if super::is_there(&pods, wanted) {
                continue;
            }
            let on_behalf = ctx.on_behalf_of(wanted);
            let tx = on_behalf.db().begin(Isolation::ReadCommitted).await?;
            tx.read_for_update(&WISHES, [WISH.is(wanted)]).await?;
            if tx.read(&PODS, [FOR.is(wanted)]).await?.is_none() {
                let cells = [NAME.set(on_behalf.fresh_id()), FOR.set(wanted)];
                tx.insert_as_effect(&PODS, cells, CREATED).await?;
            }
            tx.commit().await?;
        }
        Ok(Reply::no_content())
    }
}
