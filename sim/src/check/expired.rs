//! Level 3. `expired`: a second effect, applied after the first one's record had been swept or its
//! window had passed. The window is shorter than the retries. It counts from where the contract says:
//! from the start of the handler that made the first effect, from its completion, or from the start of
//! the last handler that was answered with a success.
//!
//! A record that a store deleted by itself within the window has not expired: what follows from
//! that is a `double-effect`.

use super::double_effect::first_commit;
use super::effects::Effects;
use super::handlers::Handlers;
use super::per_op::{Breach, PerOp};
use super::rival::rivals;
use super::since::hit;
use super::{Check, Finding, Seen};
use crate::time::{Span, Time};
use crate::trace::{Event, Kind, Kinds, Trace, What};
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
    handlers: Handlers<Handler>,
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
    /// The first event that committed any part.
    first: Option<u32>,
    /// The first event at which an effect was applied though the record had ceased to count.
    late_from: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Handler {
    started: Option<Time>,
    /// Its first question that applied an effect.
    applied: Option<u32>,
    /// When its last one did.
    applied_at: Option<Time>,
}

impl Check for Expired {
    const HEARS: Kinds = Kinds::of(&[
        Kind::Started,
        Kind::Executed,
        Kind::Finished,
        Kind::Committed,
        Kind::Compensated,
        Kind::Vanished,
        Kind::Recorded,
        Kind::Forgotten,
    ]);

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.window = contract.window;
        self.from = contract.window_from;
        self.allowed = contract.promise == Promise::AtLeastOnce;
        self.now = Time::ZERO;
        self.records.reset(ops);
        self.handlers.reset(ops);
        self.guilty.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        self.now = event.at;
        match event.what {
            What::Started { subject, .. } => {
                let started = Some(event.at);
                self.handlers.add(subject, Handler { started, ..Handler::default() });
            }
            What::Executed { step, .. } if step.verb == Verb::Apply => {
                let handler = self.handlers.get_or_add(step.subject);
                handler.applied.get_or_insert(index);
                handler.applied_at = Some(event.at);
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
                let handler = self.handlers.get(subject).copied().unwrap_or_default();
                let from = *record.first.get_or_insert(index);
                if !record.effects.any() {
                    record.began = handler.makes_since(self.from).unwrap_or(event.at);
                }
                if !record.effects.commit(part, parts) || !kind.repeat_matters() {
                    return;
                }
                if !self.allowed && record.is_late(handler) {
                    self.guilty.accuse(op, (first_commit(trace, (op, part), from, index), index));
                }
            }
            what @ What::Finished { .. } => {
                let Some((op, since)) = hit(self.from, (trace, index), what) else { return };
                if let Some(record) = self.records.get_mut(op)
                    && event.at < record.began + self.window
                {
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
            canon.flag(record.written);
            canon.flag(record.swept);
            canon.flag(record.late_from.is_some());
            if record.effects.any() {
                canon.age(record.began, self.window);
            }
        }
        self.guilty.portray(canon);
        // What a commit of theirs will be judged by.
        for subject in seen.live.iter().filter(|subject| !subject.is_background()) {
            let handler = self.handlers.get(*subject).copied().unwrap_or_default();
            canon.age(handler.makes_since(self.from).unwrap_or(Time::ZERO), self.window);
            canon.flag(handler.applied.is_some());
            let record = self.records.get(subject.op);
            canon.flag(record.is_some_and(|record| record.is_late(handler)));
        }
    }
}

impl Record {
    /// Whether this handler's effect was applied when the record had ceased to count.
    fn is_late(&self, handler: Handler) -> bool {
        self.late_from.is_some_and(|from| handler.applied.is_some_and(|at| at >= from))
    }
}

impl Handler {
    /// Since when a record counts that it makes: as [`super::since::began`] would find it in the trace.
    const fn makes_since(self, from: WindowFrom) -> Option<Time> {
        match from {
            WindowFrom::Completion => self.applied_at,
            WindowFrom::FirstSight | WindowFrom::LastHit => self.started,
        }
    }
}
