//! `controller-stale-reads`: a turn looks at a copy that lags behind, and creates what it does not find
//! there, under a name that is made up. Until the copy has caught up, every turn creates it again.

use super::{PODS, WISHES, create, is_there, wish, wishes};
use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store, Turn};

pub(super) const SUMMARY: &str = "a controller that looks at a copy which lags behind, and creates \
    what it does not find: again with each turn, until the copy has caught up";

/// Believes an old picture.
#[derive(Debug)]
pub(super) struct ControllerStaleReads;

impl Store for ControllerStaleReads {
    const TABLES: &'static [&'static Table] = &[&WISHES, &PODS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        wish(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        let pods = ctx.replica().scan(&PODS, [], super::MOST).await?;
        for wanted in wishes(ctx).await? {
            if !is_there(&pods, wanted) {
                create(ctx, &PODS, wanted).await?;
            }
        }
        Ok(Reply::no_content())
    }
}
