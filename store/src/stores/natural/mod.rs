//! Naturally idempotent operations, each beside the increment or the answer that is not.

mod adds_amount;
mod advances_by_one;
mod create_under_natural_id;
mod create_under_own_id;
mod delete_says_204;
mod delete_says_404;
mod put_replaces;
mod refuses_second_step;
mod steps_if_before;
mod things;

pub use adds_amount::AddsAmount;
pub use advances_by_one::AdvancesByOne;
pub use create_under_natural_id::CreateUnderNaturalId;
pub use create_under_own_id::CreateUnderOwnId;
pub use delete_says_204::DeleteSays204;
pub use delete_says_404::DeleteSays404;
pub use put_replaces::PutReplaces;
pub use refuses_second_step::RefusesSecondStep;
pub use steps_if_before::StepsIfBefore;

use crate::store::Entry;

pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("adds-amount", adds_amount::SUMMARY, || AddsAmount),
        Entry::new("put-replaces", put_replaces::SUMMARY, || PutReplaces),
        Entry::new("delete-says-404", delete_says_404::SUMMARY, || DeleteSays404),
        Entry::new("delete-says-204", delete_says_204::SUMMARY, || DeleteSays204),
        Entry::new("create-under-own-id", create_under_own_id::SUMMARY, || CreateUnderOwnId),
        Entry::new("create-under-natural-id", create_under_natural_id::SUMMARY, || {
            CreateUnderNaturalId
        }),
        Entry::new("advances-by-one", advances_by_one::SUMMARY, || AdvancesByOne),
        Entry::new("refuses-second-step", refuses_second_step::SUMMARY, || RefusesSecondStep),
        Entry::new("steps-if-before", steps_if_before::SUMMARY, || StepsIfBefore),
    ]
}
