//! Level 6. The costs of `sim compare`: a line for each store, under the scenario's weather and in calm.

use super::{Compared, Costs, FamilyCosts};
use crate::cli::hunt::grouped;
use crate::cli::screen::{DIM, HEAD, Screen};
use crate::cli::table::{Column, ratio, span, table};
use crate::search::cost::Cost;
use std::fmt::Write as _;

/// The headings, in two lines, with the width of each column.
const COLUMNS: [Column<'_>; 6] = [
    Column { above: "questions", below: "a request", width: 9 },
    Column { above: "attempts", below: "an op", width: 8 },
    Column { above: "refusals", below: "an op", width: 8 },
    Column { above: "answer", below: "p50", width: 7 },
    Column { above: "answer", below: "p99", width: 7 },
    Column { above: "records", below: "left", width: 7 },
];

/// What each column says.
const MEANING: &str = "Answer: virtual time from the first sending to the final answer, of operations that had one \
                       from their own attempts; records left: of an operation, at the end of the run, \
                       after the window where the contract bounds them.";

pub(super) fn human(compared: &Compared, screen: &Screen) -> String {
    let mut text = String::new();
    if compared.costs.is_empty() {
        return text;
    }
    for family in &compared.costs {
        for (title, of) in tables() {
            let title = heading(family, title, of);
            let _ = writeln!(text, "{}\n", screen.paint(HEAD, &screen.wrap(&title, "")));
            let line = |costs: &Costs| (costs.store, figures(of(costs)));
            let lines: Vec<_> = family.stores.iter().map(line).collect();
            text += &table(&COLUMNS, &lines, screen);
            for told in remarks(family, of) {
                let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(&told, "")));
            }
            text.push('\n');
        }
        if let Some(told) = absent(family) {
            let _ = writeln!(text, "{}\n", screen.paint(DIM, &screen.wrap(&told, "")));
        }
    }
    let _ = writeln!(text, "{}\n", screen.paint(DIM, &screen.wrap(MEANING, "")));
    text
}

pub(super) fn markdown(compared: &Compared) -> String {
    let mut text = String::new();
    for family in &compared.costs {
        for (title, of) in tables() {
            let _ = writeln!(text, "### {}\n", heading(family, title, of));
            let columns: Vec<String> =
                COLUMNS.iter().map(|one| format!("{} {}", one.above, one.below)).collect();
            let _ = writeln!(text, "| store | {} |", columns.join(" | "));
            let _ = writeln!(text, "|---|{}", "--:|".repeat(COLUMNS.len()));
            for costs in &family.stores {
                let _ = writeln!(text, "| {} | {} |", costs.store, figures(of(costs)).join(" | "));
            }
            text.push('\n');
            for told in remarks(family, of) {
                let _ = writeln!(text, "{told}\n");
            }
        }
        if let Some(told) = absent(family) {
            let _ = writeln!(text, "{told}\n");
        }
    }
    let _ = writeln!(text, "{MEANING}\n");
    text
}

type Of = fn(&Costs) -> &Cost;

fn tables() -> [(&'static str, Of); 2] {
    [
        ("What it costs in the weather of SCENARIO", |costs| &costs.weather),
        ("What it costs in calm weather, SCENARIO without its faults", |costs| &costs.calm),
    ]
}

fn heading(family: &FamilyCosts, title: &str, of: Of) -> String {
    let (mut operations, mut runs) = (0, 0);
    for costs in &family.stores {
        operations += of(costs).operations;
        runs += of(costs).runs;
    }
    let stores = family.stores.len() as u64;
    format!(
        "{}: {} runs and {} operations of each store",
        title.replace("SCENARIO", &family.scenario.name),
        grouped(runs / stores.max(1)),
        grouped(operations / stores.max(1))
    )
}

fn figures(cost: &Cost) -> Vec<String> {
    let latency = |percent| cost.latency.percentile(percent).map_or_else(|| "-".to_owned(), span);
    vec![
        ratio(cost.questions, cost.requests),
        ratio(cost.attempts, cost.operations),
        ratio(cost.refusals, cost.operations),
        latency(50),
        latency(99),
        ratio(cost.records, cost.operations),
    ]
}

/// What the figures leave out: operations without an answer, and what is no question of a request.
fn remarks(family: &FamilyCosts, of: Of) -> Vec<String> {
    let costs = || family.stores.iter().map(|costs| (costs.store, of(costs)));
    let listed = |what: &str, all: Vec<String>| {
        (!all.is_empty()).then(|| format!("{what}: {}.", all.join(", ")))
    };
    let an_operation = |of: fn(&Cost) -> u64| {
        let some = costs().filter(|(_, cost)| of(cost) > 0);
        some.map(|(store, cost)| format!("{store} {}", ratio(of(cost), cost.operations))).collect()
    };
    let silent = costs().filter(|(_, cost)| cost.answered < cost.operations);
    let silent = silent
        .map(|(store, cost)| format!("{store} {}", grouped(cost.operations - cost.answered)))
        .collect();
    let remarks = [
        listed("Operations that had no final answer by themselves", silent),
        listed("Calls to another service, an operation", an_operation(|cost| cost.calls)),
        listed("Questions of background work, an operation", an_operation(|cost| cost.background)),
    ];
    remarks.into_iter().flatten().collect()
}

/// The stores of which nothing was measured.
fn absent(family: &FamilyCosts) -> Option<String> {
    let (name, names) = (&family.scenario.name, family.absent.join(", "));
    (!names.is_empty()).then(|| format!("Not in {name}, and so not measured: {names}."))
}
