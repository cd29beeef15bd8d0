//! Level 6. `sim suite`: the regression suite. Every scenario with every store must show exactly what
//! the scenario says; every moment must occur; every pinned plan must show its finding.

use super::Exit;
use super::args::{Format, Suite};
use super::bad::Bad;
use super::campaign::{self, Cell, Order, Ran};
use super::hunt;
use super::replay::{self, Replayed};
use super::screen::{BAD, GOOD, HEAD, Screen};
use onestroke_scenarios::Scenario;
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the paths hold.
#[derive(Default)]
struct Contents {
    scenarios: Vec<Arc<Scenario>>,
    plans: Vec<(String, String)>,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], suite: &Suite, screen: &Screen) -> Result<Exit, Bad> {
    let contents = if suite.paths.is_empty() { built_in() } else { read(&suite.paths)? };
    if contents.scenarios.is_empty() && contents.plans.is_empty() {
        let paths: Vec<String> =
            suite.paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(Bad::usage(format!(
            "no scenario (.toml) and no plan (.plan) in {}; without a path the built-in ones are run",
            paths.join(", ")
        )));
    }
    let order = Order {
        scenarios: contents.scenarios,
        stores: stores.to_vec(),
        named: false,
        backend: crate::run::Backend::Memory,
        seeds: 0..suite.seeds,
        threads: campaign::threads(suite.threads),
        time: None,
        shrink: 0,
    };
    let ran = campaign::run(&order)?;
    let mut pins = Vec::new();
    for (file, text) in &contents.plans {
        pins.push((file.clone(), replay::replay(stores, text, file, None)?));
    }
    match screen.format {
        Format::Human => screen.print(&human(&ran, &pins, screen)),
        _ => screen.print(&hunt::pretty(&report(&ran, &pins, &order))),
    }
    let red = ran.interrupted
        || !breaches(&ran).is_empty()
        || pins.iter().any(|(_, pin)| !pin.complaints.is_empty());
    Ok(match (ran.interrupted, red) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Found,
        _ => Exit::Fine,
    })
}

/// The suite for machines.
#[derive(Serialize)]
struct Report {
    /// Everything is as the scenarios and plans say.
    ok: bool,
    /// What is not, one sentence each.
    breaches: Vec<String>,
    pins: Vec<Pin>,
    #[serde(flatten)]
    campaign: hunt::report::CampaignReport,
}

#[derive(Serialize)]
struct Pin {
    file: String,
    store: String,
    ok: bool,
    complaints: Vec<String>,
}

fn report(ran: &Ran, pins: &[(String, Replayed)], order: &Order) -> Report {
    let breaches = breaches(ran);
    let pins: Vec<Pin> = pins
        .iter()
        .map(|(file, pin)| Pin {
            file: file.clone(),
            store: pin.plan.store.clone(),
            ok: pin.complaints.is_empty(),
            complaints: pin.complaints.clone(),
        })
        .collect();
    let ok = breaches.is_empty() && pins.iter().all(|pin| pin.ok);
    Report { ok, breaches, pins, campaign: hunt::report::campaign(ran, order, false) }
}

fn built_in() -> Contents {
    let scenarios = onestroke_scenarios::catalogue().into_iter().map(Arc::new).collect();
    let plan = |(file, text): &(&str, &str)| ((*file).to_owned(), (*text).to_owned());
    Contents { scenarios, plans: onestroke_scenarios::PINNED.iter().map(plan).collect() }
}

/// Reads files, and folders with all that is in them, in the order of their names.
fn read(paths: &[PathBuf]) -> Result<Contents, Bad> {
    let mut contents = Contents::default();
    let mut todo: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(Bad::file(&path))?;
            let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            inside.sort_unstable_by(|a, b| b.cmp(a));
            todo.extend(inside.into_iter().filter(|path| path.is_dir() || is_ours(path)));
            continue;
        }
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(Bad::file(&path))?;
        if path.extension().is_some_and(|end| end == "toml") {
            contents.scenarios.push(Arc::new(onestroke_scenarios::from_toml(&text, &name)?));
        } else {
            contents.plans.push((name, text));
        }
    }
    Ok(contents)
}

fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml" || end == "plan")
}

/// What is not as the scenarios say, one sentence each.
fn breaches(ran: &Ran) -> Vec<String> {
    let mut all = Vec::new();
    for cells in ran.cells.chunk_by(|a, b| a.setup.scenario.name == b.setup.scenario.name) {
        let scenario = &cells[0].setup.scenario;
        if scenario.expect.is_empty() {
            all.push(format!(
                "{}: it has no `[expect]`; say there what each store shows, as in `{} = []`",
                scenario.name, cells[0].setup.store.name
            ));
        } else {
            for cell in cells {
                surprises(cell, &mut all);
            }
        }
    }
    for (scenario, moment, runs) in ran.moments() {
        if runs == 0 {
            all.push(format!("{}: the moment {} never occurred", scenario.name, moment.name()));
        }
    }
    all
}

/// Where one cell differs from what its scenario says.
fn surprises(cell: &Cell, all: &mut Vec<String>) {
    let place = format!("{} / {}", cell.setup.scenario.name, cell.setup.store.name);
    if cell.expected().is_none() {
        if !cell.campaign.found.is_empty() {
            all.push(format!("{place}: the scenario does not say what this store shows"));
        }
        return;
    }
    for kind in cell.unexpected() {
        let first = cell.campaign.found[&kind].first;
        all.push(format!("{place}: shows {}, which is not expected (seed {first})", kind.name()));
    }
    for kind in cell.missing() {
        let seeds = cell.campaign.seeds;
        all.push(format!("{place}: {} never showed in {seeds} seeds", kind.name()));
    }
}

fn human(ran: &Ran, pins: &[(String, Replayed)], screen: &Screen) -> String {
    let mut text = String::new();
    let moments = ran.moments();
    for cells in ran.cells.chunk_by(|a, b| a.setup.scenario.name == b.setup.scenario.name) {
        let scenario = &cells[0].setup.scenario;
        let here = moments.iter().filter(|(other, ..)| other.name == scenario.name);
        let silent = here.clone().any(|(_, _, runs)| *runs == 0);
        let exact = !silent
            && cells.iter().all(|cell| cell.unexpected().is_empty() && cell.missing().is_empty());
        let told: Vec<String> = here
            .map(|(_, moment, runs)| format!("{} {}", moment.name(), hunt::grouped(*runs)))
            .collect();
        let mark = if exact { screen.paint(GOOD, "ok  ") } else { screen.paint(BAD, "FAIL") };
        let told = screen.wrap(&told.join(", "), &" ".repeat(39));
        let _ = writeln!(text, "{mark} {:34}{}", scenario.name, told.trim_start());
    }
    for (file, pin) in pins {
        let fine = pin.complaints.is_empty();
        let mark = if fine { screen.paint(GOOD, "ok  ") } else { screen.paint(BAD, "FAIL") };
        let _ = writeln!(text, "{mark} {file}");
        for complaint in &pin.complaints {
            let _ = writeln!(text, "{}", screen.wrap(complaint, "       "));
        }
    }
    let breaches = breaches(ran);
    for breach in &breaches {
        let _ = writeln!(text, "{}", screen.wrap(breach, "  "));
    }
    let runs: u64 = ran.cells.iter().map(|cell| cell.campaign.seeds).sum();
    let failed = breaches.len() + pins.iter().filter(|(_, pin)| !pin.complaints.is_empty()).count();
    let cells = ran.cells.len();
    let total = format!(
        "{} runs in {cells} cells, {} pinned plans: {failed} not as expected",
        hunt::grouped(runs),
        pins.len()
    );
    let _ = writeln!(text, "{}", screen.paint(HEAD, &total));
    text
}
