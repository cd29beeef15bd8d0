//! Level 6. Stores under test: what a `#[test]` of another crate calls.
//!
//! ```no_run
//! # let my_store = onestroke_store::stores::catalogue().remove(0);
//! onestroke_sim::testing::Check::new(my_store).scenario("rainy-night").seeds(2_000).run();
//! ```
//!
//! A failing test prints the story of what went wrong, and a line that runs only that seed again.

use crate::cli::{Origin, Screen, tell};
use crate::run::{Backend, Runner, Setup};
use crate::search::hunt::{Campaign, Control, hunt};
use crate::search::shrink::shrink;
use onestroke_scenarios::Scenario;
use onestroke_store::Entry;
use std::sync::Arc;

/// The environment variable that narrows a check to one seed.
pub const SEED: &str = "SIM_SEED";

/// A check of one store in one scenario.
#[derive(Clone, Debug)]
pub struct Check {
    store: Entry,
    scenario: Arc<Scenario>,
    backend: Backend,
    seeds: u64,
}

impl Check {
    /// A check of this store on a rainy night, over 1,000 seeds, on the memory model.
    pub fn new(store: Entry) -> Self {
        let scenario = onestroke_scenarios::find("rainy-night").expect("it is in the catalogue");
        Self { store, scenario: Arc::new(scenario), backend: Backend::Memory, seeds: 1_000 }
    }

    /// In the scenario of the catalogue with this name.
    ///
    /// # Panics
    /// When there is none; the message names the nearest one.
    #[must_use]
    pub fn scenario(mut self, name: &str) -> Self {
        match onestroke_scenarios::find(name) {
            Ok(scenario) => self.scenario = Arc::new(scenario),
            Err(unknown) => panic!("{unknown}"),
        }
        self
    }

    /// In a scenario of one's own, as TOML.
    ///
    /// # Panics
    /// When it is no scenario; the message names line, field and what would be right.
    #[must_use]
    pub fn scenario_from(mut self, toml: &str) -> Self {
        match onestroke_scenarios::from_toml(toml, "scenario of the test") {
            Ok(scenario) => self.scenario = Arc::new(scenario),
            Err(bad) => panic!("{bad}"),
        }
        self
    }

    /// On this backend.
    #[must_use]
    pub const fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Over so many seeds.
    #[must_use]
    pub const fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = seeds;
        self
    }

    /// Runs the check.
    ///
    /// # Panics
    /// With the story, when the store breaches the contract; and when none of the scenario's moments
    /// occurred, because then the runs say nothing.
    pub fn run(self) -> Campaign {
        let told = std::env::var(SEED).ok();
        let only = told.as_deref().map(|seed| {
            let parsed = seed.parse::<u64>();
            parsed.unwrap_or_else(|_| panic!("{SEED}={seed} is no seed; a seed is a whole number"))
        });
        let seeds = only.map_or(0..self.seeds, |seed| seed..seed + 1);
        let setup = Setup { scenario: self.scenario, store: self.store, backend: self.backend };
        let campaign = hunt(&setup, seeds, 1, &Control::default());
        if let Some((kind, tally)) = campaign.found.first_key_value() {
            let mut runner = Runner::new(&setup);
            let found =
                shrink(&mut runner, tally.first, *kind).unwrap_or_else(|bad| panic!("{bad}"));
            let screen = Screen::plain();
            let story = tell(&mut runner, &found, &Origin::Test(tally.first), &screen);
            panic!("{} breaches the contract\n\n{story}", setup.store.name);
        }
        let moments = &setup.scenario.moments;
        let occurred = moments.iter().any(|moment| campaign.moments.runs.of(*moment) > 0);
        assert!(
            occurred || moments.is_empty() || only.is_some(),
            "none of the moments that {} is about occurred in {} seeds: the runs say nothing",
            setup.scenario.name,
            campaign.seeds,
        );
        campaign
    }
}
