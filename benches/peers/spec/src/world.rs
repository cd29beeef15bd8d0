//! All that one seed of a peer shares: the store, what the clients were told, the counts, the check.

use crate::{CLIENTS, Counts, Key, OPERATIONS, Store};
use rustc_hash::FxHashMap;

/// One seed's store and history.
#[derive(Debug, Default)]
pub struct World {
    /// The server's store.
    pub store: Store,
    told: FxHashMap<Key, u64>,
    counts: Counts,
}

/// What happened, as the trace has it.
#[derive(Clone, Copy)]
enum Kind {
    Restarted = 7,
    Delivered,
    TimedOut,
}

impl World {
    /// A world in which nothing has happened yet.
    pub fn new(bug: bool) -> Self {
        Self { store: Store::new(bug), ..Self::default() }
    }

    /// A message reached a living process.
    pub fn delivered(&mut self, key: Key) {
        self.counts.deliveries += 1;
        self.note(Kind::Delivered as u64, key.number());
    }

    /// An attempt had no response in time.
    pub fn timed_out(&mut self, key: Key) {
        self.counts.timeouts += 1;
        self.note(Kind::TimedOut as u64, key.number());
    }

    /// The server is up again.
    pub fn restarted(&mut self) {
        self.counts.restarts += 1;
        self.note(Kind::Restarted as u64, 0);
    }

    /// A handler has come to this step, from 1 to 6.
    pub fn reached(&mut self, key: Key, step: u8) {
        self.counts.steps += 1;
        self.note(step.into(), key.number());
    }

    /// The server died.
    pub fn crashed(&mut self) {
        self.counts.crashes += 1;
        self.store.crash();
    }

    /// A client got the response that it waited for.
    pub fn acknowledged(&mut self, key: Key, response: u64) {
        self.counts.acknowledged += 1;
        self.told.insert(key, response);
    }

    /// A client gave an operation up.
    pub fn exhausted(&mut self) {
        self.counts.exhausted += 1;
    }

    /// Checks the seed: nothing was applied twice, and what was acknowledged was applied and answered
    /// rightly.
    pub fn finish(mut self) -> Counts {
        let keys = (0..CLIENTS)
            .flat_map(|client| (0..OPERATIONS).map(move |operation| Key { client, operation }));
        for key in keys {
            let effects = self.store.effects(key);
            let told = self.told.get(&key);
            let wrong = told.is_some_and(|told| effects == 0 || *told != key.response());
            self.counts.violations += u64::from(effects > 1 || wrong);
        }
        self.counts
    }

    fn note(&mut self, kind: u64, key: u64) {
        self.counts.note(kind << 32 | key);
    }
}
