//! The desk: where a handler and whoever polls it exchange question and answer.
//!
//! A question, an answer, and what a handler was told since its trigger: with the trigger, that is
//! all that it knows.

use crate::cache::{CacheAnswer, CacheError, Command};
use crate::call::{Call, CallAnswer, CallError};
use crate::engine::{DbAnswer, DbError, Isolation, Session};
use crate::settings::Settings;
use crate::statement::Statement;
use crate::value::{Id, Span, Time};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// What a store asks.
#[derive(Clone, Debug)]
pub enum Question {
    /// Begin a transaction.
    Begin(Isolation),
    /// Run a statement, in a transaction or by itself.
    Statement {
        /// The transaction's session; `None` for a statement that commits by itself.
        session: Option<Session>,
        /// The statement.
        statement: Statement,
    },
    /// Commit this transaction.
    Commit(Session),
    /// Roll this transaction back.
    Rollback(Session),
    /// Wait for a span of the node's time.
    Sleep(Span),
    /// Call another service.
    Call(Call),
    /// Command the cache.
    Cache(Command),
    /// Read on the replica, which lags behind. The statement is a read or a scan.
    Replica(Statement),
}

/// What a store is told.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The database's word.
    Db(Result<DbAnswer, DbError>),
    /// The span has passed.
    Slept,
    /// The other service's word.
    Called(Result<CallAnswer, CallError>),
    /// The cache's word.
    Cached(Result<CacheAnswer, CacheError>),
}

/// One thing that a handler was told. With its trigger, all that it was told is all that it knows.
#[derive(Clone, Debug)]
pub enum Told {
    /// The node's clock said this.
    Now(Time),
    /// It was given this id.
    Id(Id),
    /// Its question was answered.
    Answer(Answer),
}

/// Where a handler and whoever polls it exchange question and answer. One for each handler.
pub struct Desk {
    question: RefCell<Option<Question>>,
    answer: RefCell<Option<Answer>>,
    dropped: RefCell<SmallVec<[Session; 2]>>,
    /// Ids that were taken on behalf of others.
    kin: RefCell<SmallVec<[(Id, Id); 2]>>,
    now: Cell<Time>,
    ids: Rc<Cell<u64>>,
    settings: Settings,
    listening: Cell<bool>,
    told: RefCell<Vec<Told>>,
}

impl Desk {
    /// A desk that takes fresh ids from this counter.
    pub fn new(ids: Rc<Cell<u64>>, settings: Settings) -> Self {
        Self {
            question: RefCell::new(None),
            answer: RefCell::new(None),
            dropped: RefCell::default(),
            kin: RefCell::default(),
            now: Cell::new(Time::ZERO),
            ids,
            settings,
            listening: Cell::new(false),
            told: RefCell::default(),
        }
    }

    /// Whether all that the handler is told is kept from now on.
    pub fn set_listening(&self, listening: bool) {
        self.listening.set(listening);
    }

    /// Looks at all that the handler was told since its trigger, if that was kept.
    pub fn with_told<T>(&self, look: impl FnOnce(&[Told]) -> T) -> T {
        look(&self.told.borrow())
    }

    /// Takes all that the handler was told, if that was kept.
    pub fn take_told(&self) -> Vec<Told> {
        self.told.take()
    }

    /// Sets the node's clock, before a poll.
    pub fn set_now(&self, now: Time) {
        self.now.set(now);
    }

    /// Looks at the question that waits for an answer.
    pub fn with_question<T>(&self, look: impl FnOnce(Option<&Question>) -> T) -> T {
        look(self.question.borrow().as_ref())
    }

    /// A copy of the question that waits for an answer.
    pub fn question(&self) -> Option<Question> {
        self.question.borrow().clone()
    }

    /// Answers the question; poll the handler next.
    pub fn answer(&self, answer: Answer) {
        // Dropped where it lies: taking it out would move it first.
        *self.question.borrow_mut() = None;
        self.hear(|| Told::Answer(answer.clone()));
        *self.answer.borrow_mut() = Some(answer);
    }

    /// Takes one transaction that the handler dropped without an end; it is to be rolled back.
    pub fn take_dropped(&self) -> Option<Session> {
        self.dropped.borrow_mut().pop()
    }

    /// Takes one id that was taken on behalf of another trigger, with an id that belongs to that one.
    pub fn take_kin(&self) -> Option<(Id, Id)> {
        self.kin.borrow_mut().pop()
    }

    /// Forgets all that is on it, for the next trigger.
    pub fn clear(&self) {
        *self.question.borrow_mut() = None;
        *self.answer.borrow_mut() = None;
        self.dropped.borrow_mut().clear();
        self.kin.borrow_mut().clear();
        self.told.borrow_mut().clear();
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("question", &self.question).finish_non_exhaustive()
    }
}

impl Desk {
    /// An id that nobody has used before.
    /// With a cause, the id belongs to whoever took that one.
    pub(crate) fn fresh_id_for(&self, cause: Option<Id>) -> Id {
        let number = self.ids.get() + 1;
        self.ids.set(number);
        let id = Id::new(number);
        self.hear(|| Told::Id(id));
        if let Some(cause) = cause {
            self.kin.borrow_mut().push((id, cause));
        }
        id
    }

    /// What the node's clock says to the handler.
    pub(crate) fn now(&self) -> Time {
        let now = self.now.get();
        self.hear(|| Told::Now(now));
        now
    }

    /// What the scenario sets.
    pub(crate) const fn settings(&self) -> Settings {
        self.settings
    }

    /// A transaction was dropped without an end.
    pub(crate) fn drop_transaction(&self, session: Session) {
        self.dropped.borrow_mut().push(session);
    }

    fn hear(&self, told: impl FnOnce() -> Told) {
        if self.listening.get() {
            self.told.borrow_mut().push(told());
        }
    }

    /// Leaves a question.
    #[inline]
    pub(crate) fn leave(&self, question: Question) {
        let mut place = self.question.borrow_mut();
        assert!(place.is_none(), "a handler asked two questions at once: {place:?}");
        *place = Some(question);
    }

    /// Takes the answer, if it is there.
    pub(crate) fn take_answer(&self) -> Option<Answer> {
        self.answer.borrow_mut().take()
    }

    /// Leaves a question, and waits for its answer.
    pub(crate) async fn ask(&self, question: Question) -> Answer {
        self.leave(question);
        poll_fn(|_| self.take_answer().map_or(Poll::Pending, Poll::Ready)).await
    }
}
