//! A cache like Redis: a store of texts and numbers under keys, beside the database.
//!
//! Each command is one atomic step. None of them takes part in a transaction of the database: what
//! the cache was told stays told when the transaction rolls back. Keys can expire, on the cache's
//! own clock. What the cache was told can be lost later, when it fails over.

use crate::desk::{Answer, Desk};
use crate::statement::{Mark, Verb};
use crate::value::{Id, Span, Text, Value};
use std::rc::Rc;
use thiserror::Error;

/// What is asked of the cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The key.
    pub key: Text,
    /// What is to be done with it.
    pub action: CacheAction,
    /// On whose behalf, where it is not the handler's own trigger: an id that the handler of that
    /// operation had taken.
    pub cause: Option<Id>,
}

/// What the cache can do with a key.
#[derive(Clone, Debug, PartialEq)]
pub enum CacheAction {
    /// Read its value (GET).
    Get,
    /// Give it a value (SET, with NX and PX).
    Set {
        /// The value.
        value: Value,
        /// After how long it is forgotten; never without.
        expires: Option<Span>,
        /// Only where there is none.
        if_absent: bool,
    },
    /// Forget it (DEL), or only when it still has this value (a script of one GET and one DEL).
    Delete {
        /// The value that it must have.
        only_if: Option<Value>,
    },
    /// Add to its number (INCRBY); no value counts as 0.
    Increment {
        /// How much.
        by: i64,
        /// Only when this other key is not there, which is put with it: a script of SET NX and INCRBY.
        once: Option<Text>,
        /// Set when the increment is a business effect.
        effect: Option<Mark>,
    },
}

/// What the cache says.
#[derive(Clone, Debug, PartialEq)]
pub enum CacheAnswer {
    /// The value, if there is one.
    Found(Option<Value>),
    /// Whether anything was done.
    Done(bool),
    /// The new number; `None`: it had been counted before.
    Counted(Option<i64>),
}

/// What the cache refuses, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum CacheError {
    /// The connection broke: what was asked may have been done, or not.
    #[error("the connection to the cache broke")]
    ConnectionLost,
    /// A text cannot be added to: a bug in the store.
    #[error("the value in the cache is not a number")]
    NotANumber,
}

/// The cache, as a store reaches it.
#[derive(Clone, Debug)]
pub struct Cache {
    desk: Rc<Desk>,
    cause: Option<Id>,
}

impl CacheAction {
    /// The word by which plans and the timeline name it.
    pub const fn verb(&self) -> Verb {
        match self {
            Self::Get => Verb::Get,
            Self::Set { .. } => Verb::Put,
            Self::Delete { .. } => Verb::Take,
            Self::Increment { .. } => Verb::Count,
        }
    }
}

impl Cache {
    pub(crate) const fn new(desk: Rc<Desk>, cause: Option<Id>) -> Self {
        Self { desk, cause }
    }

    /// Reads the value of a key.
    pub async fn get(&self, key: &Text) -> Result<Option<Value>, CacheError> {
        match self.ask(key, CacheAction::Get).await? {
            CacheAnswer::Found(value) => Ok(value),
            answer => unreachable!("get was answered with {answer:?}"),
        }
    }

    /// Gives a key a value, whatever it had before; with a span, for so long.
    pub async fn set(
        &self,
        key: &Text,
        value: impl Into<Value>,
        expires: Option<Span>,
    ) -> Result<(), CacheError> {
        let action = CacheAction::Set { value: value.into(), expires, if_absent: false };
        self.ask(key, action).await.map(drop)
    }

    /// Gives a key a value unless it has one; says whether it did.
    pub async fn set_if_absent(
        &self,
        key: &Text,
        value: impl Into<Value>,
        expires: Option<Span>,
    ) -> Result<bool, CacheError> {
        let action = CacheAction::Set { value: value.into(), expires, if_absent: true };
        Ok(Self::done(&self.ask(key, action).await?))
    }

    /// Forgets a key; says whether it had a value.
    pub async fn delete(&self, key: &Text) -> Result<bool, CacheError> {
        Ok(Self::done(&self.ask(key, CacheAction::Delete { only_if: None }).await?))
    }

    /// Forgets a key if it still has this value; says whether it had.
    pub async fn delete_if(&self, key: &Text, value: impl Into<Value>) -> Result<bool, CacheError> {
        let action = CacheAction::Delete { only_if: Some(value.into()) };
        Ok(Self::done(&self.ask(key, action).await?))
    }

    /// Adds to the number of a key; says what it is then.
    pub async fn increment(&self, key: &Text, by: i64) -> Result<i64, CacheError> {
        let action = CacheAction::Increment { by, once: None, effect: None };
        self.count(key, action).await.map(Option::unwrap_or_default)
    }

    /// Adds to the number of a key as a business effect.
    pub async fn increment_as_effect(
        &self,
        key: &Text,
        by: i64,
        mark: Mark,
    ) -> Result<i64, CacheError> {
        let action = CacheAction::Increment { by, once: None, effect: Some(mark) };
        self.count(key, action).await.map(Option::unwrap_or_default)
    }

    /// Adds to the number of a key as a business effect, unless the key `once` is there, and puts
    /// that one: both in one step. `None`: it was there.
    pub async fn increment_once_as_effect(
        &self,
        key: &Text,
        by: i64,
        (once, mark): (&Text, Mark),
    ) -> Result<Option<i64>, CacheError> {
        let action = CacheAction::Increment { by, once: Some(once.clone()), effect: Some(mark) };
        self.count(key, action).await
    }

    async fn count(&self, key: &Text, action: CacheAction) -> Result<Option<i64>, CacheError> {
        match self.ask(key, action).await? {
            CacheAnswer::Counted(number) => Ok(number),
            answer => unreachable!("an increment was answered with {answer:?}"),
        }
    }

    async fn ask(&self, key: &Text, action: CacheAction) -> Result<CacheAnswer, CacheError> {
        let command = Command { key: key.clone(), action, cause: self.cause };
        match self.desk.command(command).await {
            Answer::Cached(answer) => answer,
            answer => unreachable!("the cache was asked, and it answered {answer:?}"),
        }
    }

    fn done(answer: &CacheAnswer) -> bool {
        match answer {
            CacheAnswer::Done(done) => *done,
            answer => unreachable!("a write was answered with {answer:?}"),
        }
    }
}
