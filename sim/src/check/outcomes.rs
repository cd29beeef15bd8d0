//! Level 3. Which outcomes later attempts must be told, where the contract has more stored than
//! successes.
//!
//! A handler that started after another one of its operation had finished with an outcome that is to be
//! stored, and that finished otherwise: the store has forgotten the outcome, or never kept it. A refusal
//! (a 4xx other than 400, 401, 409, 422 and 429, which are about the request and not about what became of
//! it) is to be stored before it is sent. A failure (5xx) is to be stored by a handler that had committed
//! its claim, was refused once, and could write after that.
//!
//! What a later one says of its own trouble is no outcome: a 409 or 429, or a 5xx after the database had
//! refused it something. Imports the tables beside it, and levels below.

use super::handlers::Handlers;
use super::per_op::{Breach, PerOp};
use crate::point::{Op, Subject};
use crate::trace::{Event, ReplyFacts, ReplyId, Result as Came, Trace, What};
use onestroke_scenarios::{Contract, Replay, Stored};
use onestroke_store::{Canon, Verb};

/// The first outcome of each operation.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    stored: Stored,
    replay: Replay,
    first: PerOp<Option<(ReplyId, u32)>>,
    /// Whose question was executed last: a record that is committed next is of its making.
    asker: Option<Subject>,
    handlers: Handlers<Deeds>,
}

/// What a handler did.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug, Default)]
struct Deeds {
    /// It started after the first outcome.
    later: bool,
    claimed: bool,
    /// It has committed a record since it claimed the key.
    recorded: bool,
    refused: bool,
    /// It was refused twice, or its connection broke.
    troubled: bool,
}

impl Outcomes {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, contract: &Contract, ops: usize) {
        (self.stored, self.replay) = (contract.stored, contract.replay);
        self.first.reset(ops);
        self.asker = None;
        self.handlers.reset(ops);
    }

    /// Whether the contract has anything to judge here.
    pub(crate) fn judges(&self) -> bool {
        self.stored != Stored::Success
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
            What::Started { subject, .. } => {
                let later = self.first.get(subject.op).is_some_and(Option::is_some);
                self.handlers.add(subject, Deeds { later, ..Deeds::default() });
            }
            What::Executed { step, result, orphan } => {
                self.asker = (!orphan).then_some(step.subject);
                let deeds = self.handlers.get_mut(step.subject)?;
                deeds.claimed |= step.verb == Verb::Claim && result == Came::Done;
                deeds.troubled |= deeds.refused && result == Came::Refused;
                deeds.refused |= result == Came::Refused;
            }
            What::Severed { step } => self.handlers.get_mut(step.subject)?.troubled = true,
            What::Recorded { op } => {
                let maker = self.asker.filter(|asker| asker.op == op)?;
                let deeds = self.handlers.get_mut(maker)?;
                deeds.recorded |= deeds.claimed;
            }
            What::Finished { subject, reply } => {
                let deeds = *self.handlers.get_mut(subject)?;
                return self.finished(subject.op, (deeds, reply), index, trace);
            }
            _ => {}
        }
        None
    }

    fn finished(
        &mut self,
        op: Op,
        (deeds, reply): (Deeds, ReplyId),
        index: u32,
        trace: &Trace,
    ) -> Option<(Op, Breach)> {
        let facts = trace.reply(reply);
        let own_trouble = facts.status >= 500 && (deeds.refused || deeds.troubled);
        if let Some((first, at)) = *self.first.get(op)? {
            let stands = trace.reply(first);
            let spared = matches!(facts.status, 409 | 429) || own_trouble || stands.is_success();
            let differs = !spared && !self.agree(stands, facts);
            return (deeds.later && differs).then_some((op, (at, index)));
        }
        if self.is_stored(deeds, facts)
            && let Some(first) = self.first.get_mut(op)
        {
            *first = Some((reply, index));
        }
        None
    }

    fn is_stored(&self, deeds: Deeds, facts: &ReplyFacts) -> bool {
        match facts.status {
            400 | 401 | 409 | 422 | 429 => false,
            200..=299 | 402..=499 => true,
            _ => self.stored == Stored::All && deeds.recorded && !deeds.troubled,
        }
    }

    fn agree(&self, first: &ReplyFacts, second: &ReplyFacts) -> bool {
        match self.replay {
            Replay::Identical => (first.status, &first.body) == (second.status, &second.body),
            Replay::Equivalent | Replay::Current => first.status / 100 == second.status / 100,
        }
    }

    /// Writes what can matter for what is to come.
    pub(crate) fn portray(&self, canon: &mut Canon, trace: &Trace) {
        if self.stored == Stored::Success {
            return;
        }
        for (_, first) in self.first.iter() {
            canon.flag(first.is_some());
            if let Some((reply, _)) = first {
                trace.portray_reply(canon, *reply);
            }
        }
        self.handlers.portray(canon, |canon, deeds| {
            canon.flag(deeds.later);
            canon.flag(deeds.claimed);
            canon.flag(deeds.recorded);
            canon.flag(deeds.refused);
            canon.flag(deeds.troubled);
        });
    }
}
