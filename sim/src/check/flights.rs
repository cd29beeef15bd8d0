//! Level 3. What an attempt is told while another of its operation is in flight, where the contract
//! says: refused at once, or allowed to take over when the lease is over.
//!
//! 1. *Refuse.* A success to a handler whose claim had waited for another one of its operation, which
//!    had claimed the key in a transaction that was open still, until that one's effect was committed.
//!    A 409 was owed, at once.
//! 2. *Take over.* A 409 to a handler that started when nobody had written anything for its operation for a
//!    lease, and that was alone from its start to its end: whatever lease there had been was over.
//!
//! What a dead server's sessions had locked is a reason for a 409 too: who hears of it keeps what it
//! suspects until the end, and drops it when such sessions are reaped.
//!
//! A store that waits by asking again and again is not judged, nor is one that waits for the sessions of
//! a dead server. Imports the tables beside it, and levels below.

use super::handlers::Handlers;
use super::per_op::{Breach, PerOp};
use crate::point::{Op, Subject};
use crate::time::{Span, Time};
use crate::trace::{Event, Result as Came, Trace, What};
use onestroke_scenarios::{Contract, InFlight};
use onestroke_store::{Canon, Verb};

/// Who is in flight, and who waits for whom.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    in_flight: InFlight,
    lease: Span,
    ops: PerOp<Known>,
    handlers: Handlers<Flight>,
    /// How many handlers have started.
    starts: u32,
    /// How many are in flight.
    open: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The last question that was executed for it and may have taken a lease.
    worked: Option<(Time, u32)>,
    /// The last commit of a part of its effect.
    committed: u32,
    /// A dead server's question was executed after this many handlers had started.
    orphan: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Flight {
    open: bool,
    in_transaction: bool,
    /// It has claimed the key in the transaction that it has open.
    holds: bool,
    /// The event at which its claim began to wait for who holds the key.
    waits: Option<u32>,
    /// The same, when it has waited until the other one's effect was committed.
    waited: Option<u32>,
    /// When it started nobody was in flight, and nobody had worked on its operation for a lease: since
    /// this event.
    late: Option<u32>,
    /// How many had started when it had.
    starts: u32,
}

impl Flights {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, contract: &Contract, ops: usize) {
        self.in_flight = contract.in_flight;
        self.lease = contract.lease;
        self.ops.reset(ops);
        self.handlers.reset(ops);
        (self.starts, self.open) = (0, 0);
    }

    /// Whether the contract has anything to judge here.
    pub(crate) fn judges(&self) -> bool {
        matches!(self.in_flight, InFlight::Refuse | InFlight::TakeOver)
    }

    /// Takes in the next event. Says whose reply breaks the contract, and from which event on.
    pub(crate) fn step(
        &mut self,
        index: u32,
        event: &Event,
        trace: &Trace,
    ) -> Option<(Op, Breach)> {
        if !self.judges() {
            return None;
        }
        match event.what {
            What::Started { subject, .. } => self.started(subject, event.at),
            What::Executed { step, result, orphan } => {
                if let Some(known) = self.ops.get_mut(step.subject.op) {
                    if result == Came::Done && works(step.verb) {
                        known.worked = Some((event.at, index));
                    }
                    known.orphan = if orphan { Some(self.starts) } else { known.orphan };
                }
                self.executed(step.subject, (step.verb, result));
            }
            What::Blocked { step } if matches!(step.verb, Verb::Claim | Verb::Insert) => {
                let subject = step.subject;
                let holds = |(other, flight): (Subject, &Flight)| {
                    other != subject && flight.holds && flight.open
                };
                if self.handlers.of(subject.op).any(holds)
                    && let Some(flight) = self.handlers.get_mut(subject)
                {
                    flight.waits = Some(index);
                }
            }
            What::Committed { op, .. } => {
                if let Some(known) = self.ops.get_mut(op) {
                    known.committed = index;
                }
            }
            What::Recorded { op } => {
                // The claim is there for all to see: who waits now waits for a statement, or for work.
                let of_op = |(subject, _): &(Subject, &mut Flight)| subject.op == op;
                self.handlers.iter_mut().filter(of_op).for_each(|(_, flight)| flight.holds = false);
            }
            What::Died { subject } | What::Cancelled { subject } => drop(self.end(subject)),
            What::Finished { subject, reply } => {
                let flight = self.end(subject)?;
                let facts = trace.reply(reply);
                return self.judge(subject.op, (flight, facts.status), index);
            }
            _ => {}
        }
        None
    }

    fn judge(&self, op: Op, (flight, status): (Flight, u16), index: u32) -> Option<(Op, Breach)> {
        let known = self.ops.get(op)?;
        match self.in_flight {
            InFlight::Refuse if (200..300).contains(&status) => {
                flight.waited.map(|since| (op, (since, index)))
            }
            InFlight::TakeOver if status == 409 => {
                let alone = flight.starts == self.starts;
                let ghost = known.orphan.is_some_and(|starts| starts >= flight.starts);
                let since = flight.late.filter(|_| alone && !ghost)?;
                Some((op, (since, index)))
            }
            _ => None,
        }
    }

    fn started(&mut self, subject: Subject, now: Time) {
        self.starts += 1;
        let worked = self.ops.get(subject.op).and_then(|known| known.worked);
        let idle = worked.filter(|(at, _)| now >= *at + self.lease && self.open == 0);
        let late = idle.map(|(_, index)| index);
        let flight = Flight { open: true, late, starts: self.starts, ..Flight::default() };
        self.open += 1;
        self.handlers.add(subject, flight);
    }

    fn executed(&mut self, subject: Subject, (verb, result): (Verb, Came)) {
        let committed = self.ops.get(subject.op).map_or(0, |known| known.committed);
        let Some(flight) = self.handlers.get_mut(subject) else { return };
        if let Some(since) = flight.waits.take()
            && committed > since
        {
            flight.waited.get_or_insert(since);
        }
        match verb {
            Verb::Begin => flight.in_transaction = result == Came::Done,
            Verb::Commit | Verb::Rollback => (flight.in_transaction, flight.holds) = (false, false),
            Verb::Claim | Verb::Insert => {
                flight.holds |= flight.in_transaction && result == Came::Done;
            }
            _ => {}
        }
    }

    /// The handler is in flight no longer.
    fn end(&mut self, subject: Subject) -> Option<Flight> {
        let flight = self.handlers.get_mut(subject)?;
        if flight.open {
            flight.open = false;
            self.open -= 1;
        }
        Some(*flight)
    }

    /// Writes what can matter for what is to come.
    pub(crate) fn portray(&self, canon: &mut Canon) {
        if !matches!(self.in_flight, InFlight::Refuse | InFlight::TakeOver) {
            return;
        }
        for (_, known) in self.ops.iter() {
            canon.flag(known.worked.is_some());
            known.worked.into_iter().for_each(|(at, _)| canon.age(at, self.lease));
        }
        self.handlers.portray(canon, |canon, flight| {
            canon.flag(flight.open);
            if !flight.open {
                return;
            }
            let orphan = |op: &Known| op.orphan.is_some_and(|starts| starts >= flight.starts);
            canon.flag(flight.in_transaction);
            canon.flag(flight.holds);
            canon.flag(flight.waits.is_some());
            canon.flag(flight.waited.is_some());
            canon.flag(flight.late.is_some() && flight.starts == self.starts);
            canon.word(self.ops.iter().any(|(_, known)| orphan(known)));
        });
    }
}

/// Whether a question that was done may have taken a lease, or lengthened one.
const fn works(verb: Verb) -> bool {
    !matches!(
        verb,
        Verb::Begin
            | Verb::Commit
            | Verb::Rollback
            | Verb::Read
            | Verb::Scan
            | Verb::Get
            | Verb::Sleep
    )
}
