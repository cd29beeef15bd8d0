//! Level 6. `sim exhaust`: how many faults does a store survive, wherever they fall?

use super::Exit;
use super::args::{Exhaust, Format, VERSION};
use super::bad::{self, Bad};
use super::campaign;
use super::hunt::{grouped, pretty};
use super::screen::{BAD, DIM, GOOD, HEAD, Screen};
use super::story::{Origin, tell};
use crate::check::Finding;
use crate::choice::Fault;
use crate::plan::{Plan, Size, strike_line};
use crate::report::json::{SCHEMA, Tool};
use crate::run::{Blind, Runner, Setup};
use crate::search::exhaust::{Depth, Exhausted, Minimal, Search};
use crate::search::shrink::Found;
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

mod resume;

/// How many minimal findings are listed for a store; the rest is counted.
const LISTED: usize = 6;

/// One store, and what came of it.
struct Searched {
    setup: Setup,
    result: Exhausted,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Exhaust, screen: &Screen) -> Result<Exit, Bad> {
    let named = !args.stores.is_empty();
    let scenario = bad::scenario(&args.scenario)?;
    let chosen: Vec<Entry> = if named {
        let by_name = |name: &String| bad::store(stores, name).cloned();
        args.stores.iter().map(by_name).collect::<Result<_, _>>()?
    } else {
        scenario.cast(stores).cloned().collect()
    };
    let depth = Depth {
        faults: usize::from(args.faults),
        overtakings: usize::from(args.overtakings),
        runs_most: args.runs.unwrap_or(u64::MAX),
        prune: !args.no_prune,
        ..Depth::of(0)
    };
    let threads = campaign::threads(args.threads);
    let backend = bad::backend_for(&args.backend, [&scenario])?;
    let setup =
        |store: &Entry| Setup { scenario: Arc::clone(&scenario), store: store.clone(), backend };
    let setups: Vec<Setup> = chosen.iter().map(setup).collect();
    let mut searches = resume::read(args.resume.as_deref(), &setups, depth)?;
    let stopped = campaign::stoppable(args.time, |control| {
        for (setup, search) in setups.iter().zip(&mut searches) {
            search.go_on(setup, threads, control, &|_, _| {});
        }
    });
    if let Some(path) = &args.resume {
        resume::write(path, &setups, &searches)?;
    }
    let searched = |(setup, search): (Setup, Search)| {
        let result = search.result();
        Searched { setup, result }
    };
    let all: Vec<Searched> = setups.into_iter().zip(searches).map(searched).collect();
    match screen.format {
        Format::Human => screen.print(&human(&all, (depth, named), screen)),
        Format::Json => screen.print(&pretty(&report(&all, depth))),
        Format::Jsonl => {
            for store in report(&all, depth).stores {
                let line = serde_json::to_string(&store).expect("a report has only plain keys");
                screen.print(&(line + "\n"));
            }
        }
    }
    let caught = |searched: &Searched| {
        let expected = searched.setup.scenario.expect.get(searched.setup.store.name);
        let unexpected = |minimal: &Minimal| {
            named || !expected.is_some_and(|kinds| kinds.contains(&minimal.kind))
        };
        searched.result.minimal.iter().any(unexpected)
    };
    Ok(match (stopped, all.iter().any(caught)) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Found,
        _ => Exit::Fine,
    })
}

fn human(all: &[Searched], (depth, named): (Depth, bool), screen: &Screen) -> String {
    let mut text = String::new();
    let scenario = all.first().map_or("", |searched| &searched.setup.scenario.name);
    let head = format!(
        "{scenario}: every placement of at most {} and {}, fewest first",
        plural(depth.faults, "fault"),
        plural(depth.overtakings, "overtaking")
    );
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &head));
    let widest = all.iter().map(|one| one.setup.store.name.len()).max().unwrap_or(0);
    for searched in all {
        let name = searched.setup.store.name;
        let _ = writeln!(text, "  {name:widest$}  {}", line(&searched.result, depth, screen));
    }
    let shortest = all.iter().filter(|one| !one.result.minimal.is_empty());
    let shortest = shortest.min_by_key(|one| {
        one.result.minimal.first().map(|minimal| (minimal.kind, minimal.strikes.len()))
    });
    if let Some(searched) = shortest {
        text += &minimal(searched, named, screen);
    }
    text
}

/// One store in one line.
fn line(result: &Exhausted, depth: Depth, screen: &Screen) -> String {
    let runs = grouped(result.runs());
    let done = match (result.blind, result.worlds()) {
        (Some(Blind::Engine), _) => format!("{runs} runs; the engine does not show its worlds"),
        (Some(Blind::Store), _) => {
            format!("{runs} runs; the store has fields, and may hide worlds")
        }
        (Some(Blind::Clocks), _) => {
            format!("{runs} runs; clocks drift, and no two moments have the same future")
        }
        (None, 0) => format!("{runs} runs"),
        (None, worlds) => format!("{runs} runs, {} worlds", grouped(worlds)),
    };
    let incomplete = result.levels.last().is_some_and(|level| !level.complete);
    let cut = if incomplete { "; the last level was cut short" } else { "" };
    let survived = verdict(result, depth, screen);
    format!("{survived}  {}", screen.paint(DIM, &format!("({done}{cut})")))
}

/// What a store survives.
pub(super) fn verdict(result: &Exhausted, depth: Depth, screen: &Screen) -> String {
    match result.survives() {
        None => screen.paint(BAD, "fails in calm weather"),
        Some(faults) if result.minimal.is_empty() => {
            screen.paint(GOOD, &format!("survives {}", counted(faults, depth)))
        }
        Some(faults) => {
            let kinds: std::collections::BTreeSet<&str> =
                result.minimal.iter().map(|minimal| minimal.kind.name()).collect();
            let kinds: Vec<&str> = kinds.into_iter().collect();
            let shortest = faults + 1;
            let without = |minimal: &Minimal| {
                !minimal.strikes.iter().any(|strike| matches!(strike.fault, Fault::Hold(_)))
            };
            let to = match (shortest, result.minimal.iter().any(without)) {
                (_, true) => plural(shortest, "fault"),
                (1, false) => plural(1, "overtaking"),
                (_, false) => format!("{shortest}, an overtaking among them"),
            };
            let falls = match faults {
                0 => format!("falls to {to}"),
                _ => format!("survives {}, falls to {to}", counted(faults, depth)),
            };
            format!("{falls}: {}", screen.paint(BAD, &kinds.join(", ")))
        }
    }
}

/// What was survived, in every placement: so many strikes, within the depth. It must not say more than
/// was tried: an overtaking is no other fault.
fn counted(strikes: usize, depth: Depth) -> String {
    let (faults, overtakings) = (strikes.min(depth.faults), strikes.min(depth.overtakings));
    let overtakings = plural(overtakings, "overtaking");
    match strikes {
        0 => "calm weather".to_owned(),
        _ if depth.overtakings == 0 => format!("any {}", plural(faults, "fault")),
        _ if depth.faults == 0 => format!("any {overtakings}"),
        all if all == depth.faults + depth.overtakings => {
            format!("any {} and {overtakings}", plural(faults, "fault"))
        }
        all => format!("any {all} of at most {} and {overtakings}", plural(faults, "fault")),
    }
}

pub(super) fn plural(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The minimal findings of one store: the first as a story, the others as plans.
fn minimal(searched: &Searched, named: bool, screen: &Screen) -> String {
    let mut text = String::new();
    let mut runner = Runner::new(&searched.setup);
    let all = &searched.result.minimal;
    let heading = if named { "The first of them:" } else { "The shortest story of them:" };
    let _ = writeln!(text, "\n{}\n", screen.paint(HEAD, heading));
    if let Some(found) = found(&mut runner, searched, &all[0]) {
        text += &tell(&mut runner, &found, &Origin::Listed, screen);
    }
    let head = format!("All {} of this length ({}):", all.len(), searched.setup.store.name);
    let _ = writeln!(text, "\n{}", screen.paint(HEAD, &head));
    for minimal in all.iter().take(LISTED) {
        let lines: Vec<String> =
            minimal.strikes.iter().map(|strike| strike_line(*strike, runner.names())).collect();
        let told = if lines.is_empty() { "no fault at all".to_owned() } else { lines.join(" + ") };
        let told = format!("{}: {told}", minimal.kind.name());
        let _ = writeln!(text, "{}", screen.wrap(&told, "  "));
    }
    if all.len() > LISTED {
        let _ = writeln!(text, "  and {} more (--format json lists all)", all.len() - LISTED);
    }
    text
}

fn found(runner: &mut Runner, searched: &Searched, minimal: &Minimal) -> Option<Found> {
    let plan = Plan {
        scenario: searched.setup.scenario.name.clone(),
        store: searched.setup.store.name.to_owned(),
        backend: searched.setup.backend.name().to_owned(),
        expect: Some(minimal.kind),
        strikes: minimal.strikes.clone(),
        workload: None,
        size: Size::FULL,
        variations: vec![],
        hash: None,
    };
    let outcome = runner.replay(&plan, crate::run::Keep::default());
    let same = |finding: &&Finding| finding.kind == minimal.kind;
    let (finding, hash) = (*outcome.findings.iter().find(same)?, outcome.hash);
    let struck = plan.strikes.len();
    Some(Found { finding, struck, minimal: true, plan, hash, labels: vec![] })
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    tool: Tool,
    faults: usize,
    overtakings: usize,
    stores: Vec<StoreReport>,
}

#[derive(Serialize)]
struct StoreReport {
    scenario: String,
    store: String,
    backend: String,
    /// How many faults it survives in every placement; null when not even calm weather.
    survives: Option<usize>,
    levels: Vec<LevelReport>,
    minimal: Vec<MinimalReport>,
}

#[derive(Serialize)]
struct LevelReport {
    strikes: usize,
    runs: u64,
    met: u64,
    worlds: u64,
    complete: bool,
}

#[derive(Serialize)]
struct MinimalReport {
    kind: String,
    plan: Vec<String>,
}

fn report(all: &[Searched], depth: Depth) -> Report {
    let store = |searched: &Searched| {
        let runner = Runner::new(&searched.setup);
        let names = runner.names();
        let minimal = searched.result.minimal.iter().map(|minimal| MinimalReport {
            kind: minimal.kind.name().to_owned(),
            plan: minimal.strikes.iter().map(|strike| strike_line(*strike, names)).collect(),
        });
        let levels = searched.result.levels.iter().map(|level| LevelReport {
            strikes: level.strikes,
            runs: level.runs,
            met: level.met,
            worlds: level.worlds,
            complete: level.complete,
        });
        StoreReport {
            scenario: searched.setup.scenario.name.clone(),
            store: searched.setup.store.name.to_owned(),
            backend: searched.setup.backend.name().to_owned(),
            survives: searched.result.survives(),
            levels: levels.collect(),
            minimal: minimal.collect(),
        }
    };
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        faults: depth.faults,
        overtakings: depth.overtakings,
        stores: all.iter().map(store).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_claimed_than_was_tried() {
        let said = |strikes, faults, overtakings| {
            counted(strikes, Depth { overtakings, ..Depth::of(faults) })
        };
        assert_eq!(said(0, 3, 1), "calm weather");
        assert_eq!(said(1, 3, 0), "any 1 fault");
        assert_eq!(said(3, 3, 0), "any 3 faults");
        assert_eq!(said(3, 2, 1), "any 2 faults and 1 overtaking");
        assert_eq!(said(2, 2, 1), "any 2 of at most 2 faults and 1 overtaking");
        assert_eq!(said(1, 0, 2), "any 1 overtaking");
    }
}
