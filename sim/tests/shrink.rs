//! What is shrunk shows the same kind of finding, and nothing can be taken from it: no set of its
//! faults, no harmless choice, no client, no operation, no attempt.
//!
//! With `SHRINK_FINDINGS` in the environment so many findings are shrunk, half of them in the
//! catalogue and half in random scenarios: `just shrinks 10000`.

#[path = "common/scenarios.rs"]
mod scenarios;

use onestroke_scenarios::{FindingKind, Keys, Rate, Scenario, catalogue};
use onestroke_sim::choice::{Fault, Source, Strike, Until};
use onestroke_sim::plan::{Plan, Size};
use onestroke_sim::point::Point;
use onestroke_sim::run::{Backend, Keep, Runner, Setup};
use onestroke_sim::search::shrink::{Kept, Label, RUNS_MOST, Shrunk, shrink_counted};
use onestroke_sim::trace::What;
use onestroke_store::{Entry, Span, stores};
use proptest::strategy::{Strategy as _, ValueTree as _};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// How many findings, without a number in the environment.
const FINDINGS: usize = 1_200;

/// No more seeds than this are tried for them.
const SEEDS_MOST: u64 = 10_000;

/// Up to so many faults, all their subsets are tried.
const BRUTE_FORCE: usize = 10;

const RIGHT: [&str; 2] = ["one-transaction", "one-transaction-409"];

/// Smaller than the scenarios of the catalogue, one way or another.
const SIZES: [Size; 4] = [
    Size { attempts: Some(1), ..Size::FULL },
    Size { attempts: Some(2), at_once: Some(1), ..Size::FULL },
    Size { clients: Some(1), ..Size::FULL },
    Size { clients: Some(1), operations: Some(1), attempts: Some(2), at_once: Some(1) },
];

/// A finding before and after.
struct Case {
    setup: Setup,
    seed: u64,
    kind: FindingKind,
    struck: Vec<Strike>,
    shrunk: Shrunk,
    micros: u64,
}

fn findings() -> usize {
    let told = std::env::var("SHRINK_FINDINGS").ok();
    told.map_or(FINDINGS, |told| told.parse().expect("SHRINK_FINDINGS is a number"))
}

/// The first findings of these cells, seed by seed, so that no cell has more of them than it must.
fn cases(cells: &[Setup], most: usize) -> Vec<Case> {
    let mut runners: Vec<Runner> = cells.iter().map(Runner::new).collect();
    let mut cases = Vec::new();
    for seed in 0..SEEDS_MOST {
        for runner in &mut runners {
            let outcome = runner.seed(seed);
            let mut kinds: Vec<_> = outcome.findings.iter().map(|one| one.kind).collect();
            kinds.dedup();
            for kind in kinds {
                if cases.len() == most {
                    return cases;
                }
                cases.push(case(runner, seed, kind));
            }
        }
    }
    cases
}

#[expect(clippy::disallowed_methods, reason = "how long a shrink takes is printed, and no more")]
fn case(runner: &mut Runner, seed: u64, kind: FindingKind) -> Case {
    runner.seed(seed);
    let struck = runner.strikes().to_vec();
    let begin = Instant::now();
    let shrunk = shrink_counted(runner, seed, kind).unwrap_or_else(|bad| panic!("{bad}"));
    let micros = begin.elapsed().as_micros() as u64;
    Case { setup: runner.setup().clone(), seed, kind, struck, shrunk, micros }
}

fn in_the_catalogue() -> Vec<Setup> {
    let scenarios: Vec<_> = catalogue().into_iter().map(Arc::new).collect();
    let setup = |scenario: &Arc<Scenario>, store: Entry| Setup {
        scenario: Arc::clone(scenario),
        store,
        backend: Backend::Memory,
    };
    let stores = stores::catalogue();
    let all = |scenario: &Arc<Scenario>| -> Vec<Setup> {
        scenario.cast(&stores).map(|one| setup(scenario, one.clone())).collect()
    };
    scenarios.iter().flat_map(all).collect()
}

/// Every store in random scenarios, of those that it survives in calm weather.
fn in_random_scenarios(most: usize) -> Vec<Setup> {
    let mut runner = scenarios::runner(1);
    let strategy = scenarios::scenarios();
    let stores = stores::catalogue();
    let setup = |index: usize| {
        let scenario = strategy.new_tree(&mut runner).expect("nothing is rejected").current();
        let store = stores[index % stores.len()].clone();
        Setup { scenario: Arc::new(scenario), store, backend: Backend::Memory }
    };
    let calm = |setup: &Setup| {
        let calm = Source::Planned { strikes: vec![], variations: vec![], workload: None };
        Runner::new(setup).run(calm, Keep::default()).findings.is_empty()
    };
    (0..).map(setup).filter(calm).take(most).collect()
}

impl Case {
    fn place(&self, runner: &Runner) -> String {
        let Setup { scenario, store, .. } = &self.setup;
        let text = self.shrunk.found.plan.write(runner.names());
        format!("{} / {} / seed {} / {}\n{text}", scenario.name, store.name, self.seed, self.kind)
    }

    /// Whether a plan shows the kind; and whether it does before anybody asks after the end.
    fn shows(&self, runner: &mut Runner, plan: &Plan) -> Option<bool> {
        let outcome = runner.replay(plan, Keep::default());
        let finding = *outcome.findings.iter().find(|one| one.kind == self.kind)?;
        let mut before = runner.trace().events.iter().take(finding.second as usize);
        Some(!before.any(|event| event.what == What::Cleared))
    }

    /// Its text, read by a fresh runner, shows the finding in the same trace.
    fn is_the_same_finding(&self) {
        let mut runner = Runner::new(&self.setup);
        let found = &self.shrunk.found;
        let text = found.plan.write(runner.names());
        let plan = Plan::read(&text, "bug.plan", runner.names()).expect("it was written");
        let outcome = runner.replay(&plan, Keep::default()).clone();
        let place = self.place(&runner);
        assert_eq!(found.finding.kind, self.kind, "{place}");
        assert!(outcome.findings.contains(&found.finding), "{:?}\n{place}", outcome.findings);
        assert_eq!(outcome.hash, found.hash, "{place}");
        assert_eq!(runner.unreached(), [], "{place}");
        assert!(found.minimal && self.shrunk.runs < RUNS_MOST, "{place}");
    }

    /// No set of fewer faults shows it: neither of the plan's, nor of all that had struck.
    fn no_fewer_faults_do(&self, runner: &mut Runner) -> u64 {
        let plan = &self.shrunk.found.plan;
        let mut tried = 0;
        for at in 0..plan.strikes.len() {
            let mut fewer = plan.clone();
            fewer.strikes.remove(at);
            assert_eq!(self.shows(runner, &fewer), None, "{at}\n{}", self.place(runner));
        }
        let whole = Plan { strikes: self.struck.clone(), size: Size::FULL, ..plan.clone() };
        // With harmless choices of its own, the plan is not one of a part of the run.
        let plain = plan.variations.is_empty() && plan.workload.is_none();
        for (larger, most) in [(plan, usize::MAX), (&whole, plan.strikes.len())] {
            let all = &larger.strikes;
            if all.len() > BRUTE_FORCE || (!plain && !std::ptr::eq(larger, plan)) {
                continue;
            }
            for set in 0..(1_u32 << all.len()) - 1 {
                if set.count_ones() as usize >= most {
                    continue;
                }
                let chosen = |(at, _): &(usize, &Strike)| set >> at & 1 == 1;
                let strikes = all.iter().enumerate().filter(chosen).map(|(_, one)| *one).collect();
                let fewer = Plan { strikes, ..larger.clone() };
                let shows = self.shows(runner, &fewer);
                let lines = fewer.lines(runner.names());
                assert_eq!(shows, None, "{lines:?} is enough\n{}", self.place(runner));
                tried += 1;
            }
        }
        tried
    }

    /// No harmless choice can be missed, nor the seed of the operations.
    fn no_fewer_choices_do(&self, runner: &mut Runner) {
        let plan = &self.shrunk.found.plan;
        for at in 0..plan.variations.len() {
            let mut fewer = plan.clone();
            fewer.variations.remove(at);
            assert_eq!(self.shows(runner, &fewer), None, "{at}\n{}", self.place(runner));
        }
        if plan.workload.is_some() {
            let plain = Plan { workload: None, ..plan.clone() };
            assert_eq!(self.shows(runner, &plain), None, "{}", self.place(runner));
        }
    }

    /// No client less, no operation less, no attempt less.
    fn no_less_work_does(&self, runner: &mut Runner) {
        let plan = &self.shrunk.found.plan;
        let whole = &self.setup.scenario;
        let now = plan.size.of(whole);
        let all = Kept::all(&now);
        let clients = usize::from(now.workload.clients);
        let operations = usize::from(now.workload.operations);
        let without_client = |at| all.clone().without_clients(at..at + 1);
        let without_operation = |at| all.clone().without_operations(at..at + 1);
        let fewer = (0..clients).filter_map(without_client);
        for kept in fewer.chain((0..operations).filter_map(without_operation)) {
            let smaller = kept.plan(plan, whole);
            assert_eq!(self.shows(runner, &smaller), None, "{kept:?}\n{}", self.place(runner));
        }
        let unprobed = self.shows(runner, plan).expect("it shows its finding");
        let attempts = Size { attempts: now.client.attempts.checked_sub(1), ..plan.size };
        let at_once = Size { at_once: now.workload.at_once.checked_sub(1), ..plan.size };
        for size in [attempts, at_once] {
            if size.attempts == Some(0) || size.at_once == Some(0) {
                continue;
            }
            let shows = self.shows(runner, &Plan { size, ..plan.clone() });
            let place = self.place(runner);
            assert!(shows.is_none_or(|own| unprobed && !own), "{size:?} is enough\n{place}");
        }
    }

    /// No attempt before the story can be skipped: later ones do not take its place.
    fn no_attempt_is_skipped(&self, runner: &mut Runner) {
        let plan = &self.shrunk.found.plan;
        let unprobed = self.shows(runner, plan).expect("it shows its finding");
        let subjects = plan.strikes.iter().map(|strike| strike.point.subject());
        for last in subjects.filter(|one| !one.is_background()).collect::<Vec<_>>() {
            for skipped in 1..last.attempt {
                let point = |point: Point| match point.subject() {
                    one if one.op != last.op || one.attempt < skipped => Some(point),
                    one if one.attempt == skipped => None,
                    one => Some(point.with_attempt(one.attempt - 1)),
                };
                let strike = |one: &Strike| Some(Strike { point: point(one.point)?, ..*one });
                let until = |one: &Strike| matches!(one.fault, Fault::Hold(Until::Point(_)));
                if plan.strikes.iter().any(until) || !plan.variations.is_empty() {
                    continue;
                }
                let strikes = plan.strikes.iter().filter_map(strike).collect();
                let shows = self.shows(runner, &Plan { strikes, ..plan.clone() });
                let place = self.place(runner);
                assert!(shows.is_none_or(|own| unprobed && !own), "attempt {skipped}\n{place}");
            }
        }
    }

    /// No shorter lateness or pause of the scenario's, and no crash with less to it.
    fn no_simpler_fault_does(&self, runner: &mut Runner) {
        let plan = &self.shrunk.found.plan;
        let weather = &self.setup.scenario.weather;
        let shorter = |classes: &[Span], than: Span, fault: fn(Span) -> Fault| -> Vec<Fault> {
            classes.iter().filter(|one| **one < than).map(|one| fault(*one)).collect()
        };
        for (at, strike) in plan.strikes.iter().enumerate() {
            let all = |rate: Rate| rate.ppm() == 1_000_000;
            let simpler = match strike.fault {
                Fault::Late(span) => shorter(&weather.late, span, Fault::Late),
                Fault::Pause(span) => shorter(&weather.pause_for, span, Fault::Pause),
                Fault::Crash { in_flight, linger: true } if !all(weather.linger) => {
                    vec![Fault::Crash { in_flight, linger: false }]
                }
                Fault::Crash { in_flight: true, linger } if !all(weather.in_flight) => {
                    vec![Fault::Crash { in_flight: false, linger }]
                }
                _ => vec![],
            };
            for fault in simpler {
                let mut other = plan.clone();
                other.strikes[at].fault = fault;
                assert_eq!(self.shows(runner, &other), None, "{fault:?}\n{}", self.place(runner));
            }
        }
    }

    /// What was possible in the scenario's weather is possible in the smaller workload's.
    fn is_within_the_contract(&self, runner: &mut Runner) {
        let (found, whole) = (&self.shrunk.found, &self.setup.scenario);
        let smaller = found.plan.size.of(whole);
        let place = self.place(runner);
        assert_eq!(found.plan.size.beyond(whole), None, "{place}");
        assert!(smaller.worst_last_arrival() <= whole.worst_last_arrival(), "{place}");
        assert!(smaller.window_outlives_retries() || whole.contract.expires, "{place}");
        for strike in &found.plan.strikes {
            let (span, longest) = match strike.fault {
                Fault::Late(span) => (span, whole.weather.longest_lateness()),
                Fault::Pause(span) => (span, whole.weather.longest_standstill()),
                _ => (Span::ZERO, Span::ZERO),
            };
            assert!(span <= longest, "{place}");
        }
        assert_eq!(found.labels.len(), found.plan.strikes.len(), "{place}");
    }
}

/// Median, 95th percentile and maximum, and the sum.
fn distribution(what: &str, of: impl Iterator<Item = u64>) -> u64 {
    let mut all: Vec<u64> = of.collect();
    all.sort_unstable();
    let at = |percent: usize| all[(all.len() - 1) * percent / 100];
    let (median, p95, most) = (at(50), at(95), at(100));
    println!("{what:<24} median {median:>6}   p95 {p95:>6}   max {most:>6}");
    all.iter().sum()
}

fn print(cases: &[Case]) {
    let size = |case: &Case| case.shrunk.found.plan.size.of(&case.setup.scenario);
    let operations = |of: &Scenario| u64::from(of.workload.clients * of.workload.operations);
    println!("{} findings", cases.len());
    distribution("faults before", cases.iter().map(|one| one.struck.len() as u64));
    distribution(
        "faults after",
        cases.iter().map(|one| one.shrunk.found.plan.strikes.len() as u64),
    );
    distribution("operations before", cases.iter().map(|one| operations(&one.setup.scenario)));
    distribution("operations after", cases.iter().map(|one| operations(&size(one))));
    distribution(
        "attempts before",
        cases.iter().map(|one| one.setup.scenario.client.attempts.into()),
    );
    distribution("attempts after", cases.iter().map(|one| size(one).client.attempts.into()));
    distribution("runs", cases.iter().map(|one| one.shrunk.runs.into()));
    distribution("microseconds", cases.iter().map(|one| one.micros));
    let timed = cases.iter().filter(|one| !one.shrunk.found.plan.variations.is_empty()).count();
    println!("{timed} need harmless choices too");
    for kind in FindingKind::ALL {
        let count = cases.iter().filter(|one| one.kind == kind).count();
        print!("{kind} {count}  ");
    }
    println!();
}

/// Checks them all; says how many sets of faults were tried by brute force.
fn check(cases: &[Case]) -> u64 {
    let mut tried = 0;
    for case in cases {
        case.is_the_same_finding();
        let mut runner = Runner::new(&case.setup);
        tried += case.no_fewer_faults_do(&mut runner);
        case.no_fewer_choices_do(&mut runner);
        case.no_attempt_is_skipped(&mut runner);
        case.no_simpler_fault_does(&mut runner);
        case.no_less_work_does(&mut runner);
        case.is_within_the_contract(&mut runner);
    }
    tried
}

#[test]
fn nothing_can_be_taken_from_a_finding_of_the_catalogue() {
    let cases = cases(&in_the_catalogue(), findings() / 2);
    print(&cases);
    println!("{} sets of faults by brute force", check(&cases));
    assert_eq!(cases.len(), findings() / 2);
    let smaller = cases.iter().filter(|one| one.shrunk.found.plan.size != Size::FULL).count();
    assert!(smaller * 2 > cases.len(), "only {smaller} have a smaller workload");
}

#[test]
fn nothing_can_be_taken_from_a_finding_of_a_random_scenario() {
    let cases = cases(&in_random_scenarios(findings()), findings() / 2);
    print(&cases);
    println!("{} sets of faults by brute force", check(&cases));
    assert_eq!(cases.len(), findings() / 2);
    let of = |wanted: fn(&Label) -> bool| {
        let labels = cases.iter().flat_map(|one| &one.shrunk.found.labels);
        labels.filter(|(_, label)| wanted(label)).count()
    };
    let labelled = [
        of(|label| *label == Label::Any),
        of(|label| matches!(label, Label::AtLeast(_))),
        of(|label| matches!(label, Label::Longer | Label::Shorter | Label::Exact)),
    ];
    println!("labels: any, at least, holds and exact ones: {labelled:?}");
    assert!(labelled[1] > 10, "hardly any magnitude has a bound");
    let timed = cases.iter().filter(|one| !one.shrunk.found.plan.variations.is_empty()).count();
    assert!(timed > 5, "hardly any finding needs its timing");
}

/// A smaller workload is within the contract when the whole one is: what struck in a run of the
/// scenario strikes a right store in every smaller one, and it shows nothing. Where attempts share no
/// key, no store is right.
#[test]
fn no_smaller_workload_makes_a_right_store_guilty() {
    let mut faults = 0;
    let has_right_stores =
        |one: &Scenario| !one.contract.expires && one.workload.keys != Keys::FreshForEachAttempt;
    for scenario in catalogue().into_iter().filter(has_right_stores).map(Arc::new) {
        let stores = stores::catalogue();
        let holds = |one: &&Entry| scenario.expect.get(one.name).is_some_and(Vec::is_empty);
        let right = scenario.cast(&stores).filter(|one| RIGHT.contains(&one.name)).filter(holds);
        for store in right.cloned() {
            let scenario = Arc::clone(&scenario);
            let mut runner = Runner::new(&Setup { scenario, store, backend: Backend::Memory });
            for size in SIZES {
                for seed in 0..30 {
                    runner.seed(seed);
                    let plan = Plan { size, ..whole_run(&runner, seed) };
                    let found = runner.replay(&plan, Keep::default()).findings.clone();
                    assert_eq!(found, [], "{}", plan.write(runner.names()));
                    faults += runner.strikes().len();
                }
            }
        }
    }
    assert!(faults > 1_000, "only {faults} faults struck");
}

fn whole_run(runner: &Runner, seed: u64) -> Plan {
    let Setup { scenario, store, backend } = runner.setup();
    Plan {
        scenario: scenario.name.clone(),
        store: store.name.to_owned(),
        backend: backend.name().to_owned(),
        expect: None,
        workload: Some(seed),
        size: Size::FULL,
        strikes: runner.strikes().to_vec(),
        variations: vec![],
        hash: None,
    }
}

#[test]
fn a_plan_with_a_smaller_workload_is_accepted_by_the_command_line_and_the_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let sim = |args: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_sim")).args(args).output();
        command.expect("sim runs")
    };
    for backend in ["memory", "memory-sqlite", "sqlite"] {
        let path = folder.path().join(format!("{backend}.plan"));
        let file = path.to_str().expect("a plain path");
        let cell = ["--seed", "42", "--store", "no-dedup", "--backend", backend];
        sim(&[&cell[..], &["--save-plan", file]].concat());
        let text = std::fs::read_to_string(&path).expect("it was written");
        assert!(text.contains("\nclients    1\noperations 1\nattempts   2\n"), "{text}");
        let played = sim(&["--plan", file]);
        let said = String::from_utf8_lossy(&played.stdout);
        assert_eq!(String::from_utf8_lossy(&played.stderr), "", "{text}");
        let enough = "Enough of the workload: 1 client, 1 operation each, 2 attempts at most.";
        assert!(said.contains("no-dedup: double-effect") && said.contains(enough), "{said}");
        let json = sim(&["--plan", file, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
        assert_eq!(json["findings"][0]["plan"][0], "clients 1", "{json}");
    }
    let suite = sim(&["suite", folder.path().to_str().expect("a plain path")]);
    assert_eq!(suite.status.code(), Some(0), "{}", String::from_utf8_lossy(&suite.stdout));
}
