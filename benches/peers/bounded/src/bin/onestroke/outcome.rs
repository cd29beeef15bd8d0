//! How the clients' operations ended in one run, read from its trace.
//!
//! The simulator asks once more when the weather has cleared; the question has no such probe, so what a
//! probe did or heard is left out.

use bounded::{ATTEMPTS, CLIENTS, End, MANY, OPERATIONS, Outcome};
use onestroke_sim::trace::{Trace, What};

/// How all operations ended.
pub(crate) fn of(trace: &Trace) -> Outcome {
    let operations = usize::from(CLIENTS) * usize::from(OPERATIONS);
    let mut outcome = vec![End { effects: 0, acknowledged: false }; operations];
    for event in &trace.events {
        match event.what {
            What::Committed { op, subject, .. } if subject.attempt <= ATTEMPTS => {
                let effects = &mut outcome[op.0 as usize].effects;
                *effects = (*effects + 1).min(MANY);
            }
            What::Succeeded { op, attempt, .. } if attempt <= ATTEMPTS => {
                outcome[op.0 as usize].acknowledged = true;
            }
            _ => {}
        }
    }
    outcome.sort_unstable();
    outcome
}
