//! The catalogue: one strategy a file, each saying what it does and how it breaks.

mod bare_duplicate;
mod cached;
mod check_then_act;
pub mod claims;
mod connections;
mod controllers;
mod counters;
mod effect_then_key;
pub mod identity;
mod key_then_effect;
mod leases;
mod lifecycle;
pub mod natural;
mod never_forgets;
mod no_dedup;
mod one_transaction;
mod one_transaction_409;
mod ordering;
mod outbox;
mod queues;
mod replicas;
pub mod replies;
pub mod retries;
mod sagas;
mod seen_means_done;
mod select_first_in_transaction;
mod services;
mod unscoped_key;

pub use bare_duplicate::BareDuplicate;
pub use check_then_act::CheckThenAct;
pub use effect_then_key::EffectThenKey;
pub use key_then_effect::KeyThenEffect;
pub use leases::*;
pub use never_forgets::NeverForgets;
pub use no_dedup::NoDedup;
pub use one_transaction::OneTransaction;
pub use one_transaction_409::OneTransaction409;
pub use seen_means_done::SeenMeansDone;
pub use select_first_in_transaction::SelectFirstInTransaction;
pub use unscoped_key::UnscopedKey;

use crate::store::Entry;

/// All stores of the catalogue, family by family, the wrong ones of a family first, in the order in
/// which they are listed.
pub fn catalogue() -> Vec<Entry> {
    let families = [
        ("keys", keys()),
        ("claims", claims::stores()),
        ("replies", replies::stores()),
        ("identity", identity::stores()),
        ("natural", natural::stores()),
        ("retries", retries::stores()),
        ("leases", leases::stores()),
        ("services", services::stores()),
        ("outbox", outbox::stores()),
        ("sagas", sagas::stores()),
        ("queues", queues::stores()),
        ("ordering", ordering::stores()),
        ("lifecycle", lifecycle::stores()),
        ("cached", cached::stores()),
        ("counters", counters::stores()),
        ("replicas", replicas::stores()),
        ("controllers", controllers::stores()),
        ("connections", connections::stores()),
    ];
    let members = families.into_iter().flat_map(|(family, stores)| {
        stores.into_iter().map(move |store: Entry| store.of_family(family))
    });
    members.collect()
}

/// A key in a request, and its record in the database.
fn keys() -> Vec<Entry> {
    vec![
        Entry::new("no-dedup", no_dedup::SUMMARY, || NoDedup),
        Entry::new("check-then-act", check_then_act::SUMMARY, || CheckThenAct),
        Entry::new("effect-then-key", effect_then_key::SUMMARY, || EffectThenKey),
        Entry::new("key-then-effect", key_then_effect::SUMMARY, || KeyThenEffect),
        Entry::new("select-first-in-transaction", select_first_in_transaction::SUMMARY, || {
            SelectFirstInTransaction
        }),
        Entry::new("seen-means-done", seen_means_done::SUMMARY, || SeenMeansDone),
        Entry::new("bare-duplicate", bare_duplicate::SUMMARY, || BareDuplicate),
        Entry::new("unscoped-key", unscoped_key::SUMMARY, || UnscopedKey),
        Entry::new("never-forgets", never_forgets::SUMMARY, || NeverForgets),
        Entry::new("one-transaction", one_transaction::SUMMARY, || OneTransaction),
        Entry::new("one-transaction-409", one_transaction_409::SUMMARY, || OneTransaction409),
    ]
}
