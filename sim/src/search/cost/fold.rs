//! Level 5. Cost of one run: a fold over its events, in whole numbers.
//!
//! Only what clients do by themselves is counted for them, so an operation that is asked about once
//! more after the weather has cleared counts as unanswered. A question *waits* from when it was
//! blocked until it was executed, or its handler was cut off. It was *in vain* when its handler
//! neither committed an effect nor answered the client: it was told to come again, it was cut off,
//! or its reply was lost or came too late. Imports `trace`, `point`, and the table of handlers of
//! `check`.

use super::Cost;
use crate::check::handlers::Handlers;
use crate::point::{Leg, Op, Subject};
use crate::time::{Span, Time};
use crate::trace::{Trace, What};
use onestroke_store::Verb;

/// What is remembered of the run that is folded; keeps its memory from run to run.
#[derive(Debug, Default)]
pub struct Fold {
    lives: Vec<Life>,
    handlers: Handlers<Work>,
    /// Operations with a record, now and at most.
    records: u64,
    peak: u64,
}

/// An operation in a run.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    first_sent: Option<Time>,
    probed: bool,
    recorded_at: Option<Time>,
}

/// A handler in a run.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    questions: u64,
    blocked_at: Option<Time>,
    gone: bool,
    /// It committed an effect, or answered the client.
    used: bool,
}

impl Fold {
    /// Takes a run in.
    pub fn run(&mut self, trace: &Trace, cost: &mut Cost) {
        self.lives.clear();
        self.lives.resize(trace.ops.len(), Life::default());
        self.handlers.reset(trace.ops.len());
        (self.records, self.peak) = (0, 0);
        for event in &trace.events {
            self.of_client(event.at, event.what, trace, cost);
            self.of_handler(event.at, event.what, cost);
            self.of_records(event.at, event.what, cost);
        }
        cost.runs += 1;
        let lives = || self.lives.iter();
        cost.operations += lives().filter(|life| life.first_sent.is_some()).count() as u64;
        cost.records += lives().filter(|life| life.recorded_at.is_some()).count() as u64;
        cost.records_at_peak += self.peak;
        let in_vain = |(_, work): (Subject, &mut Work)| if work.used { 0 } else { work.questions };
        cost.in_vain += self.handlers.iter_mut().map(in_vain).sum::<u64>();
    }

    fn of_client(&mut self, at: Time, what: What, trace: &Trace, cost: &mut Cost) {
        match what {
            What::Sent { message, reply: None } if message.leg == Leg::Request => {
                let Some(life) = self.life(message.subject.op) else { return };
                cost.attempts += u64::from(!life.probed);
                life.first_sent.get_or_insert(at);
            }
            What::Delivered { message, reply: Some(reply), .. } => {
                let Some(life) = self.life(message.subject.op) else { return };
                cost.refusals += u64::from(!life.probed && trace.reply(reply).asks_for_retry());
            }
            What::Succeeded { op, attempt, .. } | What::Rejected { op, attempt, .. } => {
                self.answered(op, attempt);
                let Some(life) = self.life(op).filter(|life| !life.probed) else { return };
                let span = life.first_sent.map_or(Span::ZERO, |first| at.since(first));
                cost.answered += 1;
                cost.latency.record(span);
            }
            What::Probed { op } => {
                if let Some(life) = self.life(op) {
                    life.probed = true;
                }
            }
            _ => {}
        }
    }

    fn of_handler(&mut self, at: Time, what: What, cost: &mut Cost) {
        match what {
            What::Started { subject, .. } if !subject.is_background() => {
                cost.requests += 1;
                self.handlers.add(subject, Work::default());
            }
            What::Asked { step, .. } if !step.subject.is_sweep() => {
                let background = step.subject.is_background();
                match step.verb {
                    Verb::Sleep | Verb::Reply => return,
                    Verb::Call => cost.calls += 1,
                    _ if background => cost.background += 1,
                    _ => cost.questions += 1,
                }
                if let Some(work) = self.work(step.subject) {
                    work.questions += 1;
                }
            }
            What::Blocked { step } => {
                if let Some(work) = self.work(step.subject).filter(|work| !work.gone) {
                    work.blocked_at = Some(at);
                    cost.waits += 1;
                }
            }
            What::Executed { step, .. } | What::Severed { step } => {
                self.end_of_wait(step.subject, at, cost);
            }
            What::Died { subject } | What::Cancelled { subject } => {
                self.end_of_wait(subject, at, cost);
                if let Some(work) = self.work(subject) {
                    work.gone = true;
                    cost.cut_off += 1;
                }
            }
            What::Committed { subject, .. } => {
                if let Some(work) = self.work(subject) {
                    work.used = true;
                }
            }
            _ => {}
        }
    }

    fn of_records(&mut self, at: Time, what: What, cost: &mut Cost) {
        match what {
            What::Recorded { op } => {
                let Some(life) = self.life(op) else { return };
                let fresh = life.recorded_at.is_none();
                life.recorded_at.get_or_insert(at);
                self.records += u64::from(fresh);
                self.peak = self.peak.max(self.records);
            }
            What::Forgotten { op, .. } => {
                let Some(since) = self.life(op).and_then(|life| life.recorded_at.take()) else {
                    return;
                };
                self.records -= 1;
                cost.kept.record(at.since(since));
            }
            _ => {}
        }
    }

    /// The client has its answer from one of this attempt's handlers.
    fn answered(&mut self, op: Op, attempt: u8) {
        let handlers = self.handlers.of(op).map(|(subject, _)| subject);
        let copies =
            handlers.filter(|subject| subject.attempt == attempt).map(|one| one.copy).max();
        for copy in 1..=copies.unwrap_or(0) {
            if let Some(work) = self.work(Subject { op, attempt, copy }) {
                work.used = true;
            }
        }
    }

    fn end_of_wait(&mut self, subject: Subject, at: Time, cost: &mut Cost) {
        if let Some(since) = self.work(subject).and_then(|work| work.blocked_at.take()) {
            cost.waited = cost.waited + at.since(since);
        }
    }

    fn life(&mut self, op: Op) -> Option<&mut Life> {
        self.lives.get_mut(op.index())
    }

    fn work(&mut self, subject: Subject) -> Option<&mut Work> {
        if subject.is_background() { None } else { self.handlers.get_mut(subject) }
    }
}
