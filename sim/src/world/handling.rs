//! Level 3. What the world does with a handler: from its trigger through its questions to its reply.
//!
//! What strikes before a question is decided when it is asked, and strikes when it would be executed;
//! what strikes after it is decided and strikes when it has been.

use super::faults::Flight;
use super::{Sessions, World, owner_of};
use crate::choice::{Fault, Until};
use crate::database::{Asker, Database};
use crate::network::Letter;
use crate::point::{Message, Op, Point, Step, Subject};
use crate::server::{Next, Pace, Running, State};
use crate::stage::{Due, Slot, Waiter};
use crate::time::Span;
use crate::trace::{ReplyId, Result as Came, Server, What};
use onestroke_store::{
    Answer, CacheError, CallError, DbError, Desk, Id, Outcome, Question, Session, Trigger, Verb,
};
use std::rc::Rc;

impl World {
    pub(super) fn start(&mut self, server: Server, subject: Subject, trigger: Trigger) {
        self.stage.happened(What::Started { subject, server });
        let slot = self.servers.start(server, subject, trigger);
        self.poll(slot);
    }

    /// Runs a handler to its next question, and lets the weather decide about it.
    pub(super) fn poll(&mut self, slot: Slot) {
        let next = self.servers.poll(&mut self.stage, slot);
        self.roll_back_dropped(slot);
        let running = self.servers.at(slot);
        let owner = running.subject.op;
        match next {
            Next::Asks => {
                let (verb, table, sleep) = asked_by(running, &self.database);
                let step = running.name_step(verb, table);
                running.state = State::Asking;
                let pace = if verb == Verb::Call { self.calling } else { self.asking };
                running.pace = match sleep {
                    Some(span) => {
                        let clocks = &self.scenario.topology.clocks;
                        Pace { least: clocks.true_span(running.server.0, span), ..pace }
                    }
                    None => pace,
                };
                let desk = &running.desk;
                self.stage.happened_with(What::Asked { step, server: running.server }, || {
                    desk.look().question().map_or_else(String::new, crate::describe::question)
                });
            }
            Next::Replies(reply) => {
                let owners = &self.owners;
                let owner = || owner_of(&reply.body, owners);
                let id = self.stage.trace.intern(reply.status, &reply.body, owner);
                running.name_step(Verb::Reply, 0);
                running.pace = self.asking;
                running.state = State::Replying(id);
                let subject = running.subject;
                let finished = What::Finished { subject, reply: id };
                self.stage.happened_with(finished, || crate::describe::reply(&reply));
            }
        }
        let last = usize::try_from(self.servers.last_id()).expect("ids are bounded");
        if last > self.owners.len() {
            self.own_ids(slot, owner, last);
        }
        self.set_out(slot);
    }

    /// Notes whose the ids are that were taken since, up to the last one.
    fn own_ids(&mut self, slot: Slot, owner: Op, last: usize) {
        self.owners.resize(last, owner);
        let desk = Rc::clone(&self.servers.at(slot).desk);
        while let Some((id, cause)) = desk.take_kin() {
            if let (Some(at), Some(owner)) = (place_of(id), self.owner_of_id(cause)) {
                self.owners[at] = owner;
            }
        }
    }

    /// A question sets out: what strikes before it is executed is decided here.
    fn set_out(&mut self, slot: Slot) {
        let running = self.servers.at(slot);
        let odds = self.forecast.before(running.step.verb);
        let point = Point::before(running.step);
        let chosen = self.stage.choice.at(point, self.stage.now, odds, running.pace.spread);
        // A sleep takes as long as it was asked for.
        let offset = if running.step.verb == Verb::Sleep { 0 } else { chosen.offset };
        running.stall = (offset, chosen.tie);
        running.fault = chosen.fault;
        if let Some(Fault::Hold(until)) = chosen.fault {
            running.hold(&mut self.stage, until);
            self.holds = true;
            let over = Due::HoldOver { slot, since: point };
            self.stage.after(self.scenario.weather.hold_for, 0, over);
        } else {
            self.stage.after(running.takes(), chosen.tie, Due::Step { slot });
        }
    }

    /// A handler goes on: what was decided strikes, or its question is executed.
    pub(super) fn step(&mut self, slot: Slot) {
        let Some((running, paused_until)) = self.servers.get_with_pause(slot) else { return };
        let server = running.server;
        if paused_until > self.stage.now {
            self.stage.queue.push(paused_until, 0, Due::Step { slot });
            return;
        }
        if matches!(running.state, State::Answered) {
            self.poll(slot);
            return;
        }
        match running.fault.take() {
            Some(Fault::Crash { in_flight, linger }) => {
                self.crash(server, in_flight.then_some(slot), linger);
            }
            Some(Fault::Cancel) => self.cancel(slot),
            Some(Fault::Sever { in_flight }) => self.sever(slot, in_flight),
            Some(Fault::Pause(span)) => {
                self.pause(server, span);
                self.stage.after(span, 0, Due::Step { slot });
            }
            Some(Fault::FailOver) => {
                self.cache.fail_over(&mut self.stage);
                self.carry_on(slot);
            }
            _ => self.carry_on(slot),
        }
    }

    /// Nothing keeps a handler from its question any more, or from its reply.
    fn carry_on(&mut self, slot: Slot) {
        let running = self.servers.at(slot);
        match running.state {
            State::Replying(reply) => self.reply(slot, reply),
            _ => self.execute(slot),
        }
    }

    pub(super) fn reply(&mut self, slot: Slot, reply: ReplyId) {
        let running = self.servers.at(slot);
        let subject = running.subject;
        self.servers.free(slot.index as usize);
        if !subject.is_background() && self.stage.trace.reply(reply).status != 0 {
            let message = Message::reply(subject);
            let client = self.clients.client_of(subject.op);
            let letter = Letter { message, reply: Some(reply), client };
            self.network.send(&mut self.stage, &self.forecast, letter);
        }
    }

    pub(super) fn execute(&mut self, slot: Slot) {
        let database = &mut self.database;
        let running = self.servers.at(slot);
        let waiter = Waiter::Handler(slot);
        let step = running.step;
        let desk = Rc::clone(&running.desk);
        let asked = desk.look();
        let question = asked.question().expect("a handler that asks has a question");
        let inside = question.transaction();
        let ended = inside.is_some_and(|session| !running.sessions.contains(&session));
        // What is asked in a transaction needs no session of its own.
        let own = inside.unwrap_or_else(|| {
            let own = running.own.unwrap_or_else(|| database.open());
            running.own = Some(own);
            own
        });
        let answered = if ended {
            let error = DbError::BadStatement("this transaction has ended".into());
            let result = Came::Refused;
            self.stage.happened(What::Executed { step, result, orphan: false });
            desk.put(Answer::Db(Err(error)));
            true
        } else {
            self.perform(question, (step, own, false), Some(&desk))
        };
        drop(asked);
        if answered {
            self.database.stop_waiting(waiter);
            self.answered(slot);
        } else {
            self.blocked(waiter, own, step);
        }
    }

    /// Executes a question, whoever it is asked of, and puts the answer on a desk. Says whether it did;
    /// else the question waits for another session.
    pub(super) fn perform(
        &mut self,
        question: Question<'_>,
        (step, own, orphan): (Step, Session, bool),
        desk: Option<&Desk>,
    ) -> bool {
        let op = self.cause_of(question).unwrap_or(step.subject.op);
        let put = |answer| {
            if let Some(desk) = desk {
                desk.put(answer);
            }
        };
        match question {
            Question::Sleep(_) => {
                let result = Came::Done;
                self.stage.happened(What::Executed { step, result, orphan });
                put(Answer::Slept);
            }
            Question::Call(call) => {
                let id = self.servers.fresh_id();
                let last = usize::try_from(self.servers.last_id()).expect("ids are bounded");
                self.owners.resize(last, op);
                let asker = (step, op, orphan);
                put(Answer::Called(self.service.execute(&mut self.stage, asker, call, id)));
            }
            Question::Cache(command) => {
                let asker = (step, op, orphan);
                put(Answer::Cached(self.cache.execute(&mut self.stage, asker, command)));
            }
            question => {
                let asker = Asker { step, op, own, orphan };
                match self.database.execute(&mut self.stage, asker, question) {
                    Outcome::Blocked => return false,
                    Outcome::Done(result) => put(Answer::Db(result)),
                }
            }
        }
        true
    }

    /// The operation that caused what is asked, where it is not the handler's own.
    fn cause_of(&self, question: Question<'_>) -> Option<Op> {
        let cause = match question {
            Question::Statement { statement, .. } => statement.cause,
            Question::Call(call) => call.cause,
            Question::Cache(command) => command.cause,
            _ => None,
        }?;
        self.owner_of_id(cause)
    }

    fn owner_of_id(&self, id: Id) -> Option<Op> {
        self.owners.get(place_of(id)?).copied()
    }

    /// The connection breaks before a question is executed; or the question was on its way.
    fn sever(&mut self, slot: Slot, in_flight: bool) {
        let running = self.servers.at(slot);
        let step = running.step;
        let own = running.own.take();
        let asked = running.desk.asked().expect("a handler that asks has a question");
        let question = asked.question().expect("it was there when it was copied");
        let told = if in_flight { running.desk.take_told() } else { vec![] };
        self.database.stop_waiting(Waiter::Handler(slot));
        self.stage.happened(What::Severed { step });
        let session = question.transaction().or(own).unwrap_or(NO_SESSION);
        let running = self.servers.at(slot);
        let open = running.sessions.contains(&session);
        running.sessions.retain(|other| *other != session);
        if in_flight && (open || session_of_its_own(question)) {
            let own = own.unwrap_or_else(|| self.database.open());
            let mut sessions = Sessions::from_slice(&[own]);
            sessions.extend(open.then_some(session));
            self.fly(Flight { step, own, question: asked.clone(), sessions, told });
        } else {
            for session in own.into_iter().chain(open.then_some(session)) {
                self.close(session, step.subject);
            }
        }
        self.hear_of_it(slot, question);
    }

    /// The answer of a question that was executed is lost, and its connection with it.
    fn lose_answer(&mut self, slot: Slot) {
        let running = self.servers.at(slot);
        let step = running.step;
        let asked = running.desk.asked().expect("its question still lies there");
        let question = asked.question().expect("it was there when it was copied");
        self.stage.happened(What::Severed { step });
        // What it had just begun, or was in, is rolled back by the other side.
        let session = match question {
            Question::Begin(_) => running.sessions.pop(),
            _ => {
                let session = question.transaction().unwrap_or(NO_SESSION);
                let open = running.sessions.contains(&session);
                running.sessions.retain(|other| *other != session);
                open.then_some(session)
            }
        };
        if let Some(session) = session {
            self.close(session, step.subject);
        }
        self.hear_of_it(slot, question);
    }

    /// A handler notices, after a while, that its connection is gone.
    fn hear_of_it(&mut self, slot: Slot, question: Question<'_>) {
        let running = self.servers.at(slot);
        running.desk.answer(match question {
            Question::Call(_) => Answer::Called(Err(CallError::TimedOut)),
            Question::Cache(_) => Answer::Cached(Err(CacheError::ConnectionLost)),
            _ => Answer::Db(Err(DbError::ConnectionLost)),
        });
        running.state = State::Answered;
        self.stage.after(self.scenario.weather.sever_after, 0, Due::Step { slot });
    }

    fn close(&mut self, session: Session, subject: Subject) {
        if self.database.roll_back(&mut self.stage, session) {
            self.stage.happened(What::RolledBack { subject });
        }
        self.database.close(&mut self.stage, session);
    }

    /// A question was executed: what strikes before its answer arrives, strikes now.
    pub(super) fn answered(&mut self, slot: Slot) {
        self.note_session(slot);
        let running = self.servers.at(slot);
        let (server, step) = (running.server, running.step);
        let odds = self.forecast.after(step.verb);
        let point = Point::after(step);
        let fault = self.stage.choice.fault_at(point, self.stage.now, odds);
        if fault == Some(Fault::FailOver) {
            self.cache.fail_over(&mut self.stage);
        }
        if matches!(fault, Some(Fault::Sever { .. })) {
            self.lose_answer(slot);
            self.passed(slot, point);
            return;
        }
        running.desk.deliver();
        running.state = State::Answered;
        match fault {
            Some(Fault::Crash { linger, .. }) => self.crash(server, None, linger),
            Some(Fault::Cancel) => self.cancel(slot),
            Some(Fault::Pause(span)) => {
                self.pause(server, span);
                self.stage.after(span, 0, Due::Step { slot });
            }
            _ => {
                let paused_until = self.servers.paused_until(server);
                if paused_until > self.stage.now {
                    self.stage.queue.push(paused_until, 0, Due::Step { slot });
                } else {
                    self.poll(slot);
                }
            }
        }
        self.passed(slot, point);
    }

    /// Keeps the list of a handler's open transactions, and closes what it needs no more.
    fn note_session(&mut self, slot: Slot) {
        let running = self.servers.at(slot);
        let own = running.own.take();
        if let Some(session) = running.desk.began() {
            running.sessions.push(session);
            return;
        }
        let ended = match running.desk.look().question() {
            Some(Question::Commit(session) | Question::Rollback(session)) => Some(session),
            _ => None,
        };
        if let Some(ended) = ended
            && running.sessions.contains(&ended)
        {
            running.sessions.retain(|session| *session != ended);
            self.database.put_aside(ended);
        }
        if let Some(own) = own {
            self.database.put_aside(own);
        }
    }

    /// Rolls back the transactions that a handler dropped.
    pub(super) fn roll_back_dropped(&mut self, slot: Slot) {
        let Some(running) = self.servers.get(slot) else { return };
        let subject = running.subject;
        while let Some(session) = running.desk.take_dropped() {
            // A connection that broke has taken its transaction with it.
            if running.sessions.contains(&session) {
                running.sessions.retain(|open| *open != session);
                self.database.close(&mut self.stage, session);
                self.stage.happened(What::RolledBack { subject });
            }
        }
    }

    /// A question was executed: those held until then go on.
    #[inline]
    pub(super) fn passed(&mut self, passer: Slot, point: Point) {
        if self.holds {
            self.pass(passer, point);
        }
    }

    fn pass(&mut self, passer: Slot, point: Point) {
        let mut held = std::mem::take(&mut self.scratch);
        self.servers.held(&mut held);
        for slot in held.drain(..).filter(|slot| *slot != passer) {
            let running = self.servers.at(slot);
            let State::Held(_, until, others, _) = &mut running.state else { continue };
            *others += 1;
            let over = match until {
                Until::Passed(most) => *others >= *most,
                Until::Point(until) => *until == point,
                Until::Longest => false,
            };
            if over {
                self.release(slot, Until::Point(point));
            }
        }
        self.scratch = held;
    }

    pub(super) fn release(&mut self, slot: Slot, until: Until) {
        let Some(running) = self.servers.get(slot) else { return };
        let State::Held(point, .., reply) = running.state else { return };
        running.state = reply.map_or(State::Asking, State::Replying);
        self.stage.happened(What::Released { step: running.step });
        self.stage.choice.released(point, until);
        self.stage.after(running.takes(), running.stall.1, Due::Step { slot });
    }
}

/// What a handler asks: the verb, the number of its table where it names one, and for how long it sleeps.
fn asked_by(running: &Running, database: &Database) -> (Verb, u8, Option<Span>) {
    let asked = running.desk.look();
    let question = asked.question().expect("a handler that asks has a question");
    let verb = question.verb();
    match question {
        Question::Statement { statement, .. } | Question::Replica(statement)
            if verb.names_table() =>
        {
            (verb, database.number_of(statement.table), None)
        }
        Question::Sleep(span) => (verb, 0, Some(span)),
        _ => (verb, 0, None),
    }
}

/// Where the owner of an id is kept.
fn place_of(id: Id) -> Option<usize> {
    usize::try_from(id.number().checked_sub(1)?).ok()
}

/// Stands for no session at all.
const NO_SESSION: Session = Session(u32::MAX);

/// Whether a question runs on a connection of its own, and ends with it.
const fn session_of_its_own(question: Question<'_>) -> bool {
    matches!(
        question,
        Question::Statement { session: None, .. }
            | Question::Call(_)
            | Question::Cache(_)
            | Question::Replica(_)
    )
}
