//! Level 5. Which events a timeline shows. Imports `point`, `trace`.

use crate::point::{Op, Subject};
use crate::trace::{OpFacts, Server, Trace, What};
use onestroke_store::Verb;
use std::collections::BTreeSet;

/// One operation that everything is seen from, or none: then everything is shown.
pub(super) struct Focus {
    op: Option<Op>,
    client: Option<u16>,
    /// The event from which on nothing is said of the operation that matters.
    until: usize,
    /// Where a handler of the operation ran.
    servers: BTreeSet<Server>,
    /// Other operations that update the same thing.
    related: BTreeSet<Op>,
    /// Turns of background work that did something, or were kept from it.
    turns: BTreeSet<Subject>,
    /// The operation lets keys of the cache go (locks): others may have let go of the same ones.
    locks: bool,
}

impl Focus {
    pub(super) fn new(trace: &Trace, op: Option<Op>) -> Self {
        let turns: BTreeSet<Subject> =
            trace.events.iter().filter_map(|event| busy_turn(&event.what)).collect();
        let on = |what: &What| match what {
            What::Started { subject, server }
                if Some(subject.op) == op || turns.contains(subject) =>
            {
                Some(*server)
            }
            _ => None,
        };
        let facts = op.and_then(|op| trace.ops.get(op.index())).filter(|facts| facts.version > 0);
        let same = |(_, other): &(Op, &OpFacts)| {
            facts.is_some_and(|facts| facts.target == other.target && other.version > 0)
        };
        let related = (0..).map(Op).zip(&trace.ops).filter(same).map(|(op, _)| op).collect();
        Self {
            related,
            op,
            client: op.and_then(|op| trace.ops.get(op.index())).map(|facts| facts.client),
            until: end_of(trace, op),
            servers: trace.events.iter().filter_map(|event| on(&event.what)).collect(),
            turns,
            locks: trace.events.iter().any(|event| takes(&event.what) && op_of(&event.what) == op),
        }
    }

    pub(super) fn shows(&self, index: usize, what: &What) -> bool {
        let Some(op) = self.op else { return true };
        if index >= self.until {
            return false;
        }
        match what {
            What::CutOff { client, .. } => Some(*client) == self.client,
            What::Crashed { server } | What::Restarted { server } | What::Paused { server, .. } => {
                self.servers.contains(server)
            }
            What::FailedOver { .. } | What::Cleared | What::Exhausted => true,
            _ => {
                let of = op_of(what);
                of == Some(op)
                    || (self.locks && takes(what))
                    || of.is_some_and(|of| self.related.contains(&of))
                    || subject_of(what).is_some_and(|subject| self.turns.contains(&subject))
            }
        }
    }
}

/// Once the weather has cleared, an operation that needs no probe has no more story.
fn end_of(trace: &Trace, op: Option<Op>) -> usize {
    let probed = |what: &What| matches!(what, What::Probed { op: probed } if Some(*probed) == op);
    let mut events = trace.events.iter();
    if events.clone().any(|event| probed(&event.what)) {
        return usize::MAX;
    }
    events.position(|event| event.what == What::Cleared).unwrap_or(usize::MAX)
}

/// The turn of background work that does something here, or is kept from it.
fn busy_turn(what: &What) -> Option<Subject> {
    let subject = match what {
        What::Executed { step, .. } if !looks_only(step.verb) => step.subject,
        What::Severed { step } => step.subject,
        What::Died { subject } | What::Cancelled { subject } => *subject,
        _ => return None,
    };
    subject.is_work().then_some(subject)
}

/// Whether a key of the cache is let go here.
fn takes(what: &What) -> bool {
    match what {
        What::Asked { step, .. } | What::Executed { step, .. } => step.verb == Verb::Take,
        _ => false,
    }
}

/// Whether a question changes nothing by itself.
const fn looks_only(verb: Verb) -> bool {
    matches!(verb, Verb::Begin | Verb::Read | Verb::Scan | Verb::Commit | Verb::Rollback)
}

/// The handler that an event is about.
const fn subject_of(what: &What) -> Option<Subject> {
    match what {
        What::Started { subject, .. }
        | What::Finished { subject, .. }
        | What::Cancelled { subject }
        | What::Died { subject }
        | What::RolledBack { subject }
        | What::Reaped { subject }
        | What::Said { subject } => Some(*subject),
        What::Asked { step, .. }
        | What::Executed { step, .. }
        | What::Blocked { step }
        | What::Severed { step }
        | What::Held { step }
        | What::Released { step } => Some(step.subject),
        _ => None,
    }
}

/// The operation that an event belongs to.
pub(super) fn op_of(what: &What) -> Option<Op> {
    match what {
        What::Invoked { op }
        | What::TimedOut { op, .. }
        | What::Succeeded { op, .. }
        | What::Rejected { op, .. }
        | What::GaveUp { op }
        | What::Applied { op, .. }
        | What::Committed { op, .. }
        | What::Undone { op, .. }
        | What::Compensated { op, .. }
        | What::Vanished { op, .. }
        | What::Recorded { op }
        | What::Forgotten { op, .. }
        | What::Probed { op }
        | What::Unanswered { op } => Some(*op),
        What::Sent { message, .. }
        | What::Doubled { message }
        | What::Delayed { message, .. }
        | What::Lost { message, .. }
        | What::Delivered { message, .. } => Some(message.subject.op),
        What::Started { subject, .. }
        | What::Finished { subject, .. }
        | What::Cancelled { subject }
        | What::Died { subject }
        | What::RolledBack { subject }
        | What::Reaped { subject }
        | What::Said { subject } => Some(subject.op),
        What::Asked { step, .. }
        | What::Executed { step, .. }
        | What::Blocked { step }
        | What::Severed { step }
        | What::Evicted { step }
        | What::ReadBehind { step }
        | What::Held { step }
        | What::Released { step } => Some(step.subject.op),
        What::CutOff { .. }
        | What::Crashed { .. }
        | What::Restarted { .. }
        | What::Paused { .. }
        | What::FailedOver { .. }
        | What::Cleared
        | What::Remaining { .. }
        | What::Exhausted => None,
    }
}
