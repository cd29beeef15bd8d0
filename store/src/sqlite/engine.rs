//! Real SQLite inside the simulation: several connections to one database in memory, driven one call
//! at a time.
//!
//! Fault model: a crash rolls back and the connection is used again; SQLite cannot tell the
//! difference. There is one writer at a time, and the database lives in rollback mode:
//!
//! - the first statement of a transaction that reads takes the read lock, the first that writes the
//!   write lock, both until the transaction ends (also when the statement itself fails);
//! - nobody starts to read or write while another holds the write lock: *blocked*;
//! - a reader that wants to write while another holds the write lock is *refused* ([`DbError::Busy`]);
//! - a commit waits until no other transaction reads: *blocked*.
//!
//! A blocked statement has no effect and holds no lock that it did not hold before. With a busy
//! timeout SQLite would keep the write lock while a statement outside a transaction waits for readers;
//! here it lets go of it, and tries again from its start, as an application does that has no timeout.
//!
//! So every wait is for the holder of the write lock, or that holder's own commit is waiting for
//! readers, who are never blocked: there are no circles.

use super::check::check;
use super::link::{Link, Stop};
use super::seat::Seat;
use super::sql;
use super::texts::Texts;
use crate::engine::{DbAnswer, DbError, Engine, Isolation, Origin, Outcome, Session};
use crate::schema::Table;
use crate::statement::{Action, Row, Statement, Wait};
use std::fmt::Write;

/// Real SQLite, in memory.
#[derive(Debug)]
pub struct Sqlite {
    /// Keeps the database alive, and does what no session asks for.
    keeper: Link,
    seats: Vec<Option<Seat>>,
    tables: Vec<Held>,
    texts: Texts,
    deleted: Vec<Origin>,
    /// How many transactions have ended: each end may let a blocked session proceed.
    ended: u64,
    uri: String,
    /// Its address names the database: no other engine alive in this process has the same.
    _name: Box<u8>,
}

/// A table that the database holds.
#[derive(Debug)]
struct Held {
    table: &'static Table,
    /// How many committed rows it has, as SQLite's own answers add up. Kept beside it because a
    /// count would have to wait for the write lock, and the world may ask in between.
    rows: i64,
}

/// More sessions than any scenario has servers: the bound on connections.
const SESSIONS_MAX: u32 = 1_024;

impl Sqlite {
    /// A new, empty database of its own.
    ///
    /// # Panics
    /// When SQLite cannot open a database in memory.
    pub fn new() -> Self {
        let name = Box::new(0);
        let uri = format!("file:/{:x}?vfs=memdb", std::ptr::from_ref(&*name).addr());
        Self {
            keeper: open(&uri),
            seats: Vec::new(),
            tables: Vec::new(),
            texts: Texts::default(),
            deleted: Vec::new(),
            ended: 0,
            uri,
            _name: name,
        }
    }

    fn seat(&self, session: Session) -> Option<&Seat> {
        self.seats.get(session.0 as usize)?.as_ref()
    }

    fn take_seat(&mut self, session: Session) -> &mut Seat {
        assert!(session.0 < SESSIONS_MAX, "session {} of at most {SESSIONS_MAX}", session.0);
        let at = session.0 as usize;
        if self.seats.len() <= at {
            self.seats.resize_with(at + 1, || None);
        }
        self.seats[at].get_or_insert_with(|| Seat::new(open(&self.uri), self.tables.len()))
    }

    fn try_execute(
        &mut self,
        session: Session,
        statement: &Statement,
        origin: Origin,
    ) -> Result<DbAnswer, Stop> {
        check(statement).map_err(Stop::Refused)?;
        let table = statement.table;
        let Some(place) = self.tables.iter().position(|held| std::ptr::eq(held.table, table))
        else {
            let what = format!("table {} is not declared", table.name);
            return Err(Stop::Refused(DbError::BadStatement(what)));
        };
        self.take_seat(session);
        let seat = self.seats[session.0 as usize].as_mut().expect("the seat was taken");
        let sql = self.texts.of(statement);
        let answer = seat.link.run(sql, statement, origin, &mut self.deleted)?;
        let rows = if seat.link.in_transaction() {
            &mut seat.grown[place]
        } else {
            &mut self.tables[place].rows
        };
        *rows += growth(statement, &answer);
        Ok(answer)
    }

    fn block(&mut self, session: Session) -> Outcome {
        let ended = self.ended;
        self.take_seat(session).blocked_at = ended;
        Outcome::Blocked
    }

    fn wipe(&mut self) {
        let full = self.tables.iter().filter(|held| held.rows != 0);
        for held in full {
            self.keeper.command(&sql::clear(held.table)).expect("no session holds a lock");
        }
    }

    fn recreate(&mut self, tables: &[&'static Table]) {
        let links = self.seats.iter().flatten().map(|seat| &seat.link).chain([&self.keeper]);
        links.for_each(Link::forget_statements);
        let mut script = String::from("BEGIN;");
        let gone = self.tables.iter().map(|held| sql::drop(held.table));
        for command in gone.chain(tables.iter().map(|table| sql::create(table))) {
            write!(script, "{command};").expect("a string takes all that is written");
        }
        script.push_str("COMMIT;");
        self.keeper.batch(&script).expect("tables have valid, different names");
    }
}

impl Default for Sqlite {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn reset(&mut self, tables: &[&'static Table]) {
        for seat in self.seats.iter_mut().flatten() {
            roll_back(&seat.link);
            seat.reset(tables.len());
        }
        let same = self.tables.len() == tables.len()
            && self.tables.iter().zip(tables).all(|(held, table)| std::ptr::eq(held.table, *table));
        if same {
            self.wipe();
        } else {
            self.recreate(tables);
        }
        self.tables.clear();
        self.tables.extend(tables.iter().map(|table| Held { table, rows: 0 }));
        self.deleted.clear();
        self.ended = 0;
    }

    /// Never blocks: `BEGIN DEFERRED` takes no lock, and neither does opening.
    fn begin(&mut self, session: Session, _: Isolation) -> Outcome {
        let seat = self.take_seat(session);
        if seat.link.in_transaction() {
            let what = "a transaction is open already";
            return Outcome::Done(Err(DbError::BadStatement(what.into())));
        }
        seat.grown.fill(0);
        match seat.link.command("BEGIN DEFERRED") {
            Ok(()) => Outcome::Done(Ok(DbAnswer::Began(session))),
            Err(stop) => stop.outcome(),
        }
    }

    fn execute(&mut self, session: Session, statement: &Statement, origin: Origin) -> Outcome {
        self.deleted.clear();
        match self.try_execute(session, statement, origin) {
            Ok(answer) => Outcome::Done(Ok(answer)),
            Err(stop) => {
                // Rows of a statement that was undone as a whole are not deleted.
                self.deleted.clear();
                match (stop, statement.wait) {
                    (Stop::Wait, Wait::Block) => self.block(session),
                    (stop, _) => Outcome::Done(Err(stop.error())),
                }
            }
        }
    }

    fn commit(&mut self, session: Session) -> Outcome {
        if !self.in_transaction(session) {
            let what = "no transaction is open";
            return Outcome::Done(Err(DbError::BadStatement(what.into())));
        }
        let committed = self.take_seat(session).link.command("COMMIT");
        match committed {
            Ok(()) => {
                self.ended += 1;
                let seat = self.seats[session.0 as usize].as_ref().expect("it has committed");
                for (held, grown) in self.tables.iter_mut().zip(&seat.grown) {
                    held.rows += grown;
                }
                Outcome::Done(Ok(DbAnswer::Committed))
            }
            Err(Stop::Wait) => self.block(session),
            Err(Stop::Refused(error)) => {
                self.rollback(session);
                Outcome::Done(Err(error))
            }
        }
    }

    fn rollback(&mut self, session: Session) {
        if let Some(seat) = self.seat(session)
            && roll_back(&seat.link)
        {
            self.ended += 1;
        }
    }

    fn in_transaction(&self, session: Session) -> bool {
        self.seat(session).is_some_and(|seat| seat.link.in_transaction())
    }

    /// Once any transaction has ended since it was blocked.
    fn may_proceed(&self, session: Session) -> bool {
        self.seat(session).is_none_or(|seat| seat.blocked_at != self.ended)
    }

    /// There are no circles: see the module.
    fn deadlock(&self, _: Session, circle: &mut Vec<Session>) {
        circle.clear();
    }

    /// As a busy timeout that has run out: the statement fails, the transaction stays open.
    fn give_up(&mut self, _: Session) -> DbError {
        DbError::Busy
    }

    fn deleted(&self) -> &[Origin] {
        &self.deleted
    }

    /// A transaction that still holds the write lock is rolled back: the run has ended, and nobody
    /// can read past it.
    fn committed(&mut self, table: &'static Table) -> Vec<(Origin, Row)> {
        for at in 0..self.seats.len() {
            if self.seats[at].as_ref().is_some_and(|seat| seat.link.holds_write_lock()) {
                self.rollback(Session(at as u32));
            }
        }
        let rows = self.keeper.all_rows(&sql::all_rows(table), table);
        let rows = rows.expect("nobody holds the write lock");
        assert_eq!(rows.len() as u64, self.count(table), "rows of {} were miscounted", table.name);
        rows
    }

    fn count(&mut self, table: &'static Table) -> u64 {
        let held = self.tables.iter().find(|held| std::ptr::eq(held.table, table));
        let rows = held.expect("the table is declared").rows;
        u64::try_from(rows).expect("a table has no fewer rows than none")
    }
}

fn open(uri: &str) -> Link {
    Link::stepped(uri).expect("a database in memory can be opened")
}

/// Rolls back if a transaction is open, and says whether one was.
fn roll_back(link: &Link) -> bool {
    let open = link.in_transaction();
    if open {
        link.command("ROLLBACK").expect("an open transaction can be rolled back");
    }
    open
}

/// By how many rows a statement with this answer has grown its table.
fn growth(statement: &Statement, answer: &DbAnswer) -> i64 {
    match (&statement.action, answer) {
        (Action::Insert { .. }, DbAnswer::Inserted) => 1,
        (Action::Delete { .. }, DbAnswer::Changed(rows)) => -rows.cast_signed(),
        _ => 0,
    }
}
