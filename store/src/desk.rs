//! The desk: where a handler and whoever polls it exchange question and answer.
//!
//! A question, an answer, and what a handler was told since its trigger: with the trigger, that is
//! all that it knows.

use crate::cache::{CacheAnswer, CacheError, Command};
use crate::call::{Call, CallAnswer, CallError};
use crate::effects::EFFECTS;
use crate::engine::{DbAnswer, DbError, Isolation, Session};
use crate::settings::Settings;
use crate::statement::{Action, OnConflict, Row, Statement, Verb, Wait};
use crate::value::{Id, Span, Time};
use smallvec::SmallVec;
use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// What a store asks, as it lies on its desk.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// Begin a transaction.
    Begin(Isolation),
    /// Run a statement, in a transaction or by itself.
    Statement {
        /// The transaction's session; `None` for a statement that commits by itself.
        session: Option<Session>,
        /// The statement.
        statement: &'a Statement,
    },
    /// Commit this transaction.
    Commit(Session),
    /// Roll this transaction back.
    Rollback(Session),
    /// Wait for a span of the node's time.
    Sleep(Span),
    /// Call another service.
    Call(&'a Call),
    /// Command the cache.
    Cache(&'a Command),
    /// Read on the replica, which lags behind. The statement is a read or a scan.
    Replica(&'a Statement),
}

/// A question with all that belongs to it: of the kinds that are large, each has a place of its own,
/// in which the next one is written over the last. A question is never moved.
#[derive(Clone, Debug)]
pub struct Asked {
    kind: Kind,
    /// An insert.
    insert: Statement,
    /// Any other statement.
    statement: Statement,
    call: Option<Call>,
    command: Option<Command>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Nothing,
    Begin(Isolation),
    Insert(Option<Session>),
    Statement(Option<Session>),
    Commit(Session),
    Rollback(Session),
    Sleep(Span),
    Call,
    Cache,
    Replica,
}

impl Asked {
    /// Nothing is asked.
    fn nothing() -> Self {
        let of = |verb, action| Statement {
            verb,
            table: &EFFECTS,
            action,
            effect: None,
            undoes: false,
            wait: Wait::Block,
            cause: None,
        };
        let row = Row::default();
        let insert = Action::Insert { row, on_conflict: OnConflict::Fail };
        let read = Action::Read { filter: SmallVec::new(), lock: false };
        Self {
            kind: Kind::Nothing,
            insert: of(Verb::Insert, insert),
            statement: of(Verb::Read, read),
            call: None,
            command: None,
        }
    }

    /// The question, if there is one.
    pub const fn question(&self) -> Option<Question<'_>> {
        let Self { insert, statement, .. } = self;
        Some(match self.kind {
            Kind::Nothing => return None,
            Kind::Begin(isolation) => Question::Begin(isolation),
            Kind::Insert(session) => Question::Statement { session, statement: insert },
            Kind::Statement(session) => Question::Statement { session, statement },
            Kind::Commit(session) => Question::Commit(session),
            Kind::Rollback(session) => Question::Rollback(session),
            Kind::Sleep(span) => Question::Sleep(span),
            Kind::Replica => Question::Replica(statement),
            Kind::Call => match &self.call {
                Some(call) => Question::Call(call),
                None => return None,
            },
            Kind::Cache => match &self.command {
                Some(command) => Question::Cache(command),
                None => return None,
            },
        })
    }
}

impl Question<'_> {
    /// What the store means by it.
    pub const fn verb(&self) -> Verb {
        match self {
            Self::Begin(_) => Verb::Begin,
            Self::Statement { statement, .. } | Self::Replica(statement) => statement.verb,
            Self::Commit(_) => Verb::Commit,
            Self::Rollback(_) => Verb::Rollback,
            Self::Sleep(_) => Verb::Sleep,
            Self::Call(_) => Verb::Call,
            Self::Cache(command) => command.action.verb(),
        }
    }

    /// The transaction that it is asked in.
    pub const fn transaction(&self) -> Option<Session> {
        match self {
            Self::Statement { session, .. } => *session,
            Self::Commit(session) | Self::Rollback(session) => Some(*session),
            _ => None,
        }
    }
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
    asked: RefCell<Asked>,
    /// The last answer: it lies there until the next one is written over it.
    answer: RefCell<Answer>,
    /// The handler may take the answer.
    answered: Cell<bool>,
    dropped: RefCell<SmallVec<[Session; 2]>>,
    has_dropped: Cell<bool>,
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
            asked: RefCell::new(Asked::nothing()),
            answer: RefCell::new(Answer::Slept),
            answered: Cell::new(false),
            dropped: RefCell::default(),
            has_dropped: Cell::new(false),
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

    /// What lies on it.
    #[inline]
    pub fn look(&self) -> Ref<'_, Asked> {
        self.asked.borrow()
    }

    /// A copy of the question that waits for an answer.
    pub fn asked(&self) -> Option<Asked> {
        let asked = self.asked.borrow();
        asked.question().is_some().then(|| asked.clone())
    }

    /// Answers the question; poll the handler next.
    pub fn answer(&self, answer: Answer) {
        self.put(answer);
        self.deliver();
    }

    /// Puts an answer beside the question. The handler does not hear of it yet, nor ever if another one
    /// is put over it.
    #[inline]
    pub fn put(&self, answer: Answer) {
        *self.answer.borrow_mut() = answer;
    }

    /// Gives the handler the answer that was put; poll it next.
    #[inline]
    pub fn deliver(&self) {
        self.asked.borrow_mut().kind = Kind::Nothing;
        self.hear(|| Told::Answer(self.answer.borrow().clone()));
        self.answered.set(true);
    }

    /// The transaction that was begun, if that is the answer that was put.
    #[inline]
    pub fn began(&self) -> Option<Session> {
        match &*self.answer.borrow() {
            Answer::Db(Ok(DbAnswer::Began(session))) => Some(*session),
            _ => None,
        }
    }

    /// Takes one transaction that the handler dropped without an end; it is to be rolled back.
    #[inline]
    pub fn take_dropped(&self) -> Option<Session> {
        if !self.has_dropped.get() {
            return None;
        }
        let dropped = self.dropped.borrow_mut().pop();
        self.has_dropped.set(dropped.is_some());
        dropped
    }

    /// Takes one id that was taken on behalf of another trigger, with an id that belongs to that one.
    pub fn take_kin(&self) -> Option<(Id, Id)> {
        self.kin.borrow_mut().pop()
    }

    /// Forgets all that is on it, for the next trigger.
    pub fn clear(&self) {
        self.asked.borrow_mut().kind = Kind::Nothing;
        self.answered.set(false);
        self.dropped.borrow_mut().clear();
        self.has_dropped.set(false);
        self.kin.borrow_mut().clear();
        self.told.borrow_mut().clear();
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("asked", &self.asked).finish_non_exhaustive()
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
        self.has_dropped.set(true);
    }

    fn hear(&self, told: impl FnOnce() -> Told) {
        if self.listening.get() {
            self.told.borrow_mut().push(told());
        }
    }

    /// Leaves a question that is small.
    #[inline]
    fn leave(&self, kind: Kind) -> &RefCell<Asked> {
        let mut asked = self.asked.borrow_mut();
        let before = std::mem::replace(&mut asked.kind, kind);
        assert!(matches!(before, Kind::Nothing), "a handler asked two questions at once");
        &self.asked
    }

    /// Asks to begin a transaction.
    #[inline]
    pub(crate) fn ask_begin(&self, isolation: Isolation) {
        self.leave(Kind::Begin(isolation));
    }

    /// Asks to commit a transaction.
    #[inline]
    pub(crate) fn ask_commit(&self, session: Session) {
        self.leave(Kind::Commit(session));
    }

    /// Asks to roll a transaction back.
    #[inline]
    pub(crate) fn ask_rollback(&self, session: Session) {
        self.leave(Kind::Rollback(session));
    }

    /// Asks for an insert, which is written where it is read.
    #[inline]
    pub(crate) fn ask_insert(&self, session: Option<Session>, write: impl FnOnce(&mut Statement)) {
        write(&mut self.leave(Kind::Insert(session)).borrow_mut().insert);
    }

    /// Asks for any other statement, which is written where it is read.
    #[inline]
    pub(crate) fn ask_statement(
        &self,
        session: Option<Session>,
        write: impl FnOnce(&mut Statement),
    ) {
        write(&mut self.leave(Kind::Statement(session)).borrow_mut().statement);
    }

    /// Asks the replica.
    #[inline]
    pub(crate) fn ask_replica(&self, write: impl FnOnce(&mut Statement)) {
        write(&mut self.leave(Kind::Replica).borrow_mut().statement);
    }

    /// Takes the answer, if it is there.
    pub(crate) fn take_answer(&self) -> Option<Answer> {
        let there = self.answered.replace(false);
        there.then(|| std::mem::replace(&mut *self.answer.borrow_mut(), Answer::Slept))
    }

    /// Takes from the database's answer what is wanted of it, if it is there: a whole answer is large.
    #[inline]
    pub(crate) fn take_of_db<T>(
        &self,
        want: impl FnOnce(&mut DbAnswer) -> T,
    ) -> Poll<Result<T, DbError>> {
        if !self.answered.replace(false) {
            return Poll::Pending;
        }
        match &mut *self.answer.borrow_mut() {
            Answer::Db(Ok(answer)) => Poll::Ready(Ok(want(answer))),
            Answer::Db(Err(error)) => Poll::Ready(Err(error.clone())),
            answer => unreachable!("the database was asked, and it answered {answer:?}"),
        }
    }

    /// Waits for the answer.
    pub(crate) async fn answered(&self) -> Answer {
        poll_fn(|_| self.take_answer().map_or(Poll::Pending, Poll::Ready)).await
    }

    /// Asks for some time to pass, and waits.
    pub(crate) async fn sleep(&self, span: Span) -> Answer {
        self.leave(Kind::Sleep(span));
        self.answered().await
    }

    /// Calls another service, and waits for its answer.
    pub(crate) async fn call(&self, call: Call) -> Answer {
        self.leave(Kind::Call).borrow_mut().call = Some(call);
        self.answered().await
    }

    /// Commands the cache, and waits for its answer.
    pub(crate) async fn command(&self, command: Command) -> Answer {
        self.leave(Kind::Cache).borrow_mut().command = Some(command);
        self.answered().await
    }
}
