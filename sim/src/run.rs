//! Level 4. One run: scenario, store and choices in; findings, moments and faults out.

use crate::check::{Checks, Finding, Seen};
use crate::choice::{Decision, Source, Strike, Variation};
use crate::forecast::Kind;
use crate::moments::{Moments, Observer};
use crate::plan::{Plan, Size};
use crate::point::Names;
use crate::time::{Span, Time};
use crate::trace::Trace;
use crate::world::{Portrait, World};
use onestroke_scenarios::{Profile, Scenario};
use onestroke_store::memory::{self, Memory};
use onestroke_store::{Engine, Entry};
use std::sync::Arc;

/// What is under the store.
#[derive(Clone, Copy, Debug, Default)]
pub enum Backend {
    /// The memory model, with the scenario's engine profile.
    #[default]
    Memory,
    /// The memory model with the `sqlite` profile, whatever the scenario says.
    MemorySqlite,
    /// Real SQLite, in this process.
    #[cfg(feature = "sqlite")]
    Sqlite,
    /// Somebody else's engine, under a name that no plan knows.
    Other(&'static str, fn() -> Box<dyn Engine>),
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The store.
    pub store: Entry,
    /// What is under it.
    pub backend: Backend,
}

/// What to keep of a run besides its verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep {
    /// Texts for the timeline.
    pub details: bool,
    /// All variations, for a recording.
    pub variations: bool,
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Breaches of the contract, by clause and operation.
    pub findings: Vec<Finding>,
    /// Hash of the trace.
    pub hash: u64,
    /// How many events it had.
    pub events: u64,
    /// Dangerous situations that it passed through.
    pub moments: Moments,
}

/// Runs one setup, over and over; keeps its memory from run to run and nothing else.
#[derive(Debug)]
pub struct Runner {
    setup: Setup,
    world: World,
    smaller: Option<Smaller>,
    /// The last run was one of the smaller world.
    in_smaller: bool,
    checks: Checks,
    observer: Observer,
    outcome: Outcome,
    portrait: Portrait,
}

/// A world between two events, once all faults of a plan have struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Station {
    /// Hash of its canonical form, with what the checks remember.
    pub world: u128,
    /// When.
    pub now: Time,
    /// How many places had been reached before it where something could have struck.
    pub offers: usize,
}

/// Why worlds of a setup cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blind {
    /// The database is a real one: its state cannot be seen.
    Engine,
    /// The store has fields, in which something may hide.
    Store,
    /// The servers' clocks drift: what follows depends on when it begins.
    Clocks,
}

/// A world with a smaller workload, kept for the next plan of the same size.
#[derive(Debug)]
struct Smaller {
    size: Size,
    world: World,
}

impl Backend {
    /// All backends of this build.
    pub const ALL: &[Self] = &[
        Self::Memory,
        Self::MemorySqlite,
        #[cfg(feature = "sqlite")]
        Self::Sqlite,
    ];

    /// Its name on the command line and in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::MemorySqlite => "memory-sqlite",
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "sqlite",
            Self::Other(name, _) => name,
        }
    }

    /// The backend with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|backend| backend.name() == name)
    }

    /// Whether it can run a scenario, and if not why: a real engine has no replica that lags.
    ///
    /// # Errors
    /// What the scenario needs and the backend does not have, in words.
    pub fn suits(self, scenario: &Scenario) -> Result<(), String> {
        let lags = scenario.topology.replica_lag > Span::ZERO;
        let looks_back = match self {
            Self::Memory | Self::MemorySqlite => true,
            #[cfg(feature = "sqlite")]
            Self::Sqlite => false,
            Self::Other(..) => false,
        };
        if looks_back || !lags {
            return Ok(());
        }
        let (name, backend) = (&scenario.name, self.name());
        Err(format!(
            "scenario {name} has a replica that lags, and backend {backend} has none; use `memory` \
             or `memory-sqlite`"
        ))
    }

    fn engine(self, profile: Profile) -> Box<dyn Engine> {
        match (self, profile) {
            (Self::Memory, Profile::Postgres) => Box::new(Memory::new(memory::Profile::Postgres)),
            (Self::Memory, Profile::Sqlite) | (Self::MemorySqlite, _) => {
                Box::new(Memory::new(memory::Profile::Sqlite))
            }
            #[cfg(feature = "sqlite")]
            (Self::Sqlite, _) => Box::new(onestroke_store::sqlite::Sqlite::new()),
            (Self::Other(_, make), _) => make(),
        }
    }
}

impl Runner {
    /// A runner for this setup.
    pub fn new(setup: &Setup) -> Self {
        Self {
            world: world(setup, Arc::clone(&setup.scenario)),
            smaller: None,
            in_smaller: false,
            setup: setup.clone(),
            checks: Checks::new(),
            observer: Observer::new(),
            outcome: Outcome::default(),
            portrait: Portrait::default(),
        }
    }

    /// What it runs.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Runs once, with the scenario's whole workload, and judges.
    pub fn run(&mut self, source: Source, keep: Keep) -> &Outcome {
        self.in_smaller = false;
        self.world.run(source, keep.details, keep.variations);
        self.judge()
    }

    /// Runs a plan, with a workload of its size, and judges.
    pub fn replay(&mut self, plan: &Plan, keep: Keep) -> &Outcome {
        if plan.size == Size::FULL {
            return self.run(plan.source(), keep);
        }
        let kept = self.smaller.take().filter(|kept| kept.size == plan.size);
        let smaller = self.smaller.insert(kept.unwrap_or_else(|| Smaller {
            size: plan.size,
            world: world(&self.setup, Arc::new(plan.size.of(&self.setup.scenario))),
        }));
        smaller.world.run(plan.source(), keep.details, keep.variations);
        self.in_smaller = true;
        self.judge()
    }

    fn judge(&mut self) -> &Outcome {
        let trace = ran(&self.world, self.smaller.as_ref(), self.in_smaller).trace();
        let contract = self.setup.scenario.judged_contract();
        self.checks.reset(&contract, &trace.ops);
        self.observer.reset(&contract, trace.ops.len());
        for (index, event) in trace.events.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            self.checks.step(index, event, trace);
            self.observer.step(event, trace);
        }
        self.outcome.conclude(&mut self.checks, trace, self.observer.finish());
        &self.outcome
    }

    /// Runs a plan without variation. Once all its faults have struck, `go_on` is shown each world
    /// between two events, up to the calm at the end, and says whether to follow the run further.
    /// Says whether it came to its end; only then is there an outcome. Moments are not counted.
    ///
    /// # Panics
    /// When worlds cannot be told apart: see [`Runner::blind`].
    pub fn explore(&mut self, plan: &[Strike], mut go_on: impl FnMut(Station) -> bool) -> bool {
        let source = Source::Planned { strikes: plan.to_vec(), variations: vec![], workload: None };
        self.in_smaller = false;
        self.world.set_exploring(true);
        self.world.begin(source, false, false);
        self.checks.reset(&self.setup.scenario.judged_contract(), &self.world.trace().ops);
        self.outcome.findings.clear();
        let mut judged = 0;
        loop {
            judged = self.show_checks(judged);
            if self.world.choice().is_spent() && !go_on(self.station()) {
                return false;
            }
            if !self.world.advance() {
                break;
            }
        }
        self.world.go_on();
        self.show_checks(judged);
        self.outcome.conclude(&mut self.checks, self.world.trace(), Moments::default());
        true
    }

    /// All that can strike in the run of a plan without variation, in the order in which it reaches the
    /// points; at least the first so many, if there are as many. The run goes no further, and is not judged.
    pub fn offered(&mut self, plan: &[Strike], first: usize) -> &[Strike] {
        let source = Source::Planned { strikes: plan.to_vec(), variations: vec![], workload: None };
        self.in_smaller = false;
        self.world.set_exploring(true);
        self.world.begin(source, false, false);
        // When the weather has cleared nothing can strike any more.
        while self.world.choice().offers().len() < first && self.world.advance() {}
        self.world.choice().offers()
    }

    /// How much room it keeps from run to run, in places for events, handlers, sessions and the like.
    pub fn room(&self) -> usize {
        self.world.room()
    }

    /// Why worlds of this setup cannot be told apart, if they cannot.
    pub fn blind(&mut self) -> Option<Blind> {
        if !self.setup.store.transparent {
            return Some(Blind::Store);
        }
        if self.setup.scenario.topology.clocks.drifts() {
            return Some(Blind::Clocks);
        }
        (!self.world.portray(&mut self.portrait)).then_some(Blind::Engine)
    }

    /// Shows the checks what happened since; says up to where they have seen it.
    fn show_checks(&mut self, from: usize) -> usize {
        let trace = self.world.trace();
        for (index, event) in trace.events.iter().enumerate().skip(from) {
            self.checks.step(u32::try_from(index).unwrap_or(u32::MAX), event, trace);
        }
        trace.events.len()
    }

    fn station(&mut self) -> Station {
        let visible = self.blind().is_none();
        assert!(visible, "worlds cannot be told apart");
        let Portrait { canon, live, .. } = &mut self.portrait;
        self.checks.portray(canon, Seen { trace: self.world.trace(), live });
        let offers = self.world.choice().offers().len();
        Station { world: canon.hash(), now: self.world.now(), offers }
    }

    /// Runs a seed.
    pub fn seed(&mut self, seed: u64) -> &Outcome {
        self.run(Source::Seeded { seed, salt: 0 }, Keep::default())
    }

    fn ran(&self) -> &World {
        ran(&self.world, self.smaller.as_ref(), self.in_smaller)
    }

    /// Whether all that could strike is listed from now on, in runs of the whole workload.
    pub fn set_exploring(&mut self, exploring: bool) {
        self.world.set_exploring(exploring);
    }

    /// All that could have struck in the last run, in the order in which it reached the points.
    pub fn offers(&self) -> &[Strike] {
        self.ran().choice().offers()
    }

    /// The decisions of the last run, if its variations were kept, in the order in which they were
    /// made.
    pub fn decisions(&self) -> &[Decision] {
        self.world.choice().decisions()
    }

    /// Whether the swarm drew this kind of fault for the last run; without swarm it draws none.
    pub fn is_drawn(&self, kind: Kind) -> bool {
        let drawn = || self.world.choice().strength(kind as u64).0 > 0;
        self.setup.scenario.weather.swarm && drawn()
    }

    /// The last outcome.
    pub const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The trace of the last run.
    pub fn trace(&self) -> &Trace {
        self.ran().trace()
    }

    /// The faults that struck in the last run.
    pub fn strikes(&self) -> &[Strike] {
        self.ran().choice().strikes()
    }

    /// The variations of the last run, if they were kept.
    pub fn variations(&self) -> &[Variation] {
        self.ran().choice().variations()
    }

    /// The faults of the plan that the last run never reached.
    pub fn unreached(&self) -> Vec<Strike> {
        self.ran().choice().unreached().collect()
    }

    /// The names by which points are rendered.
    pub fn names(&self) -> Names<'_> {
        Names { tables: self.ran().tables() }
    }
}

impl Outcome {
    /// Takes in what a whole run came to.
    fn conclude(&mut self, checks: &mut Checks, trace: &Trace, moments: Moments) {
        checks.finish(trace, &mut self.findings);
        self.hash = trace.hash();
        self.events = trace.events.len() as u64;
        self.moments = moments;
    }
}

/// The world of the last run.
fn ran<'a>(world: &'a World, smaller: Option<&'a Smaller>, in_smaller: bool) -> &'a World {
    smaller.filter(|_| in_smaller).map_or(world, |smaller| &smaller.world)
}

fn world(setup: &Setup, scenario: Arc<Scenario>) -> World {
    let engine = setup.backend.engine(scenario.topology.profile);
    World::new(scenario, &setup.store, engine)
}
