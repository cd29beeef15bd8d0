//! Level 4. One run: scenario, store and choices in; findings, moments and faults out.

use crate::check::{Checks, Finding};
use crate::choice::{Source, Strike, Variation};
use crate::moments::{Moments, Observer};
use crate::plan::{Plan, Size};
use crate::point::Names;
use crate::trace::Trace;
use crate::world::World;
use onestroke_scenarios::{Profile, Scenario};
use onestroke_store::memory::{self, Memory};
use onestroke_store::{Engine, Entry};
use std::sync::Arc;

/// What is under the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The memory model, with the scenario's engine profile.
    #[default]
    Memory,
    /// The memory model with the `sqlite` profile, whatever the scenario says.
    MemorySqlite,
    /// Real SQLite, in this process.
    #[cfg(feature = "sqlite")]
    Sqlite,
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
        }
    }

    /// The backend with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|backend| backend.name() == name)
    }

    fn engine(self, profile: Profile) -> Box<dyn Engine> {
        match (self, profile) {
            (Self::Memory, Profile::Postgres) => Box::new(Memory::new(memory::Profile::Postgres)),
            (Self::Memory, Profile::Sqlite) | (Self::MemorySqlite, _) => {
                Box::new(Memory::new(memory::Profile::Sqlite))
            }
            #[cfg(feature = "sqlite")]
            (Self::Sqlite, _) => Box::new(onestroke_store::sqlite::Sqlite::new()),
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
        let smaller = self.smaller.as_ref().filter(|_| self.in_smaller);
        let trace = smaller.map_or(&self.world, |smaller| &smaller.world).trace();
        let contract = &self.setup.scenario.contract;
        self.checks.reset(contract, trace.ops.len());
        self.observer.reset(contract, trace.ops.len());
        for (index, event) in trace.events.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            self.checks.step(index, event, trace);
            self.observer.step(event, trace);
        }
        self.outcome.findings.clear();
        self.checks.finish(trace, &mut self.outcome.findings);
        self.outcome.hash = trace.hash();
        self.outcome.events = trace.events.len() as u64;
        self.outcome.moments = self.observer.finish();
        &self.outcome
    }

    /// Runs a seed.
    pub fn seed(&mut self, seed: u64) -> &Outcome {
        self.run(Source::Seeded { seed, salt: 0 }, Keep::default())
    }

    fn ran(&self) -> &World {
        let smaller = self.smaller.as_ref().filter(|_| self.in_smaller);
        smaller.map_or(&self.world, |smaller| &smaller.world)
    }

    /// Whether all that could strike is listed from now on, in runs of the whole workload.
    pub fn set_exploring(&mut self, exploring: bool) {
        self.world.set_exploring(exploring);
    }

    /// All that could have struck in the last run, in the order in which it reached the points.
    pub fn offers(&self) -> &[Strike] {
        self.ran().choice().offers()
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

fn world(setup: &Setup, scenario: Arc<Scenario>) -> World {
    let engine = setup.backend.engine(scenario.topology.profile);
    World::new(scenario, &setup.store, engine)
}
