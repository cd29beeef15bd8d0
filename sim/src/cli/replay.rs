//! Level 6. `sim --plan FILE`: a plan shows its finding again, a recording its trace hash.

use super::Exit;
use super::args::{Args, Format, VERSION};
use super::bad::{self, Bad};
use super::screen::{GOOD, HEAD, Screen};
use super::story::{Origin, tell};
use crate::plan::{Header, Plan, strike_line};
use crate::point::Names;
use crate::report::explain::explain;
use crate::report::json::{FindingReport, RunReport, RunSource, Subject, Tool};
use crate::run::{Keep, Runner, Setup};
use crate::search::shrink::Found;
use crate::world::tables_of;
use onestroke_store::Entry;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

/// A plan that was read and run.
pub(super) struct Replayed {
    /// The runner, after the run.
    pub runner: Runner,
    /// The plan.
    pub plan: Plan,
    /// What it shows that it should, or shows at all.
    pub found: Option<Found>,
    /// What is wrong with it, in the order of importance.
    pub complaints: Vec<String>,
}

/// Runs the command.
pub(super) fn run(
    stores: &[Entry],
    args: &Args,
    path: &Path,
    screen: &Screen,
) -> Result<Exit, Bad> {
    let (text, file) = read(path)?;
    let named = args.store.as_deref();
    let mut replayed = replay(stores, &text, &file, named)?;
    match screen.format {
        Format::Human => screen.print(&human(&mut replayed, &file, screen)),
        format => screen.print(&json(&mut replayed, format)),
    }
    for complaint in &replayed.complaints {
        screen.complain(&Bad::usage(format!("{file}: {complaint}")));
    }
    let broken = replayed.complaints.iter().any(|complaint| complaint.contains("trace hash"));
    Ok(match (&replayed.found, broken) {
        (_, true) => Exit::Broken,
        (None, _) if replayed.complaints.is_empty() => Exit::Fine,
        _ => Exit::Found,
    })
}

/// Reads a plan's text and runs it; with another store than its own, if one is named.
pub(super) fn replay(
    stores: &[Entry],
    text: &str,
    file: &str,
    named: Option<&str>,
) -> Result<Replayed, Bad> {
    let header = Header::read(text, file)?;
    let own = header.store.clone();
    let entry = bad::store(stores, named.unwrap_or(&own))?;
    let scenario = bad::scenario(&scenario_path(&header.scenario, file))?;
    let backend = bad::backend(&header.backend)?;
    let tables = tables_of(entry);
    let plan = Plan::read(text, file, Names { tables: &tables })?;
    let mut runner = Runner::new(&Setup { scenario, store: entry.clone(), backend });
    let outcome = runner.run(plan.source(), Keep { details: true, variations: false }).clone();
    let complaints = complaints(&plan, &runner, &outcome, own == entry.name);
    let meant = outcome.findings.iter().find(|finding| Some(finding.kind) == plan.expect);
    let finding = meant.or(outcome.findings.first());
    let found = finding.map(|finding| Found {
        finding: *finding,
        plan: plan.clone(),
        struck: runner.strikes().len(),
        hash: outcome.hash,
    });
    Ok(Replayed { runner, plan, found, complaints })
}

/// A plan's scenario file is looked for beside the plan.
fn scenario_path(name: &str, file: &str) -> String {
    let is_file = Path::new(name).extension().is_some_and(|end| end == "toml");
    match Path::new(file).parent() {
        Some(folder) if is_file && folder.join(name).exists() => {
            folder.join(name).to_string_lossy().into_owned()
        }
        _ => name.to_owned(),
    }
}

fn complaints(
    plan: &Plan,
    runner: &Runner,
    outcome: &crate::run::Outcome,
    own_store: bool,
) -> Vec<String> {
    let mut complaints = Vec::new();
    if let Some(recording) = &plan.recording
        && own_store
        && recording.hash != outcome.hash
        && recording.hash != 0
    {
        complaints.push(format!(
            "the recording has trace hash {:016x}, this run {:016x}: it was recorded with another \
             version of the store, the scenario or onestroke",
            recording.hash, outcome.hash
        ));
    }
    for strike in runner.unreached() {
        complaints.push(format!(
            "no run reaches `{}`: the store no longer comes by there",
            strike_line(strike, runner.names())
        ));
    }
    let kinds: Vec<_> = outcome.findings.iter().map(|finding| finding.kind).collect();
    if let Some(expected) = plan.expect
        && own_store
        && !kinds.contains(&expected)
    {
        let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        let shown = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        complaints.push(format!("it should show {}, and shows {shown}", expected.name()));
    }
    complaints
}

fn read(path: &Path) -> Result<(String, String), Bad> {
    if path.as_os_str() == "-" {
        let mut text = String::new();
        let result = std::io::stdin().read_to_string(&mut text);
        result.map_err(Bad::file(Path::new("standard input")))?;
        return Ok((text, "standard input".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(Bad::file(path))?;
    Ok((text, path.display().to_string()))
}

fn human(replayed: &mut Replayed, file: &str, screen: &Screen) -> String {
    let mut text = String::new();
    let plan = &replayed.plan;
    let what = if plan.recording.is_some() { "recording" } else { "plan" };
    let head = format!("{what} {file}: scenario {}, {}", plan.scenario, plan.backend);
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &head));
    match &replayed.found {
        Some(found) => {
            let origin = Origin::Plan(file.to_owned());
            text += &tell(&mut replayed.runner, found, &origin, screen);
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
        FindingReport::new(finding, told, &replayed.plan.strikes, names)
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
