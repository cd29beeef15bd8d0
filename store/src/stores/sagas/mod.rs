//! A transfer between two services: the amount is taken here, or at another service, and brought there;
//! when there it is declined, what was taken is given back. No transaction spans the two.

mod gives_up_on_silence;
mod in_memory;
mod journal;
mod remote;
mod steps;
mod undoes_again;
mod without_keys;

use crate::store::Entry;

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("saga-in-memory", in_memory::SUMMARY, || in_memory::InMemory),
        Entry::new("saga-without-keys", without_keys::SUMMARY, || without_keys::WithoutKeys),
        Entry::new("saga-gives-up-on-silence", gives_up_on_silence::SUMMARY, || {
            gives_up_on_silence::GivesUpOnSilence
        }),
        Entry::new("saga-in-steps", steps::SUMMARY, || steps::Steps),
        Entry::new("saga-undoes-again", undoes_again::SUMMARY, || undoes_again::UndoesAgain),
        Entry::new("saga-keyed-both-ways", remote::SUMMARY, || remote::Remote),
    ]
}
