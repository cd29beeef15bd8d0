//! Level 3. Whether a replay says how things stand now, where the contract promises that.
//!
//! A 202 ("accepted") to a handler that started after the effect was there and whoever made it had ended
//! well: the store knew that it was done, and repeats what it had said before. Who made the effect and
//! was refused something, or lost a connection, may not know; then nothing is said. Imports the tables
//! beside it, and levels below.

use super::effects::Effects;
use super::handlers::Handlers;
use super::per_op::{Breach, PerOp};
use crate::point::{Op, Subject};
use crate::trace::{Event, ReplyId, Result as Came, Trace, What};
use onestroke_scenarios::{Contract, Replay};
use onestroke_store::Canon;

/// What is known to be done.
#[derive(Debug, Default)]
pub(crate) struct Present {
    judges: bool,
    ops: PerOp<Known>,
    handlers: Handlers<Deeds>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    effects: Effects,
    /// Who completed the effect, and at which event.
    maker: Option<(Subject, u32)>,
    /// The maker has ended well.
    ended_well: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Deeds {
    /// It started when the effect was known to be there.
    after: bool,
    /// It was refused something, or its connection broke.
    troubled: bool,
}

impl Present {
    /// Forgets all; keeps the memory.
    pub(crate) fn reset(&mut self, contract: &Contract, ops: usize) {
        self.judges = contract.replay == Replay::Current;
        self.ops.reset(ops);
        self.handlers.reset(ops);
    }

    /// Whether the contract has anything to judge here.
    pub(crate) fn judges(&self) -> bool {
        self.judges
    }

    /// Takes in the next event. Says whose reply breaks the contract, and from which event on.
    pub(crate) fn step(
        &mut self,
        index: u32,
        event: &Event,
        trace: &Trace,
    ) -> Option<(Op, Breach)> {
        if !self.judges {
            return None;
        }
        match event.what {
            What::Started { subject, .. } => {
                let after = self.ops.get(subject.op).is_some_and(|known| known.ended_well);
                self.handlers.add(subject, Deeds { after, troubled: false });
            }
            What::Executed { step, result: Came::Refused, .. } | What::Severed { step } => {
                self.handlers.get_mut(step.subject)?.troubled = true;
            }
            What::Committed { op, part, parts, subject, .. } => {
                let known = self.ops.get_mut(op)?;
                known.effects.commit(part, parts);
                if known.effects.complete() {
                    known.maker.get_or_insert((subject, index));
                }
            }
            What::Compensated { op, .. } | What::Vanished { op, .. } => {
                *self.ops.get_mut(op)? = Known::default();
            }
            What::Finished { subject, reply } => {
                return self.finished(subject, reply, index, trace);
            }
            _ => {}
        }
        None
    }

    fn finished(
        &mut self,
        subject: Subject,
        reply: ReplyId,
        index: u32,
        trace: &Trace,
    ) -> Option<(Op, Breach)> {
        let deeds = *self.handlers.get_mut(subject)?;
        let status = trace.reply(reply).status;
        if !deeds.troubled && status < 500 {
            self.ops.each(|known| {
                known.ended_well |= known.maker.is_some_and(|(maker, _)| maker == subject);
            });
        }
        let (_, made) = self.ops.get(subject.op)?.maker?;
        (deeds.after && status == 202).then_some((subject.op, (made, index)))
    }

    /// Writes what can matter for what is to come.
    pub(crate) fn portray(&self, canon: &mut Canon) {
        if !self.judges {
            return;
        }
        for (_, known) in self.ops.iter() {
            canon.word(known.effects.bits());
            canon.flag(known.ended_well);
            canon.flag(known.maker.is_some());
            known.maker.into_iter().for_each(|(maker, _)| maker.portray(canon));
        }
        self.handlers.portray(canon, |canon, deeds| {
            canon.flag(deeds.after);
            canon.flag(deeds.troubled);
        });
    }
}
