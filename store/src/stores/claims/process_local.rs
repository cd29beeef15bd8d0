//! `process-local`: keeps keys and replies in a map of its own process. The retry that goes to another
//! server, or comes after a restart, meets a map that has never heard of it.

use crate::{Ctx, Failure, Reply, Request, Store, Table, Text};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(super) const SUMMARY: &str = "keeps keys in a map of its own process; another server, or the same \
    one after a restart, charges again";

/// Tenant, operation type and key.
type Key = (Text, Text, Text);

/// Keeps keys in its own process.
#[derive(Debug, Default)]
pub struct ProcessLocal {
    /// The reply; `None` while in progress.
    known: RefCell<BTreeMap<Key, Option<Reply>>>,
}

impl Store for ProcessLocal {
    const TABLES: &'static [&'static Table] = &[];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let key = (request.tenant.clone(), request.operation.clone(), request.key.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone().unwrap_or_else(Reply::in_flight));
        }
        self.known.borrow_mut().insert(key.clone(), None);
        let receipt = ctx.db().apply(request.effect).await?;
        let reply = Reply::created(receipt);
        self.known.borrow_mut().insert(key, Some(reply.clone()));
        Ok(reply)
    }
}
