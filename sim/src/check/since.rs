//! Level 3. From when an operation's record counts, as the contract says.
//!
//! Errs on the side of the store: each moment is one before which no store can have read its clock to
//! begin the window. Imports levels below.

use crate::point::{Op, Subject};
use crate::time::Time;
use crate::trace::{Event, Trace, What};
use onestroke_scenarios::WindowFrom;
use onestroke_store::Verb;

/// Since when a record counts that this handler makes with its effect: since it started; or, from
/// completion, since the effect was applied. `None` when the trace does not say. Events from `before`
/// on are not looked at.
pub(crate) fn began(
    from: WindowFrom,
    (trace, before): (&Trace, u32),
    handler: Subject,
) -> Option<Time> {
    let is_it = |event: &&Event| match (from, event.what) {
        (WindowFrom::Completion, What::Executed { step, .. }) => {
            step.subject == handler && step.verb == Verb::Apply
        }
        (WindowFrom::FirstSight | WindowFrom::LastHit, What::Started { subject, .. }) => {
            subject == handler
        }
        _ => false,
    };
    trace.events[..before as usize].iter().rev().find(is_it).map(|event| event.at)
}

/// Whose record this event lets count anew, and since when: where hits do so, a handler that has
/// finished with a success, since it started. Whoever finishes after the end of the window may have found
/// another record than the one that counted until then, or made one: that is for callers to see.
pub(crate) fn hit(
    from: WindowFrom,
    (trace, index): (&Trace, u32),
    what: What,
) -> Option<(Op, Time)> {
    match what {
        What::Finished { subject, reply }
            if from == WindowFrom::LastHit && trace.reply(reply).is_success() =>
        {
            began(from, (trace, index), subject).map(|at| (subject.op, at))
        }
        _ => None,
    }
}
