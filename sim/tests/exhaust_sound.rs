//! Leaving known worlds alone loses nothing: two runs that come to one world have one future, and
//! the same findings are found with and without it. In worlds with expiry, sweeps, lingering locks,
//! several clients and both engine profiles.

use onestroke_scenarios::FindingKind;
use onestroke_sim::choice::{Source, Strike};
use onestroke_sim::point::Op;
use onestroke_sim::run::{Backend, Keep, Runner, Setup, Station};
use onestroke_sim::search::exhaust::{Depth, exhaust};
use onestroke_sim::search::hunt::Control;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn setups(scenarios: &[&str]) -> Vec<Setup> {
    let mut setups = Vec::new();
    for name in scenarios {
        let scenario = Arc::new(onestroke_scenarios::find(name).expect("it is in the catalogue"));
        // In a store's fields something may hide: worlds with one are not told apart.
        let stores = onestroke_store::stores::catalogue();
        for store in scenario.cast(&stores).filter(|store| store.transparent) {
            for backend in [Backend::Memory, Backend::MemorySqlite] {
                let scenario = Arc::clone(&scenario);
                setups.push(Setup { scenario, store: store.clone(), backend });
            }
        }
    }
    setups
}

/// What follows from a world: findings, and how long the run goes on.
type Future = (Vec<(FindingKind, Option<Op>)>, u64);

/// All worlds of a setup's runs, with what followed from them.
#[derive(Default)]
struct Futures {
    of_world: BTreeMap<u128, (Future, Vec<Strike>)>,
    /// How many offers came after it; near the fault horizon they depend on the moment.
    offers: BTreeMap<(u128, u64), usize>,
    met: u64,
}

impl Futures {
    fn note(&mut self, runner: &mut Runner, plan: &[Strike]) {
        let mut stations: Vec<Station> = Vec::new();
        let ended = runner.explore(plan, |station| {
            stations.push(station);
            true
        });
        assert!(ended, "nobody stopped it");
        let findings: Vec<_> =
            runner.outcome().findings.iter().map(|finding| (finding.kind, finding.op)).collect();
        let end = runner.trace().events.last().map_or(0, |event| event.at.as_micros());
        let all = runner.offers().len();
        for station in stations {
            let future = (findings.clone(), end - station.now.as_micros());
            let left = all - station.offers;
            let moment = (station.world, station.now.as_micros());
            assert_eq!(*self.offers.entry(moment).or_insert(left), left, "{plan:?}");
            let known = self.of_world.get(&station.world);
            self.met += u64::from(known.is_some());
            let Some((known, how)) = known else {
                self.of_world.insert(station.world, (future, plan.to_vec()));
                continue;
            };
            let store = runner.setup().store.name;
            let scenario = &runner.setup().scenario.name;
            assert_eq!(
                *known, future,
                "{store} in {scenario}: {how:?} and {plan:?} at {station:?}"
            );
        }
    }
}

/// Everything that can be added to a plan, by what its run reached.
fn offers(runner: &mut Runner, plan: &[Strike]) -> Vec<Strike> {
    let source = Source::Planned { strikes: plan.to_vec(), variations: vec![], workload: None };
    runner.set_exploring(true);
    runner.run(source, Keep::default());
    let offers = runner.offers();
    let from = plan.last().map_or(0, |last| {
        offers.iter().rposition(|offer| offer.point == last.point).map_or(offers.len(), |at| at + 1)
    });
    offers[from..].to_vec()
}

/// How many plans with two faults a setup is tried with: evenly spread over all there are.
const PLANS: usize = 30;

#[test]
fn runs_that_come_to_one_world_have_one_future() {
    let scenarios = onestroke_scenarios::catalogue();
    let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
    let mut met = 0;
    let mut worlds = 0;
    for setup in setups(&names) {
        let mut runner = Runner::new(&setup);
        let mut futures = Futures::default();
        futures.note(&mut runner, &[]);
        let first = offers(&mut runner, &[]);
        let step = (first.len() / 6).max(1);
        for strike in first.iter().step_by(step) {
            futures.note(&mut runner, &[*strike]);
            let second = offers(&mut runner, &[*strike]);
            let step = (second.len() * 6 / PLANS).max(1);
            for other in second.iter().step_by(step) {
                futures.note(&mut runner, &[*strike, *other]);
            }
        }
        met += futures.met;
        worlds += futures.of_world.len() as u64;
    }
    println!("{worlds} worlds, met {met} times more");
    assert!(met > 20_000, "{worlds} worlds were met only {met} times more: it tested little");
}

#[test]
fn the_findings_are_the_same_with_and_without_pruning() {
    let mut compared = 0;
    for setup in setups(&["two-attempts"]) {
        let found = |prune| {
            let depth = Depth { overtakings: 1, prune, past_findings: true, ..Depth::of(2) };
            let result = exhaust(&setup, depth, 2, &Control::default());
            let found: BTreeSet<(usize, FindingKind)> = result
                .minimal
                .iter()
                .map(|minimal| (minimal.strikes.len(), minimal.kind))
                .collect();
            (found, result.runs(), result.survives())
        };
        let (with, fewer, survives) = found(true);
        let (without, all, really) = found(false);
        // At which level a kind is found first. Later ones may come through worlds known before.
        let firsts = |found: &BTreeSet<(usize, FindingKind)>| {
            let mut firsts = BTreeMap::new();
            for (level, kind) in found {
                firsts.entry(*kind).or_insert(*level);
            }
            firsts
        };
        assert_eq!(firsts(&with), firsts(&without), "{}", setup.store.name);
        assert_eq!(survives, really, "{}", setup.store.name);
        assert!(fewer < all, "{}: nothing was saved", setup.store.name);
        compared += with.len();
    }
    assert!(compared > 20, "only {compared} findings were compared");
}

/// Where one fault is enough, leaving worlds alone hides none of the plans: each is judged by what
/// its world leads to.
#[test]
fn with_one_fault_every_plan_is_listed() {
    let mut listed = 0;
    for setup in setups(&["two-attempts"]) {
        let minimal = |prune| {
            let depth = Depth { prune, ..Depth::of(1) };
            exhaust(&setup, depth, 2, &Control::default()).minimal
        };
        let all = minimal(false);
        assert_eq!(minimal(true), all, "{}", setup.store.name);
        listed += all.len();
    }
    assert!(listed > 50, "only {listed} plans were compared");
}
