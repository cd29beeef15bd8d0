//! Family `counters`: a daily revenue counter in the cache. The increment itself is the effect, or a row in
//! the database is, of which the counter only shows the sum.

mod counter_from_rows;
mod counter_once;
mod counter_plain;

use crate::{Effect, Entry, Mark, Reply, Text};

/// The stores of this family, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("counter-plain", counter_plain::SUMMARY, || counter_plain::CounterPlain),
        Entry::new("counter-once", counter_once::SUMMARY, || counter_once::CounterOnce),
        Entry::new("counter-from-rows", counter_from_rows::SUMMARY, || {
            counter_from_rows::CounterFromRows
        }),
    ]
}

/// Where the sum of the day is.
const REVENUE: Text = Text::const_new("revenue");

/// The increment as a business effect, in one part.
const fn mark_of(effect: Effect) -> Mark {
    Mark { kind: effect.kind, part: 0, parts: 1 }
}

/// What a counted message is answered with.
const fn counted() -> Reply {
    Reply { status: 201, body: Text::const_new("counted") }
}
