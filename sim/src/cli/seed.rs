//! Level 6. `sim --seed N`: one seed, through every store or through one.

use super::Exit;
use super::args::{Args, Format, VERSION};
use super::bad::{self, Bad};
use super::hunt::{pretty, to_line};
use super::likelihood::{self, LikelihoodReport};
use super::screen::{DIM, HEAD, Screen};
use super::story::{Origin, tell, verdict};
use crate::choice::Source;
use crate::plan::{Plan, Size, strike_lines};
use crate::report::explain::explain;
use crate::report::json::{FindingReport, RunReport, RunSource, Subject, Tool};
use crate::run::{Keep, Runner, Setup};
use crate::search::shrink::{Found, shrink};
use onestroke_scenarios::FindingKind;
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

/// The scenario of a seed that names none.
const DEFAULT_SCENARIO: &str = "rainy-night";

/// One store under the seed.
struct Ran {
    runner: Runner,
    kinds: Vec<FindingKind>,
    found: Option<Found>,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Args, seed: u64, screen: &Screen) -> Result<Exit, Bad> {
    let scenario = bad::scenario(args.scenario.as_deref().unwrap_or(DEFAULT_SCENARIO))?;
    let scenario = args.otherwise.of(scenario);
    let backend = args.backend.as_deref().unwrap_or("memory");
    let backend = bad::backend_for(backend, [&scenario])?;
    let chosen: Vec<&Entry> = match &args.store {
        Some(name) => vec![bad::store(stores, name)?],
        None => scenario.cast(stores).collect(),
    };
    if args.store.is_none() && (args.record.is_some() || args.save_plan.is_some()) {
        return Err(Bad::usage(
            "`--record` and `--save-plan` are about one run: name its store with `--store`, as in \
             `sim --seed 42 --store check-then-act --record run.recording`",
        ));
    }
    let mut all = Vec::new();
    for store in &chosen {
        let setup = Setup { scenario: Arc::clone(&scenario), store: (*store).clone(), backend };
        all.push(ran(&setup, seed)?);
    }
    if let (Some(path), [only]) = (&args.record, all.as_mut_slice()) {
        let text = recording(&mut only.runner, seed, only.kinds.first().copied());
        std::fs::write(path, text).map_err(Bad::file(path))?;
    }
    if let (Some(path), [only]) = (&args.save_plan, all.as_slice()) {
        let Some(found) = &only.found else {
            return Err(Bad::usage(format!(
                "seed {seed} shows nothing, so there is no plan for `--save-plan`; `sim hunt` finds a seed that \
                 does"
            )));
        };
        let text = found.plan.write(only.runner.names());
        std::fs::write(path, text).map_err(Bad::file(path))?;
    }
    let named = args.store.is_some();
    match screen.format {
        Format::Human => screen.print(&human(&mut all, (seed, named, args), screen)),
        format => screen.print(&json(&mut all, (seed, args.likelihood), format)),
    }
    let unexpected = |ran: &Ran| {
        let expected = expected_of(ran);
        ran.kinds.iter().any(|kind| named || !expected.is_some_and(|all| all.contains(kind)))
    };
    Ok(if all.iter().any(unexpected) { Exit::Found } else { Exit::Fine })
}

fn ran(setup: &Setup, seed: u64) -> Result<Ran, Bad> {
    let mut runner = Runner::new(setup);
    let outcome = runner.seed(seed);
    let mut kinds: Vec<FindingKind> = outcome.findings.iter().map(|found| found.kind).collect();
    kinds.dedup();
    let found = match kinds.first() {
        Some(kind) => Some(shrink(&mut runner, seed, *kind)?),
        None => None,
    };
    Ok(Ran { runner, kinds, found })
}

/// All choices of a seed's run, as text.
pub(super) fn recording(runner: &mut Runner, seed: u64, expect: Option<FindingKind>) -> String {
    let keep = Keep { details: false, variations: true };
    let hash = runner.run(Source::Seeded { seed, salt: 0 }, keep).hash;
    let mut variations = runner.variations().to_vec();
    variations.sort_unstable();
    variations.dedup_by_key(|varied| varied.point);
    let setup = runner.setup();
    let plan = Plan {
        scenario: setup.scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
        expect,
        workload: Some(seed),
        size: Size::FULL,
        strikes: runner.strikes().to_vec(),
        variations,
        hash: Some(hash),
    };
    plan.write(runner.names())
}

fn expected_of(ran: &Ran) -> Option<&Vec<FindingKind>> {
    let setup = ran.runner.setup();
    setup.scenario.expect.get(setup.store.name)
}

fn human(all: &mut [Ran], (seed, named, args): (u64, bool, &Args), screen: &Screen) -> String {
    let likely = args.likelihood;
    let mut text = String::new();
    let scenario = Arc::clone(&all[0].runner.setup().scenario);
    let backend = all[0].runner.setup().backend.name();
    let head = format!("seed {seed}, scenario {}, {backend}", scenario.name);
    let _ = writeln!(text, "{}", screen.paint(HEAD, &head));
    let _ = writeln!(text, "{}\n", screen.paint(DIM, &screen.wrap(&scenario.claim, "  ")));
    let widest = all.iter().map(|ran| ran.runner.setup().store.name.len()).max().unwrap_or(0);
    for ran in all.iter() {
        let name = ran.runner.setup().store.name;
        // Who names a store wants to know what it shows, not what a catalogue expects.
        let expected = if named { None } else { expected_of(ran).map(Vec::as_slice) };
        let verdict = verdict(&ran.kinds, expected, screen);
        let _ = writeln!(text, "  {name:widest$}  {verdict}");
    }
    let shortest = all
        .iter_mut()
        .filter(|ran| ran.found.is_some())
        .min_by_key(|ran| ran.found.as_ref().map(Found::weight));
    if let Some(ran) = shortest
        && let Some(found) = &ran.found
    {
        if named {
            text.push('\n');
        } else {
            let _ = writeln!(text, "\n{}\n", screen.paint(HEAD, "The shortest story of them:"));
        }
        let more = args.otherwise.arguments();
        let origin = Origin::With(Box::new(Origin::Seed(seed)), more);
        text += &tell(&mut ran.runner, found, &origin, screen);
        if likely {
            text += &likelihood::human(&mut ran.runner, seed, &found.finding, screen);
        }
    } else {
        let exercised = ran_moments(all);
        let _ = writeln!(text, "\n{}", screen.wrap(&exercised, ""));
        if likely {
            let told =
                "Nothing was found, so nothing was likely: `sim hunt --likelihood` finds a seed.";
            let _ = writeln!(text, "{told}");
        }
    }
    text
}

/// What a run without a finding passed through.
fn ran_moments(all: &[Ran]) -> String {
    let mut moments = crate::moments::Moments::default();
    for ran in all {
        moments.add(&ran.runner.outcome().moments);
    }
    let told: Vec<String> = moments
        .iter()
        .filter(|(_, times)| *times > 0)
        .map(|(moment, times)| format!("{} {times}", moment.name()))
        .collect();
    if told.is_empty() {
        return "No dangerous moment occurred: this seed shows nothing either way.".into();
    }
    format!("Dangerous moments that it passed through: {}.", told.join(", "))
}

/// A run's report, with how likely its finding was if that is asked for.
#[derive(Serialize)]
struct SeedReport {
    #[serde(flatten)]
    run: RunReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    likelihood: Option<LikelihoodReport>,
}

fn json(all: &mut [Ran], (seed, likely): (u64, bool), format: Format) -> String {
    let one = |ran: &mut Ran| {
        let run = report(ran, seed);
        let found = ran.found.as_ref().filter(|_| likely);
        let likelihood =
            found.and_then(|found| likelihood::report(&mut ran.runner, seed, &found.finding));
        SeedReport { run, likelihood }
    };
    let reports: Vec<SeedReport> = all.iter_mut().map(one).collect();
    match (reports.as_slice(), format) {
        ([only], Format::Json) => pretty(only),
        (many, Format::Json) => {
            pretty(&serde_json::json!({ "schema": crate::report::json::SCHEMA, "runs": many }))
        }
        (many, _) => many.iter().map(|one| to_line(one) + "\n").collect(),
    }
}

fn report(ran: &mut Ran, seed: u64) -> RunReport {
    let seeded =
        ran.runner.run(Source::Seeded { seed, salt: 0 }, Keep { details: true, variations: false });
    let seeded = seeded.clone();
    let strikes = ran.runner.strikes().to_vec();
    let mut findings = Vec::new();
    for finding in &seeded.findings {
        let names = ran.runner.names();
        let explanation = explain(ran.runner.trace(), finding, names);
        let shrunk = ran.found.as_ref().filter(|found| found.finding.kind == finding.kind);
        let plan =
            shrunk.map_or_else(|| strike_lines(&strikes, names), |found| found.plan.body(names));
        let labels = shrunk.map_or(&[][..], |found| &found.labels);
        findings.push(FindingReport::new(finding, explanation, plan).labelled(labels, names));
    }
    let moments = seeded.moments.iter().map(|(moment, times)| (moment.name().to_owned(), times));
    let setup = ran.runner.setup();
    let subject = Subject {
        scenario: setup.scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
    };
    let head = (Tool::this(VERSION), subject, RunSource::Seed(seed));
    RunReport::new(head, findings, moments.collect(), ran.runner.trace())
}
