//! The model's database: one record, its lock, and the effects.
//!
//! Who reads sees what is committed. A record that is being written is locked until its transaction
//! ends. What is asked outside a transaction is committed at once.

use super::strategy::{Answer, Question};

/// The number of a receipt, in the order in which the effects were applied.
pub(crate) type Receipt = u8;

/// What is committed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Database {
    /// The reply stored under the key.
    record: Option<Receipt>,
    /// Effects of the operation.
    pub(crate) effects: u8,
    /// Receipts given out.
    receipts: Receipt,
}

/// What a handler has open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Session {
    /// A transaction is open.
    open: bool,
    /// It has applied the effect.
    applied: bool,
    /// It has written the record.
    wrote: Option<Wrote>,
}

/// What stands in a record that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Wrote {
    /// In progress.
    Claim,
    /// With a reply.
    Reply(Receipt),
}

impl Session {
    /// Whether it holds the lock of the record.
    pub(crate) fn locks(self) -> bool {
        self.wrote.is_some()
    }
}

impl Database {
    /// Executes a question, which nobody's lock forbids.
    pub(crate) fn execute(&mut self, question: Question, session: &mut Session) -> Answer {
        let answer = match question {
            Question::Begin => {
                session.open = true;
                Answer::Done
            }
            Question::Read => Answer::Record(self.record),
            Question::Claim if self.record.is_some() => Answer::Taken,
            Question::Claim => {
                session.wrote = Some(Wrote::Claim);
                Answer::Done
            }
            Question::Apply => {
                self.receipts += 1;
                session.applied = true;
                Answer::Receipt(self.receipts)
            }
            Question::Settle(receipt) => {
                session.wrote = Some(Wrote::Reply(receipt));
                Answer::Done
            }
            Question::Commit(_) => {
                session.open = false;
                Answer::Done
            }
            Question::Reply(_) => unreachable!("a reply is not asked of the database"),
        };
        if !session.open {
            self.commit(*session);
            *session = Session::default();
        }
        answer
    }

    fn commit(&mut self, session: Session) {
        self.effects += u8::from(session.applied);
        if let Some(Wrote::Reply(receipt)) = session.wrote {
            self.record = Some(receipt);
        }
    }
}
