//! Level 6. The costs of `sim compare`: a line for each store, under the scenario's weather and in calm.

use super::{Compared, Costs, FamilyCosts};
use crate::cli::hunt::grouped;
use crate::cli::screen::{DIM, HEAD, Screen};
use crate::search::cost::Cost;
use crate::time::Span;
use std::fmt::Write as _;

/// The headings, in two lines, with the width of each column.
const COLUMNS: [(&str, &str, usize); 6] = [
    ("questions", "a request", 9),
    ("attempts", "an op", 8),
    ("refusals", "an op", 8),
    ("answer", "p50", 7),
    ("answer", "p99", 7),
    ("records", "left", 7),
];

/// The names of stores get no more columns than this.
const NAME_MOST: usize = 27;

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
            text += &table(family, of, screen);
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
                COLUMNS.iter().map(|(above, below, _)| format!("{above} {below}")).collect();
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

fn table(family: &FamilyCosts, of: Of, screen: &Screen) -> String {
    let mut text = String::new();
    let names = family.stores.iter().map(|costs| costs.store.len());
    let name_width = names.max().unwrap_or(0).min(NAME_MOST);
    let needs: usize = COLUMNS.iter().map(|(_, _, width)| width + 2).sum();
    let gap = if name_width + needs <= screen.width { 2 } else { 1 };
    let line = |name: &str, cells: &[String]| {
        let mut line = format!("{name:name_width$}");
        for (cell, (_, _, width)) in cells.iter().zip(COLUMNS) {
            let _ = write!(line, "{:gap$}{cell:>width$}", "");
        }
        line
    };
    for below in [false, true] {
        let titles = COLUMNS.map(|(first, second, _)| if below { second } else { first });
        let titles: Vec<String> = titles.map(str::to_owned).to_vec();
        let name = if below { "store" } else { "" };
        let _ = writeln!(text, "{}", screen.paint(HEAD, &line(name, &titles)));
    }
    for costs in &family.stores {
        let names = textwrap::wrap(costs.store, name_width);
        let (last, before) = names.split_last().expect("a store has a name");
        for part in before {
            let _ = writeln!(text, "{part}");
        }
        let _ = writeln!(text, "{}", line(last, &figures(of(costs))));
    }
    text
}

fn figures(cost: &Cost) -> Vec<String> {
    let latency = |percent| cost.latency(percent).map_or_else(|| "-".to_owned(), span);
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

/// A quotient with two decimals, rounded; computed in whole numbers.
fn ratio(sum: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    let hundredths = (u128::from(sum) * 100 + u128::from(of) / 2) / u128::from(of);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// A span in at most seven columns.
fn span(span: Span) -> String {
    let micros = span.as_micros();
    match micros {
        0..10_000 => format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100),
        10_000..10_000_000 => format!("{} ms", micros / 1_000),
        _ => format!("{} s", micros / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_whole_number_arithmetic() {
        assert_eq!(ratio(1, 3), "0.33");
        assert_eq!(ratio(2, 3), "0.67");
        assert_eq!(ratio(7, 2), "3.50");
        assert_eq!(ratio(5, 0), "-");
        assert_eq!(ratio(u64::MAX, u64::MAX), "1.00");
        assert_eq!(span(Span::from_micros(9_960)), "9.9 ms");
        assert_eq!(span(Span::from_millis(640)), "640 ms");
        assert_eq!(span(Span::from_secs(75)), "75 s");
    }
}
