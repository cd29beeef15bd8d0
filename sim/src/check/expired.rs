//! Level 3. `expired`: a second effect, applied after the first one's record had been swept or its
//! window had passed. The window is shorter than the retries. It counts from where the contract says:
//! from the start of the handler that made the first effect, from its completion, or from the start of
//! the last handler that was answered with a success.
//!
//! A record that a store deleted by itself within the window has not expired: what follows from
//! that is a `double-effect`.

use super::double_effect::first_commit;
use super::effects::Effects;
use super::per_op::{Breach, PerOp};
use super::rival::rivals;
use super::since::{began, hit};
use super::{Check, Finding, Seen};
use crate::point::Subject;
use crate::time::{Span, Time};
use crate::trace::{Event, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, Promise, WindowFrom};
use onestroke_store::{Canon, Verb};

/// Knows since when an operation's first record has ceased to count.
#[derive(Debug, Default)]
pub struct Expired {
    window: Span,
    from: WindowFrom,
    /// The contract promises less than one effect at most.
    allowed: bool,
    now: Time,
    records: PerOp<Record>,
    guilty: PerOp<Option<Breach>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    effects: Effects,
    /// There has been a record at all.
    written: bool,
    /// It was swept, and with it all that is known of the effect.
    swept: bool,
    /// Since when it counts.
    began: Time,
    /// The first event at which an effect was applied though the record had ceased to count.
    late_from: Option<u32>,
}

impl Check for Expired {
    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.window = contract.window;
        self.from = contract.window_from;
        self.allowed = contract.promise == Promise::AtLeastOnce;
        self.now = Time::ZERO;
        self.records.reset(ops);
        self.guilty.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        self.now = event.at;
        match event.what {
            What::Executed { step, .. } if step.verb == Verb::Apply => {
                let Some(record) = self.records.get_mut(step.subject.op) else { return };
                let passed = event.at >= record.began + self.window;
                if record.effects.any() && record.written && (record.swept || passed) {
                    record.late_from.get_or_insert(index);
                }
            }
            What::Recorded { op } => {
                let Some(record) = self.records.get_mut(op) else { return };
                record.written = true;
                record.swept &= record.effects.any();
            }
            What::Forgotten { op, swept: true } => {
                // A record that was taken over still bears the name of the one who wrote it first.
                let same_key = rivals(trace, op).map(|(other, _)| other);
                for op in std::iter::once(op).chain(same_key) {
                    if let Some(record) = self.records.get_mut(op) {
                        record.swept = record.written;
                    }
                }
            }
            What::Compensated { op, part, .. } | What::Vanished { op, part } => {
                if let Some(record) = self.records.get_mut(op) {
                    record.effects.take_back(part);
                }
            }
            What::Committed { op, part, parts, kind, subject } => {
                let Some(record) = self.records.get_mut(op) else { return };
                if !record.effects.any() {
                    record.began = began(self.from, (trace, index), subject).unwrap_or(event.at);
                }
                if !record.effects.commit(part, parts) || !kind.repeat_matters() {
                    return;
                }
                let applied = first_applied(trace, index, subject);
                let allowed = self.allowed;
                if !allowed
                    && record.late_from.is_some_and(|from| applied.is_some_and(|at| at >= from))
                {
                    self.guilty.accuse(op, (first_commit(trace, op, part, index), index));
                }
            }
            what @ What::Finished { .. } => {
                let Some((op, since)) = hit(self.from, (trace, index), what) else { return };
                if let Some(record) = self.records.get_mut(op) {
                    record.began = record.began.max(since);
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        self.guilty.report(FindingKind::Expired, findings);
    }

    fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        for (_, record) in self.records.iter() {
            canon.word(record.effects.bits());
            canon.word(record.written);
            canon.word(record.swept);
            canon.word(record.late_from.is_some());
            if record.effects.any() {
                canon.age(record.began, self.window);
            }
        }
        self.guilty.portray(canon);
        // What a commit of theirs will be judged by.
        let Seen { trace, live } = seen;
        let all = u32::try_from(trace.events.len()).unwrap_or(u32::MAX);
        for subject in live.iter().filter(|subject| !subject.is_background()) {
            let since = began(self.from, (trace, all), *subject).unwrap_or(Time::ZERO);
            canon.age(since, self.window);
            let late_from = self.records.get(subject.op).and_then(|record| record.late_from);
            let applied = first_applied(trace, all, *subject);
            canon.word(applied.is_some());
            canon.word(late_from.is_some_and(|from| applied.is_some_and(|at| at >= from)));
        }
    }
}

/// The first question of this handler that applied an effect.
fn first_applied(trace: &Trace, before: u32, handler: Subject) -> Option<u32> {
    let applies = |event: &Event| {
        matches!(event.what, What::Executed { step, .. }
            if step.subject == handler && step.verb == Verb::Apply)
    };
    let at = trace.events[..before as usize].iter().position(applies)?;
    u32::try_from(at).ok()
}
