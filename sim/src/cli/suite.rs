//! Level 6. `sim suite`: the regression suite. Every scenario with every store must show exactly what
//! the scenario says; every moment must occur; every pinned plan must show its finding.

mod absent;
mod contents;

use super::Exit;
use super::args::{Format, Suite};
use super::bad::Bad;
use super::campaign::{self, Cell, Order, Ran};
use super::ci::{Ci, Done};
use super::hunt;
use super::replay::{self, Replayed};
use super::screen::{BAD, GOOD, HEAD, Screen};
pub(super) use absent::Absent;
pub(super) use contents::Read;
use onestroke_scenarios::{FindingKind, Moment};
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

/// Something that is not as a scenario says.
pub(super) struct Breach<'a> {
    /// The cell, or the first one of its scenario.
    pub cell: &'a Cell,
    pub place: Place,
    /// What is shown and should not be.
    pub shown: Option<FindingKind>,
    problem: String,
}

/// Where something is not as a scenario says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Scenario,
    Moment(Moment),
    Store(&'static str),
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], suite: &Suite, screen: &Screen) -> Result<Exit, Bad> {
    let mut contents =
        if suite.paths.is_empty() { contents::built_in() } else { contents::read(&suite.paths)? };
    if contents.scenarios.is_empty() && contents.plans.is_empty() {
        let paths: Vec<String> =
            suite.paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(Bad::usage(format!(
            "no scenario (.toml) and no plan (.plan) in {}; without a path the built-in ones are run",
            paths.join(", ")
        )));
    }
    let absent = absent::sift(stores, &mut contents, suite.partial)?;
    let threads = campaign::threads(suite.threads);
    let ci = Ci::begin(suite, threads)?;
    let order = Order {
        scenarios: contents.scenarios.iter().map(|read| Arc::clone(&read.scenario)).collect(),
        stores: stores.to_vec(),
        named: false,
        backend: crate::run::Backend::Memory,
        seeds: 0..suite.seeds,
        threads,
        time: None,
        shrink: 0,
    };
    let ran = campaign::run(&order)?;
    let mut pins = Vec::new();
    for (file, text) in std::mem::take(&mut contents.plans) {
        let replayed = replay::replay(stores, &text, &file, None)?;
        pins.push((file, text, replayed));
    }
    match screen.format {
        Format::Human => screen.print(&human(&ran, (&pins, &absent), screen)),
        _ => screen.print(&hunt::pretty(&report(&ran, (&pins, &absent), &order))),
    }
    let read = &contents.scenarios;
    let done = Done { ran: &ran, read, pins: &pins, absent: &absent, seeds: suite.seeds };
    ci.end(&done, screen)?;
    let red = ran.interrupted
        || !breaches(&ran).is_empty()
        || pins.iter().any(|(_, _, pin)| !pin.complaints.is_empty());
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
    /// What names a store that this program does not have.
    not_run: Vec<Absent>,
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

fn report(
    ran: &Ran,
    (pins, absent): (&[(String, String, Replayed)], &[Absent]),
    order: &Order,
) -> Report {
    let breaches: Vec<String> = breaches(ran).iter().map(Breach::text).collect();
    let pins: Vec<Pin> = pins
        .iter()
        .map(|(file, _, pin)| Pin {
            file: file.clone(),
            store: pin.plan.store.clone(),
            ok: pin.complaints.is_empty(),
            complaints: pin.complaints.clone(),
        })
        .collect();
    let ok = breaches.is_empty() && pins.iter().all(|pin| pin.ok);
    let not_run = absent.to_vec();
    Report { ok, breaches, pins, not_run, campaign: hunt::report::campaign(ran, order, false) }
}

impl Breach<'_> {
    /// In one sentence.
    pub(super) fn text(&self) -> String {
        let scenario = &self.cell.setup.scenario.name;
        match self.place {
            Place::Store(store) => format!("{scenario} / {store}: {}", self.problem),
            Place::Scenario | Place::Moment(_) => format!("{scenario}: {}", self.problem),
        }
    }
}

/// What is not as the scenarios say.
pub(super) fn breaches(ran: &Ran) -> Vec<Breach<'_>> {
    let mut all = Vec::new();
    for cells in ran.cells.chunk_by(|a, b| a.setup.scenario.name == b.setup.scenario.name) {
        let cell = &cells[0];
        if cell.setup.scenario.expect.is_empty() {
            let problem = format!(
                "it has no `[expect]`; say there what each store shows, as in `{} = []`",
                cell.setup.store.name
            );
            all.push(Breach { cell, place: Place::Scenario, shown: None, problem });
        } else {
            for cell in cells {
                surprises(cell, &mut all);
            }
        }
    }
    for (scenario, moment, runs) in ran.moments() {
        let mut cells = ran.cells.iter();
        let cell = cells.find(|cell| Arc::ptr_eq(&cell.setup.scenario, &scenario));
        if let (Some(cell), 0) = (cell, runs) {
            let problem = format!("the moment {} never occurred", moment.name());
            all.push(Breach { cell, place: Place::Moment(moment), shown: None, problem });
        }
    }
    all
}

/// Where one cell differs from what its scenario says.
fn surprises<'a>(cell: &'a Cell, all: &mut Vec<Breach<'a>>) {
    let place = Place::Store(cell.setup.store.name);
    let why = match cell.expected() {
        Some(_) => "which is not expected",
        None => "and the scenario does not say what this store shows",
    };
    for kind in cell.unexpected() {
        let first = cell.campaign.found[&kind].first;
        let problem = format!("shows {}, {why} (seed {first})", kind.name());
        all.push(Breach { cell, place, shown: Some(kind), problem });
    }
    for kind in cell.missing() {
        let problem = format!("{} never showed in {} seeds", kind.name(), cell.campaign.seeds);
        all.push(Breach { cell, place, shown: None, problem });
    }
}

fn human(
    ran: &Ran,
    (pins, absent): (&[(String, String, Replayed)], &[Absent]),
    screen: &Screen,
) -> String {
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
        let told = screen.wrap(&told.join(", "), &" ".repeat(40));
        let _ = writeln!(text, "{mark} {:34} {}", scenario.name, told.trim_start());
    }
    for (file, _, pin) in pins {
        let fine = pin.complaints.is_empty();
        let mark = if fine { screen.paint(GOOD, "ok  ") } else { screen.paint(BAD, "FAIL") };
        let _ = writeln!(text, "{mark} {file}");
        for complaint in &pin.complaints {
            let _ = writeln!(text, "{}", screen.wrap(complaint, "       "));
        }
    }
    let breaches = breaches(ran);
    for breach in &breaches {
        let _ = writeln!(text, "{}", screen.wrap(&breach.text(), "  "));
    }
    if let Some(told) = absent::told(absent) {
        let _ = writeln!(text, "{}", screen.wrap(&told, "  "));
    }
    let runs: u64 = ran.cells.iter().map(|cell| cell.campaign.seeds).sum();
    let failed =
        breaches.len() + pins.iter().filter(|(_, _, pin)| !pin.complaints.is_empty()).count();
    let cells = ran.cells.len();
    let total = format!(
        "{} runs in {cells} cells, {} pinned plans: {failed} not as expected",
        hunt::grouped(runs),
        pins.len()
    );
    let _ = writeln!(text, "{}", screen.paint(HEAD, &total));
    text
}
