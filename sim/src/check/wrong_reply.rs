//! Level 3. `wrong-reply`: what the client is told of one operation does not agree.
//!
//! 1. Two successful replies differ in what the contract says must agree.
//! 2. A final failure, from a handler that finished after the effect was complete: success reported
//!    as failure.
//!    So is any final failure that the client takes for an answer: all requests here are valid, but
//!    for those that another service declines, that have no key (400) or a wrong password (401).
//! 3. A 409 ("in flight"), from a handler that started after the effect was complete and another
//!    handler had finished with success, while no other handler of anybody was there to wait for.
//!
//! 4. A 409 at all, under a contract that promises to wait. Where it promises a 409, or to take over,
//!    [`super::flights`] says what is wrong.
//!
//! 5. A 5xx at all, under a contract by which servers never fail.
//!
//! 6. A 409 to an operation of which nothing else had ever started, where its key is in flight with
//!    another payload, under a contract that refuses such a payload at once.
//!
//! 7. A success, told to an attempt that came with a wrong password.
//!
//! 8. Another outcome than the first, where the contract has refusals or failures stored
//!    ([`super::outcomes`]).
//!
//! 9. "Accepted, and not done yet" (202) of what is done, where a replay says how things stand now
//!    ([`super::present`]).
//!
//! 10. A final refusal to another payload under a key whose effect is complete, where such a payload gets
//!     the first reply.
//!
//! Otherwise nothing is said of operations that share their key with another of their tenant, nor of what
//! comes after the record was swept or its window has passed. A handler that died or was dropped
//! counts as in flight until its sessions are reaped: its locks are a reason for a 409.

mod other_payload;

use super::effects::Effects;
use super::flights::Flights;
use super::handlers::Handlers;
use super::life::Lives;
use super::outcomes::Outcomes;
use super::per_op::{Breach, PerOp};
use super::present::Present;
use super::rival::rivals;
use super::{Check, Finding, Seen};
use crate::point::{Leg, Op, Subject};
use crate::trace::{Event, Kind, Kinds, ReplyFacts, ReplyId, Trace, What};
use onestroke_scenarios::{Contract, FindingKind, InFlight, Mismatch, Replay, ServerErrors};
use onestroke_store::Canon;

/// Compares what clients are told.
#[derive(Debug, Default)]
pub struct WrongReply {
    replay: Replay,
    in_flight: InFlight,
    server_errors: ServerErrors,
    mismatch: Mismatch,
    lives: Lives,
    flights: Flights,
    outcomes: Outcomes,
    present: Present,
    /// One of these has something to judge.
    hears_more: bool,
    known: PerOp<Known>,
    handlers: Handlers<Handler>,
    /// How many handlers have started.
    starts: u32,
    /// How many of them are in flight.
    open: u32,
    guilty: PerOp<Option<Breach>>,
    /// Guilty, unless a dead server's sessions are reaped later.
    suspected: PerOp<Option<Breach>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    invoked: bool,
    effects: Effects,
    /// The commit that completed the effect.
    completed: u32,
    /// A handler has finished with a success.
    done: bool,
    /// The first success that the client was told, and where.
    told: Option<(ReplyId, u32)>,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug, Default)]
struct Handler {
    in_flight: bool,
    after_effect: bool,
    after_success: bool,
    /// It finished when the effect was complete.
    finished_after_effect: bool,
    /// Nobody else was in flight when it started.
    alone: bool,
    /// How many had started when it had.
    starts: u32,
    /// At which event it started.
    began: u32,
}

/// What it listens to under every contract; the clauses of their own listen to more.
const ALWAYS: Kinds = Lives::HEARS.and(Kinds::of(&[
    Kind::Invoked,
    Kind::Delivered,
    Kind::Rejected,
    Kind::Started,
    Kind::Finished,
    Kind::Reaped,
    Kind::Committed,
    Kind::Compensated,
]));

impl Check for WrongReply {
    const HEARS: Kinds = ALWAYS.and(Kinds::of(&[
        Kind::Executed,
        Kind::Blocked,
        Kind::Severed,
        Kind::Died,
        Kind::Cancelled,
        Kind::Vanished,
        Kind::Recorded,
    ]));

    fn hears(&self) -> Kinds {
        if self.hears_more { Self::HEARS } else { ALWAYS }
    }

    fn reset(&mut self, contract: &Contract, ops: usize) {
        self.replay = contract.replay;
        self.in_flight = contract.in_flight;
        self.server_errors = contract.server_errors;
        self.mismatch = contract.mismatch;
        self.lives.reset(contract, ops);
        self.flights.reset(contract, ops);
        self.outcomes.reset(contract, ops);
        self.present.reset(contract, ops);
        self.hears_more = self.flights.judges() || self.outcomes.judges() || self.present.judges();
        self.known.reset(ops);
        self.handlers.reset(ops);
        self.starts = 0;
        self.open = 0;
        self.guilty.reset(ops);
        self.suspected.reset(ops);
    }

    fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        self.lives.step(index, event, trace);
        if self.hears_more {
            self.hear(index, event, trace);
        }
        match event.what {
            What::Invoked { op } => {
                if let Some(known) = self.known.get_mut(op) {
                    known.invoked = true;
                }
            }
            What::Started { subject, .. } => self.started(subject, index),
            What::Committed { op, part, parts, .. } => {
                let Some(known) = self.known.get_mut(op) else { return };
                let before = known.effects.complete();
                known.effects.commit(part, parts);
                if !before && known.effects.complete() {
                    known.completed = index;
                }
            }
            What::Compensated { op, part, .. } => {
                if let Some(known) = self.known.get_mut(op) {
                    known.effects.take_back(part);
                }
            }
            What::Rejected { op, attempt, reply }
                if self.judges(op, trace) && !declined(op, trace) =>
            {
                let subject = Subject { op, attempt, copy: 1 };
                let status = trace.replies.get(reply.0 as usize).map_or(0, |facts| facts.status);
                if !self.owes_refusal(subject, status, trace) {
                    self.accuse(op, index);
                }
            }
            What::Finished { subject, reply } => self.finished(subject, reply, index, trace),
            What::Reaped { subject } => {
                self.suspected.forget();
                self.end(subject);
            }
            What::Delivered { message, reply: Some(reply), .. } if message.leg == Leg::Reply => {
                self.delivered(message.subject, reply, index, trace);
            }
            _ => {}
        }
    }

    fn finish(&mut self, _: &Trace, findings: &mut Vec<Finding>) {
        for (op, breach) in self.suspected.iter() {
            if let Some(breach) = breach {
                self.guilty.accuse(op, *breach);
            }
        }
        self.guilty.report(FindingKind::WrongReply, findings);
    }

    fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        for (_, known) in self.known.iter() {
            canon.word(known.effects.bits());
            canon.flag(known.invoked);
            canon.flag(known.done);
            canon.flag(known.told.is_some());
            if let Some((reply, _)) = known.told {
                seen.trace.portray_reply(canon, reply);
            }
        }
        self.handlers.portray(canon, |canon, handler| {
            canon.flag(handler.in_flight);
            canon.flag(handler.finished_after_effect);
            // The rest is asked only when it finishes.
            if handler.in_flight {
                canon.flag(handler.after_effect);
                canon.flag(handler.after_success);
                canon.flag(handler.alone && handler.starts == self.starts);
            }
        });
        self.lives.portray(canon, seen);
        self.flights.portray(canon);
        self.outcomes.portray(canon, seen.trace);
        self.present.portray(canon);
        self.guilty.portray(canon);
        self.suspected.portray(canon);
    }
}

impl WrongReply {
    /// What the clauses of their own say.
    fn hear(&mut self, index: u32, event: &Event, trace: &Trace) {
        let flights = self.flights.step(index, event, trace);
        let outcomes = self.outcomes.step(index, event, trace);
        let present = self.present.step(index, event, trace);
        for (op, breach) in [outcomes, present].into_iter().flatten() {
            if self.judges(op, trace) {
                self.guilty.accuse(op, breach);
            }
        }
        if let Some((op, breach)) = flights.filter(|(op, _)| self.judges(*op, trace)) {
            let locked = self.in_flight == InFlight::TakeOver;
            let them = if locked { &mut self.suspected } else { &mut self.guilty };
            them.accuse(op, breach);
        }
    }

    fn started(&mut self, subject: Subject, index: u32) {
        let known = self.known.get(subject.op).copied().unwrap_or_default();
        self.starts += 1;
        let handler = Handler {
            in_flight: true,
            after_effect: known.effects.complete(),
            after_success: known.done,
            finished_after_effect: false,
            alone: self.open == 0,
            starts: self.starts,
            began: index,
        };
        self.open += 1;
        self.handlers.add(subject, handler);
    }

    /// The handler is in flight no longer.
    fn end(&mut self, subject: Subject) -> Option<Handler> {
        let handler = self.handlers.get_mut(subject)?;
        if handler.in_flight {
            handler.in_flight = false;
            self.open -= 1;
        }
        Some(*handler)
    }

    fn finished(&mut self, subject: Subject, reply: ReplyId, index: u32, trace: &Trace) {
        let Some(handler) = self.end(subject) else { return };
        let Some(known) = self.known.get_mut(subject.op) else { return };
        if let Some(handler) = self.handlers.get_mut(subject) {
            handler.finished_after_effect = known.effects.complete();
        }
        let facts = trace.reply(reply);
        known.done |= facts.is_success();
        let undisturbed = handler.alone && handler.starts == self.starts;
        let nothing_in_flight = undisturbed && handler.after_effect && handler.after_success;
        if facts.status == 409 && nothing_in_flight && self.judges(subject.op, trace) {
            self.accuse(subject.op, index);
        }
        if facts.status == 409 && self.hides_a_mismatch(subject, trace) {
            self.guilty.accuse(subject.op, (index, index));
        }
        if self.mismatch == Mismatch::Replay && !facts.is_success() && !facts.asks_for_retry() {
            self.owes_the_first_reply(handler, subject.op, index, trace);
        }
    }

    fn delivered(&mut self, subject: Subject, reply: ReplyId, index: u32, trace: &Trace) {
        let op = subject.op;
        let facts = trace.reply(reply);
        let failed = facts.status >= 500 && self.server_errors == ServerErrors::Never;
        let refused = failed || (facts.status == 409 && self.in_flight == InFlight::Wait);
        if (facts.asks_for_retry() && !refused) || !self.judges(op, trace) {
            return;
        }
        if refused {
            self.guilty.accuse(op, (index, index));
            return;
        }
        if !facts.is_success() {
            if self.owes_refusal(subject, facts.status, trace) {
                return;
            }
            let handler = self.handlers.get_mut(subject);
            let after_effect = handler.is_some_and(|handler| handler.finished_after_effect);
            if after_effect && !declined(op, trace) {
                self.accuse(op, index);
            }
            return;
        }
        if trace.ops.get(op.index()).is_some_and(|facts| facts.is_wrong(subject.attempt)) {
            self.accuse(op, index);
            return;
        }
        let Some(known) = self.known.get_mut(op) else { return };
        let Some((first, at)) = known.told else {
            known.told = Some((reply, index));
            return;
        };
        if !agree(self.replay, trace.reply(first), facts) {
            self.guilty.accuse(op, (at, index));
        }
    }

    /// Whether a refusal is what is owed: 400 to a request without a key, if nothing was done for it;
    /// 401 to a wrong password.
    fn owes_refusal(&self, subject: Subject, status: u16, trace: &Trace) -> bool {
        let Some(facts) = trace.ops.get(subject.op.index()) else { return false };
        let done = self.known.get(subject.op).is_some_and(|known| known.effects.complete());
        match status {
            400 => !facts.keyed && !done,
            401 => facts.is_wrong(subject.attempt),
            _ => false,
        }
    }

    /// Whether what the operation is told now must agree with what happened before.
    fn judges(&self, op: Op, trace: &Trace) -> bool {
        let invoked = |other| self.known.get(other).is_some_and(|known| known.invoked);
        !self.lives.lapsed(op) && !rivals(trace, op).any(|(other, _)| invoked(other))
    }

    fn accuse(&mut self, op: Op, index: u32) {
        let completed = self.known.get(op).map_or(index, |known| known.completed);
        self.guilty.accuse(op, (completed, index));
    }
}

/// Whether a refusal is the right answer.
fn declined(op: Op, trace: &Trace) -> bool {
    trace.ops.get(op.index()).is_some_and(|facts| facts.declined)
}

fn agree(replay: Replay, first: &ReplyFacts, second: &ReplyFacts) -> bool {
    match replay {
        Replay::Identical => (first.status, &first.body) == (second.status, &second.body),
        Replay::Equivalent | Replay::Current => match (first.owner, second.owner) {
            (Some(first), Some(second)) => first == second,
            _ => true,
        },
    }
}
