//! Level 6. `sim hunt`: random search, and the story of what was found first.

use super::Exit;
use super::args::{Format, Hunt, VERSION};
use super::bad::{self, Bad};
use super::campaign::{self, Cell, Order, Ran};
use super::screen::{BAD, DIM, GOOD, HEAD, Screen};
use super::story::{Origin, arguments, tell};
use crate::report::explain::explain;
use crate::report::json::{FindingReport, SCHEMA, Tool, hex};
use crate::run::{Keep, Runner};
use crate::search::shrink::Found;
use onestroke_store::Entry;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The scenario of a hunt that names none.
const DEFAULT_SCENARIO: &str = "rainy-night";

/// Where the suite's plans lie in a clone.
const PINNED: &str = "scenarios/pinned";

/// Runs the command.
pub(super) fn run(stores: &[Entry], hunt: &Hunt, screen: &Screen) -> Result<Exit, Bad> {
    let named = !hunt.stores.is_empty();
    let chosen = if named {
        let by_name = |name: &String| bad::store(stores, name).cloned();
        hunt.stores.iter().map(by_name).collect::<Result<_, _>>()?
    } else {
        stores.to_vec()
    };
    let scenarios = if hunt.scenarios.is_empty() {
        vec![DEFAULT_SCENARIO.to_owned()]
    } else {
        hunt.scenarios.clone()
    };
    let order = Order {
        scenarios: scenarios.iter().map(|name| bad::scenario(name)).collect::<Result<_, _>>()?,
        stores: chosen,
        backend: bad::backend(&hunt.backend)?,
        seeds: hunt.seeds.clone(),
        threads: campaign::threads(hunt.threads),
        time: hunt.time,
        shrink: true,
    };
    let ran = campaign::run(&order)?;
    if hunt.pin {
        pin(&ran)?;
    } else if let Some(folder) = &hunt.save_plans {
        save_plans(&ran, folder)?;
    }
    match screen.format {
        Format::Human => screen.print(&human(&ran, named, screen)),
        Format::Json => screen.print(&pretty(&report(&ran, &order))),
        Format::Jsonl => {
            for cell in report(&ran, &order).cells {
                screen.print(&(to_line(&cell) + "\n"));
            }
        }
    }
    Ok(exit(&ran, named))
}

/// How a campaign ends. A store named on the command line exits 1 when it is caught: that is what its
/// user wants to know.
fn exit(ran: &Ran, named: bool) -> Exit {
    if ran.interrupted {
        return Exit::Interrupted;
    }
    let cut_short = ran.out_of_time;
    let guilty = |cell: &Cell| {
        let caught = if named { !cell.campaign.found.is_empty() } else { false };
        caught
            || !cell.unexpected().is_empty()
            || (!cut_short && !named && !cell.missing().is_empty())
    };
    let silent = !cut_short && is_silent(ran, named);
    if ran.cells.iter().any(guilty) || silent { Exit::Found } else { Exit::Fine }
}

/// Whether the runs say nothing: a moment that the scenario demands never occurred. One store alone
/// need not come by all of them, but by one at least.
fn is_silent(ran: &Ran, named: bool) -> bool {
    let moments = ran.moments();
    let mut scenarios = moments.chunk_by(|a, b| a.0.name == b.0.name);
    scenarios.any(|moments| {
        let mut silent = moments.iter().map(|(_, _, runs)| *runs == 0);
        if named { silent.all(|silent| silent) } else { silent.any(|silent| silent) }
    })
}

fn human(ran: &Ran, named: bool, screen: &Screen) -> String {
    let mut text = String::new();
    let mut scenario = "";
    let widest = ran.cells.iter().map(|cell| cell.setup.store.name.len()).max().unwrap_or(0);
    for cell in &ran.cells {
        if cell.setup.scenario.name != scenario {
            scenario = &cell.setup.scenario.name;
            let head = format!("{scenario}, {} seeds each", grouped(cell.campaign.seeds));
            let _ = writeln!(text, "{}", screen.paint(HEAD, &head));
        }
        let _ = writeln!(text, "  {:widest$}  {}", cell.setup.store.name, line(cell, screen));
    }
    text += &exercised(ran, screen);
    let first = ran.cells.iter().flat_map(|cell| cell.found.iter().map(move |found| (cell, found)));
    let shortest = first
        .filter(|(cell, (_, found))| {
            named
                || !ran.cells.iter().any(|cell| !cell.unexpected().is_empty())
                || cell.unexpected().contains(&found.finding.kind)
        })
        .min_by_key(|(_, (_, found))| found.weight());
    if let Some((cell, (seed, found))) = shortest {
        let heading =
            if named { "The first finding, made short:" } else { "The shortest story of them:" };
        let _ = writeln!(text, "\n{}\n", screen.paint(HEAD, heading));
        let mut runner = Runner::new(&cell.setup);
        text += &tell(&mut runner, found, &Origin::Seed(*seed), screen);
    }
    if ran.interrupted {
        let _ =
            writeln!(text, "\n{}", screen.paint(BAD, "interrupted: this is what was found so far"));
    } else if ran.out_of_time {
        let _ =
            writeln!(text, "\n{}", screen.paint(DIM, "the time was up before all seeds were run"));
    }
    text
}

/// One cell in one line.
pub(super) fn line(cell: &Cell, screen: &Screen) -> String {
    let mut parts = Vec::new();
    for (kind, tally) in &cell.campaign.found {
        let count =
            format!("{} {} (first seed {})", kind.name(), grouped(tally.seeds), tally.first);
        let expected = cell.expected().is_none_or(|all| all.contains(kind));
        parts.push(if expected {
            screen.paint(BAD, &count)
        } else {
            format!("{} not expected", screen.paint(BAD, &count))
        });
    }
    for kind in cell.missing() {
        parts.push(screen.paint(DIM, &format!("{} expected, not shown", kind.name())));
    }
    if parts.is_empty() { screen.paint(GOOD, "nothing found") } else { parts.join(", ") }
}

/// What the runs exercised: no silent pass.
fn exercised(ran: &Ran, screen: &Screen) -> String {
    let mut text = String::new();
    for (scenario, moment, runs) in ran.moments() {
        if runs == 0 {
            let complaint = format!(
                "{}: the moment {} never occurred, so these runs say nothing about it: they were too \
                 few, or no store here comes by there",
                scenario.name,
                moment.name()
            );
            let _ = writeln!(text, "{}", screen.paint(BAD, &screen.wrap(&complaint, "")));
        }
    }
    let mut totals = crate::moments::MomentTotals::default();
    for cell in &ran.cells {
        totals.add(&cell.campaign.moments);
    }
    let told: Vec<String> = totals
        .runs
        .iter()
        .filter(|(_, runs)| *runs > 0)
        .map(|(moment, runs)| format!("{} {}", moment.name(), grouped(runs)))
        .collect();
    if !told.is_empty() {
        let told = format!("Runs that passed through: {}.", told.join(", "));
        let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(&told, "")));
    }
    text
}

/// A number in groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// Lays the plans where the suite finds them.
fn pin(ran: &Ran) -> Result<(), Bad> {
    let folder = Path::new(PINNED);
    if folder.is_dir() {
        return save_plans(ran, folder);
    }
    Err(Bad::usage(format!(
        "there is no folder `{PINNED}` here: run this in a clone of onestroke, or keep plans in a folder \
         of your own (`--save-plans DIR`, then `sim suite DIR`)"
    )))
}

fn save_plans(ran: &Ran, folder: &Path) -> Result<(), Bad> {
    std::fs::create_dir_all(folder).map_err(Bad::file(folder))?;
    for cell in &ran.cells {
        let runner = Runner::new(&cell.setup);
        for (_, found) in &cell.found {
            let path = folder.join(plan_name(found));
            let text = found.plan.write(runner.names());
            std::fs::write(&path, text).map_err(Bad::file(&path))?;
        }
    }
    Ok(())
}

/// The file name of a finding's plan.
pub(super) fn plan_name(found: &Found) -> String {
    let scenario = Path::new(&found.plan.scenario).file_stem().unwrap_or_default();
    let kind = found.finding.kind.name();
    format!("{}--{}--{kind}.plan", scenario.to_string_lossy(), found.plan.store)
}

/// A campaign for machines.
#[derive(Serialize)]
pub(super) struct CampaignReport {
    schema: u32,
    tool: Tool,
    first_seed: u64,
    complete: bool,
    pub(super) cells: Vec<CellReport>,
}

/// A cell for machines.
#[derive(Serialize)]
pub(super) struct CellReport {
    scenario: String,
    store: String,
    backend: String,
    seeds: u64,
    events: u64,
    digest: String,
    expected: Option<Vec<String>>,
    found: Vec<FoundReport>,
    /// By moment: in how many runs it occurred.
    moments: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct FoundReport {
    seeds: u64,
    first_seed: u64,
    arguments: String,
    plan_hash: String,
    #[serde(flatten)]
    finding: FindingReport,
}

/// The whole campaign for machines.
pub(super) fn report(ran: &Ran, order: &Order) -> CampaignReport {
    CampaignReport {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        first_seed: order.seeds.start,
        complete: !ran.interrupted && !ran.out_of_time,
        cells: ran.cells.iter().map(cell_report).collect(),
    }
}

fn cell_report(cell: &Cell) -> CellReport {
    let mut runner = Runner::new(&cell.setup);
    let names = |kinds: &[onestroke_scenarios::FindingKind]| {
        kinds.iter().map(|kind| kind.name().to_owned()).collect()
    };
    let mut found = Vec::new();
    for (seed, one) in &cell.found {
        runner.replay(&one.plan, Keep { details: true, variations: false });
        let told = explain(runner.trace(), &one.finding, runner.names());
        let plan = one.plan.body(runner.names());
        found.push(FoundReport {
            seeds: cell.campaign.found.get(&one.finding.kind).map_or(0, |tally| tally.seeds),
            first_seed: *seed,
            arguments: arguments(&one.plan, &Origin::Seed(*seed)),
            plan_hash: hex(one.hash),
            finding: FindingReport::new(&one.finding, told, plan)
                .labelled(&one.labels, runner.names()),
        });
    }
    let moments = cell.campaign.moments.runs.iter();
    CellReport {
        scenario: cell.setup.scenario.name.clone(),
        store: cell.setup.store.name.to_owned(),
        backend: cell.setup.backend.name().to_owned(),
        seeds: cell.campaign.seeds,
        events: cell.campaign.events,
        digest: hex(cell.campaign.digest),
        expected: cell.expected().map(names),
        found,
        moments: moments.map(|(moment, runs)| (moment.name().to_owned(), runs)).collect(),
    }
}

/// A report, indented.
pub(super) fn pretty(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("a report has only plain keys") + "\n"
}

fn to_line(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has only plain keys")
}
