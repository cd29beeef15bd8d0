//! Level 2. The shared database, as the servers reach it.
//!
//! Fault model: it never fails by itself and forgets nothing that was committed. It refuses
//! (serialization failures, deadlocks, busy) and lets sessions wait; a dead server's session may hold
//! its locks for a while. Which session dies in a deadlock, and in which order the waiting try again,
//! is chosen by the weather.

mod waiting;

use crate::point::{Op, Step, Subject};
use crate::replica::Replica;
use crate::stage::{Stage, Waiter};
use crate::time::Span;
use crate::trace::{Result as Came, What};
use onestroke_store::effects::EFFECTS;
use onestroke_store::{
    Action, Canon, DbAnswer, DbError, Engine, Mark, OnConflict, Origin, Outcome, Question, Role,
    Session, Statement, Table,
};
use waiting::Waiting;

/// The database with its sessions.
pub struct Database {
    engine: Box<dyn Engine>,
    tables: Vec<&'static Table>,
    free: Vec<Session>,
    opened: u32,
    /// By session: what becomes true when it commits.
    pending: Vec<Vec<Change>>,
    waiting: Waiting,
    ended: bool,
    /// How many rows of the built-in table of effects were inserted and committed.
    effects: u64,
    /// A store has changed the built-in table otherwise than by inserts.
    effects_rewritten: bool,
    replica: Replica,
}

/// What becomes true when a session commits.
#[derive(Clone, Copy, Debug)]
enum Change {
    Effect {
        op: Op,
        mark: Mark,
        subject: Subject,
    },
    /// An effect is taken back.
    Undo {
        op: Op,
        part: u8,
        subject: Subject,
    },
    /// A row of the built-in table of effects.
    EffectRow,
    Record {
        op: Op,
    },
    Forgotten {
        op: Op,
        swept: bool,
    },
}

/// Whose question is executed, and where.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    /// The question.
    pub step: Step,
    /// For which operation it is asked.
    pub op: Op,
    /// The session that a statement outside any transaction runs on.
    pub own: Session,
    /// Its server had died before.
    pub orphan: bool,
}

impl Change {
    fn portray(self, canon: &mut Canon) {
        match self {
            Self::Effect { op, mark, subject } => {
                canon.word(1_u8);
                canon.word(op.0);
                canon.word(mark.kind as u8);
                canon.word(mark.part);
                canon.word(mark.parts);
                subject.portray(canon);
            }
            Self::Undo { op, part, subject } => {
                canon.word(4_u8);
                canon.word(op.0);
                canon.word(part);
                subject.portray(canon);
            }
            // Counted for the audit only.
            Self::EffectRow => {}
            Self::Record { op } => {
                canon.word(2_u8);
                canon.word(op.0);
            }
            Self::Forgotten { op, swept } => {
                canon.word(3_u8);
                canon.word(op.0);
                canon.word(swept);
            }
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("engine", &self.engine.name()).finish_non_exhaustive()
    }
}

impl Database {
    /// A database on this engine, with these tables;
    /// its replica lags by so much.
    pub fn new(engine: Box<dyn Engine>, tables: Vec<&'static Table>, lag: Span) -> Self {
        Self {
            engine,
            tables,
            free: vec![],
            opened: 0,
            pending: vec![],
            waiting: Waiting::default(),
            ended: false,
            effects: 0,
            effects_rewritten: false,
            replica: Replica::new(lag),
        }
    }

    /// Forgets all.
    pub fn reset(&mut self) {
        self.engine.reset(&self.tables);
        self.free.clear();
        self.opened = 0;
        self.pending.iter_mut().for_each(Vec::clear);
        self.waiting.clear();
        self.ended = false;
        self.effects = 0;
        self.effects_rewritten = false;
        self.replica.reset(self.engine.as_mut());
    }

    /// For how many sessions, changes and waits it has room.
    pub fn room(&self) -> usize {
        self.replica.room()
            + self.free.capacity()
            + self.pending.iter().map(Vec::capacity).sum::<usize>()
            + self.waiting.room()
    }

    /// The tables, in the order in which points number them.
    pub fn tables(&self) -> &[&'static Table] {
        &self.tables
    }

    /// The number by which points name a table.
    pub fn number_of(&self, table: &'static Table) -> u8 {
        let itself = self.tables.iter().position(|other| std::ptr::eq(*other, table));
        let at = itself.or_else(|| self.tables.iter().position(|other| other.name == table.name));
        let at =
            at.unwrap_or_else(|| panic!("table {} is not among the store's TABLES", table.name));
        u8::try_from(at).expect("a store has few tables")
    }

    /// Opens a session.
    pub fn open(&mut self) -> Session {
        self.free.pop().unwrap_or_else(|| {
            self.opened += 1;
            Session(self.opened - 1)
        })
    }

    /// Closes a session: what it had open is rolled back.
    pub fn close(&mut self, stage: &mut Stage, session: Session) {
        self.roll_back(stage, session);
        debug_assert!(!self.free.contains(&session), "{session:?} is closed twice");
        self.free.push(session);
    }

    /// Puts a session aside whose transaction has ended: nothing of it is left.
    pub fn put_aside(&mut self, session: Session) {
        debug_assert!(!self.engine.in_transaction(session), "{session:?} has something open");
        debug_assert!(!self.free.contains(&session), "{session:?} is closed twice");
        self.free.push(session);
    }

    /// Rolls back what a session has open. Says whether there was a transaction.
    pub fn roll_back(&mut self, stage: &mut Stage, session: Session) -> bool {
        let open = self.engine.in_transaction(session);
        self.waiting.remove_on(session);
        self.engine.rollback(session);
        self.ended = true;
        self.resolve(stage, session, false);
        open
    }

    /// Executes a question, unless it has to wait for another session.
    pub fn execute(&mut self, stage: &mut Stage, asker: Asker, question: Question<'_>) -> Outcome {
        let session = question.transaction().unwrap_or(asker.own);
        let outcome = match question {
            Question::Begin(isolation) => self.engine.begin(session, isolation),
            Question::Statement { statement, .. } => {
                let op = asker.op;
                let origin = if op == Op::SWEEP { Origin::NONE } else { Origin(op.0) };
                self.engine.execute(session, statement, origin)
            }
            Question::Commit(_) => self.engine.commit(session),
            Question::Rollback(_) => {
                self.engine.rollback(session);
                Outcome::Done(Ok(DbAnswer::RolledBack))
            }
            Question::Replica(statement) => {
                return self.read_replica(stage, (asker, question), statement);
            }
            Question::Sleep(_) | Question::Call(_) | Question::Cache(_) => {
                unreachable!("{question:?} is not the database's business")
            }
        };
        if let Outcome::Done(result) = &outcome {
            if self.replica.lags() {
                self.replica.follow(self.engine.as_mut(), stage.now);
            }
            self.done(stage, asker, (session, question), result);
        }
        outcome
    }

    /// Reads as it would have come out a while ago.
    fn read_replica(
        &mut self,
        stage: &mut Stage,
        (asker, question): (Asker, Question<'_>),
        statement: &Statement,
    ) -> Outcome {
        let (engine, own) = (self.engine.as_mut(), asker.own);
        let Some(commit) = self.replica.follow(engine, stage.now) else {
            let outcome = engine.execute(own, statement, Origin::NONE);
            if let Outcome::Done(result) = &outcome {
                self.done(stage, asker, (own, question), result);
            }
            return outcome;
        };
        let result = engine.read_at(statement, commit);
        let newest = engine.commits().unwrap_or(commit);
        if newest > commit && engine.read_at(statement, newest) != result {
            stage.happened(What::ReadBehind { step: asker.step });
        }
        self.done(stage, asker, (own, question), &result);
        Outcome::Done(result)
    }

    /// Notes that a question waits. Says whether it did not wait already.
    pub fn wait(&mut self, session: Session, waiter: Waiter, step: Step) -> bool {
        self.waiting.add(session, (waiter, step))
    }

    /// Whether a question waits for a session that has not ended: asked again, it would wait on.
    pub fn still_waits(&self, waiter: Waiter) -> bool {
        self.waiting.session_of(waiter).is_some_and(|session| !self.engine.may_proceed(session))
    }

    /// A waiting question has been executed, or is not asked any more.
    #[inline]
    pub fn stop_waiting(&mut self, waiter: Waiter) {
        if self.waiting.len() > 0 {
            self.waiting.remove(waiter);
        }
    }

    /// Whether some transaction has ended since [`Database::take_wakeable`], and somebody waits.
    #[inline]
    pub fn may_wake(&mut self) -> bool {
        self.ended &= self.waiting.len() > 0;
        self.ended
    }

    /// The waiting that may try again, since some transaction has ended: in the order of their
    /// waiting. Empty when none has ended since the last call.
    pub fn take_wakeable(&mut self, wakeable: &mut Vec<(Waiter, Step)>) {
        wakeable.clear();
        if std::mem::take(&mut self.ended) {
            let may = |(session, waiter, step): (Session, Waiter, Step)| {
                self.engine.may_proceed(session).then_some((waiter, step))
            };
            wakeable.extend(self.waiting.iter().filter_map(may));
        }
    }

    /// The circle of waits that a blocked session stands in, whoever waits longest first; empty when
    /// there is none. The numbers of sessions depend on what came before, and decide nothing.
    pub fn deadlock(&self, session: Session, circle: &mut Vec<Session>) {
        circle.clear();
        self.engine.deadlock(session, circle);
        circle.sort_unstable_by_key(|one| self.waiting.order_on(*one));
    }

    /// Ends the wait of a session; says whose it was and with which error.
    pub fn give_up(&mut self, stage: &mut Stage, session: Session) -> Option<(Waiter, DbError)> {
        let waiter = self.waiting.remove_on(session)?;
        let error = self.engine.give_up(session);
        if !self.engine.in_transaction(session) || error == DbError::Deadlock {
            self.resolve(stage, session, false);
        }
        self.ended = true;
        Some((waiter, error))
    }

    /// How many committed records the store's tables of records hold.
    pub fn records(&mut self) -> u64 {
        let engine = &mut self.engine;
        let records = self.tables.iter().filter(|table| table.role == Role::Records);
        records.map(|table| engine.count(table)).sum()
    }

    /// Whether a store has changed the built-in table of effects otherwise than by inserts.
    pub const fn effects_rewritten(&self) -> bool {
        self.effects_rewritten
    }

    /// How many rows of the built-in table of effects were inserted and committed.
    pub const fn effects_committed(&self) -> u64 {
        self.effects
    }

    /// All committed rows of a table, with the operations that they belong to.
    pub fn committed(&mut self, table: &'static Table) -> Vec<(Origin, onestroke_store::Row)> {
        self.engine.committed(table)
    }

    /// Writes who waits, what becomes true when a session commits, and all that the engine holds.
    /// The sessions of handlers must have been written before. Says whether the engine's state can
    /// be seen.
    pub fn portray(&self, canon: &mut Canon, waiter: impl Fn(&mut Canon, Waiter)) -> bool {
        canon.size(self.waiting.len());
        for (session, who, _) in self.waiting.iter() {
            canon.session(session);
            waiter(canon, who);
        }
        for number in 0..canon.sessions().len() {
            let session = canon.sessions()[number];
            let own = self.pending.get(session.0 as usize).into_iter().flatten();
            own.for_each(|change| change.portray(canon));
            canon.word(u64::MAX);
        }
        self.replica.portray(canon);
        self.engine.portray(canon)
    }

    fn done(
        &mut self,
        stage: &mut Stage,
        asker: Asker,
        (session, question): (Session, Question<'_>),
        result: &Result<DbAnswer, DbError>,
    ) {
        let Asker { step, op, orphan, .. } = asker;
        let came = match result {
            Err(_) => Came::Refused,
            Ok(DbAnswer::Conflict | DbAnswer::Row(None) | DbAnswer::Changed(0)) => Came::Nothing,
            Ok(DbAnswer::Rows(rows)) if rows.is_empty() => Came::Nothing,
            Ok(_) => Came::Done,
        };
        let executed = What::Executed { step, result: came, orphan };
        stage.happened_with(executed, || crate::describe::answer(question, result));
        match question {
            Question::Statement { statement, session: inside } => {
                if result.is_ok() {
                    self.note_changes(stage, (step.subject, op), (session, statement), came);
                }
                if inside.is_none() {
                    self.ended = true;
                    self.resolve(stage, session, result.is_ok());
                } else if result.is_err() {
                    self.ended = true;
                }
            }
            Question::Commit(_) => {
                if result.is_err() {
                    self.engine.rollback(session);
                }
                self.ended = true;
                self.resolve(stage, session, result.is_ok());
            }
            Question::Rollback(_) => {
                self.ended = true;
                self.resolve(stage, session, false);
            }
            _ => {}
        }
    }

    fn note_changes(
        &mut self,
        stage: &mut Stage,
        (subject, op): (Subject, Op),
        (session, statement): (Session, &Statement),
        came: Came,
    ) {
        if came == Came::Done
            && let Some(mark) = statement.effect
        {
            let Mark { part, parts, kind } = mark;
            let what = if statement.undoes {
                Change::Undo { op, part, subject }
            } else {
                stage.happened(What::Applied { op, part, parts, kind });
                Change::Effect { op, mark, subject }
            };
            self.will(session, what);
        }
        if std::ptr::eq(statement.table, &raw const EFFECTS) {
            match &statement.action {
                Action::Read { .. } | Action::Scan { .. } => {}
                Action::Insert { on_conflict: OnConflict::Fail, .. } => {
                    self.will(session, Change::EffectRow);
                }
                _ => self.effects_rewritten = true,
            }
        }
        if statement.table.role != Role::Records {
            return;
        }
        match statement.action {
            Action::Insert { .. } | Action::Update { .. } if came == Came::Done => {
                self.will(session, Change::Record { op });
            }
            Action::Delete { .. } => {
                let swept = subject.is_sweep();
                let (deleted, pending) = (self.engine.deleted(), &mut self.pending);
                for origin in deleted.iter().filter(|origin| **origin != Origin::NONE) {
                    place_for(pending, session).push(Change::Forgotten { op: Op(origin.0), swept });
                }
            }
            _ => {}
        }
    }

    /// Makes true, or undoes, what a session had pending.
    fn resolve(&mut self, stage: &mut Stage, session: Session, committed: bool) {
        let Some(pending) = self.pending.get_mut(session.0 as usize) else { return };
        for change in pending.drain(..) {
            match change {
                Change::EffectRow => self.effects += u64::from(committed),
                Change::Effect { op, mark, subject } if committed => {
                    let Mark { part, parts, kind } = mark;
                    stage.happened(What::Committed { op, part, parts, kind, subject });
                }
                Change::Effect { op, mark, .. } => {
                    stage.happened(What::Undone { op, part: mark.part });
                }
                Change::Undo { op, part, subject } if committed => {
                    stage.happened(What::Compensated { op, part, subject });
                }
                Change::Record { op } if committed => stage.happened(What::Recorded { op }),
                Change::Forgotten { op, swept } if committed => {
                    stage.happened(What::Forgotten { op, swept });
                }
                Change::Undo { .. } | Change::Record { .. } | Change::Forgotten { .. } => {}
            }
        }
    }

    /// A change becomes true when this session commits.
    fn will(&mut self, session: Session, change: Change) {
        place_for(&mut self.pending, session).push(change);
    }
}

/// Where the changes of a session are kept.
fn place_for(pending: &mut Vec<Vec<Change>>, session: Session) -> &mut Vec<Change> {
    let place = session.0 as usize;
    if pending.len() <= place {
        pending.resize_with(place + 1, Vec::new);
    }
    &mut pending[place]
}
