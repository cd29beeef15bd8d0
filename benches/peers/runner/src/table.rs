//! What was measured, as tables in Markdown that can be read in a terminal too.

use crate::bounded_question::Answered;
use crate::spread::{Spread, figure, whole};
use crate::w1::{All, Measured};
use std::fmt::Write as _;

const W1: [&str; 9] = [
    "system",
    "ns/event",
    "events/s",
    "ours = 1, median",
    "min..max",
    "target",
    "events/seed",
    "violations",
    "sees the bug",
];

/// Speed of all systems on one core, and how many times ours each takes.
pub(crate) fn w1(all: &All) -> String {
    let ours = all.ours().ns_an_event();
    let row = |one: &Measured| {
        let each = one.ns_an_event();
        let times = each.iter().zip(&ours).map(|(theirs, ours)| theirs / ours);
        let times = Spread::of(times.collect());
        let ns = Spread::of(each).median;
        let violations: u64 = one.rounds.iter().map(|round| round.total.violations).sum();
        [
            one.system.name.to_owned(),
            figure(ns),
            figure(1e9 / ns),
            figure(times.median),
            format!("{}..{}", figure(times.least), figure(times.most)),
            target(f64::from(one.system.target) / 100.0),
            figure(one.events_a_seed()),
            violations.to_string(),
            yes_or_no(one.bug.total.violations > 0),
        ]
    };
    markdown(W1, &all.0.iter().map(row).collect::<Vec<_>>())
}

const THREADS: [&str; 6] = [
    "system",
    "seeds/s, one thread",
    "seeds/s, two",
    "two against one, median",
    "min..max",
    "CPU time a seed",
];

/// What a second thread adds, by the wall clock; and by how much it makes a seed dearer, which a busy
/// machine hides less.
pub(crate) fn threads(all: &All) -> String {
    let row = |one: &Measured| {
        let speed = |reports: &[spec::program::Report]| {
            let each = reports.iter().map(|one| one.seeds as f64 * 1e9 / one.wall_ns as f64);
            figure(Spread::of(each.collect()).median)
        };
        let ratio = Spread::of(one.two_against_one());
        [
            one.system.name.to_owned(),
            speed(&one.rounds),
            speed(&one.two_threads),
            figure(ratio.median),
            format!("{}..{}", figure(ratio.least), figure(ratio.most)),
            format!("x {}", figure(Spread::of(one.cpu_two_against_one()).median)),
        ]
    };
    let with = all.0.iter().filter(|one| !one.two_threads.is_empty());
    markdown(THREADS, &with.map(row).collect::<Vec<_>>())
}

const BOUNDED: [&str; 8] = [
    "the bounded question",
    "ms",
    "ours = 1, median",
    "min..max",
    "target",
    "explored",
    "outcomes",
    "sees the bug",
];

/// Time to the answer, and how many times ours each takes.
pub(crate) fn bounded(all: &[Answered]) -> String {
    let ms = |one: &Answered| -> Vec<f64> {
        one.rounds.iter().map(|round| round.cpu_ns as f64 / 1e6).collect()
    };
    let ours = ms(&all[0]);
    let row = |one: &Answered| {
        let each = ms(one);
        let times = each.iter().zip(&ours).map(|(theirs, ours)| theirs / ours);
        let times = Spread::of(times.collect());
        let explored = one.rounds.first().map_or(0, |round| round.answer.explored);
        let [right, wrong] = &one.outcomes;
        [
            one.way.name.to_owned(),
            figure(Spread::of(each).median),
            figure(times.median),
            format!("{}..{}", figure(times.least), figure(times.most)),
            target(f64::from(one.way.target)),
            format!("{} {}", whole(explored), one.way.explores),
            format!("{}, with the bug {}", right.len(), wrong.len()),
            yes_or_no(one.sees_the_bug),
        ]
    };
    markdown(BOUNDED, &all.iter().map(row).collect::<Vec<_>>())
}

fn target(times: f64) -> String {
    if times > 0.0 { figure(times) } else { String::new() }
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// The first column to the left, all others to the right.
fn markdown<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let head = head.map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let rule = std::array::from_fn(|column| match column {
        0 => "-".repeat(widths[0]),
        _ => format!("{}:", "-".repeat(widths[column] - 1)),
    });
    let mut text = String::new();
    for row in [head.clone(), rule].iter().chain(rows) {
        let _ = write!(text, "| {:1$} |", row[0], widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            let _ = write!(text, " {cell:>width$} |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned() {
        let rows = [["one".to_owned(), "1".to_owned()], ["twelve".to_owned(), "12".to_owned()]];
        let table = "| what   |  n |\n| ------ | -: |\n| one    |  1 |\n| twelve | 12 |\n";
        assert_eq!(markdown(["what", "n"], &rows), table);
    }
}
