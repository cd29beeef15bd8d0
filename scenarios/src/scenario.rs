//! A whole scenario, and its arithmetic of time: does the window outlive the retries?
//!
//! Imports the parts of a scenario: workload, weather, contract, findings, moments.

use crate::clock::Clocks;
use crate::contract::Contract;
use crate::finding::FindingKind;
use crate::moment::Moment;
use crate::rate::{Range, Rate};
use crate::weather::Weather;
use crate::workload::{Client, OPERATIONS_MOST, Order, Workload};
use onestroke_store::{Entry, Span};
use std::collections::BTreeMap;

/// One claim about idempotency stores, as data: a world, a weather, a contract, and expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name: kebab-case; the stem of its file.
    pub name: String,
    /// What it shows, in one sentence.
    pub claim: String,
    /// Where the claim comes from: a passage, the number of a public bug.
    pub source: Vec<String>,
    /// What the clients want, and under which keys.
    pub workload: Workload,
    /// How a client sends and retries.
    pub client: Client,
    /// How many servers there are, and on what kind of database.
    pub topology: Topology,
    /// The other service that stores can call.
    pub service: Service,
    /// The cache that stores can use.
    pub cache: Cache,
    /// The turns of the stores' background work.
    pub worker: Worker,
    /// How long messages and questions take when nothing goes wrong.
    pub latency: Latency,
    /// How often the world misbehaves.
    pub weather: Weather,
    /// What is promised.
    pub contract: Contract,
    /// What a campaign must have passed through, or its silence means nothing.
    pub moments: Vec<Moment>,
    /// Per store, the kinds of findings that a big campaign shows: exactly these, in order.
    pub expect: BTreeMap<String, Vec<FindingKind>>,
}

/// The servers with their clocks, and the database under them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// How many servers there are; attempts go to any of them. Default 2.
    pub servers: u8,
    /// Which engine the model of the database behaves like. Default postgres.
    pub profile: Profile,
    /// How the servers' clocks differ from true time. Default: not at all.
    pub clocks: Clocks,
    /// How far the read replica lags behind. Default not at all.
    pub replica_lag: Span,
}

/// Another service: a payment provider, a mailer, the other side of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// Whether it knows keys: a repeat under a known key gets the first receipt. Default yes.
    pub keys: bool,
    /// What it declines for good. Default nothing.
    pub declines: Declines,
    /// A call and its answer. Default 1 ms to 2 ms.
    pub latency: Range,
}

/// A cache like Redis, beside the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// How long its replica takes to have what was written: that much is lost when it fails over.
    /// Default 20 ms.
    pub replication_lag: Span,
}

/// What another service declines for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declines {
    /// Nothing.
    #[default]
    Nothing,
    /// The last part of every second operation, the first one to begin with.
    EverySecond,
    /// The first call about each operation: a card without money, which has some a moment later.
    AtFirst,
}

impl Declines {
    /// Whether the operation with this index is declined, once at least.
    pub const fn declines(self, op: u32) -> bool {
        match self {
            Self::Nothing => false,
            Self::EverySecond => op.is_multiple_of(2),
            Self::AtFirst => true,
        }
    }
}

/// Turns of background work: relays, reapers, orchestrators, controllers. A store says in
/// `Store::work` what a turn does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worker {
    /// How many turns there are before the weather clears. Default none.
    pub turns: u8,
    /// How long from one turn's start to the next one's. Turns can overlap: they begin on one server
    /// after the other. Default 50 ms.
    pub every: Span,
}

/// Which engine the model of the database behaves like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// `PostgreSQL`: row locks, waiters, read committed.
    #[default]
    Postgres,
    /// `SQLite`: one writer at a time, "busy" for the others.
    Sqlite,
}

/// How long things take when nothing goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// One way of a message between client and server. Default 1 ms to 3 ms.
    pub network: Range,
    /// A question and its answer. Default 1 ms to 2 ms.
    pub question: Range,
}

/// One part of the worst last arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name.
    pub name: &'static str,
    /// How long it is at most.
    pub span: Span,
    /// Where it comes from.
    pub why: &'static str,
}

impl Default for Topology {
    fn default() -> Self {
        let (profile, clocks) = (Profile::default(), Clocks::default());
        Self { servers: 2, profile, replica_lag: Span::ZERO, clocks }
    }
}

impl Default for Service {
    fn default() -> Self {
        let latency = Range { least: Span::from_millis(1), most: Span::from_millis(2) };
        Self { keys: true, declines: Declines::default(), latency }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self { replication_lag: Span::from_millis(20) }
    }
}

impl Default for Worker {
    fn default() -> Self {
        Self { turns: 0, every: Span::from_millis(50) }
    }
}

impl Default for Latency {
    fn default() -> Self {
        let millis =
            |least, most| Range { least: Span::from_millis(least), most: Span::from_millis(most) };
        Self { network: millis(1, 3), question: millis(1, 2) }
    }
}

/// More questions than any handler of the catalogue asks, even one that claims a key eight times.
pub(crate) const QUESTIONS_MOST: u64 = 64;

impl Scenario {
    /// Which of these stores play in it: those that it says something about, and outsiders' stores.
    /// A scenario that expects nothing takes all.
    pub fn cast<'a>(&'a self, stores: &'a [Entry]) -> impl Iterator<Item = &'a Entry> {
        stores.iter().filter(|store| {
            self.expect.is_empty()
                || self.expect.contains_key(store.name)
                || store.family == Entry::OWN
        })
    }

    /// The same scenario with so many clients at once, each with one operation (two, where its keys need
    /// two), in the same weather: each message is lost as easily as before and each client hangs up as
    /// easily, and the servers and the cache fail no more often in a run, however large the crowd.
    ///
    /// # Errors
    /// Why so many clients do not fit, in words.
    pub fn crowded(&self, clients: u16) -> Result<Self, String> {
        let operations = if self.workload.keys.needs_two_operations() { 2 } else { 1 };
        let workload = Workload { clients, operations, ..self.workload };
        if workload.all() > OPERATIONS_MOST {
            return Err(format!(
                "{clients} clients with {operations} operations each are {} operations, and a run has at \
                 most {OPERATIONS_MOST}; give fewer clients",
                workload.all()
            ));
        }
        let (before, now) = (u64::from(self.workload.all()), u64::from(workload.all()));
        let mut crowded = self.clone();
        crowded.workload = workload;
        let Weather { crash, pause, fail_over, most_faults, .. } = &mut crowded.weather;
        for fault in [crash, pause, fail_over] {
            let ppm = (u64::from(fault.rate.ppm()) * before).div_ceil(now.max(before));
            fault.rate = Rate::from_ppm(u32::try_from(ppm).unwrap_or(u32::MAX));
        }
        let faults = (u64::from(*most_faults) * now).div_ceil(before);
        *most_faults = u16::try_from(faults).unwrap_or(u16::MAX).max(self.weather.most_faults);
        if self.window_outlives_retries() && !crowded.window_outlives_retries() {
            return Err(format!(
                "so many clients meet up to {faults} faults in a run, and the window of {} would not \
                 outlive the retries on paper; give fewer clients",
                self.name
            ));
        }
        Ok(crowded)
    }

    /// The longest time from the first sending of an operation to its client's last sending; probes
    /// are not counted.
    pub fn schedule(&self) -> Span {
        let retries = u32::from(self.client.attempts).saturating_sub(1);
        (0..retries).fold(Span::ZERO, |sum, attempt| {
            sum + self.client.timeout_of(attempt) + self.client.longest_backoff_after(attempt)
        })
    }

    /// How long a question of either sort takes at most when nothing goes wrong.
    pub(crate) fn slowest_question(&self) -> Span {
        self.latency.question.most.max(self.service.latency.most)
    }

    /// How long an honest answer can take in calm weather, from the sending of its request.
    pub fn slowest_answer(&self) -> Span {
        self.latency.network.most.times(2) + self.slowest_question().times(QUESTIONS_MOST)
    }

    /// A span after the first sending of an operation by which every handler of it has begun its
    /// effect, or never will: the sum of [`Scenario::last_arrival_terms`].
    pub fn worst_last_arrival(&self) -> Span {
        self.last_arrival_terms().iter().fold(Span::ZERO, |sum, term| sum + term.span)
    }

    /// What the worst last arrival is composed of.
    ///
    /// It is a bound and no estimate: the retries, the longest lateness, a partition, every fault
    /// of the run as a standstill, the slowest questions, the fault horizon, the operations that
    /// the probes wait for, the probes themselves, one after the other, and the skew between the
    /// servers' clocks: a record is written on one clock, and expires on another.
    pub fn last_arrival_terms(&self) -> [Term; 10] {
        let weather = &self.weather;
        let partition =
            if weather.partition.is_never() { Span::ZERO } else { weather.partition_for };
        let standstills = weather.longest_standstill().times(u64::from(weather.most_faults));
        let questions = self.slowest_question().times(QUESTIONS_MOST);
        let term = |name, span, why| Term { name, span, why };
        let mut terms = [
            term("schedule", self.schedule(), "time-outs and the longest back-offs"),
            term("lateness", weather.longest_lateness(), "the latest class of late messages"),
            term("network", self.latency.network.most.times(2), "one way there and one back"),
            term("partition", partition, "a client that is cut off"),
            term("standstills", standstills, "every fault of the run as the longest standstill"),
            term("questions", questions, "the slowest questions of a handler, 64 of them"),
            term("horizon", weather.horizon, "faults begin until then"),
            term("operations", self.operations_before_probes(), "those that probes wait for"),
            term("probes", self.contract.bound, "a probe after the weather, up to its bound"),
            term("skew", Span::ZERO, "how far the servers' clocks are apart"),
        ];
        let all = terms.iter().fold(Span::ZERO, |sum, term| sum + term.span);
        // An operation may begin as late as all of that, and its last handler that much later.
        terms[9].span = self.topology.clocks.apart_within(all.times(2));
        terms
    }

    /// How far two servers' clocks can be apart in the run.
    pub fn skew(&self) -> Span {
        let true_clocks = self.topology.clocks.0.is_empty();
        if true_clocks { Span::ZERO } else { self.last_arrival_terms()[9].span }
    }

    /// The contract as it can be judged: a record counts at least for the window less the skew of
    /// the clocks, since another server than the one that wrote it may say that it has expired; and a
    /// lease is over, on any clock, after that much longer.
    pub fn judged_contract(&self) -> Contract {
        let (skew, contract) = (self.skew(), self.contract);
        let (window, lease) = (contract.window.beyond(skew), contract.lease + skew);
        Contract { window, lease, ..contract }
    }

    /// How long after the run each server says that every record has expired.
    pub fn last_sweep_after(&self) -> Span {
        let window = self.contract.window;
        window + self.skew() + self.topology.clocks.apart_within(window)
    }

    /// The shortest window that outlives the retries on paper, the sweeper's lead included.
    pub fn smallest_safe_window(&self) -> Span {
        self.worst_last_arrival() + self.sweep_lead() + Span::from_micros(1)
    }

    /// How far ahead of their expiry records can be swept.
    pub fn sweep_lead(&self) -> Span {
        if self.weather.sweep.is_never() { Span::ZERO } else { self.weather.sweep_ahead }
    }

    /// How long a record counts: the window, less what the sweeper takes off it.
    pub fn shortest_life(&self) -> Span {
        let lead = self.sweep_lead().as_micros();
        Span::from_micros(self.contract.window.as_micros().saturating_sub(lead))
    }

    /// Whether no record can cease to count before the last handler of its operation.
    pub fn window_outlives_retries(&self) -> bool {
        self.shortest_life() > self.worst_last_arrival()
    }

    /// Probes come at the end of the run: the first of several operations waits for the others.
    fn operations_before_probes(&self) -> Span {
        let others = match self.workload.order {
            Order::Sequential => u64::from(self.workload.operations).saturating_sub(1),
            Order::Concurrent => 0,
        };
        (self.schedule() + self.client.timeout_limit).times(others)
    }
}
