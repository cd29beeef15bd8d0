//! Level 3. The world: one event at a time, until nothing is left to happen.
//!
//! A run has three parts: the weather of the scenario; then calm, in which every operation without a
//! final answer is asked about; then, if the contract bounds the records, the end of the window and a
//! last sweep. Every loop is bounded: the faults by the scenario, the events by the size of the run.

mod faults;
mod handling;
mod messages;
mod portrait;
mod waiting;

use crate::cache::Cache;
use crate::choice::{Bounds, Choice, Source, Until};
use crate::client::Clients;
use crate::database::Database;
use crate::forecast::Forecast;
use crate::network::Network;
use crate::point::{Op, Step, Subject};
use crate::queue::Queue;
use crate::server::{Pace, Servers, State};
use crate::service::Service;
use crate::stage::{Due, Slot, Stage, Waiter};
use crate::time::{Span, Time};
use crate::trace::{Trace, What};
use onestroke_scenarios::{Scenario, Worker};
use onestroke_store::effects::EFFECTS;
use onestroke_store::{Asked, Engine, Entry, Session, Table, Told};
use smallvec::SmallVec;
use std::sync::Arc;

pub use portrait::Portrait;

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
    service: Service,
    cache: Cache,
    orphans: Vec<Orphan>,
    graves: Vec<Grave>,
    sweeps: u8,
    /// How long a question and its answer take.
    asking: Pace,
    /// The same for a call of another service.
    calling: Pace,
    /// Some handler has been held in this run.
    holds: bool,
    /// By id: whose handler took it.
    owners: Vec<Op>,
    scratch: Vec<Slot>,
    wakeable: Vec<(Waiter, Step)>,
    circle: Vec<Session>,
    unanswered: Vec<Op>,
}

/// Sessions that something still holds.
type Sessions = SmallVec<[Session; 2]>;

/// A question that outlived its server.
#[derive(Debug)]
struct Orphan {
    step: Step,
    /// The session that it runs on, where it is in no transaction.
    own: Session,
    question: Option<Asked>,
    sessions: Sessions,
    linger: bool,
    /// What its handler had been told, if that is kept.
    told: Vec<Told>,
}

/// Sessions that outlived their handler.
#[derive(Debug)]
struct Grave {
    subject: Subject,
    sessions: Sessions,
}

/// Turns of background work in calm weather, before the probes and after them.
const CALM_TURNS: u8 = 6;

impl World {
    /// A world for this scenario and store, on this engine.
    pub fn new(scenario: Arc<Scenario>, entry: &Entry, engine: Box<dyn Engine>) -> Self {
        let weather = &scenario.weather;
        let bounds =
            Bounds { horizon: Time::ZERO + weather.horizon, most_faults: weather.most_faults };
        let settings = scenario.contract.settings();
        let stage = Stage {
            now: Time::ZERO,
            queue: Queue::new(),
            choice: Choice::new(bounds),
            trace: Trace::default(),
            details: false,
            loud: false,
        };
        Self {
            stage,
            forecast: Forecast::new(weather),
            clients: Clients::new(scenario.client, scenario.workload, scenario.service.declines),
            network: Network::new(
                scenario.latency.network,
                weather.partition_for,
                scenario.latency.question.most,
            ),
            servers: Servers::new(entry.clone(), &scenario.topology, settings),
            database: Database::new(engine, tables_of(entry), scenario.topology.replica_lag),
            service: Service::new(scenario.service),
            cache: Cache::new(scenario.cache),
            orphans: vec![],
            graves: vec![],
            sweeps: 0,
            asking: Pace::of(scenario.latency.question),
            calling: Pace::of(scenario.service.latency),
            holds: false,
            owners: vec![],
            scratch: vec![],
            wakeable: vec![],
            circle: vec![],
            unanswered: vec![],
            scenario,
        }
    }

    /// What happened in the last run.
    pub const fn trace(&self) -> &Trace {
        &self.stage.trace
    }

    /// How much room it keeps from run to run, in places for events, handlers and the like.
    pub fn room(&self) -> usize {
        let trace = &self.stage.trace;
        trace.events.capacity()
            + trace.replies.capacity()
            + trace.notes.capacity()
            + self.stage.queue.room()
            + self.stage.choice.room()
            + self.servers.room()
            + self.database.room()
            + self.service.room()
            + self.cache.room()
            + self.orphans.capacity()
            + self.graves.capacity()
            + self.owners.capacity()
    }

    /// The moment.
    pub const fn now(&self) -> Time {
        self.stage.now
    }

    /// The choices of the last run.
    pub const fn choice(&self) -> &Choice {
        &self.stage.choice
    }

    /// Whether all that could strike is listed from now on.
    pub fn set_exploring(&mut self, exploring: bool) {
        self.stage.choice.set_exploring(exploring);
        self.servers.set_listening(exploring);
    }

    /// The tables, in the order in which points number them.
    pub fn tables(&self) -> &[&'static Table] {
        self.database.tables()
    }

    /// Runs once, from a source of choice; with texts for the timeline and all variations, or
    /// without.
    pub fn run(&mut self, source: Source, details: bool, recording: bool) {
        self.begin(source, details, recording);
        self.go_on();
    }

    /// Begins a run; [`World::go_on`] goes on with it.
    pub fn begin(&mut self, source: Source, details: bool, recording: bool) {
        self.reset(source, details, recording);
        for op in self.clients.first() {
            self.clients.begin(&mut self.stage, op);
        }
        self.schedule_turn(1);
    }

    /// Lets one event happen, unless the weather is about to clear. Says whether it did.
    pub fn advance(&mut self) -> bool {
        let within = self.stage.trace.events.len() <= self.bound();
        within && self.happen_next()
    }

    /// Goes on to the end of the run.
    pub fn go_on(&mut self) {
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
        stage.listen();
        stage.choice.reset(source);
        stage.choice.set_recording(recording);
        self.forecast.draw(&self.scenario.weather, &stage.choice);
        self.clients.reset(stage);
        self.network.reset(self.clients.count());
        self.servers.reset();
        self.database.reset();
        self.service.reset();
        self.cache.reset();
        self.orphans.clear();
        self.graves.clear();
        self.owners.clear();
        self.sweeps = 0;
        self.holds = false;
    }

    /// How many events a run may have: far more than any run of its size needs.
    fn bound(&self) -> usize {
        50_000 + self.stage.trace.ops.len() * 20_000
    }

    /// Lets happen what is to happen. Says whether it came to an end.
    fn run_out(&mut self) -> bool {
        let bound = self.bound();
        while self.happen_next() {
            if self.stage.trace.events.len() > bound {
                return false;
            }
        }
        true
    }

    /// Lets the next event happen, if there is one.
    fn happen_next(&mut self) -> bool {
        let Some((at, due)) = self.stage.queue.pop() else { return false };
        debug_assert!(at >= self.stage.now, "time runs backwards");
        self.stage.now = at;
        self.happen(due);
        self.wake();
        true
    }

    /// In calm weather, asks about every operation without a final answer.
    fn probe(&mut self) -> bool {
        self.stage.choice.calm_down();
        self.network.heal();
        self.stage.happened(What::Cleared);
        if !self.work_off(0) {
            return false;
        }
        let mut unanswered = std::mem::take(&mut self.unanswered);
        unanswered.clear();
        unanswered.extend(self.clients.unanswered());
        let ended = unanswered.iter().all(|op| {
            self.clients.probe(&mut self.stage, *op, self.scenario.contract.bound);
            self.run_out()
        });
        self.unanswered = unanswered;
        ended && self.work_off(1)
    }

    /// In calm weather, lets the background work do what is left. Says whether it came to an end.
    fn work_off(&mut self, round: u8) -> bool {
        let Worker { turns, every } = self.scenario.worker;
        let calm = if turns == 0 { 0 } else { CALM_TURNS };
        for turn in 1..=calm {
            let number = turns + round * CALM_TURNS + turn;
            self.stage.after(every, 0, Due::Turn { number });
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
        self.stage.after(self.scenario.last_sweep_after(), 0, Due::LastSweep);
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
        let rows = self.database.committed(&EFFECTS).len() as u64;
        let committed = self.database.effects_committed();
        assert!(
            rows == committed || self.database.effects_rewritten(),
            "the database holds {rows} effects, and the trace {committed}"
        );
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
            Due::Turn { number } => self.turn(number),
        }
    }
}

/// The store's tables and the built-in one, in the order in which points number them.
pub fn tables_of(entry: &Entry) -> Vec<&'static Table> {
    entry.tables.iter().copied().chain([&EFFECTS]).collect()
}

/// The operation whose id a reply's body names.
fn owner_of(body: &str, owners: &[Op]) -> Option<Op> {
    // By hand: the searcher of the standard library costs more to set up than a body is long.
    let at = body.as_bytes().windows(3).enumerate().find_map(|(at, three)| {
        let alone = || !body[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        (three == b"id-" && alone()).then_some(at)
    })?;
    let digits = &body[at + "id-".len()..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number: usize = digits[..end].parse().ok()?;
    owners.get(number.checked_sub(1)?).copied()
}
