//! The whole runtime for a real engine: execute the question, poll again.
//!
//! For one thread over an engine whose blocked statements block for real (SQLite with a busy
//! timeout). The node's clock is the caller's.

use crate::cache::CacheError;
use crate::call::CallError;
use crate::desk::{Answer, Desk, Question};
use crate::engine::{DbAnswer, DbError, Engine, Origin, Outcome, Session};
use crate::request::{Failure, Reply, Trigger};
use crate::settings::Settings;
use crate::store::Entry;
use crate::value::Time;
use std::cell::Cell;
use std::rc::Rc;
use std::task::Poll;

/// What a call of [`block_on`] needs from outside.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    /// What the clock says.
    pub now: Time,
    /// Fresh ids are numbered from here.
    pub first_id: u64,
    /// What the operator sets.
    pub settings: Settings,
}

/// Runs one trigger through a store on an engine, to its end.
///
/// # Errors
/// The store's own failure; and [`DbError::Busy`] when a statement is still blocked after its engine
/// has waited as long as it is set to.
///
/// # Panics
/// When the store awaits something that is not `Ctx`.
pub fn block_on(
    entry: &Entry,
    engine: &mut dyn Engine,
    trigger: Trigger,
    outside: Outside,
) -> Result<Reply, Failure> {
    let desk = Rc::new(Desk::new(Rc::new(Cell::new(outside.first_id)), outside.settings));
    desk.set_now(outside.now);
    let process = entry.process();
    let mut handler = process.handler(Rc::clone(&desk));
    handler.as_mut().start(trigger);
    let end = loop {
        if let Poll::Ready(end) = handler.as_mut().poll() {
            break end;
        }
        roll_back_dropped(&desk, engine);
        let answer = match desk.look().question() {
            Some(question) => execute(engine, question),
            None => panic!("store {} awaits something that is not Ctx", entry.name),
        };
        desk.answer(answer);
    };
    roll_back_dropped(&desk, engine);
    end
}

const ONLY: Session = Session(0);

fn execute(engine: &mut dyn Engine, question: Question<'_>) -> Answer {
    let outcome = match question {
        Question::Begin(isolation) => engine.begin(ONLY, isolation),
        // There is no replica here; the one database is what a replica without a lag would be.
        Question::Statement { statement, .. } | Question::Replica(statement) => {
            engine.execute(ONLY, statement, Origin::NONE)
        }
        Question::Commit(session) => engine.commit(session),
        Question::Rollback(session) => {
            engine.rollback(session);
            Outcome::Done(Ok(DbAnswer::RolledBack))
        }
        Question::Sleep(_) => return Answer::Slept,
        // There is no other service here: a call is one that is never answered.
        Question::Call(_) => return Answer::Called(Err(CallError::TimedOut)),
        // Nor a cache: whoever asks it is told that its connection broke.
        Question::Cache(_) => return Answer::Cached(Err(CacheError::ConnectionLost)),
    };
    match outcome {
        Outcome::Done(answer) => Answer::Db(answer),
        Outcome::Blocked => Answer::Db(Err(DbError::Busy)),
    }
}

fn roll_back_dropped(desk: &Desk, engine: &mut dyn Engine) {
    while let Some(session) = desk.take_dropped() {
        engine.rollback(session);
    }
}
