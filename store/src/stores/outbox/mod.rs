//! Messages that must leave if, and only if, the transaction commits: with an outbox and a relay, and
//! without.

mod dispatch;
mod dispatches_again;
mod dispatches_anew;
mod fresh_ids;
mod marks_first;
mod push_after_commit;
mod relay;
mod table;
mod tells_state;

use crate::store::Entry;
use crate::{Effect, EffectKind};

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("push-after-commit", push_after_commit::SUMMARY, || {
            push_after_commit::PushAfterCommit
        }),
        Entry::new("outbox-fresh-ids", fresh_ids::SUMMARY, || fresh_ids::FreshIds),
        Entry::new("outbox-marks-first", marks_first::SUMMARY, || marks_first::MarksFirst),
        Entry::new("outbox-relay", relay::SUMMARY, || relay::Relay),
        Entry::new("dispatches-anew", dispatches_anew::SUMMARY, || dispatches_anew::DispatchesAnew),
        Entry::new("dispatches-again", dispatches_again::SUMMARY, || {
            dispatches_again::DispatchesAgain
        }),
        Entry::new("outbox-tells-state", tells_state::SUMMARY, || tells_state::TellsState),
    ]
}

/// What a message brings about at its receiver.
const fn charge() -> Effect {
    Effect { kind: EffectKind::Add, amount: 1, parts: 1 }
}
