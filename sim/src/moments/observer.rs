//! Level 3. Watches a run for its moments.
//!
//! Imports `check`'s tables and levels below. Where a definition leaves a choice, the narrower one
//! is taken, so that a count means danger.

use super::Moments;
use super::twins::{Alike, Place, Twins};
use crate::check::effects::Effects;
use crate::check::handlers::Handlers;
use crate::check::per_op::PerOp;
use crate::check::versions::Versions;
use crate::point::{Leg, Message, Op, Step, Subject};
use crate::time::{Span, Time};
use crate::trace::{Event, Loss, Result, Server, Trace, What};
use onestroke_scenarios::{Contract, Moment, WindowFrom};
use onestroke_store::Verb;

/// Counts the moments of one run.
#[derive(Debug, Default)]
pub struct Observer {
    moments: Moments,
    window: Span,
    from: WindowFrom,
    ops: PerOp<Known>,
    versions: Versions,
    handlers: Handlers<Handler>,
    twins: Twins,
    /// The handlers that are held.
    holding: Vec<Subject>,
    /// The weather has cleared: the only sweep to come is the last.
    cleared: bool,
    /// A record was swept since.
    cleared_records: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    effects: Effects,
    /// Since it arrived: who else carries its key or its payload.
    twins: Option<Place>,
    /// The client is done.
    done: bool,
    /// Since when its record counts.
    recorded_at: Option<Time>,
    swept: bool,
}

/// A delivery, and the handler that it sets going.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug, Default)]
struct Handler {
    server: Option<Server>,
    in_flight: bool,
    executed: bool,
    wrote: bool,
    applied: bool,
    committed: bool,
    sent: bool,
    /// Its reply asks the client to come again.
    turned_away: bool,
    held: bool,
    passed: bool,
    /// The question that was executed last.
    last: Option<Step>,
}

impl Observer {
    /// For any number of runs; call [`Observer::reset`] before each.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a run of so many operations. Keeps the memory of the run before.
    pub fn reset(&mut self, contract: &Contract, ops: usize) {
        self.moments = Moments::default();
        self.window = contract.window;
        self.from = contract.window_from;
        self.ops.reset(ops);
        self.versions.reset(ops);
        self.handlers.reset(ops);
        self.twins.clear();
        self.holding.clear();
        self.cleared = false;
        self.cleared_records = false;
    }

    /// Takes in the next event of the trace.
    pub fn step(&mut self, event: &Event, trace: &Trace) {
        match event.what {
            What::Lost { message, why } => self.lost(message, why),
            What::Delivered { message, .. } if message.leg == Leg::Request => {
                self.arrived(message.subject, trace);
            }
            What::Sent { message, .. } if message.leg == Leg::Reply => {
                self.handler(message.subject).sent = true;
            }
            What::Succeeded { op, .. } | What::Rejected { op, .. } | What::GaveUp { op } => {
                if let Some(known) = self.ops.get_mut(op) {
                    known.done = true;
                }
            }
            What::Started { subject, server } => self.started(subject, server, event.at),
            What::Executed { step, result, orphan: false } => self.executed(step, result, trace),
            What::Held { step } => {
                let handler = self.handler(step.subject);
                (handler.held, handler.passed) = (true, false);
                self.holding.push(step.subject);
            }
            What::Released { step } => {
                let overtaken = self.let_go(step.subject);
                self.moments.count(Moment::Overtaken, u64::from(overtaken));
            }
            What::Finished { subject, reply } => {
                let reply = trace.reply(reply);
                let turned_away = reply.asks_for_retry();
                if self.from == WindowFrom::LastHit && reply.is_success() {
                    self.counts_anew(subject.op, event.at);
                }
                let handler = self.handler(subject);
                (handler.in_flight, handler.turned_away) = (false, turned_away);
            }
            What::Cancelled { subject } => {
                self.let_go(subject);
                let handler = self.handler(subject);
                handler.in_flight = false;
                let midway = handler.executed && !handler.sent;
                self.moments.count(Moment::CancelledMidway, u64::from(midway));
            }
            What::Died { subject } => self.died(subject),
            What::Paused { server, .. } => self.paused(server),
            What::Committed { op, part, parts, subject, .. } => {
                self.versions.commit(trace, op);
                self.handler(subject).committed = true;
                if let Some(known) = self.ops.get_mut(op) {
                    known.effects.commit(part, parts);
                    if self.from == WindowFrom::Completion {
                        known.recorded_at.get_or_insert(event.at);
                    }
                }
            }
            What::Recorded { op } => match self.from {
                WindowFrom::FirstSight => {
                    if let Some(known) = self.ops.get_mut(op) {
                        known.recorded_at.get_or_insert(event.at);
                    }
                }
                WindowFrom::LastHit => self.counts_anew(op, event.at),
                WindowFrom::Completion => {}
            },
            What::Forgotten { op, swept: true } => {
                self.cleared_records |= self.cleared;
                if let Some(known) = self.ops.get_mut(op) {
                    known.swept = true;
                }
            }
            What::Severed { step } => {
                self.moments.count(Moment::ConnectionLost, 1);
                let handler = self.handler(step.subject);
                let answered = handler.last == Some(step);
                self.moments.count(Moment::AnswerLost, u64::from(answered));
            }
            What::Vanished { op, part } => {
                if let Some(known) = self.ops.get_mut(op) {
                    known.effects.take_back(part);
                }
            }
            What::FailedOver { lost } => {
                self.moments.count(Moment::CacheWritesLost, u64::from(lost > 0));
            }
            What::Evicted { .. } => self.moments.count(Moment::CacheKeyExpired, 1),
            What::ReadBehind { .. } => self.moments.count(Moment::ReplicaBehind, 1),
            What::Compensated { .. } => self.moments.count(Moment::EffectTakenBack, 1),
            What::Cleared => self.cleared = true,
            What::Remaining { .. } => {
                self.moments.count(Moment::RecordsCleared, u64::from(self.cleared_records));
            }
            _ => {}
        }
    }

    /// The counts of the run.
    pub const fn finish(&self) -> Moments {
        self.moments
    }

    /// The operation's record counts from now.
    fn counts_anew(&mut self, op: Op, now: Time) {
        if let Some(known) = self.ops.get_mut(op) {
            known.recorded_at = Some(now);
        }
    }

    fn lost(&mut self, message: Message, why: Loss) {
        let op = message.subject.op;
        if message.leg == Leg::Request {
            self.moments.count(Moment::RequestLost, 1);
            let cut_off = why == Loss::Partitioned;
            self.moments.count(Moment::PartitionedAttempt, u64::from(cut_off));
            return;
        }
        let there = self.ops.get(op).is_some_and(|known| known.effects.any());
        let knows = there && !self.handler(message.subject).turned_away;
        self.moments.count(Moment::ReplyLost, u64::from(knows));
    }

    fn arrived(&mut self, subject: Subject, trace: &Trace) {
        let op = subject.op;
        let twin = |other: Subject| other.attempt == subject.attempt && other.copy != subject.copy;
        let second = self.handlers.of(op).any(|(other, _)| twin(other));
        self.moments.count(Moment::DuplicateDelivered, u64::from(second));
        self.handlers.add(subject, Handler::default());
        if let (Some(known), Some(facts)) = (self.ops.get_mut(op), trace.ops.get(op.index())) {
            known.twins.get_or_insert_with(|| self.twins.arrive(facts));
        }
        self.moments.count(Moment::OldAfterNew, u64::from(self.versions.supersede(trace, op)));
        let keyless = trace.ops.get(op.index()).is_some_and(|facts| !facts.keyed);
        self.moments.count(Moment::KeyMissing, u64::from(keyless));
        let known = self.ops.get(op).copied().unwrap_or_default();
        self.moments.count(Moment::LateDuplicate, u64::from(known.done));
        if let Some(place) = known.twins {
            let Alike { reused, shared, repeated } = self.twins.of(place);
            self.moments.count(Moment::KeyReused, u64::from(reused));
            self.moments.count(Moment::KeySharedByTenants, u64::from(shared));
            self.moments.count(Moment::PayloadRepeated, u64::from(repeated));
        }
    }

    fn started(&mut self, subject: Subject, server: Server, at: Time) {
        if let Some(known) = self.ops.get(subject.op).copied() {
            let overlaps = self.handlers.of(subject.op).any(|(_, handler)| handler.in_flight);
            let expired = known.recorded_at.is_some_and(|since| at >= since + self.window);
            self.moments.count(Moment::AttemptsOverlap, u64::from(overlaps));
            self.moments.count(Moment::RetryAfterExpiry, u64::from(expired));
            self.moments.count(Moment::SweptThenRetried, u64::from(known.swept));
        }
        if subject.is_work() {
            let other = |(one, handler): (Subject, &Handler)| one.is_work() && handler.in_flight;
            let overlaps = self.handlers.of(subject.op).any(other);
            self.moments.count(Moment::TurnsOverlap, u64::from(overlaps));
        }
        let handler = self.handler(subject);
        *handler = Handler { server: Some(server), in_flight: true, ..Handler::default() };
    }

    fn executed(&mut self, step: Step, result: Result, trace: &Trace) {
        if !self.holding.is_empty() {
            self.overtake(step.subject, trace);
        }
        let handler = self.handler(step.subject);
        handler.executed = true;
        handler.last = Some(step);
        let refused = result == Result::Refused && handler.wrote;
        if result == Result::Done {
            handler.applied |= matches!(step.verb, Verb::Apply | Verb::Call);
            handler.wrote |= writes(step.verb);
        }
        self.moments.count(Moment::RefusedMidway, u64::from(refused));
    }

    /// Whoever is held under the same key is passed.
    fn overtake(&mut self, passing: Subject, trace: &Trace) {
        let key_of = |op: Op| trace.ops.get(op.index()).map(|facts| facts.key);
        let key = key_of(passing.op);
        for subject in self.holding.iter().filter(|subject| **subject != passing) {
            if key.is_some() && key_of(subject.op) == key {
                self.handlers.get_or_add(*subject).passed = true;
            }
        }
    }

    /// The handler is held no longer. Whether it was, and has been overtaken meanwhile.
    fn let_go(&mut self, subject: Subject) -> bool {
        let handler = self.handler(subject);
        let (held, passed) = (handler.held, handler.passed);
        handler.held = false;
        if held {
            self.holding.retain(|other| *other != subject);
        }
        held && passed
    }

    fn died(&mut self, subject: Subject) {
        self.let_go(subject);
        let handler = self.handler(subject);
        handler.in_flight = false;
        let Handler { wrote, applied, committed, sent, .. } = *handler;
        if sent || subject.is_sweep() {
            return;
        }
        self.moments.count(Moment::CrashBeforeEffect, u64::from(wrote && !applied));
        self.moments.count(Moment::CrashAfterEffect, u64::from(applied));
        self.moments.count(Moment::CrashAfterCommit, u64::from(committed));
    }

    fn paused(&mut self, server: Server) {
        let midway = |handler: &Handler| {
            handler.server == Some(server) && handler.in_flight && handler.executed
        };
        let there = self.handlers.iter_mut().filter(|(_, handler)| midway(handler)).count();
        self.moments.count(Moment::PausedMidway, there as u64);
    }

    /// The handler of this subject; a new one, if nothing was heard of it before.
    fn handler(&mut self, subject: Subject) -> &mut Handler {
        self.handlers.get_or_add(subject)
    }
}

/// Whether a question that was done has left something in a table, other than an effect.
const fn writes(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Claim | Verb::Insert | Verb::Upsert | Verb::Update | Verb::Settle | Verb::Release
    )
}
