//! Level 6. Which faults make a finding likelier and which hide it, for people and for machines.

use super::campaign::Cell;
use super::hunt::grouped;
use super::screen::{HEAD, Screen};
use crate::search::influence::{By, Influence};
use crate::search::interval::Interval;
use onestroke_scenarios::FindingKind;
use serde::Serialize;
use std::fmt::Write as _;

/// A finding in runs with a fault and without it, for machines.
#[derive(Serialize)]
pub(super) struct InfluenceReport {
    fault: &'static str,
    by: &'static str,
    with: ShareReport,
    without: ShareReport,
    /// Null when the finding never showed without the fault.
    ratio: Option<f64>,
    low: f64,
    /// Null when there is no upper bound.
    high: Option<f64>,
}

#[derive(Serialize)]
struct ShareReport {
    found: u64,
    runs: u64,
}

/// At most three lines: what makes it likelier, what hides it, and that the rest is not told apart.
pub(super) fn human(cell: &Cell, kind: FindingKind, screen: &Screen) -> String {
    let swarm = cell.setup.scenario.weather.swarm;
    let by = if swarm { By::Drawn } else { By::Struck };
    let all: Vec<Influence> =
        influences(cell, kind).into_iter().filter(|one| one.by == by).collect();
    let mut likelier: Vec<&Influence> = all.iter().filter(|one| one.ratio().low > 1.0).collect();
    likelier.sort_by(|a, b| b.ratio().low.total_cmp(&a.ratio().low));
    let mut hidden: Vec<&Influence> = all.iter().filter(|one| one.ratio().high < 1.0).collect();
    hidden.sort_by(|a, b| a.ratio().high.total_cmp(&b.ratio().high));
    if likelier.is_empty() && hidden.is_empty() {
        return String::new();
    }
    let whose = if swarm { "that can have" } else { "that had" };
    let head = format!(
        "What leads to {}, by all {} runs: those {whose} a fault against those {} (95% interval):",
        kind.name(),
        grouped(cell.campaign.seeds),
        if swarm { "that cannot" } else { "that had not" },
    );
    let mut text = format!("\n{}\n", screen.paint(HEAD, &screen.wrap(&head, "")));
    for (name, faults) in [("likelier with", &likelier), ("hidden by", &hidden)] {
        if !faults.is_empty() {
            let told: Vec<String> = faults.iter().map(|one| told(one)).collect();
            let told = screen.wrap(&told.join(", "), &" ".repeat(17));
            let _ = writeln!(text, "  {name:<14} {}", told.trim_start());
        }
    }
    text
}

fn told(influence: &Influence) -> String {
    let Interval { low, value, high } = influence.ratio();
    match (value.is_finite(), high.is_finite()) {
        (false, _) => format!("{} (never without)", influence.fault),
        (true, false) => format!("{} {}x (from {})", influence.fault, short(value), short(low)),
        (true, true) => {
            format!("{} {}x ({}-{})", influence.fault, short(value), short(low), short(high))
        }
    }
}

/// A ratio in two digits or so.
fn short(ratio: f64) -> String {
    match ratio {
        small if small < 0.995 => format!("{small:.2}"),
        middling if middling < 9.95 => format!("{middling:.1}"),
        large => format!("{large:.0}"),
    }
}

/// All of them, for machines.
pub(super) fn report(cell: &Cell, kind: FindingKind) -> Vec<InfluenceReport> {
    let report = |one: Influence| {
        let Interval { low, value, high } = one.ratio();
        let finite = |number: f64| number.is_finite().then(|| rounded(number));
        InfluenceReport {
            fault: one.fault,
            by: one.by.name(),
            with: ShareReport { found: one.with.found, runs: one.with.runs },
            without: ShareReport { found: one.without.found, runs: one.without.runs },
            ratio: finite(value),
            low: rounded(low),
            high: finite(high),
        }
    };
    influences(cell, kind).into_iter().map(report).collect()
}

/// To three decimals.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

fn influences(cell: &Cell, kind: FindingKind) -> Vec<Influence> {
    let campaign = &cell.campaign;
    let found = campaign.found.get(&kind);
    found.map_or_else(Vec::new, |tally| tally.faults.influences(&campaign.faults))
}
