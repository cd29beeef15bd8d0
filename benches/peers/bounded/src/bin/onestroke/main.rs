//! The bounded question, asked of onestroke: what `sim exhaust` does, by the same call.

mod outcome;

use bounded::{Answer, Question};
use onestroke_sim::run::{Backend, Setup};
use onestroke_sim::search::exhaust::{Depth, exhaust_visiting};
use onestroke_sim::search::hunt::Control;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

fn main() {
    bounded::main(answer);
}

fn answer(question: &Question) -> Answer {
    // An outcome is of a whole run, so that no run is left where it meets another.
    let collect = question.outcomes;
    let faults = usize::from(question.faults);
    let depth = Depth { prune: !collect, past_findings: collect, ..Depth::of(faults) };
    let outcomes = Mutex::new(BTreeSet::new());
    let result =
        exhaust_visiting(&setup(question.bug), depth, 1, &Control::default(), &|runner, _| {
            if collect {
                let outcome = outcome::of(runner.trace());
                outcomes.lock().expect("nobody panics with it").insert(outcome);
            }
        });
    Answer {
        violated: !result.minimal.is_empty(),
        explored: result.runs(),
        outcomes: outcomes.into_inner().expect("nobody panicked with it"),
    }
}

fn setup(bug: bool) -> Setup {
    let text = include_str!("scenario.toml");
    let scenario = onestroke_scenarios::from_toml(text, "scenario.toml");
    let name = if bug { "no-dedup" } else { "one-transaction" };
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    Setup {
        scenario: Arc::new(scenario.unwrap_or_else(|bad| panic!("{bad}"))),
        store: stores.find(|store| store.name == name).expect("it is in the catalogue"),
        backend: Backend::Memory,
    }
}
