//! Level 6. `sim diff A B`: two stores under one seed, or two plans, side by side from where they part.

use super::Exit;
use super::args::{Diff, Format, VERSION};
use super::bad::{self, Bad};
use super::hunt::{pretty, to_line};
use super::replay::{Replayed, replay};
use super::screen::{BAD, DIM, GOOD, HEAD, Screen};
use crate::choice::Source;
use crate::report::explain::explain;
use crate::report::json::{FindingReport, RunReport, RunSource, SCHEMA, Subject, Tool};
use crate::report::timeline::{Beside, View};
use crate::run::{Keep, Runner, Setup};
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// The scenario of a seed that names none.
const DEFAULT_SCENARIO: &str = "rainy-night";

/// One of the two.
struct Side {
    /// What tells it from the other.
    title: String,
    /// What it is said of when it is a plan: its faults, one a line.
    plan: Option<Vec<String>>,
    runner: Runner,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Diff, screen: &Screen) -> Result<Exit, Bad> {
    let (sides, complaints) = match (is_file(&args.a), is_file(&args.b)) {
        (true, true) => plans(stores, args)?,
        (false, false) => (of_seed(stores, args)?, vec![]),
        _ => {
            return Err(Bad::usage(
                "these are a plan and a store: name two stores and a seed, or two plan files",
            ));
        }
    };
    match screen.format {
        Format::Human => screen.print(&human(&sides, args, screen)),
        Format::Json => screen.print(&pretty(&report(&sides, args))),
        Format::Jsonl => screen.print(&(to_line(&report(&sides, args)) + "\n")),
    }
    for complaint in &complaints {
        screen.complain(&Bad::usage(complaint));
    }
    let found = sides.iter().any(|side| !side.runner.outcome().findings.is_empty());
    Ok(if found || !complaints.is_empty() { Exit::Found } else { Exit::Fine })
}

fn is_file(name: &str) -> bool {
    let path = Path::new(name);
    name.contains('/') || path.extension().is_some() || path.is_file()
}

/// Two stores under one seed.
fn of_seed(stores: &[Entry], args: &Diff) -> Result<[Side; 2], Bad> {
    let Some(seed) = args.seed else {
        let (a, b) = (bad::store(stores, &args.a)?.name, bad::store(stores, &args.b)?.name);
        return Err(Bad::usage(format!(
            "which seed? two stores are compared under one, as in `sim diff {a} {b} --seed 3`"
        )));
    };
    let scenario = bad::scenario(args.scenario.as_deref().unwrap_or(DEFAULT_SCENARIO))?;
    let backend = args.backend.as_deref().unwrap_or("memory");
    let backend = bad::backend_for(backend, [&scenario])?;
    let side = |name: &str| -> Result<Side, Bad> {
        let (scenario, store) = (Arc::clone(&scenario), bad::store(stores, name)?.clone());
        let mut runner = Runner::new(&Setup { scenario, store, backend });
        let keep = Keep { details: true, variations: false };
        runner.run(Source::Seeded { seed, salt: 0 }, keep);
        Ok(Side { title: name.to_owned(), plan: None, runner })
    };
    Ok([side(&args.a)?, side(&args.b)?])
}

/// Two plans of one scenario, and what is wrong with them.
fn plans(stores: &[Entry], args: &Diff) -> Result<([Side; 2], Vec<String>), Bad> {
    if args.seed.is_some() || args.scenario.is_some() || args.backend.is_some() {
        return Err(Bad::usage(
            "a plan names its scenario and its backend itself, and draws nothing: leave `--seed`, \
             `--scenario` and `--backend` out, or name two stores",
        ));
    }
    let read = |file: &str| {
        let text = std::fs::read_to_string(file).map_err(Bad::file(Path::new(file)))?;
        replay(stores, &text, file, None)
    };
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let scenario = |one: &Replayed| one.runner.setup().scenario.name.clone();
    if scenario(&a) != scenario(&b) {
        return Err(Bad::usage(format!(
            "{} is of scenario `{}`, and {} of `{}`: two runs of different scenarios have nothing in \
             common; change one of the heads",
            args.a,
            scenario(&a),
            args.b,
            scenario(&b)
        )));
    }
    let complaints = [a.complaints.clone(), b.complaints.clone()].concat();
    let side = |file: &str, one: Replayed| {
        let plan = Some(one.plan.body(one.runner.names()));
        Side { title: format!("{file} ({})", one.plan.store), plan, runner: one.runner }
    };
    Ok(([side(&args.a, a), side(&args.b, b)], complaints))
}

/// The two beside each other, seen from the operation that the first finding of either is about, or
/// else from the one at which they part.
fn beside<'a>(sides: &'a [Side; 2], screen: &Screen) -> Beside<'a> {
    let [left, right] = sides.each_ref().map(|side| View {
        trace: side.runner.trace(),
        names: side.runner.names(),
        width: screen.width,
        colour: screen.colour,
        focus: None,
    });
    let found = sides.iter().find_map(|side| side.runner.outcome().findings.first());
    let focus = match found {
        Some(finding) => finding.op,
        None => Beside { left, right }.parting().op,
    };
    Beside { left: View { focus, ..left }, right: View { focus, ..right } }
}

fn human(sides: &[Side; 2], args: &Diff, screen: &Screen) -> String {
    let [left, right] = sides;
    let setup = left.runner.setup();
    let seed = args.seed.map_or_else(String::new, |seed| format!("seed {seed}, "));
    let head = format!(
        "{} and {}: {seed}scenario {}, {}",
        left.title,
        right.title,
        setup.scenario.name,
        setup.backend.name()
    );
    let mut text = format!("{}\n", screen.paint(HEAD, &screen.wrap(&head, "")));
    for line in only_one_has(sides) {
        let _ = writeln!(text, "{}", screen.wrap(&line, "  "));
    }
    let beside = beside(sides, screen);
    let parting = beside.parting();
    let all = sides.each_ref().map(|side| side.runner.trace().events.len());
    let common = match parting.events {
        0 => "They differ from the first event on.".to_owned(),
        events if all == [events; 2] => format!("They are the same: {events} events."),
        events => format!("The first {events} events are the same, until {}.", parting.until),
    };
    let whose = match beside.left.focus {
        Some(op) if all != [parting.events; 2] => format!(" What follows is about {op}."),
        _ => String::new(),
    };
    let _ = writeln!(text, "\n{}", screen.wrap(&format!("{common}{whose}"), ""));
    let rows = beside.render([&left.title, &right.title], screen.width);
    if !rows.is_empty() {
        let _ = write!(text, "\n{rows}");
    }
    text.push('\n');
    for side in sides {
        text += &verdict(side, screen);
    }
    let _ = writeln!(text, "\n{}", screen.paint(DIM, &format!("onestroke {VERSION}")));
    text
}

/// The lines that stand in one of two plans.
fn only_one_has(sides: &[Side; 2]) -> Vec<String> {
    let [Some(left), Some(right)] = sides.each_ref().map(|side| side.plan.as_ref()) else {
        return vec![];
    };
    let mut lines = Vec::new();
    for (side, own, others) in [(&sides[0], left, right), (&sides[1], right, left)] {
        for line in own.iter().filter(|line| !others.contains(line)) {
            lines.push(format!("only in {}: {line}", side.title));
        }
    }
    lines
}

/// What one of them came to.
fn verdict(side: &Side, screen: &Screen) -> String {
    let runner = &side.runner;
    let Some(finding) = runner.outcome().findings.first() else {
        return format!("{}: {}\n", side.title, screen.paint(GOOD, "nothing found"));
    };
    let told = explain(runner.trace(), finding, runner.names());
    let title = format!("{}: {}", side.title, finding.kind.name());
    format!("{}\n{}\n", screen.paint(BAD, &title), screen.wrap(&told.paragraph, "  "))
}

/// The two for machines.
#[derive(Serialize)]
struct Report {
    schema: u32,
    tool: Tool,
    /// How many events are the same, from the first on.
    same_events: usize,
    /// When the last of these was.
    same_until_us: u64,
    runs: Vec<RunReport>,
}

fn report(sides: &[Side; 2], args: &Diff) -> Report {
    let parting = beside(sides, &Screen::plain()).parting();
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        same_events: parting.events,
        same_until_us: parting.until.as_micros(),
        runs: sides.iter().map(|side| of_run(side, args)).collect(),
    }
}

fn of_run(side: &Side, args: &Diff) -> RunReport {
    let (runner, setup) = (&side.runner, side.runner.setup());
    let names = runner.names();
    let strikes = crate::plan::strike_lines(runner.strikes(), names);
    let lines = side.plan.clone().unwrap_or(strikes);
    let findings = runner.outcome().findings.iter().map(|finding| {
        FindingReport::new(finding, explain(runner.trace(), finding, names), lines.clone())
    });
    let moments = runner.outcome().moments.iter();
    let moments = moments.map(|(moment, times)| (moment.name().to_owned(), times));
    let subject = Subject {
        scenario: setup.scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
    };
    let source = args.seed.map_or_else(|| RunSource::Plan(lines.clone()), RunSource::Seed);
    let head = (Tool::this(VERSION), subject, source);
    RunReport::new(head, findings.collect(), moments.collect(), runner.trace())
}
