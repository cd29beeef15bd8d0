//! Level 6. `sim bench` for people: what clients wait for, what the database is asked, and crowds.

use super::{Benched, Crowds, Measured};
use crate::cli::hunt::grouped;
use crate::cli::screen::{BAD, DIM, HEAD, Screen};
use crate::cli::table::{Column, Line, per_thousand, ratio, span, table};
use crate::search::cost::{Cost, Spread};
use crate::time::Span;
use onestroke_store::Entry;
use std::fmt::Write as _;

const fn column<'a>(above: &'a str, below: &'a str, width: usize) -> Column<'a> {
    Column { above, below, width }
}

const CLIENTS: [Column<'_>; 7] = [
    column("answer", "p50", 7),
    column("answer", "p99", 7),
    column("answer", "p99.9", 7),
    column("refused", "1000 ops", 8),
    column("waits", "1000 ops", 8),
    column("wait", "each", 7),
    column("wrong", "1000 runs", 9),
];

const DATABASE: [Column<'_>; 7] = [
    column("asks", "a request", 9),
    column("asks", "an op", 6),
    column("attempts", "an op", 8),
    column("cut off", "1000 ops", 8),
    column("in vain", "1000 asks", 9),
    column("records", "at peak", 7),
    column("kept", "p50", 5),
];

const WALL: Column<'_> = column("wall", "an op", 8);

const MEANING: &str = "Answer: virtual time from the first sending to the final answer, of operations that had one from \
                       their own attempts. Refused: 409 or 5xx, that ask to come again. Waits: questions that had \
                       to wait for another session. Wrong: runs that showed a finding.";

const MEANING_OF_ASKS: &str = "Asks: questions to the database, of requests. In vain: of handlers that neither committed an \
                               effect nor answered their client. Records at peak: operations of which there was a \
                               record at once, of all. Kept: from a record's making until it was deleted.";

const MEANING_OF_CROWDS: &str = "p99: of the answers that came. Refused: of 1000 operations; each may be refused several times.";

pub(super) fn human(benched: &Benched, screen: &Screen) -> String {
    let mut text = String::new();
    let Benched { scenario, seeds, stores, .. } = benched;
    let operations = seeds.saturating_mul(u64::from(scenario.workload.all()));
    let head = format!(
        "What each store costs: {} on {}, {} runs and {} operations of each",
        scenario.name,
        benched.backend.name(),
        grouped(*seeds),
        grouped(operations)
    );
    let _ = writeln!(text, "{}\n", screen.paint(HEAD, &screen.wrap(&head, "")));
    text += &table(&CLIENTS, &lines(stores, of_clients), screen);
    let _ = writeln!(text, "{}\n", screen.paint(DIM, &screen.wrap(MEANING, "")));
    let wall = stores.iter().any(|one| one.wall.is_some());
    let columns: Vec<_> = DATABASE.into_iter().chain(wall.then_some(WALL)).collect();
    text += &table(&columns, &lines(stores, of_database), screen);
    let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(MEANING_OF_ASKS, "")));
    for told in remarks(stores) {
        let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(&told, "")));
    }
    for crowds in &benched.crowds {
        text += &crowd(benched, crowds, screen);
    }
    if benched.interrupted {
        let told = "interrupted: this is what was measured so far";
        let _ = writeln!(text, "\n{}", screen.paint(BAD, told));
    }
    text
}

fn lines(stores: &[Measured], of: fn(&Measured) -> Vec<String>) -> Vec<Line> {
    stores.iter().map(|measured| (measured.store.name, of(measured))).collect()
}

fn permille(spread: &Spread, permille: u64) -> String {
    spread.permille(permille).map_or_else(|| "-".to_owned(), span)
}

fn of_clients(measured: &Measured) -> Vec<String> {
    let cost = &measured.cost;
    let each = cost.waited.as_micros().checked_div(cost.waits).map(Span::from_micros);
    vec![
        permille(&cost.latency, 500),
        permille(&cost.latency, 990),
        permille(&cost.latency, 999),
        per_thousand(cost.refusals, cost.operations),
        per_thousand(cost.waits, cost.operations),
        each.map_or_else(|| "-".to_owned(), span),
        per_thousand(cost.wrong, cost.runs),
    ]
}

fn of_database(measured: &Measured) -> Vec<String> {
    let Measured { cost, wall, .. } = measured;
    let nanos = wall.map(|wall| wall.as_nanos() / u128::from(cost.operations.max(1)));
    let figures = [
        ratio(cost.questions, cost.requests),
        ratio(cost.questions, cost.operations),
        ratio(cost.attempts, cost.operations),
        per_thousand(cost.cut_off, cost.operations),
        per_thousand(cost.in_vain, cost.questions + cost.calls),
        ratio(cost.records_at_peak, cost.operations),
        permille(&cost.kept, 500),
    ];
    figures.into_iter().chain(nanos.map(|nanos| format!("{nanos} ns"))).collect()
}

/// What the figures leave out.
fn remarks(stores: &[Measured]) -> Vec<String> {
    let listed = |what: &str, all: Vec<String>| {
        (!all.is_empty()).then(|| format!("{what}: {}.", all.join(", ")))
    };
    let an_operation = |of: fn(&Cost) -> u64| {
        let some = stores.iter().filter(|one| of(&one.cost) > 0);
        let told = |one: &Measured| {
            format!("{} {}", one.store.name, ratio(of(&one.cost), one.cost.operations))
        };
        some.map(told).collect()
    };
    let silent = stores.iter().filter(|one| one.cost.answered < one.cost.operations);
    let silent = silent.map(|one| {
        format!("{} {}", one.store.name, grouped(one.cost.operations - one.cost.answered))
    });
    let wrong = stores.iter().filter(|one| one.cost.wrong > 0).map(|one| {
        let told = |(kind, runs): (&onestroke_scenarios::FindingKind, &u64)| {
            format!("{} {}", kind.name(), per_thousand(*runs, one.cost.runs))
        };
        let kinds: Vec<String> = one.cost.findings.iter().map(told).collect();
        format!("{} {}", one.store.name, kinds.join(" and "))
    });
    [
        listed("Wrong, of 1000 runs", wrong.collect()),
        listed("Operations that had no final answer by themselves", silent.collect()),
        listed("Calls to another service, an operation", an_operation(|cost| cost.calls)),
        listed("Questions of background work, an operation", an_operation(|cost| cost.background)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn crowd(benched: &Benched, crowds: &Crowds, screen: &Screen) -> String {
    let Crowds { backend, clients, stores } = crowds;
    let two = benched.scenario.workload.keys.needs_two_operations();
    let head = format!(
        "In a crowd, on {}: so many clients at once, each with {}",
        backend.name(),
        if two { "two operations" } else { "one operation" }
    );
    let mut text = format!("\n{}\n\n", screen.paint(HEAD, &screen.wrap(&head, "")));
    let headings: Vec<String> =
        clients.iter().map(|clients| grouped(u64::from(*clients))).collect();
    let columns = |title: &'static str| {
        let named =
            |(at, below): (usize, &String)| (if at == 0 { title } else { "" }, below.clone());
        headings.iter().enumerate().map(named).collect::<Vec<_>>()
    };
    let all = [columns("p99"), columns("refused")].concat();
    let all: Vec<_> = all.iter().map(|(above, below)| column(above, below, 7)).collect();
    let line = |(store, costs): &(Entry, Vec<Cost>)| {
        let late = costs.iter().map(|cost| permille(&cost.latency, 990));
        let refused = costs.iter().map(|cost| per_thousand(cost.refusals, cost.operations));
        (store.name, late.chain(refused).collect())
    };
    let lines: Vec<Line> = stores.iter().map(line).collect();
    text += &table(&all, &lines, screen);
    let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(MEANING_OF_CROWDS, "")));
    for (at, heading) in headings.iter().enumerate() {
        if let Some(told) = silent(stores, at) {
            let told = format!("No answer with {heading} at once, of 1000 operations: {told}.");
            let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(&told, "")));
        }
    }
    text
}

/// Which operations of a crowd had no final answer from their own attempts.
fn silent(stores: &[(Entry, Vec<Cost>)], crowd: usize) -> Option<String> {
    let told = |(store, costs): &(Entry, Vec<Cost>)| {
        let cost = costs.get(crowd).filter(|cost| cost.answered < cost.operations)?;
        let silent = per_thousand(cost.operations - cost.answered, cost.operations);
        Some(format!("{} {silent}", store.name))
    };
    let all: Vec<String> = stores.iter().filter_map(told).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
