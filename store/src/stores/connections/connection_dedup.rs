//! `connection-dedup`: remembers in its process, for each connection, which keys came on it, and drops
//! what comes on it again, as TCP does with bytes. A retry comes on a new connection, of which
//! nothing is remembered; and a server that crashed remembers nothing at all.

use crate::schema::Table;
use crate::{Ctx, Failure, Reply, Request, Store, Text};
use std::cell::RefCell;

pub(super) const SUMMARY: &str = "remembers in its process what came on each connection; \
    a retry on a new connection is new";

/// A memory that ends with the connection.
#[derive(Debug, Default)]
pub(super) struct ConnectionDedup {
    seen: RefCell<Vec<Seen>>,
}

#[derive(Debug)]
struct Seen {
    connection: Text,
    key: Text,
    /// `None` while in progress.
    reply: Option<Reply>,
}

impl Store for ConnectionDedup {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let (connection, key) = (request.connection.clone(), request.key.clone());
        let same = |seen: &Seen| seen.connection == connection && seen.key == key;
        let known =
            self.seen.borrow().iter().find(|seen| same(seen)).map(|seen| seen.reply.clone());
        if let Some(reply) = known {
            return Ok(reply.unwrap_or_else(Reply::in_flight));
        }
        let seen = Seen { connection: connection.clone(), key: key.clone(), reply: None };
        self.seen.borrow_mut().push(seen);
        let reply = Reply::created(ctx.db().apply(request.effect).await?);
        if let Some(seen) = self.seen.borrow_mut().iter_mut().find(|seen| same(seen)) {
            seen.reply = Some(reply.clone());
        }
        Ok(reply)
    }
}
