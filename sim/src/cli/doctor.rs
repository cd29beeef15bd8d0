//! Level 6. `sim doctor`: is the harness itself sound? Exit code 3 when it is not.

use super::Exit;
use super::args::{Doctor, Format, VERSION};
use super::campaign;
use super::hunt::{grouped, pretty};
use super::screen::{BAD, DIM, GOOD, HEAD, Screen};
use crate::report::json::{SCHEMA, Tool};
use crate::search::doctor::{Care, Health, Planted, examine};
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

/// The store that must be caught whatever else is changed.
const CANARY: (&str, &str) = ("lost-reply", "no-dedup");

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Doctor, screen: &Screen) -> Exit {
    let scenarios: Vec<_> = onestroke_scenarios::catalogue().into_iter().map(Arc::new).collect();
    let care = Care {
        twice: args.twice,
        ranges: args.ranges,
        bound: args.bound,
        threads: campaign::threads(None).max(2),
    };
    let mut health = Health::default();
    let interrupted = campaign::stoppable(None, |control| {
        health = examine(&scenarios, stores, care, control);
    });
    match screen.format {
        Format::Human => screen.print(&human(&health, care, screen)),
        _ => screen.print(&pretty(&report(&health, care))),
    }
    let canary = canary(&health);
    match (interrupted, health.is_sound() && canary) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Fine,
        _ => Exit::Broken,
    }
}

/// Whether the canary sang.
fn canary(health: &Health) -> bool {
    let it = |planted: &&Planted| (planted.scenario.as_str(), planted.store) == CANARY;
    health.planted.iter().find(it).is_some_and(|planted| planted.missed == 0)
}

fn human(health: &Health, care: Care, screen: &Screen) -> String {
    let mut text = String::new();
    let verdict = |fine: bool| {
        screen.paint(if fine { GOOD } else { BAD }, if fine { "ok  " } else { "FAIL" })
    };
    let same = health.diverged.is_empty();
    let compared = grouped(health.compared);
    let _ = writeln!(
        text,
        "{} determinism: {compared} runs made twice in the same room, and campaigns on 1 and {} threads",
        verdict(same),
        care.threads
    );
    for divergence in &health.diverged {
        let _ = writeln!(text, "{}", screen.wrap(divergence, "       "));
    }
    let (scenario, store) = CANARY;
    let _ = writeln!(text, "{} canary: {store} is caught in {scenario}", verdict(canary(health)));
    let missed = health.planted.iter().filter(|planted| planted.missed > 0).count();
    let _ = writeln!(
        text,
        "{} planted bugs: {} of them, each in {} disjoint ranges of seeds; {missed} not always caught in time",
        verdict(missed == 0),
        health.planted.len(),
        care.ranges,
    );
    let head = format!(
        "\n{:31} {:25} {:17} {:>11} {:>4} {:>5} {:>5}",
        "seeds until caught in", "store", "as", "median", "95%", "most", "bound"
    );
    let _ = writeln!(text, "{}", screen.paint(HEAD, &head));
    for planted in &health.planted {
        let line = format!(
            "{:31} {:25} {:17} {:>11} {:>4} {:>5} {:>5}",
            planted.scenario,
            planted.store,
            planted.kind.name(),
            median(planted),
            planted.quantile(95),
            planted.seeds.last().copied().unwrap_or(0),
            planted.bound
        );
        let style = if planted.missed > 0 { BAD } else { DIM };
        let _ = writeln!(
            text,
            "{}",
            if planted.missed > 0 { screen.paint(style, &line) } else { line }
        );
    }
    if health.cut_short {
        let _ = writeln!(text, "{}", screen.paint(BAD, "interrupted: not everything was examined"));
    }
    text
}

/// The median, with what it lies between at 95 %.
fn median(planted: &Planted) -> String {
    let (low, high) = planted.median_between();
    format!("{} ({low}-{high})", planted.median())
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    tool: Tool,
    sound: bool,
    compared: u64,
    diverged: Vec<String>,
    ranges: u64,
    bound: u64,
    planted: Vec<PlantedReport>,
}

#[derive(Serialize)]
struct PlantedReport {
    scenario: String,
    store: String,
    kind: String,
    median: u64,
    /// Between which the median lies, at 95 %.
    median_between: (u64, u64),
    bound: u64,
    p95: u64,
    most: u64,
    missed: u64,
}

fn report(health: &Health, care: Care) -> Report {
    let planted = health.planted.iter().map(|planted| PlantedReport {
        scenario: planted.scenario.clone(),
        store: planted.store.to_owned(),
        kind: planted.kind.name().to_owned(),
        median: planted.median(),
        median_between: planted.median_between(),
        bound: planted.bound,
        p95: planted.quantile(95),
        most: planted.seeds.last().copied().unwrap_or(0),
        missed: planted.missed,
    });
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        sound: health.is_sound() && canary(health),
        compared: health.compared,
        diverged: health.diverged.clone(),
        ranges: care.ranges,
        bound: care.bound,
        planted: planted.collect(),
    }
}
