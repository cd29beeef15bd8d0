//! Level 3. The world: one event at a time, until nothing is left to happen.
//!
//! A run has three parts: the weather of the scenario; then calm, in which every operation without a
//! final answer is asked about; then, if the contract bounds the records, the end of the window and a
//! last sweep. Every loop is bounded: the faults by the scenario, the events by [`World::bound`].

use crate::choice::{Bounds, Choice, Fault, Source, Until};
use crate::client::Clients;
use crate::database::{Asker, Database};
use crate::forecast::Forecast;
use crate::network::{Letter, Network};
use crate::point::{Leg, Message, Op, Point, Subject};
use crate::queue::Queue;
use crate::server::{Next, Servers, State};
use crate::stage::{Due, Slot, Stage, Waiter};
use crate::time::{Span, Time};
use crate::trace::{Loss, ReplyId, Server, Trace, What};
use onestroke_scenarios::Scenario;
use onestroke_store::effects::EFFECTS;
use onestroke_store::{
    Answer, DbAnswer, Engine, Entry, Question, Session, Settings, Sweep, Table, Trigger, Verb,
};
use std::sync::Arc;

/// A world that runs one scenario with one store, seed after seed.
#[derive(Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    stage: Stage,
    forecast: Forecast,
    clients: Clients,
    network: Network,
    servers: Servers,
    database: Database,
    orphans: Vec<Orphan>,
    graves: Vec<Grave>,
    sweeps: u8,
    /// By id: whose handler took it.
    owners: Vec<Op>,
    scratch: Vec<Slot>,
    wakeable: Vec<Waiter>,
    circle: Vec<Session>,
}

/// A question that outlived its server.
#[derive(Debug)]
struct Orphan {
    asker: Asker,
    question: Option<Question>,
    sessions: Vec<Session>,
    linger: bool,
}

/// Sessions that outlived their handler.
#[derive(Debug)]
struct Grave {
    subject: Subject,
    sessions: Vec<Session>,
}

impl World {
    /// A world for this scenario and store, on this engine.
    pub fn new(scenario: Arc<Scenario>, entry: &Entry, engine: Box<dyn Engine>) -> Self {
        let weather = &scenario.weather;
        let bounds =
            Bounds { horizon: Time::ZERO + weather.horizon, most_faults: weather.most_faults };
        let settings = Settings { window: scenario.contract.window };
        let stage = Stage {
            now: Time::ZERO,
            queue: Queue::new(),
            choice: Choice::new(bounds),
            trace: Trace::default(),
            details: false,
        };
        Self {
            stage,
            forecast: Forecast::new(weather),
            clients: Clients::new(scenario.client, scenario.workload),
            network: Network::new(scenario.latency.network, weather.partition_for),
            servers: Servers::new(entry.clone(), scenario.topology.servers, settings),
            database: Database::new(engine, tables_of(entry)),
            orphans: vec![],
            graves: vec![],
            sweeps: 0,
            owners: vec![],
            scratch: vec![],
            wakeable: vec![],
            circle: vec![],
            scenario,
        }
    }

    /// What happened in the last run.
    pub const fn trace(&self) -> &Trace {
        &self.stage.trace
    }

    /// The choices of the last run.
    pub const fn choice(&self) -> &Choice {
        &self.stage.choice
    }

    /// The tables, in the order in which points number them.
    pub fn tables(&self) -> &[&'static Table] {
        self.database.tables()
    }

    /// Runs once, from a source of choice; with texts for the timeline and all variations, or
    /// without.
    pub fn run(&mut self, source: Source, details: bool, recording: bool) {
        self.reset(source, details, recording);
        for op in self.clients.first() {
            self.clients.begin(&mut self.stage, op);
        }
        let done = self.run_out() && self.probe() && self.sweep_at_the_end();
        if !done {
            self.stage.happened(What::Exhausted);
        }
        self.audit();
    }

    fn reset(&mut self, source: Source, details: bool, recording: bool) {
        let stage = &mut self.stage;
        stage.now = Time::ZERO;
        stage.queue.clear();
        stage.trace.clear();
        stage.details = details;
        stage.choice.reset(source);
        stage.choice.set_recording(recording);
        self.forecast.draw(&self.scenario.weather, &stage.choice);
        self.clients.reset(stage);
        self.network.reset(self.clients.count());
        self.servers.reset();
        self.database.reset();
        self.orphans.clear();
        self.graves.clear();
        self.owners.clear();
        self.sweeps = 0;
    }

    /// How many events a run may have: far more than any run of its size needs.
    fn bound(&self) -> usize {
        50_000 + self.stage.trace.ops.len() * 20_000
    }

    /// Lets happen what is to happen. Says whether it came to an end.
    fn run_out(&mut self) -> bool {
        let bound = self.bound();
        while let Some((at, due)) = self.stage.queue.pop() {
            debug_assert!(at >= self.stage.now, "time runs backwards");
            self.stage.now = at;
            self.happen(due);
            self.wake();
            if self.stage.trace.events.len() > bound {
                return false;
            }
        }
        true
    }

    /// In calm weather, asks about every operation without a final answer.
    fn probe(&mut self) -> bool {
        self.stage.choice.calm_down();
        self.stage.happened(What::Cleared);
        let unanswered: Vec<Op> = self.clients.unanswered().collect();
        for op in unanswered {
            self.clients.probe(&mut self.stage, op, self.scenario.contract.bound);
            if !self.run_out() {
                return false;
            }
        }
        true
    }

    /// After the window, sweeps once more and counts what is left.
    fn sweep_at_the_end(&mut self) -> bool {
        if self.scenario.contract.records_at_most.is_none() {
            return true;
        }
        self.stage.after(self.scenario.contract.window, 0, Due::LastSweep);
        if !self.run_out() {
            return false;
        }
        let records = u32::try_from(self.database.records()).unwrap_or(u32::MAX);
        self.stage.happened(What::Remaining { records });
        true
    }

    /// The harness checks itself: the effects in the database are the effects in the trace.
    fn audit(&mut self) {
        if !self.stage.details {
            return;
        }
        let rows = self.database.committed(&EFFECTS).len();
        let committed = |event: &crate::trace::Event| matches!(event.what, What::Committed { .. });
        let events = self.stage.trace.events.iter().filter(|event| committed(event)).count();
        assert!(rows <= events, "the database holds {rows} effects, the trace {events}");
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Send { op } => self.send_attempts(op),
            Due::Arrive { message, reply } => self.arrive(message, reply),
            Due::Timeout { op, attempt } => {
                if self.clients.time_out(&mut self.stage, op, attempt) {
                    self.clients.next(&mut self.stage, op);
                }
            }
            Due::Step { slot } => self.step(slot),
            Due::Retry { waiter } => self.try_again(waiter),
            Due::HoldOver { slot, since } => {
                let held = self.servers.get(slot).map(|running| running.state);
                if matches!(held, Some(State::Held(point, ..)) if point == since) {
                    self.release(slot, Until::Longest);
                }
            }
            Due::Orphan { orphan } => self.execute_orphan(orphan),
            Due::Reap { grave } => self.reap(grave),
            Due::Restart { server } => {
                self.servers.restart(server);
                self.stage.happened(What::Restarted { server });
            }
            Due::LastSweep => self.sweep(Span::ZERO),
        }
    }

    fn send_attempts(&mut self, op: Op) {
        let Some((first, last)) = self.clients.take_attempts(&mut self.stage, op) else { return };
        let client = self.clients.client_of(op);
        for attempt in first..=last {
            let message = Message::request(Subject::new(op, attempt, 1));
            let letter = Letter { message, reply: None, client };
            if self.network.send(&mut self.stage, &self.forecast, letter) {
                self.sweep(self.scenario.weather.sweep_ahead);
            }
        }
    }

    fn sweep(&mut self, ahead: Span) {
        self.sweeps = self.sweeps.saturating_add(1);
        if let Some(server) = self.servers.route(0) {
            let trigger = Trigger::Sweep(Sweep { ahead });
            self.start(server, Subject::sweep(self.sweeps), trigger);
        }
    }

    fn arrive(&mut self, message: Message, reply: Option<ReplyId>) {
        let Subject { op, attempt, .. } = message.subject;
        let client = self.clients.client_of(op);
        match message.leg {
            Leg::Request => self.arrive_at_server(message, client),
            Leg::Reply => {
                if self.network.loses(&mut self.stage, message, client) {
                    return;
                }
                let server = Server(0);
                self.stage.happened(What::Delivered { message, server, reply });
                let reply = reply.expect("a reply carries one");
                if self.clients.receive(&mut self.stage, op, attempt, reply) {
                    self.clients.next(&mut self.stage, op);
                }
            }
        }
    }

    fn arrive_at_server(&mut self, message: Message, client: u16) {
        let subject = message.subject;
        let point = Point::route(subject);
        let count = self.servers.count();
        let now = self.stage.now;
        let chosen = self.stage.choice.at(point, now, &self.forecast.none, u32::from(count));
        let turn = u32::from(subject.attempt) + u32::from(subject.copy) + chosen.offset;
        let Some(server) = self.servers.route((turn % u32::from(count)) as u8) else {
            self.stage.happened(What::Lost { message, why: Loss::Refused });
            return;
        };
        let paused_until = self.servers.paused_until(server);
        if paused_until > now {
            let due = Due::Arrive { message, reply: None };
            self.stage.queue.push(paused_until, chosen.tie, due);
            return;
        }
        if self.network.loses(&mut self.stage, message, client) {
            return;
        }
        self.stage.happened(What::Delivered { message, server, reply: None });
        let trigger = Trigger::Request(self.clients.request(subject.op));
        self.start(server, subject, trigger);
    }

    fn start(&mut self, server: Server, subject: Subject, trigger: Trigger) {
        self.stage.happened(What::Started { subject, server });
        let slot = self.servers.start(server, subject, trigger);
        self.poll(slot);
    }

    /// Runs a handler to its next question, and lets the weather decide about it.
    fn poll(&mut self, slot: Slot) {
        let next = self.servers.poll(&mut self.stage, slot);
        self.roll_back_dropped(slot);
        let running = self.servers.get(slot).expect("a handler that was polled is there");
        let owner = running.subject.op;
        match next {
            Next::Asks => {
                let verb = running.verb();
                let table = running.desk.with_question(|question| match question {
                    Some(Question::Statement { statement, .. }) if verb.names_table() => {
                        self.database.number_of(statement.table)
                    }
                    _ => 0,
                });
                let step = running.name_step(verb, table);
                running.state = State::Asking;
                let asked = What::Asked { step, server: running.server };
                let desk = std::rc::Rc::clone(&running.desk);
                self.stage.happened_with(asked, || {
                    desk.with_question(|question| {
                        question.map_or_else(String::new, crate::describe::question)
                    })
                });
            }
            Next::Replies(reply) => {
                let owners = &self.owners;
                let owner = || owner_of(&reply.body, owners);
                let id = self.stage.trace.intern(reply.status, &reply.body, owner);
                running.name_step(Verb::Reply, 0);
                running.state = State::Replying(id);
                let subject = running.subject;
                let finished = What::Finished { subject, reply: id };
                self.stage.happened_with(finished, || crate::describe::reply(&reply));
            }
        }
        let last = usize::try_from(self.servers.last_id()).expect("ids are bounded");
        self.owners.resize(last, owner);
        self.set_out(slot);
    }

    /// A question sets out: what strikes before it is executed is decided here.
    fn set_out(&mut self, slot: Slot) {
        let running = self.servers.get(slot).expect("a handler that asks is there");
        let range = self.scenario.latency.question;
        let spread = range.most.as_micros() - range.least.as_micros() + 1;
        let odds = self.forecast.before(running.step.verb);
        let point = Point::before(running.step);
        let spread = u32::try_from(spread).unwrap_or(u32::MAX);
        let chosen = self.stage.choice.at(point, self.stage.now, odds, spread);
        running.stall = (chosen.offset, chosen.tie);
        running.fault = chosen.fault;
        if let Some(Fault::Hold(until)) = chosen.fault {
            running.hold(&mut self.stage, until);
            let over = Due::HoldOver { slot, since: point };
            self.stage.after(self.scenario.weather.hold_for, 0, over);
        } else {
            self.schedule(slot);
        }
    }

    fn schedule(&mut self, slot: Slot) {
        let running = self.servers.get(slot).expect("a handler that asks is there");
        let (offset, tie) = running.stall;
        let mut latency =
            self.scenario.latency.question.least + Span::from_micros(u64::from(offset));
        running.desk.with_question(|question| {
            if let Some(Question::Sleep(span)) = question {
                latency = *span;
            }
        });
        self.stage.after(latency, tie, Due::Step { slot });
    }

    /// A handler goes on: what was decided strikes, or its question is executed.
    fn step(&mut self, slot: Slot) {
        let Some(running) = self.servers.get(slot) else { return };
        let server = running.server;
        let paused_until = self.servers.paused_until(server);
        if paused_until > self.stage.now {
            self.stage.queue.push(paused_until, 0, Due::Step { slot });
            return;
        }
        let running = self.servers.get(slot).expect("it was there a line ago");
        if running.state == State::Answered {
            self.poll(slot);
            return;
        }
        match running.fault.take() {
            Some(Fault::Crash { in_flight, linger }) => {
                self.crash(server, in_flight.then_some(slot), linger);
            }
            Some(Fault::Cancel) => self.cancel(slot),
            Some(Fault::Pause(span)) => {
                self.pause(server, span);
                self.stage.after(span, 0, Due::Step { slot });
            }
            _ => match running.state {
                State::Replying(reply) => self.reply(slot, reply),
                _ => self.execute(slot),
            },
        }
    }

    fn reply(&mut self, slot: Slot, reply: ReplyId) {
        let running = self.servers.get(slot).expect("a handler that replies is there");
        let subject = running.subject;
        self.servers.free(slot.index as usize);
        if !subject.is_sweep() {
            let message = Message::reply(subject);
            let client = self.clients.client_of(subject.op);
            let letter = Letter { message, reply: Some(reply), client };
            self.network.send(&mut self.stage, &self.forecast, letter);
        }
    }

    fn execute(&mut self, slot: Slot) {
        let database = &mut self.database;
        let stage = &mut self.stage;
        let running = self.servers.get(slot).expect("a handler that asks is there");
        let waiter = Waiter::Handler(slot);
        let step = running.step;
        let desk = std::rc::Rc::clone(&running.desk);
        let own = running.own.unwrap_or_else(|| database.open());
        running.own = Some(own);
        let asker = Asker { step, own, orphan: false };
        let answer = desk.with_question(|question| match question {
            Some(Question::Sleep(_)) => {
                let result = crate::trace::Result::Done;
                stage.happened(What::Executed { step, result, orphan: false });
                Some(Answer::Slept)
            }
            Some(question) => database.execute(stage, asker, question).map(Answer::Db),
            None => unreachable!("a handler that asks has a question"),
        });
        match answer {
            Some(answer) => {
                database.stop_waiting(waiter);
                self.answered(slot, answer);
            }
            None => self.blocked(waiter, session_of(&desk, own), step),
        }
    }

    /// A question waits; if it closes a circle, the weather chooses who dies.
    fn blocked(&mut self, waiter: Waiter, session: Session, step: crate::point::Step) {
        if !self.database.wait(session, waiter) {
            return;
        }
        if let Waiter::Handler(slot) = waiter
            && let Some(running) = self.servers.get(slot)
        {
            running.state = State::Blocked;
        }
        self.stage.happened(What::Blocked { step });
        let mut circle = std::mem::take(&mut self.circle);
        self.database.deadlock(session, &mut circle);
        if !circle.is_empty() {
            let point = Point::victim(step);
            let spread = u32::try_from(circle.len()).expect("a circle is small");
            let now = self.stage.now;
            let chosen = self.stage.choice.at(point, now, &self.forecast.none, spread);
            let victim = circle[chosen.offset as usize];
            if let Some((waiter, error)) = self.database.give_up(&mut self.stage, victim)
                && let Waiter::Handler(slot) = waiter
                && let Some(running) = self.servers.get(slot)
            {
                let step = running.step;
                let result = crate::trace::Result::Refused;
                let refused = What::Executed { step, result, orphan: false };
                self.stage.happened_with(refused, || format!("refused: {error}"));
                self.answered(slot, Answer::Db(Err(error)));
            }
        }
        self.circle = circle;
    }

    /// A question was executed: what strikes before its answer arrives, strikes now.
    fn answered(&mut self, slot: Slot, answer: Answer) {
        self.note_session(slot, &answer);
        let running = self.servers.get(slot).expect("a handler that was answered is there");
        let (server, step) = (running.server, running.step);
        let odds = self.forecast.after(step.verb);
        let point = Point::after(step);
        let fault = self.stage.choice.at(point, self.stage.now, odds, 0).fault;
        running.answer(answer);
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
    fn note_session(&mut self, slot: Slot, answer: &Answer) {
        let running = self.servers.get(slot).expect("a handler that was answered is there");
        let own = running.own.take();
        let ended = running.desk.with_question(|question| match question {
            Some(Question::Commit(session) | Question::Rollback(session)) => Some(*session),
            _ => None,
        });
        if let Answer::Db(Ok(DbAnswer::Began(session))) = answer {
            running.sessions.push(*session);
            return;
        }
        if let Some(ended) = ended {
            running.sessions.retain(|session| *session != ended);
            self.database.close(&mut self.stage, ended);
        }
        if let Some(own) = own {
            self.database.close(&mut self.stage, own);
        }
    }

    /// Rolls back the transactions that a handler dropped.
    fn roll_back_dropped(&mut self, slot: Slot) {
        let Some(running) = self.servers.get(slot) else { return };
        let subject = running.subject;
        while let Some(session) = running.desk.take_dropped() {
            running.sessions.retain(|open| *open != session);
            self.database.close(&mut self.stage, session);
            self.stage.happened(What::RolledBack { subject });
        }
    }

    /// A question was executed: those held until then go on.
    fn passed(&mut self, passer: Slot, point: Point) {
        let mut held = std::mem::take(&mut self.scratch);
        self.servers.held(&mut held);
        for slot in held.drain(..).filter(|slot| *slot != passer) {
            let running = self.servers.get(slot).expect("a held handler is there");
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

    fn release(&mut self, slot: Slot, until: Until) {
        let Some(running) = self.servers.get(slot) else { return };
        let State::Held(point, .., reply) = running.state else { return };
        running.state = reply.map_or(State::Asking, State::Replying);
        self.stage.happened(What::Released { step: running.step });
        self.stage.choice.released(point, until);
        self.schedule(slot);
    }

    fn pause(&mut self, server: Server, span: Span) {
        self.servers.pause(server, self.stage.now + span);
        self.stage.happened(What::Paused { server, for_: span });
    }

    /// The client hung up: the handler is dropped, and its transactions with it.
    fn cancel(&mut self, slot: Slot) {
        let Some(running) = self.servers.get(slot) else { return };
        let subject = running.subject;
        self.stage.happened(What::Cancelled { subject });
        let sessions = std::mem::take(&mut running.sessions);
        let own = running.own.take();
        self.database.stop_waiting(Waiter::Handler(slot));
        self.servers.free(slot.index as usize);
        for session in sessions {
            self.database.close(&mut self.stage, session);
            self.stage.happened(What::RolledBack { subject });
        }
        if let Some(own) = own {
            self.database.close(&mut self.stage, own);
        }
    }

    /// A server crashes, with all its handlers. The question of `flying` is still executed.
    fn crash(&mut self, server: Server, flying: Option<Slot>, linger: bool) {
        self.stage.happened(What::Crashed { server });
        self.servers.take_down(server);
        let mut dead = std::mem::take(&mut self.scratch);
        self.servers.slots_on(server, &mut dead);
        for slot in dead.drain(..) {
            self.bury(slot, flying == Some(slot), linger);
        }
        self.scratch = dead;
        self.stage.after(self.scenario.weather.restart_after, 0, Due::Restart { server });
    }

    /// A handler dies with its server.
    fn bury(&mut self, slot: Slot, flies: bool, linger: bool) {
        let running = self.servers.get(slot).expect("a dying handler is there");
        let (subject, step) = (running.subject, running.step);
        self.stage.happened(What::Died { subject });
        self.database.stop_waiting(Waiter::Handler(slot));
        let mut sessions: Vec<Session> = running.sessions.drain(..).collect();
        let question = if flies { running.desk.question() } else { None };
        let own = running.own.take();
        self.servers.free(slot.index as usize);
        if let Some(question) = question {
            let own = own.unwrap_or_else(|| self.database.open());
            sessions.push(own);
            let asker = Asker { step, own, orphan: true };
            let orphan = u32::try_from(self.orphans.len()).expect("crashes are bounded");
            self.orphans.push(Orphan { asker, question: Some(question), sessions, linger });
            self.stage.after(self.scenario.weather.in_flight_after, 0, Due::Orphan { orphan });
            return;
        }
        sessions.extend(own);
        self.leave(subject, sessions, linger);
    }

    /// The sessions of a dead handler are closed now, or after a while.
    fn leave(&mut self, subject: Subject, sessions: Vec<Session>, linger: bool) {
        if linger && !sessions.is_empty() {
            let grave = u32::try_from(self.graves.len()).expect("crashes are bounded");
            self.graves.push(Grave { subject, sessions });
            self.stage.after(self.scenario.weather.linger_for, 0, Due::Reap { grave });
            return;
        }
        for session in sessions {
            if self.database.roll_back(&mut self.stage, session) {
                self.stage.happened(What::RolledBack { subject });
            }
            self.database.close(&mut self.stage, session);
        }
    }

    fn execute_orphan(&mut self, index: u32) {
        let orphan = &mut self.orphans[index as usize];
        let Some(question) = orphan.question.take() else { return };
        let asker = orphan.asker;
        let waiter = Waiter::Orphan(index);
        if self.database.execute(&mut self.stage, asker, &question).is_some() {
            let orphan = &mut self.orphans[index as usize];
            let (sessions, linger) = (std::mem::take(&mut orphan.sessions), orphan.linger);
            self.database.stop_waiting(waiter);
            self.leave(asker.step.subject, sessions, linger);
        } else {
            let session = session_in(&question, asker.own);
            self.orphans[index as usize].question = Some(question);
            self.blocked(waiter, session, asker.step);
        }
    }

    fn reap(&mut self, index: u32) {
        let grave = &mut self.graves[index as usize];
        let (subject, sessions) = (grave.subject, std::mem::take(&mut grave.sessions));
        self.leave(subject, sessions, false);
        self.stage.happened(What::Reaped { subject });
    }

    /// A transaction has ended: those who wait may try again, in an order that the weather chooses.
    fn wake(&mut self) {
        let mut wakeable = std::mem::take(&mut self.wakeable);
        self.database.take_wakeable(&mut wakeable);
        for waiter in &wakeable {
            let step = match *waiter {
                Waiter::Handler(slot) => self.servers.get(slot).map(|running| running.step),
                Waiter::Orphan(orphan) => Some(self.orphans[orphan as usize].asker.step),
            };
            if let Some(step) = step {
                let point = Point::wake(step);
                let now = self.stage.now;
                let tie = self.stage.choice.at(point, now, &self.forecast.none, 0).tie;
                self.stage.queue.push(now, tie, Due::Retry { waiter: *waiter });
            }
        }
        self.wakeable = wakeable;
    }

    fn try_again(&mut self, waiter: Waiter) {
        match waiter {
            Waiter::Orphan(orphan) => self.execute_orphan(orphan),
            Waiter::Handler(slot) => {
                let blocked =
                    self.servers.get(slot).is_some_and(|running| running.state == State::Blocked);
                if blocked {
                    self.execute(slot);
                }
            }
        }
    }
}

/// The store's tables and the built-in one, in the order in which points number them.
pub fn tables_of(entry: &Entry) -> Vec<&'static Table> {
    entry.tables.iter().copied().chain([&EFFECTS]).collect()
}

fn session_of(desk: &onestroke_store::Desk, own: Session) -> Session {
    desk.with_question(|question| question.map_or(own, |question| session_in(question, own)))
}

const fn session_in(question: &Question, own: Session) -> Session {
    match question {
        Question::Statement { session: Some(session), .. }
        | Question::Commit(session)
        | Question::Rollback(session) => *session,
        _ => own,
    }
}

/// The operation whose id a reply's body names.
fn owner_of(body: &str, owners: &[Op]) -> Option<Op> {
    let digits = body.split("id-").nth(1)?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number: usize = digits[..end].parse().ok()?;
    owners.get(number.checked_sub(1)?).copied()
}
