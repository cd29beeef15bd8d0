//! `refusal-forgotten`: when the other service declines, the key is given back, as after any failure. A
//! late copy of the request finds it free, and the card has money by now: the customer was told "declined",
//! paid in cash, and is charged.

use super::refusal::{Came, call};
use crate::{Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "gives the key back when the other service declines; \
    a late copy may then be accepted";

/// Forgets a refusal.
#[derive(Debug)]
pub(super) struct RefusalForgotten;

impl Store for RefusalForgotten {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        match call(ctx, request).await? {
            Came::Answer(reply) => Ok(reply),
            Came::Declined => {
                ctx.db().release(request).await?;
                Ok(Reply::declined())
            }
        }
    }
}
