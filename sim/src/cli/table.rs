//! Level 6. Tables of figures: a line for each store, and figures that are set right.

use super::screen::{HEAD, Screen};
use crate::time::Span;
use std::fmt::Write as _;

/// The names of stores get no more columns than this, and no fewer than the other.
const NAME_MOST: usize = 27;
const NAME_LEAST: usize = 16;

/// A column: its heading, in two lines, and its width.
pub(super) struct Column<'a> {
    pub(super) above: &'a str,
    pub(super) below: &'a str,
    pub(super) width: usize,
}

/// A line: the store's name, and a figure for each column.
pub(super) type Line = (&'static str, Vec<String>);

/// Draws it. Names that are too long for the screen are broken at their dashes.
pub(super) fn table(columns: &[Column<'_>], lines: &[Line], screen: &Screen) -> String {
    let longest = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0).min(NAME_MOST);
    let widths: usize = columns.iter().map(|column| column.width).sum();
    let with = |gap: usize| widths + gap * columns.len();
    let gap = if longest + with(2) <= screen.width { 2 } else { 1 };
    let room = screen.width.saturating_sub(with(gap)).max(NAME_LEAST);
    let name_width = longest.min(room);
    let line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut line = format!("{name:name_width$}");
        for (cell, Column { width, .. }) in cells.zip(columns) {
            let _ = write!(line, "{:gap$}{cell:>width$}", "");
        }
        line
    };
    let mut text = String::new();
    for (name, of) in [("", above as fn(&Column<'_>) -> String), ("store", below)] {
        let titles: Vec<String> = columns.iter().map(of).collect();
        let titles = line(name, &mut titles.iter().map(String::as_str));
        if !titles.trim().is_empty() {
            let _ = writeln!(text, "{}", screen.paint(HEAD, titles.trim_end()));
        }
    }
    for (name, cells) in lines {
        let at_dashes = textwrap::Options::new(name_width)
            .word_splitter(textwrap::WordSplitter::HyphenSplitter);
        let names = textwrap::wrap(name, at_dashes);
        let (last, before) = names.split_last().expect("a store has a name");
        for part in before {
            let _ = writeln!(text, "{part}");
        }
        let _ = writeln!(text, "{}", line(last, &mut cells.iter().map(String::as_str)));
    }
    text
}

fn above(column: &Column<'_>) -> String {
    column.above.to_owned()
}

fn below(column: &Column<'_>) -> String {
    column.below.to_owned()
}

/// A quotient with two decimals, rounded; computed in whole numbers.
pub(super) fn ratio(sum: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    let hundredths = (u128::from(sum) * 100 + u128::from(of) / 2) / u128::from(of);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// How many of a thousand, rounded; what is less than one half is told as such.
pub(super) fn per_thousand(sum: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    let rounded = (u128::from(sum) * 1_000 + u128::from(of) / 2) / u128::from(of);
    if rounded == 0 && sum > 0 { "< 1".to_owned() } else { rounded.to_string() }
}

/// A span in at most seven columns.
pub(super) fn span(span: Span) -> String {
    const MINUTE: u64 = 60_000_000;
    let micros = span.as_micros();
    match micros {
        0..10_000 => format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100),
        10_000..10_000_000 => format!("{} ms", micros / 1_000),
        10_000_000..600_000_000 => format!("{} s", micros / 1_000_000),
        600_000_000..36_000_000_000 => format!("{} min", micros / MINUTE),
        _ => format!("{} h", micros / (60 * MINUTE)),
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
        assert_eq!(per_thousand(1, 3), "333");
        assert_eq!(per_thousand(1, 5_000), "< 1");
        assert_eq!(per_thousand(0, 5_000), "0");
        assert_eq!(per_thousand(0, 0), "-");
        assert_eq!(span(Span::from_micros(9_960)), "9.9 ms");
        assert_eq!(span(Span::from_millis(640)), "640 ms");
        assert_eq!(span(Span::from_secs(75)), "75 s");
        assert_eq!(span(Span::from_secs(24 * 3_600)), "24 h");
    }
}
