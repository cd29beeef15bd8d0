//! W1, the reference workload: four clients with 25 operations each, over a network that loses and
//! doubles, to one server that crashes between any two steps.
//!
//! Two tiers. The first has the peers' own simple store under it: this is what is compared with other
//! simulators. The second has the real `one-transaction` store on the memory database. Both run
//! through the whole of the world, with trace, trace hash, all clauses of the contract and all moments.

mod engine;
mod store;

pub use engine::Simple;
pub use store::{Sound, Torn};

use onestroke_scenarios::Scenario;
use onestroke_sim::point::Leg;
use onestroke_sim::run::{Backend, Outcome, Runner, Setup};
use onestroke_sim::trace::{Kind, Kinds, Trace, What};
use onestroke_store::{Engine, Entry};
use std::sync::Arc;

/// What is under the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The peers' own simple store.
    Simple,
    /// The same with a bug planted: its effect is made outside of its transaction.
    Bug,
    /// The real `one-transaction` store, on the memory database.
    Real,
}

/// What many seeds came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Seeds that were run.
    pub seeds: u64,
    /// Messages that reached a living process, timeouts of clients, restarts, and steps of handlers:
    /// what every simulator counts alike.
    pub events: u64,
    /// Entries of the trace: there are more of them.
    pub entries: u64,
    /// Breaches of the contract.
    pub violations: u64,
    /// Seeds with a breach.
    pub bad_seeds: u64,
    /// Sum of the trace hashes.
    pub hash: u64,
}

/// The workload as a scenario.
///
/// # Panics
/// Never: a test reads it.
pub fn scenario() -> Scenario {
    let text = include_str!("w1.toml");
    onestroke_scenarios::from_toml(text, "w1.toml").unwrap_or_else(|bad| panic!("{bad}"))
}

/// A runner of the workload.
pub fn runner(tier: Tier) -> Runner {
    let (store, backend) = match tier {
        Tier::Simple => {
            (Entry::new("sound", "key and effect in one transaction", || Sound), simple())
        }
        Tier::Bug => (Entry::new("torn", "the effect is made outside of it", || Torn), simple()),
        Tier::Real => {
            let stores = onestroke_store::stores::catalogue();
            let real = stores.into_iter().find(|store| store.name == "one-transaction");
            (real.expect("it is in the catalogue"), Backend::Memory)
        }
    };
    Runner::new(&Setup { scenario: Arc::new(scenario()), store, backend })
}

const fn simple() -> Backend {
    Backend::Other("simple", || Box::new(Simple::default()) as Box<dyn Engine>)
}

/// Runs these seeds.
pub fn run(runner: &mut Runner, seeds: std::ops::Range<u64>) -> Total {
    let mut total = Total::default();
    for seed in seeds {
        let Outcome { findings, hash, events, .. } = runner.seed(seed);
        total.seeds += 1;
        total.entries += events;
        total.violations += findings.len() as u64;
        total.bad_seeds += u64::from(!findings.is_empty());
        total.hash = total.hash.wrapping_add(*hash);
        total.events += events_of(runner.trace());
    }
    total
}

/// How many of a trace's entries are events as every simulator counts them.
pub fn events_of(trace: &Trace) -> u64 {
    const COUNTED: Kinds = Kinds::of(&[
        Kind::Delivered,
        Kind::TimedOut,
        Kind::Restarted,
        Kind::Executed,
        Kind::Crashed,
    ]);
    let counts = |what: &What| {
        COUNTED.contain(what.kind())
            || matches!(what, What::Sent { message, .. } if message.leg == Leg::Reply)
    };
    trace.events.iter().filter(|event| counts(&event.what)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: std::ops::Range<u64> = 0..200;

    #[test]
    fn the_sound_stores_show_nothing_and_the_planted_bug_shows() {
        let of = |tier| run(&mut runner(tier), SEEDS);
        let (simple, bug, real) = (of(Tier::Simple), of(Tier::Bug), of(Tier::Real));
        assert_eq!((simple.violations, real.violations), (0, 0));
        assert!(bug.bad_seeds > 100, "{bug:?}");
        assert_eq!(bug.events, simple.events, "the bug is in what is kept, not in what happens");
    }

    /// Crashes, orphans, losses and all: memory is kept from seed to seed, and nothing else is.
    #[test]
    fn no_event_allocates_and_no_seed_keeps_anything() {
        for tier in [Tier::Simple, Tier::Real] {
            let mut runner = runner(tier);
            run(&mut runner, 0..1_000);
            let counted = allocation_counter::measure(|| {
                let total = run(&mut runner, 0..1_000);
                assert!(total.events > 900_000, "{total:?}");
            });
            assert_eq!(counted.count_total, 0, "{tier:?}: {counted:?}");
            assert_eq!(counted.bytes_current, 0, "{tier:?}: {counted:?}");
        }
    }

    #[test]
    fn a_seed_has_about_a_thousand_events_as_others_count_them() {
        let total = run(&mut runner(Tier::Simple), SEEDS);
        let each = total.events / total.seeds;
        assert!((950..1_050).contains(&each), "{each} events a seed");
        assert!(total.entries > 2 * total.events, "the trace says more: {total:?}");
    }
}
