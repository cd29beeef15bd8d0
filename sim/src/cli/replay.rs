//! Level 6. `sim --plan FILE`: a plan shows its finding again, a recording its trace hash.

use super::Exit;
use super::args::{Args, Format, Otherwise, VERSION};
use super::bad::{self, Bad};
use super::screen::{GOOD, HEAD, Screen};
use super::story::{Origin, arguments, tell};
use crate::choice::{Fault, Strike};
use crate::plan::{Header, NOTHING, Plan, Size, line_of, strike_line};
use crate::point::Names;
use crate::report::explain::explain;
use crate::report::json::{FindingReport, RunReport, RunSource, Subject, Tool};
use crate::run::{Keep, Outcome, Runner, Setup};
use crate::search::shrink::Found;
use crate::time::Span;
use crate::world::tables_of;
use onestroke_scenarios::Scenario;
use onestroke_store::Entry;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

/// What complaints call a plan that is no file.
const STDIN: &str = "standard input";

/// A plan that was read and run.
pub(super) struct Replayed {
    /// The runner, after the run.
    pub runner: Runner,
    /// The plan.
    pub plan: Plan,
    /// What it shows that it should, or shows at all.
    pub found: Option<Found>,
    /// What is wrong with it, with file and line.
    pub complaints: Vec<String>,
}

/// Runs the command.
pub(super) fn run(
    stores: &[Entry],
    args: &Args,
    path: &Path,
    screen: &Screen,
) -> Result<Exit, Bad> {
    if args.scenario.is_some() || args.backend.is_some() {
        return Err(Bad::usage(
            "a plan names its scenario and its backend itself: leave `--scenario` and `--backend` out, \
             or change the plan's head",
        ));
    }
    let (text, file) = read(path)?;
    let named = args.store.as_deref();
    let otherwise = &args.otherwise;
    let mut replayed = replay_otherwise((stores, otherwise), &text, &file, named)?;
    let origin = Origin::With(Box::new(Origin::Plan(file.clone())), otherwise.arguments());
    match screen.format {
        Format::Human => screen.print(&human(&mut replayed, (&file, &origin), screen)),
        format => screen.print(&json(&mut replayed, format)),
    }
    for complaint in &replayed.complaints {
        screen.complain(&Bad::usage(complaint));
    }
    let fine = replayed.found.is_none() && replayed.complaints.is_empty();
    Ok(if fine { Exit::Fine } else { Exit::Found })
}

/// Reads a plan's text and runs it; with another store than its own, if one is named.
pub(super) fn replay(
    stores: &[Entry],
    text: &str,
    file: &str,
    named: Option<&str>,
) -> Result<Replayed, Bad> {
    replay_otherwise((stores, &Otherwise::default()), text, file, named)
}

/// The same, in a scenario that is otherwise than its file says.
fn replay_otherwise(
    (stores, otherwise): (&[Entry], &Otherwise),
    text: &str,
    file: &str,
    named: Option<&str>,
) -> Result<Replayed, Bad> {
    let header = Header::read(text, file)?;
    let own = header.store.clone();
    let here = |key| Bad::named_in(file, header.line(key));
    let entry = match named {
        Some(name) => bad::store(stores, name)?,
        None => bad::store(stores, &own).map_err(here("store"))?,
    };
    let scenario = scenario_path(&header.scenario, file);
    let scenario = bad::scenario(&scenario).map_err(here("scenario"))?;
    let scenario = otherwise.of(scenario);
    let backend = bad::backend_for(&header.backend, [&scenario]).map_err(here("backend"))?;
    let tables = tables_of(entry);
    let names = Names { tables: &tables };
    let plan = Plan::read(text, file, names)?;
    within_size(&plan, &scenario, (file, &header))?;
    within_workload(&plan, &scenario, (text, file), names)?;
    within_contract(&plan, &scenario, (file, names))?;
    let mut runner = Runner::new(&Setup { scenario, store: entry.clone(), backend });
    let outcome = runner.replay(&plan, Keep { details: true, variations: false }).clone();
    let mut complaints = unreached((text, file), &runner);
    if own == entry.name {
        complaints.extend(other_hash(&plan, &outcome, (file, &header)));
        complaints.extend(other_finding(&plan, &outcome, (file, &header)));
    }
    let meant = outcome.findings.iter().find(|finding| Some(finding.kind) == plan.expect);
    let finding = meant.or(outcome.findings.first());
    let found = finding.map(|finding| Found {
        finding: *finding,
        plan: plan.clone(),
        struck: runner.strikes().len(),
        minimal: false,
        hash: outcome.hash,
        labels: vec![],
    });
    Ok(Replayed { runner, plan, found, complaints })
}

/// Refuses a workload that is larger than the scenario's: its contract speaks of no more.
fn within_size(plan: &Plan, scenario: &Scenario, (file, head): (&str, &Header)) -> Result<(), Bad> {
    let Some((key, most)) = plan.size.beyond(scenario) else { return Ok(()) };
    let line = head.line(key);
    let field =
        if key == "attempts" { "client.attempts".into() } else { format!("workload.{key}") };
    let right = match most {
        1 => "leave the line out".to_owned(),
        most => format!("write `{key} {most}` or less, or leave the line out"),
    };
    Err(Bad::usage(format!(
        "{file}:{line}: a plan can only lower `{field}`, and `{}` has {most}; {right}",
        scenario.name
    )))
}

/// Refuses operations that the workload does not have.
fn within_workload(
    plan: &Plan,
    scenario: &Scenario,
    (text, file): (&str, &str),
    names: Names<'_>,
) -> Result<(), Bad> {
    let workload = plan.size.of(scenario).workload;
    let ops = u32::from(workload.clients) * u32::from(workload.operations);
    let beyond = |strike: &&Strike| {
        let subject = strike.point.subject();
        !subject.is_background() && subject.op.0 >= ops
    };
    let Some(strike) = plan.strikes.iter().find(beyond) else { return Ok(()) };
    let line = line_of(*strike, text, names).unwrap_or(1);
    let op = strike.point.subject().op;
    let right = if ops == 1 { "`op-1`".to_owned() } else { format!("`op-1` to `op-{ops}`") };
    let whose = match plan.size {
        Size::FULL => format!("scenario `{}`", scenario.name),
        _ => "smaller workload of this plan".to_owned(),
    };
    Err(Bad::usage(format!("{file}:{line}: the {whose} has no `{op}`; write {right}")))
}

/// Refuses what the loader of scenarios would: weather in which every right store is guilty.
fn within_contract(
    plan: &Plan,
    scenario: &Scenario,
    (file, names): (&str, Names<'_>),
) -> Result<(), Bad> {
    let beyond = |strike: &Strike| match strike.fault {
        Fault::Late(span) => span.beyond(scenario.weather.longest_lateness()),
        Fault::Pause(span) => span.beyond(scenario.weather.longest_standstill()),
        _ => Span::ZERO,
    };
    let excess = plan.strikes.iter().map(beyond).fold(Span::ZERO, |sum, span| sum + span);
    let (life, last) = (scenario.shortest_life(), scenario.worst_last_arrival() + excess);
    if scenario.contract.expires || excess == Span::ZERO || life > last {
        return Ok(());
    }
    let longest = plan.strikes.iter().max_by_key(|strike| beyond(strike));
    let line = longest.map_or_else(String::new, |strike| strike_line(*strike, names));
    Err(Bad::usage(format!(
        "{file}: with `{line}` an attempt may arrive {last} after the first, and records of `{}` live \
         {life}: every right store would be guilty; shorten it, or set `contract.expires = true` in a \
         scenario of your own",
        scenario.name
    )))
}

/// A plan's scenario file is looked for beside the plan.
pub(super) fn scenario_path(name: &str, file: &str) -> String {
    let is_file = Path::new(name).extension().is_some_and(|end| end == "toml");
    match Path::new(file).parent() {
        Some(folder) if is_file && folder.join(name).exists() => {
            folder.join(name).to_string_lossy().into_owned()
        }
        _ => name.to_owned(),
    }
}

/// Faults that struck nowhere.
fn unreached((text, file): (&str, &str), runner: &Runner) -> Vec<String> {
    let complaint = |strike: Strike| {
        let line = line_of(strike, text, runner.names()).unwrap_or(1);
        let store = runner.setup().store.name;
        let strike = strike_line(strike, runner.names());
        format!(
            "{file}:{line}: the run never reaches `{strike}`: `{store}` does not come by there; remove \
             the line, or name a place that it reaches"
        )
    };
    runner.unreached().into_iter().map(complaint).collect()
}

/// A recording that is out of date. Its finding may show all the same.
fn other_hash(plan: &Plan, outcome: &Outcome, (file, header): (&str, &Header)) -> Option<String> {
    let (recorded, seed) = plan.hash.zip(plan.workload)?;
    if recorded == outcome.hash {
        return None;
    }
    let line = header.line("hash");
    let arguments = arguments(plan, &Origin::Seed(seed));
    let to = if file == STDIN { "FILE" } else { file };
    let shows = outcome.findings.iter().any(|finding| Some(finding.kind) == plan.expect);
    let still = if shows { "; what it expects shows all the same" } else { "" };
    Some(format!(
        "{file}:{line}: trace hash {recorded:016x} was recorded, and this run has {:016x}: the store, \
         the scenario or onestroke has changed since{still}; run `sim {arguments} --record {to}` to record \
         anew, or keep a plan, which has no hash (`--save-plan`)",
        outcome.hash
    ))
}

/// A finding that should show, and does not.
fn other_finding(
    plan: &Plan,
    outcome: &Outcome,
    (file, header): (&str, &Header),
) -> Option<String> {
    let kinds: Vec<_> = outcome.findings.iter().map(|finding| finding.kind).collect();
    let expected = plan.expect.filter(|expected| !kinds.contains(expected))?.name();
    let line = header.line("expect");
    let names: Vec<_> = kinds.iter().map(|kind| format!("`{}`", kind.name())).collect();
    let (shown, right) = match kinds.first() {
        None => ("nothing".to_owned(), NOTHING),
        Some(first) => (names.join(", "), first.name()),
    };
    Some(format!(
        "{file}:{line}: it should show `{expected}`, and shows {shown}; write `expect {right}` if that \
         is right"
    ))
}

fn read(path: &Path) -> Result<(String, String), Bad> {
    if path.as_os_str() == "-" {
        let mut text = String::new();
        let result = std::io::stdin().read_to_string(&mut text);
        result.map_err(Bad::file(Path::new(STDIN)))?;
        return Ok((text, STDIN.to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(Bad::file(path))?;
    Ok((text, path.display().to_string()))
}

fn human(replayed: &mut Replayed, (file, origin): (&str, &Origin), screen: &Screen) -> String {
    let mut text = String::new();
    let plan = &replayed.plan;
    let what = if plan.is_recording() { "recording" } else { "plan" };
    let head = format!("{what} {file}: scenario {}, {}", plan.scenario, plan.backend);
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &head));
    match &replayed.found {
        Some(found) => {
            text += &tell(&mut replayed.runner, found, origin, screen);
        }
        None => {
            let store = replayed.runner.setup().store.name;
            let _ = writeln!(text, "{store}: {}", screen.paint(GOOD, "nothing found"));
        }
    }
    text
}

fn json(replayed: &mut Replayed, format: Format) -> String {
    let runner = &replayed.runner;
    let names = runner.names();
    let findings = runner.outcome().findings.iter().map(|finding| {
        let told = explain(runner.trace(), finding, names);
        FindingReport::new(finding, told, replayed.plan.body(names))
    });
    let moments = runner.outcome().moments.iter();
    let moments = moments.map(|(moment, times)| (moment.name().to_owned(), times));
    let subject = Subject {
        scenario: replayed.plan.scenario.clone(),
        store: runner.setup().store.name.to_owned(),
        backend: replayed.plan.backend.clone(),
    };
    let head = (Tool::this(VERSION), subject, RunSource::Plan(replayed.plan.lines(names)));
    let report = RunReport::new(head, findings.collect(), moments.collect(), runner.trace());
    if format == Format::Json { report.pretty() } else { report.line() }
}
