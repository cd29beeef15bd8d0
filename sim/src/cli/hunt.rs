//! Level 6. `sim hunt`: random search, and the shortest story of what was found; what other stories
//! there are, which faults lead to it, and from when on it was likely.

pub(super) mod report;

use super::Exit;
use super::args::{Format, Hunt};
use super::bad::{self, Bad};
use super::campaign::{self, Cell, Order, Ran};
use super::screen::{BAD, DIM, GOOD, HEAD, Screen};
use super::story::{Origin, tell};
use super::{influence, likelihood};
use crate::run::Runner;
use crate::search::hunt::KEPT;
use crate::search::shrink::Found;
use crate::search::stories::{Stories, Story};
use onestroke_store::Entry;
use serde::Serialize;
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
    let scenarios: Vec<_> =
        scenarios.iter().map(|name| bad::scenario(name)).collect::<Result<_, _>>()?;
    let order = Order {
        backend: bad::backend_for(&hunt.backend, &scenarios)?,
        scenarios,
        stores: chosen,
        named,
        seeds: hunt.seeds.clone(),
        threads: campaign::threads(hunt.threads),
        time: hunt.time,
        shrink: KEPT,
    };
    let ran = campaign::run(&order)?;
    if hunt.pin {
        pin(&ran)?;
    } else if let Some(folder) = &hunt.save_plans {
        save_plans(&ran, folder)?;
    }
    match screen.format {
        Format::Human => screen.print(&human(&ran, (named, hunt.likelihood), screen)),
        Format::Json => screen.print(&pretty(&report::campaign(&ran, &order, hunt.likelihood))),
        Format::Jsonl => {
            for cell in report::campaign(&ran, &order, hunt.likelihood).cells {
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

fn human(ran: &Ran, (named, likely): (bool, bool), screen: &Screen) -> String {
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
    if let Some((cell, stories)) = shortest(ran, named) {
        let heading =
            if named { "The shortest story of them:" } else { "The shortest story of them all:" };
        let _ = writeln!(text, "\n{}\n", screen.paint(HEAD, heading));
        text += &told(cell, stories, likely, screen);
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

/// What is told in full: of what nobody expected, if there is any and no store was named.
fn shortest(ran: &Ran, named: bool) -> Option<(&Cell, &Stories)> {
    let surprise = !named && ran.cells.iter().any(|cell| !cell.unexpected().is_empty());
    let all = ran.cells.iter().flat_map(|cell| cell.found.iter().map(move |one| (cell, one)));
    all.filter(|(cell, stories)| !surprise || cell.unexpected().contains(&stories.kind))
        .min_by_key(|(_, stories)| stories.shortest().found.weight())
}

/// The shortest story in full, and what is known about it.
fn told(cell: &Cell, stories: &Stories, likely: bool, screen: &Screen) -> String {
    let mut runner = Runner::new(&cell.setup);
    let Story { seed, found, .. } = stories.shortest();
    let mut text = tell(&mut runner, found, &Origin::Seed(*seed), screen);
    text += &others(cell, stories, screen);
    text += &influence::human(cell, stories.kind, screen);
    if likely {
        text += &likelihood::human(&mut runner, *seed, &found.finding, screen);
    }
    text
}

/// The other stories of the same kind, one plan each.
fn others(cell: &Cell, stories: &Stories, screen: &Screen) -> String {
    const SHOWN: usize = 6;
    let all = cell.campaign.found.get(&stories.kind).map_or(0, |tally| tally.seeds);
    let runs = if all == stories.shrunk {
        format!("{} runs with {}", grouped(all), stories.kind.name())
    } else {
        format!(
            "the first {} of {} runs with {}",
            stories.shrunk,
            grouped(all),
            stories.kind.name()
        )
    };
    let (told, others) = stories.all.split_first().expect("there is one at least");
    let mut text = match (others.len(), all) {
        _ if stories.shrunk < 2 => return String::new(),
        (0, _) => format!("One story in {runs}."),
        (others, _) => format!(
            "{} distinct stories in {runs}; {} {} the one above. The others:",
            others + 1,
            told.seeds,
            if told.seeds == 1 { "is" } else { "are" }
        ),
    };
    text = format!("\n{}\n", screen.paint(HEAD, &screen.wrap(&text, "")));
    let runner = Runner::new(&cell.setup);
    for Story { seed, seeds, found } in others.iter().take(SHOWN) {
        let mut plan = found.plan.lines(runner.names()).join("; ");
        if found.plan.workload.is_some() {
            plan += if plan.is_empty() { "its timing alone" } else { "; and its timing" };
        }
        let count = format!("  {seeds:>3} (seed {seed})");
        let plan = screen.wrap(&plan, &" ".repeat(18));
        let _ = writeln!(text, "{count:<17} {}", plan.trim_start());
    }
    if others.len() > SHOWN {
        let more = format!("  and {} more, which `--format json` shows", others.len() - SHOWN);
        let _ = writeln!(text, "{}", screen.paint(DIM, &more));
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
        for found in cell.found.iter().map(|stories| &stories.shortest().found) {
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

/// A report, indented.
pub(super) fn pretty(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("a report has only plain keys") + "\n"
}

/// A report on one line.
pub(super) fn to_line(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("a report has only plain keys")
}
