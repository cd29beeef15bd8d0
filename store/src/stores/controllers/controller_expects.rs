//! `controller-expects`: a turn looks at a copy that lags behind, and remembers in its process what it has
//! set out to create: it creates no such thing again before it has seen it. Another server
//! knows nothing of that, and creates it too. And what it set out to create and failed to, it waits for
//! for ever.

use super::{PODS, WISHES, create, is_there, wish, wishes};
use crate::schema::Table;
use crate::{Ctx, Failure, Id, Reply, Request, Store, Turn};
use std::cell::RefCell;

pub(super) const SUMMARY: &str = "a controller that remembers in its process what it expects to see; \
    another server creates it again, and a failed creation is waited for for ever";

/// Believes its own memory.
#[derive(Debug, Default)]
pub(super) struct ControllerExpects {
    expected: RefCell<Vec<Id>>,
}

impl Store for ControllerExpects {
    const TABLES: &'static [&'static Table] = &[&WISHES, &PODS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        wish(ctx, request).await
    }

    async fn work(&self, ctx: &Ctx, _: Turn) -> Result<Reply, Failure> {
        let pods = ctx.replica().scan(&PODS, [], super::MOST).await?;
        self.expected.borrow_mut().retain(|expected| !is_there(&pods, *expected));
        for wanted in wishes(ctx).await? {
            let expected = self.expected.borrow().contains(&wanted);
            if is_there(&pods, wanted) || expected {
                continue;
            }
            self.expected.borrow_mut().push(wanted);
            create(ctx, &PODS, wanted).await?;
        }
        Ok(Reply::no_content())
    }
}
