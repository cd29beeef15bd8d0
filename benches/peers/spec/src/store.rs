//! The peers' store: rows and transactions in memory, as simple as six steps allow.
//!
//! Fault model: a crash drops open transactions and their locks; what was committed stays.

use crate::Key;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows that were committed, and the keys that open transactions have locked.
#[derive(Debug, Default)]
pub struct Store {
    rows: FxHashMap<Key, Row>,
    locked: FxHashSet<Key>,
    /// Effects are not buffered: the bug that every simulator must see.
    writes_through: bool,
}

/// What is known of a key.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    effects: u32,
    response: Option<u64>,
}

/// What one handler has open.
#[derive(Debug)]
pub struct Transaction {
    key: Key,
    effects: u32,
    response: Option<u64>,
}

/// What comes of inserting a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It was not there, and is locked now.
    Fresh,
    /// It was committed before, with this response.
    Done(u64),
    /// Another open transaction has it.
    Locked,
}

impl Store {
    /// An empty store, with the planted bug or without it.
    pub fn new(bug: bool) -> Self {
        Self { writes_through: bug, ..Self::default() }
    }

    /// Step 1.
    pub fn begin(&self, key: Key) -> Transaction {
        Transaction { key, effects: 0, response: None }
    }

    /// Step 2: inserts the key unless it is there.
    pub fn claim(&mut self, transaction: &Transaction) -> Claim {
        let key = transaction.key;
        let committed = self.rows.get(&key).and_then(|row| row.response);
        match committed {
            Some(response) => Claim::Done(response),
            None if self.locked.insert(key) => Claim::Fresh,
            None => Claim::Locked,
        }
    }

    /// Step 3: applies the effect.
    pub fn apply(&mut self, transaction: &mut Transaction) {
        if self.writes_through {
            self.rows.entry(transaction.key).or_default().effects += 1;
        } else {
            transaction.effects += 1;
        }
    }

    /// Step 4: writes the response beside the key.
    pub fn keep(&mut self, transaction: &mut Transaction, response: u64) {
        transaction.response = Some(response);
    }

    /// Step 5: row, effect and response appear together.
    pub fn commit(&mut self, transaction: &Transaction) {
        let row = self.rows.entry(transaction.key).or_default();
        row.effects += transaction.effects;
        row.response = transaction.response;
        self.locked.remove(&transaction.key);
    }

    /// The server died.
    pub fn crash(&mut self) {
        self.locked.clear();
    }

    /// How often the effect of an operation was applied.
    pub fn effects(&self, key: Key) -> u32 {
        self.rows.get(&key).map_or(0, |row| row.effects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key { client: 1, operation: 2 };

    fn commit(store: &mut Store) {
        let mut transaction = store.begin(KEY);
        assert_eq!(store.claim(&transaction), Claim::Fresh);
        store.apply(&mut transaction);
        store.keep(&mut transaction, 7);
        store.commit(&transaction);
    }

    #[test]
    fn a_key_that_was_committed_is_answered_from_its_row() {
        let mut store = Store::new(false);
        commit(&mut store);
        assert_eq!(store.claim(&store.begin(KEY)), Claim::Done(7));
        assert_eq!(store.effects(KEY), 1);
    }

    #[test]
    fn a_crash_takes_an_open_transaction_with_it_unless_the_bug_is_planted() {
        for (bug, effects) in [(false, 1), (true, 2)] {
            let mut store = Store::new(bug);
            let mut transaction = store.begin(KEY);
            assert_eq!(store.claim(&transaction), Claim::Fresh);
            assert_eq!(store.claim(&store.begin(KEY)), Claim::Locked);
            store.apply(&mut transaction);
            store.crash();
            commit(&mut store);
            assert_eq!(store.effects(KEY), effects);
        }
    }
}
