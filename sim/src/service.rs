//! Level 2. Another service, as the servers reach it: a payment provider, a mailer, the other side of
//! a transfer.
//!
//! Fault model: it never fails by itself, and forgets nothing. Its answer comes late when the caller is
//! slow to hear it, and the hop to it can lose a call or an answer (`sever`). What it does is done at
//! once, and no transaction of the caller takes it back. A scenario says whether it knows keys, and
//! whether it declines.

use crate::point::{Op, Step, Subject};
use crate::stage::Stage;
use crate::trace::{Result as Came, What};
use onestroke_scenarios::{Declines, Service as Terms};
use onestroke_store::{Act, Call, CallAnswer, CallError, Canon, Id, Mark, Receipt, Text};

/// The other service, with the keys that it knows.
#[derive(Debug)]
pub struct Service {
    terms: Terms,
    known: Vec<Known>,
    /// Whom it has declined, where it declines at first only.
    turned_down: Vec<Op>,
}

/// What was done under a key. A key is one for what is done, and one for taking it back.
#[derive(Debug)]
struct Known {
    key: Text,
    undone: bool,
    receipt: Receipt,
}

impl Service {
    /// A service on these terms.
    pub const fn new(terms: Terms) -> Self {
        Self { terms, known: vec![], turned_down: vec![] }
    }

    /// Forgets all; keeps the memory.
    pub fn reset(&mut self) {
        self.known.clear();
        self.turned_down.clear();
    }

    /// For how many keys it has room.
    pub const fn room(&self) -> usize {
        self.known.capacity() + self.turned_down.capacity()
    }

    /// Does what is asked, on behalf of this operation. `id` is a fresh one, for a receipt; says
    /// whether it was used.
    pub fn execute(
        &mut self,
        stage: &mut Stage,
        (step, op, orphan): (Step, Op, bool),
        call: &Call,
        id: Id,
    ) -> Result<CallAnswer, CallError> {
        let undoing = matches!(call.act, Act::Undo(_));
        let known = call.key.as_ref().filter(|_| self.terms.keys).and_then(|key| {
            self.known.iter().find(|known| known.key == *key && known.undone == undoing)
        });
        let known = known.map(|known| known.receipt);
        let last = matches!(call.act, Act::Do(mark) if mark.part + 1 == mark.parts);
        let declined = last && known.is_none() && self.declines(op);
        let (answer, result) = match (known, call.act) {
            (_, Act::Tell) => (Ok(CallAnswer::Done(Receipt { id })), Came::Done),
            (Some(receipt), _) => (Ok(CallAnswer::Done(receipt)), Came::Nothing),
            (None, Act::LookUp) => (Ok(CallAnswer::Unknown), Came::Nothing),
            (None, _) if declined => (Err(CallError::Declined), Came::Refused),
            (None, _) => (Ok(CallAnswer::Done(Receipt { id })), Came::Done),
        };
        let executed = What::Executed { step, result, orphan };
        stage.happened_with(executed, || crate::describe::called(answer, result));
        if result == Came::Done && call.act != Act::Tell {
            self.note(call, Receipt { id });
            happened(stage, (op, step.subject), call.act);
        }
        answer
    }

    fn declines(&mut self, op: Op) -> bool {
        let first = self.terms.declines == Declines::AtFirst;
        if first && self.turned_down.contains(&op) {
            return false;
        }
        if first {
            self.turned_down.push(op);
        }
        self.terms.declines.declines(op.0)
    }

    fn note(&mut self, call: &Call, receipt: Receipt) {
        if let (true, Some(key)) = (self.terms.keys, &call.key) {
            let undone = matches!(call.act, Act::Undo(_));
            self.known.push(Known { key: key.clone(), undone, receipt });
        }
    }

    /// Writes the keys that it knows.
    pub fn portray(&self, canon: &mut Canon) {
        canon.size(self.known.len());
        for known in &self.known {
            canon.text(&known.key);
            canon.word(known.undone);
            canon.id(known.receipt.id);
        }
        canon.size(self.turned_down.len());
        self.turned_down.iter().for_each(|op| canon.word(op.0));
    }
}

/// What a service does is committed at once.
fn happened(stage: &mut Stage, (op, subject): (Op, Subject), act: Act) {
    match act {
        Act::Do(Mark { kind, part, parts }) => {
            stage.happened(What::Applied { op, part, parts, kind });
            stage.happened(What::Committed { op, part, parts, kind, subject });
        }
        Act::Undo(Mark { part, .. }) => stage.happened(What::Compensated { op, part, subject }),
        Act::LookUp | Act::Tell => {}
    }
}
