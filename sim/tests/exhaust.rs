//! `exhaust` tries every placement, once, and says no more than that.

use onestroke_sim::choice::Source;
use onestroke_sim::run::{Backend, Blind, Keep, Runner, Setup};
use onestroke_sim::search::exhaust::{Depth, Exhausted, Search, exhaust};
use onestroke_sim::search::hunt::{Control, hunt};
use onestroke_sim::search::shrink::shrink;
use std::process::Command;
use std::sync::Arc;

const TWO_FAULTS: Depth = Depth::of(2);

fn setups() -> Vec<Setup> {
    let scenario = Arc::new(onestroke_scenarios::find("two-attempts").expect("it is there"));
    let setup = |store| Setup { scenario: Arc::clone(&scenario), store, backend: Backend::Memory };
    scenario.cast(&onestroke_store::stores::catalogue()).cloned().map(setup).collect()
}

fn searched(setup: &Setup, depth: Depth, threads: usize) -> Exhausted {
    exhaust(setup, depth, threads, &Control::default())
}

#[test]
fn the_right_stores_survive_any_two_faults_and_the_wrong_ones_do_not() {
    for setup in setups() {
        let result = searched(&setup, TWO_FAULTS, 2);
        let expected = setup.scenario.expect[setup.store.name].is_empty();
        assert_eq!(result.minimal.is_empty(), expected, "{}", setup.store.name);
        assert_eq!(result.survives(), Some(if expected { 2 } else { 0 }), "{}", setup.store.name);
        let kinds: Vec<_> = result.minimal.iter().map(|minimal| minimal.kind).collect();
        let allowed = &setup.scenario.expect[setup.store.name];
        assert!(kinds.iter().all(|kind| allowed.contains(kind)), "{}: {kinds:?}", setup.store.name);
    }
}

/// A clock that drifts makes what follows depend on when it begins, so no two moments are one world.
#[test]
fn worlds_whose_clocks_drift_are_not_told_apart() {
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let one = stores.find(|entry| entry.name == "fenced-lease").expect("it is in the catalogue");
    let blind = |clocks: &str| {
        let text = format!(
            "claim = \"any\"\n[topology]\n{clocks}\n[weather]\ndrop-reply = \"10%\"\ncrash = \"1%\""
        );
        let scenario = onestroke_scenarios::from_toml(&text, "any.toml").expect("it is a scenario");
        let setup =
            Setup { scenario: Arc::new(scenario), store: one.clone(), backend: Backend::Memory };
        let result = searched(&setup, Depth::of(1), 1);
        assert_eq!(result.minimal, [], "{clocks}");
        (result.blind, result.worlds() > 0)
    };
    assert_eq!(blind("clock-offset = [\"0s\", \"30s\"]"), (None, true));
    assert_eq!(blind("clock-drift = [\"200ppm\"]"), (Some(Blind::Clocks), false));
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for setup in setups() {
        assert_eq!(searched(&setup, TWO_FAULTS, 1), searched(&setup, TWO_FAULTS, 3));
    }
}

#[test]
fn no_plan_is_tried_twice_and_every_minimal_one_shows_its_finding() {
    for setup in setups() {
        let result = searched(&setup, TWO_FAULTS, 1);
        let mut runner = Runner::new(&setup);
        let mut seen = Vec::new();
        for minimal in &result.minimal {
            let mut strikes = minimal.strikes.clone();
            strikes.sort_unstable();
            assert!(!seen.contains(&strikes), "{strikes:?} was tried twice");
            seen.push(strikes.clone());
            let source = Source::Planned { strikes, variations: vec![], workload: None };
            let outcome = runner.run(source, Keep::default());
            assert_eq!(outcome.findings.first().map(|finding| finding.kind), Some(minimal.kind));
            assert_eq!(runner.unreached(), [], "{minimal:?}");
        }
    }
}

/// What random search finds with few faults and no variation, exhaustive search must have found.
#[test]
fn nothing_that_a_hunt_finds_is_missed() {
    let depth = Depth { faults: 3, overtakings: 1, ..TWO_FAULTS };
    let mut compared = 0;
    for setup in setups() {
        let campaign = hunt(&setup, 0..400, 2, &Control::default());
        let mut runner = Runner::new(&setup);
        for (kind, tally) in &campaign.found {
            let found = shrink(&mut runner, tally.first, *kind).expect("it is deterministic");
            if !found.plan.variations.is_empty() || found.plan.strikes.len() > 2 {
                continue;
            }
            let result = searched(&setup, depth, 2);
            let first_level = result.levels.len() - 1;
            assert!(!result.minimal.is_empty(), "{}: {:?}", setup.store.name, found.plan);
            assert!(first_level <= found.plan.strikes.len(), "{}", setup.store.name);
            compared += 1;
        }
    }
    assert!(compared >= 6, "only {compared} findings could be compared");
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let setups = setups();
    let right = setups.iter().find(|setup| setup.store.name == "one-transaction");
    let right = right.expect("it is in the catalogue");
    let result = searched(right, Depth { runs_most: 100, ..TWO_FAULTS }, 1);
    assert!(!result.levels.last().expect("it ran").complete);
    assert!(result.survives() < Some(2), "it did not try all of them");
}

/// What a world is called does not depend on what its runner ran before.
#[test]
fn a_used_runner_sees_the_worlds_that_a_fresh_one_sees() {
    for setup in setups() {
        let mut used = Runner::new(&setup);
        let calm = Source::Planned { strikes: vec![], variations: vec![], workload: None };
        used.set_exploring(true);
        used.run(calm, Keep::default());
        let offers = used.offers().to_vec();
        for strike in offers {
            let stations = |runner: &mut Runner| {
                let mut stations = Vec::new();
                runner.explore(&[strike], |station| {
                    stations.push(station);
                    true
                });
                stations
            };
            let fresh = stations(&mut Runner::new(&setup));
            assert_eq!(stations(&mut used), fresh, "{} {strike:?}", setup.store.name);
        }
    }
}

/// A search that is stopped again and again, kept as text and read back, comes to the same.
#[test]
fn a_search_that_was_stopped_goes_on_where_it_was() {
    for setup in setups() {
        let whole = searched(&setup, TWO_FAULTS, 2);
        let mut depth = TWO_FAULTS;
        depth.runs_most = 400;
        let mut search = Search::new(&setup, depth);
        let mut turns = 0;
        while !search.is_over() {
            search.go_on(&setup, 2, &Control::default(), &|_, _| {});
            let text = serde_json::to_string(&search.save(&setup, "test")).expect("plain keys");
            let saved = serde_json::from_str(&text).expect("it was just written");
            search = Search::restore(&setup, depth, "test", &saved).expect("it is the same");
            turns += 1;
            let other = Depth { faults: 3, ..depth };
            let refused = Search::restore(&setup, other, "test", &saved).map(drop);
            let message = refused.expect_err("another depth").to_string();
            assert!(message.contains("faults `2`") && message.contains("`3`"), "{message}");
        }
        let result = search.result();
        assert_eq!((result.runs(), result.worlds()), (whole.runs(), whole.worlds()));
        assert_eq!(result, whole, "{} in {turns} turns", setup.store.name);
    }
}

/// From the command line: as often as it takes, and then it is over; and only what was asked for.
#[test]
fn resume_goes_on_and_refuses_what_is_not_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let sim = |args: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
        command.args(args.split(' ')).current_dir(folder.path()).env("NO_COLOR", "1");
        command.output().expect("sim runs")
    };
    let asked = "exhaust --faults 2 --store one-transaction";
    let whole = sim(asked);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let mut turns = 0;
    loop {
        let part = sim(&format!("{asked} --runs 500 --resume kept.json"));
        assert_eq!(part.status.code(), Some(0), "{part:?}");
        turns += 1;
        if part.stdout == whole.stdout {
            break;
        }
        assert!(turns < 20, "it never comes to the same");
    }
    assert!(turns > 2, "it was over in {turns} turns");
    let other = sim("exhaust --faults 3 --store one-transaction --resume kept.json");
    assert_eq!(other.status.code(), Some(2));
    let message = String::from_utf8_lossy(&other.stderr);
    assert!(message.contains("kept.json: it holds a search with faults `2`"), "{message}");
    let begun = sim(&format!("{asked} --runs 500 --resume begun.json"));
    assert_eq!(begun.status.code(), Some(0));
    let path = folder.path().join("begun.json");
    let text = std::fs::read_to_string(&path).expect("it was written");
    std::fs::write(&path, text.replace("in op-1", "in op-one")).expect("it can be written");
    let changed = sim(&format!("{asked} --resume begun.json"));
    let message = String::from_utf8_lossy(&changed.stderr);
    assert_eq!(changed.status.code(), Some(2), "{message}");
    assert!(message.contains("begun.json: it was changed"), "{message}");
}
