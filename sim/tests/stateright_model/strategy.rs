//! The three stores as the model knows them: which question comes next, after their headers in
//! `store/src/stores`.

use super::database::Receipt;

/// How a store guards an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strategy {
    /// Looks the key up, then writes effect and key in one transaction.
    CheckThenAct,
    /// Looks the key up, applies the effect, and records the key after it.
    EffectThenKey,
    /// Claims the key, applies the effect and stores the reply in one transaction.
    OneTransaction,
}

/// What a handler asks of the database; at last, the sending of its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Question {
    /// Begins a transaction.
    Begin,
    /// Looks the key up: sees what is committed.
    Read,
    /// Inserts the key unless it is there; waits for whoever is inserting it.
    Claim,
    /// Applies the effect.
    Apply,
    /// Writes the reply under the key, over whatever stands there; waits for whoever is writing it.
    Settle(Receipt),
    /// Commits; the handler then replies with this.
    Commit(Receipt),
    /// Sends its reply.
    Reply(Receipt),
}

/// What it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It was done.
    Done,
    /// The reply under the key, if there is one.
    Record(Option<Receipt>),
    /// The key was there already.
    Taken,
    /// The receipt of the effect.
    Receipt(Receipt),
}

impl Question {
    /// Whether it can be on its way when its server dies: opening a session and replying cannot.
    pub(crate) fn leaves_the_server(self) -> bool {
        !matches!(self, Self::Begin | Self::Reply(_))
    }
}

impl Strategy {
    /// The name of the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CheckThenAct => "check-then-act",
            Self::EffectThenKey => "effect-then-key",
            Self::OneTransaction => "one-transaction",
        }
    }

    /// What a handler asks first.
    pub(crate) fn first(self) -> Question {
        match self {
            Self::CheckThenAct | Self::EffectThenKey => Question::Read,
            Self::OneTransaction => Question::Begin,
        }
    }

    /// What it asks after this question and this answer.
    pub(crate) fn next(self, question: Question, answer: Answer) -> Question {
        match (question, answer) {
            (Question::Read, Answer::Record(Some(receipt))) => Question::Reply(receipt),
            (Question::Read, _) if self == Self::CheckThenAct => Question::Begin,
            (Question::Begin, _) if self == Self::OneTransaction => Question::Claim,
            (Question::Claim, Answer::Taken) => Question::Read,
            (Question::Apply, Answer::Receipt(receipt)) => Question::Settle(receipt),
            (Question::Settle(receipt), _) if self != Self::EffectThenKey => {
                Question::Commit(receipt)
            }
            (Question::Settle(receipt) | Question::Commit(receipt), _) => Question::Reply(receipt),
            (Question::Read | Question::Begin | Question::Claim, _) => Question::Apply,
            (question, answer) => unreachable!("{answer:?} does not answer {question:?}"),
        }
    }
}
