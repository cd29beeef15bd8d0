//! A cache of records in the process's own memory, in front of the database.

use crate::{Ctx, Record, Request, Text};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Tenant, operation type and key.
type Key = (Text, Text, Text);

/// Records that this process has seen.
#[derive(Debug, Default)]
pub(super) struct Cache(RefCell<BTreeMap<Key, Record>>);

impl Cache {
    /// What it knows of the request's key, unless that has expired.
    pub(super) fn find(&self, ctx: &Ctx, request: &Request) -> Option<Record> {
        let known = self.0.borrow().get(&key_of(request)).cloned();
        known.filter(|record| record.expires_at > ctx.now())
    }

    /// Keeps a record.
    pub(super) fn keep(&self, request: &Request, record: Record) {
        self.0.borrow_mut().insert(key_of(request), record);
    }
}

fn key_of(request: &Request) -> Key {
    (request.tenant.clone(), request.operation.clone(), request.key.clone())
}
