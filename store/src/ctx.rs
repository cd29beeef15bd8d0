//! `Ctx`: a store's only window on the world.
//!
//! Every `await` leaves one question on the desk and suspends; whoever polls the handler answers it.
//! The simulator answers after virtual time, or crashes the server instead; a real database's
//! runtime ([`crate::block_on`]) executes the question and polls again. Reading the node's clock and
//! taking a fresh id are no questions: real code does not suspend there either.

mod effects;

use crate::cache::Cache;
use crate::call::{Act, Call, CallAnswer, CallError};
use crate::desk::{Answer, Desk};
use crate::engine::{DbAnswer, DbError, Isolation, Session};
use crate::replica::Replica;
use crate::request::{Effect, Receipt};
use crate::schema::Table;
use crate::settings::Settings;
use crate::statement::{
    Action, Assignment, Condition, Mark, OnConflict, Row, Statement, Verb, Wait,
};
use crate::value::{Id, Span, Text, Time};
use std::future::poll_fn;
use std::ops::Deref;
use std::rc::Rc;

/// A store's only input.
#[derive(Clone, Debug)]
pub struct Ctx {
    desk: Rc<Desk>,
    cause: Option<Id>,
}

/// The database, outside any transaction: every statement commits by itself.
#[derive(Clone, Debug)]
pub struct Db {
    desk: Rc<Desk>,
    session: Option<Session>,
    wait: Wait,
    cause: Option<Id>,
}

/// An open transaction: a [`Db`] whose statements commit together. Dropping it rolls it back.
#[derive(Debug)]
pub struct Tx {
    db: Db,
    open: bool,
}

impl Ctx {
    /// The context over this desk.
    pub const fn new(desk: Rc<Desk>) -> Self {
        Self { desk, cause: None }
    }

    /// The database.
    pub fn db(&self) -> Db {
        Db { desk: Rc::clone(&self.desk), session: None, wait: Wait::Block, cause: self.cause }
    }

    /// The cache beside the database.
    pub fn cache(&self) -> Cache {
        Cache::new(Rc::clone(&self.desk), self.cause)
    }

    /// A read replica of the database, which lags behind.
    pub fn replica(&self) -> Replica {
        Replica::new(Rc::clone(&self.desk))
    }

    /// The node's clock. It may differ from another node's.
    pub fn now(&self) -> Time {
        self.desk.now()
    }

    /// An id that nobody has used before.
    pub fn fresh_id(&self) -> Id {
        self.desk.fresh_id_for(self.cause)
    }

    /// What the scenario sets.
    pub fn settings(&self) -> Settings {
        self.desk.settings()
    }

    /// Waits for a span of the node's time.
    pub async fn sleep(&self, span: Span) {
        match self.desk.sleep(span).await {
            Answer::Slept => {}
            answer => unreachable!("sleep was answered with {answer:?}"),
        }
    }

    /// The same context, for work that an earlier trigger caused: `id` is one that its handler had
    /// taken, and that was written down since. A relay, a sweeper or a consumer says so whose work
    /// it goes on with.
    #[must_use]
    pub fn on_behalf_of(&self, id: Id) -> Self {
        Self { desk: Rc::clone(&self.desk), cause: Some(id) }
    }

    /// Asks another service to make the effect, under a key or without one. The answer can be lost
    /// when it was made.
    pub async fn call(&self, key: Option<&Text>, effect: Effect) -> Result<Receipt, CallError> {
        self.call_part(key, Mark { kind: effect.kind, part: 0, parts: effect.parts }).await
    }

    /// Asks another service to make one part of an effect.
    pub async fn call_part(&self, key: Option<&Text>, mark: Mark) -> Result<Receipt, CallError> {
        match self.ask_service(Act::Do(mark), key).await? {
            CallAnswer::Done(receipt) => Ok(receipt),
            CallAnswer::Unknown => unreachable!("who does something knows of it"),
        }
    }

    /// Asks another service to take a part of an effect back.
    pub async fn call_undo(&self, key: Option<&Text>, mark: Mark) -> Result<(), CallError> {
        self.ask_service(Act::Undo(mark), key).await.map(drop)
    }

    /// Asks another service what became of a key: its receipt, or nothing.
    pub async fn call_look_up(&self, key: &Text) -> Result<Option<Receipt>, CallError> {
        Ok(match self.ask_service(Act::LookUp, Some(key)).await? {
            CallAnswer::Done(receipt) => Some(receipt),
            CallAnswer::Unknown => None,
        })
    }

    /// Tells another service something of which a repeat does no harm.
    pub async fn call_tell(&self, key: Option<&Text>) -> Result<(), CallError> {
        self.ask_service(Act::Tell, key).await.map(drop)
    }

    async fn ask_service(&self, act: Act, key: Option<&Text>) -> Result<CallAnswer, CallError> {
        let call = Call { act, key: key.cloned(), cause: self.cause };
        match self.desk.call(call).await {
            Answer::Called(answer) => answer,
            answer => unreachable!("a call was answered with {answer:?}"),
        }
    }
}

impl Db {
    /// Begins a transaction.
    pub async fn begin(&self, isolation: Isolation) -> Result<Tx, DbError> {
        self.desk.ask_begin(isolation);
        let began = |answer: &mut DbAnswer| match answer {
            DbAnswer::Began(session) => *session,
            answer => unreachable!("begin was answered with {answer:?}"),
        };
        let session = self.told(began).await?;
        Ok(Tx { db: Self { session: Some(session), ..self.clone() }, open: true })
    }

    /// The same database, whose statements fail where they would wait: with [`DbError::WouldWait`] on
    /// PostgreSQL, and with [`DbError::Busy`] on SQLite, which locks all or nothing and cannot tell
    /// whose key is in the way.
    pub fn without_waiting(&self) -> Self {
        Self { wait: Wait::Refuse, ..self.clone() }
    }

    /// Reads the first row that fits.
    pub async fn read(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
    ) -> Result<Option<Row>, DbError> {
        self.read_row(table, filter, false).await
    }

    /// Reads the first row that fits and locks it until the transaction ends.
    pub async fn read_for_update(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
    ) -> Result<Option<Row>, DbError> {
        self.read_row(table, filter, true).await
    }

    /// Reads all rows that fit, at most `limit`.
    pub async fn scan(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        limit: u32,
    ) -> Result<Vec<Row>, DbError> {
        let action = Action::Scan { filter: filter.into_iter().collect(), limit };
        self.run(Verb::Scan, table, action, None);
        let rows = |answer: &mut DbAnswer| match answer {
            DbAnswer::Rows(rows) => std::mem::take(rows),
            answer => unreachable!("a scan was answered with {answer:?}"),
        };
        self.told(rows).await
    }

    /// Inserts a row; a taken unique key is an error.
    pub async fn insert(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
    ) -> Result<(), DbError> {
        self.insert_row((Verb::Insert, None), table, cells, OnConflict::Fail);
        self.told(|_| ()).await
    }

    /// Inserts a row unless a unique key is taken; says whether it did.
    pub async fn insert_if_absent(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
    ) -> Result<bool, DbError> {
        self.insert_if_absent_as(Verb::Insert, table, cells).await
    }

    /// Inserts a row, or updates the one with the same first unique key.
    pub async fn upsert(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        on_conflict: impl IntoIterator<Item = Assignment>,
    ) -> Result<(), DbError> {
        self.upsert_as(Verb::Upsert, table, cells, on_conflict).await
    }

    /// Updates all rows that fit; says how many.
    pub async fn update(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        set: impl IntoIterator<Item = Assignment>,
    ) -> Result<u64, DbError> {
        self.update_as(Verb::Update, table, filter, set).await
    }

    /// Deletes all rows that fit; says how many.
    pub async fn delete(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
    ) -> Result<u64, DbError> {
        self.delete_as(Verb::Delete, table, filter).await
    }

    pub(crate) async fn insert_if_absent_as(
        &self,
        verb: Verb,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
    ) -> Result<bool, DbError> {
        self.insert_row((verb, None), table, cells, OnConflict::Nothing);
        self.told(Self::inserted).await
    }

    pub(crate) async fn upsert_as(
        &self,
        verb: Verb,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        on_conflict: impl IntoIterator<Item = Assignment>,
    ) -> Result<(), DbError> {
        let on_conflict = OnConflict::Update(on_conflict.into_iter().collect());
        self.insert_row((verb, None), table, cells, on_conflict);
        self.told(|_| ()).await
    }

    pub(crate) async fn update_as(
        &self,
        verb: Verb,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        set: impl IntoIterator<Item = Assignment>,
    ) -> Result<u64, DbError> {
        let action =
            Action::Update { filter: filter.into_iter().collect(), set: set.into_iter().collect() };
        self.run(verb, table, action, None);
        self.told(Self::changed).await
    }

    pub(crate) async fn delete_as(
        &self,
        verb: Verb,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
    ) -> Result<u64, DbError> {
        let action = Action::Delete { filter: filter.into_iter().collect() };
        self.run(verb, table, action, None);
        self.told(Self::changed).await
    }

    async fn read_row(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        lock: bool,
    ) -> Result<Option<Row>, DbError> {
        self.desk.ask_statement(self.session, |statement| {
            self.write(statement, (Verb::Read, None), table);
            statement.action.read(filter, lock);
        });
        let row = |answer: &mut DbAnswer| match answer {
            DbAnswer::Row(row) => row.take(),
            answer => unreachable!("a read was answered with {answer:?}"),
        };
        self.told(row).await
    }

    /// Asks; what comes of it is [`Db::told`].
    #[inline]
    fn run(&self, verb: Verb, table: &'static Table, action: Action, effect: Option<Mark>) {
        self.desk.ask_statement(self.session, |statement| {
            self.write(statement, (verb, effect), table);
            statement.action = action;
        });
    }

    /// Asks to insert a row, which is written where it is read.
    #[inline]
    fn insert_row(
        &self,
        verb: (Verb, Option<Mark>),
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        on_conflict: OnConflict,
    ) {
        self.desk.ask_insert(self.session, |statement| {
            self.write(statement, verb, table);
            statement.action.insert(on_conflict).renew(table, cells);
        });
    }

    /// Writes all of a statement but its action.
    #[inline]
    fn write(
        &self,
        statement: &mut Statement,
        (verb, effect): (Verb, Option<Mark>),
        table: &'static Table,
    ) {
        (statement.verb, statement.effect) = (verb, effect);
        statement.table = table;
        statement.undoes = verb == Verb::Undo;
        (statement.wait, statement.cause) = (self.wait, self.cause);
    }

    /// What is wanted of the database's answer to the question that was just left.
    #[inline]
    fn told<T>(
        &self,
        mut want: impl FnMut(&mut DbAnswer) -> T,
    ) -> impl Future<Output = Result<T, DbError>> {
        poll_fn(move |_| self.desk.take_of_db(&mut want))
    }

    fn inserted(answer: &mut DbAnswer) -> bool {
        match answer {
            DbAnswer::Inserted => true,
            DbAnswer::Conflict => false,
            answer => unreachable!("an insert was answered with {answer:?}"),
        }
    }

    fn changed(answer: &mut DbAnswer) -> u64 {
        match answer {
            DbAnswer::Changed(rows) => *rows,
            answer => unreachable!("an update was answered with {answer:?}"),
        }
    }
}

impl Tx {
    /// Commits. An error leaves it rolled back; when the answer is lost, nobody knows.
    pub async fn commit(mut self) -> Result<(), DbError> {
        let session = self.end();
        self.db.desk.ask_commit(session);
        self.db.told(|_| ()).await
    }

    /// Rolls back.
    pub async fn rollback(mut self) -> Result<(), DbError> {
        let session = self.end();
        self.db.desk.ask_rollback(session);
        self.db.told(|_| ()).await
    }

    /// The same transaction, whose statements refuse to wait from here on.
    pub fn refuse_to_wait(&mut self) {
        self.db.wait = Wait::Refuse;
    }

    fn end(&mut self) -> Session {
        self.open = false;
        self.db.session.expect("a transaction has a session")
    }
}

impl Deref for Tx {
    type Target = Db;
    fn deref(&self) -> &Db {
        &self.db
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if self.open
            && let Some(session) = self.db.session
        {
            self.db.desk.drop_transaction(session);
        }
    }
}
