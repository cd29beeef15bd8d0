//! Calls of another service: a payment provider, a mailer, the other side of a transfer.
//!
//! The service is behind a hop of its own, which can lose the call or its answer. What it does, it does
//! outside any transaction of the caller's database. Whether it knows keys is up to the scenario.

use crate::request::Receipt;
use crate::statement::Mark;
use crate::value::{Id, Text};
use thiserror::Error;

/// What is asked of another service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What it is to do.
    pub act: Act,
    /// The key under which it is to know a repeat, if the caller sends one. Services that do not know
    /// keys ignore it.
    pub key: Option<Text>,
    /// On whose behalf, where it is not the handler's own trigger: an id that the handler of that
    /// operation had taken.
    pub cause: Option<Id>,
}

/// What another service can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Make an effect, or the part of one: charge, send, create.
    Do(Mark),
    /// Take an effect back that was made before: refund, cancel.
    Undo(Mark),
    /// Say what became of this key.
    LookUp,
    /// Hear something of which a repeat does no harm: a receipt by mail, a log line.
    Tell,
}

/// What another service says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallAnswer {
    /// It is done; a known key gets the receipt of the first time.
    Done(Receipt),
    /// It knows nothing of this key.
    Unknown,
}

/// Why a call was no success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum CallError {
    /// No answer came in time: it may have been done, or not, or be done later.
    #[error("the other service did not answer in time")]
    TimedOut,
    /// The service refused for good (402): nothing was done, and nothing will be.
    #[error("the other service declined")]
    Declined,
}
