//! Level 6. `sim compare`: which store shows what, in which scenario; and what each of them costs.
//!
//! It tells what was run, and recommends nothing.

mod costs;
mod matrix;
mod report;

use super::Exit;
use super::args::{Compare, Format};
use super::bad::{self, Bad};
use super::campaign::{self, Order, Ran};
use super::exhaust;
use super::hunt::{grouped, pretty, to_line};
use super::screen::{BAD, DIM, HEAD, Screen, program};
use super::story::quoted;
use crate::run::{Backend, Setup};
use crate::search::cost::{Cost, cost, in_calm};
use crate::search::exhaust::{Depth, Exhausted, Search};
use crate::search::hunt::Control;
use onestroke_scenarios::Scenario;
use onestroke_store::Entry;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The scenario whose costs are told, where it is among those that a family plays in.
const COSTS: &str = "rainy-night";

/// The scenario in which faults are placed everywhere.
const SMALL: &str = "two-attempts";

/// How many overtakings are placed there.
const OVERTAKINGS: usize = 1;

/// All that was run.
struct Compared {
    ran: Ran,
    seeds: u64,
    costs: Vec<FamilyCosts>,
    depth: Depth,
    survived: Vec<(Setup, Exhausted)>,
}

/// What the stores of a family cost, in one scenario.
struct FamilyCosts {
    family: &'static str,
    scenario: Arc<Scenario>,
    stores: Vec<Costs>,
    /// Stores of the family that play in others, and not in that one.
    absent: Vec<&'static str>,
}

/// What one store costs.
struct Costs {
    store: &'static str,
    weather: Cost,
    calm: Cost,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Compare, screen: &Screen) -> Result<Exit, Bad> {
    let compared = all(stores, args)?;
    match screen.format {
        Format::Human if args.markdown => screen.print(&markdown(&compared)),
        Format::Human => screen.print(&human(&compared, screen)),
        Format::Json => screen.print(&pretty(&report::report(&compared))),
        Format::Jsonl => screen.print(&(to_line(&report::report(&compared)) + "\n")),
    }
    Ok(match (compared.ran.interrupted, !unexpected(&compared.ran).is_empty()) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Found,
        _ => Exit::Fine,
    })
}

fn all(stores: &[Entry], args: &Compare) -> Result<Compared, Bad> {
    let named = !args.stores.is_empty();
    let by_name = |name: &String| bad::store(stores, name).cloned();
    let chosen: Vec<Entry> = if named {
        args.stores.iter().map(by_name).collect::<Result<_, _>>()?
    } else {
        stores.to_vec()
    };
    let scenarios: Vec<Arc<Scenario>> = if args.scenarios.is_empty() {
        onestroke_scenarios::catalogue().into_iter().map(Arc::new).collect()
    } else {
        args.scenarios.iter().map(|name| bad::scenario(name)).collect::<Result<_, _>>()?
    };
    let small = bad::scenario(SMALL)?;
    let threads = campaign::threads(args.threads);
    let order = Order {
        scenarios,
        stores: chosen,
        named,
        backend: Backend::Memory,
        seeds: 0..args.seeds,
        threads,
        time: None,
        shrink: 0,
    };
    let (mut costs, mut survived) = (Vec::new(), Vec::new());
    let depth = Depth { overtakings: OVERTAKINGS, ..Depth::of(usize::from(args.faults)) };
    let ran = campaign::run_and(&order, |control| {
        for family in families(&order.stores) {
            costs.extend(of_family(&order, family, control));
        }
        for store in order.cast(&small) {
            if control.stop.load(Ordering::Relaxed) {
                break;
            }
            let (scenario, store) = (Arc::clone(&small), store.clone());
            let setup = Setup { scenario, store, backend: Backend::Memory };
            let mut search = Search::new(&setup, depth);
            search.go_on(&setup, threads, control, &|_, _| {});
            survived.push((setup, search.result()));
        }
    })?;
    Ok(Compared { ran, seeds: args.seeds, costs, depth, survived })
}

/// The families of these stores, in their order.
fn families(stores: &[Entry]) -> Vec<&'static str> {
    let mut families = Vec::new();
    for store in stores {
        if !families.contains(&store.family) {
            families.push(store.family);
        }
    }
    families
}

/// The stores of a family that run in a scenario.
fn members<'a>(order: &'a Order, scenario: &'a Scenario, family: &str) -> Vec<&'a Entry> {
    let mut cast = order.cast(scenario);
    cast.retain(|store| store.family == family);
    cast
}

/// What the stores of a family cost: on a rainy night, or else in the last of the scenarios in which
/// most of them play. Nothing when they play in none, or when there is no time.
fn of_family(order: &Order, family: &'static str, control: &Control) -> Option<FamilyCosts> {
    let many = |scenario: &Scenario| members(order, scenario, family).len();
    let playing = order.scenarios.iter().filter(|scenario| many(scenario) > 0);
    let rainy = playing.clone().find(|scenario| scenario.name == COSTS);
    let scenario = rainy.or_else(|| playing.max_by_key(|scenario| many(scenario)))?;
    let mut stores = Vec::new();
    for store in members(order, scenario, family) {
        let (scenario, entry) = (Arc::clone(scenario), store.clone());
        let setup = Setup { scenario, store: entry, backend: Backend::Memory };
        let run = |setup: &Setup| cost(setup, order.seeds.clone(), order.threads, control);
        let (weather, calm) = (run(&setup), run(&in_calm(&setup)));
        if control.stop.load(Ordering::Relaxed) {
            return None;
        }
        stores.push(Costs { store: store.name, weather, calm });
    }
    let mut absent: Vec<&str> =
        order.stores.iter().filter(|one| one.family == family).map(|one| one.name).collect();
    let plays = |name: &str| {
        let mut scenarios = order.scenarios.iter();
        scenarios.any(|one| members(order, one, family).iter().any(|store| store.name == name))
    };
    absent.retain(|name| plays(name) && stores.iter().all(|costs| costs.store != *name));
    Some(FamilyCosts { family, scenario: Arc::clone(scenario), stores, absent })
}

fn human(compared: &Compared, screen: &Screen) -> String {
    let Compared { ran, seeds, .. } = compared;
    let mut text = String::new();
    let runs: u64 = ran.cells.iter().map(|cell| cell.campaign.seeds).sum();
    let head = format!(
        "What each store shows: {} seeds of each scenario, {} runs",
        grouped(*seeds),
        grouped(runs)
    );
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &head));
    let matrix = matrix::Matrix::new(ran);
    text += &matrix.human(screen);
    let _ = writeln!(text, "{}\n", screen.wrap(&matrix.legend(*seeds), ""));
    text += &costs::human(compared, screen);
    text += &survived(compared, screen);
    for line in unexpected(ran) {
        let _ = writeln!(text, "\n{}", screen.paint(BAD, &screen.wrap(&line, "")));
    }
    if ran.interrupted {
        let told = "interrupted: this is what was run so far, and the numbers are of fewer runs";
        let _ = writeln!(text, "\n{}", screen.paint(BAD, told));
    }
    text
}

/// What a store shows, though the scenario says that it does not.
fn unexpected(ran: &Ran) -> Vec<String> {
    let mut lines = Vec::new();
    for cell in ran.cells.iter().filter(|cell| cell.expected().is_some()) {
        for kind in cell.unexpected() {
            let (scenario, store) = (&cell.setup.scenario.name, cell.setup.store.name);
            let first = cell.campaign.found[&kind].first;
            let kind = kind.name();
            lines.push(format!(
                "not expected: {kind} of {store} in {scenario}; see it: {} --seed {first} --scenario {} \
                 --store {store}",
                program(),
                quoted(scenario)
            ));
        }
    }
    lines
}

/// How far the search went that places faults everywhere.
fn bound(depth: Depth) -> String {
    format!(
        "every placement of at most {} and {} in {SMALL}",
        exhaust::plural(depth.faults, "fault"),
        exhaust::plural(depth.overtakings, "overtaking")
    )
}

fn survived(compared: &Compared, screen: &Screen) -> String {
    let mut text = String::new();
    if compared.survived.is_empty() {
        return text;
    }
    let head = format!("How many faults, wherever they fall: {}", bound(compared.depth));
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &screen.wrap(&head, "")));
    let names = compared.survived.iter().map(|(setup, _)| setup.store.name.len());
    let widest = names.max().unwrap_or(0);
    for (setup, result) in &compared.survived {
        let plain = exhaust::verdict(result, compared.depth, &Screen::plain());
        let told = exhaust::verdict(result, compared.depth, screen);
        let head = format!("{:widest$}  {:>6} runs", setup.store.name, grouped(result.runs()));
        let fits = head.len() + 2 + plain.len() <= screen.width;
        let between = if fits { "  " } else { "\n    " };
        let _ = writeln!(text, "{head}{between}{told}");
    }
    let remark = "It is true of what was tried: the scenario's magnitudes, the least latencies, the \
                  servers in turn.";
    let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(remark, "")));
    text
}

fn markdown(compared: &Compared) -> String {
    let matrix = matrix::Matrix::new(&compared.ran);
    let screen = Screen::plain();
    let mut text = format!(
        "### What each store shows\n\n{} seeds of each scenario.\n\n",
        grouped(compared.seeds)
    );
    text += &matrix.markdown();
    let _ = writeln!(text, "{}\n", matrix.legend(compared.seeds));
    text += &costs::markdown(compared);
    let _ = writeln!(
        text,
        "### How many faults, wherever they fall\n\n| store | {} | runs |\n|---|---|--:|",
        bound(compared.depth)
    );
    for (setup, result) in &compared.survived {
        let told = exhaust::verdict(result, compared.depth, &screen);
        let (store, runs) = (setup.store.name, grouped(result.runs()));
        let _ = writeln!(text, "| {store} | {told} | {runs} |");
    }
    for line in unexpected(&compared.ran) {
        let _ = writeln!(text, "\n{line}");
    }
    if compared.ran.interrupted {
        text += "\nInterrupted: this is what was run so far.\n";
    }
    text
}
