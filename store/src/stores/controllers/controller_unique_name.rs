//! `controller-unique-name`: a turn looks at a copy that lags behind, and creates what it does not find
//! there, under a name that follows from the wish. Where it had been created already, the name is taken,
//! and that is as good.

use super::{NAMED_PODS, WISHES, create, is_there, wish, wishes};
use crate::schema::Table;
use crate::{Ctx, DbError, Failure, Reply, Request, Store, Turn};

pub(super) const SUMMARY: &str = "a controller that names what it creates after the wish: a second \
    creation finds the name taken. Right, however old its picture is";

/// One name for each wish.
#[derive(Debug)]
pub(super) struct ControllerUniqueName;

impl Store for ControllerUniqueName {
    const TABLES: &'static [&'static Table] = &[&WISHES, &NAMED_PODS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        wish(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        let pods = ctx.replica().scan(&NAMED_PODS, [], super::MOST).await?;
        for wanted in wishes(ctx).await? {
            if is_there(&pods, wanted) {
                continue;
            }
            match create(ctx, &NAMED_PODS, wanted).await {
                Ok(()) | Err(DbError::UniqueViolation { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Reply::no_content())
    }
}
