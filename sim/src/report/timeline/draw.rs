//! Level 5. Draws rows into the grid: wraps cells, pads by display width, never crosses a border.
//!
//! Imports `time`.

use super::row::{Arrow, Columns, End, GAP, NETWORK, Piece, Row, TIME_WIDTH, Tone};
use crate::time::Time;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// No text in a cell is higher than this.
const HIGHEST: usize = 4;

/// One line of one cell, or one gap.
pub(super) type Part = (String, Tone);

pub(super) fn draw(columns: &Columns, rows: &[Row], colour: bool) -> String {
    let mut canvas = Canvas::new(colour);
    let mut parts = vec![(fitted("time", TIME_WIDTH), Tone::Dim)];
    for (title, width) in columns.titles.iter().zip(&columns.widths) {
        parts.push((" ".repeat(GAP), Tone::Plain));
        parts.push((fitted(title, *width), Tone::Dim));
    }
    canvas.line(&parts);
    for row in rows {
        draw_row(&mut canvas, columns, row);
    }
    canvas.text
}

/// A moment in the time column: `104 ms`, and seconds from 100 s on.
pub fn stamp(at: Time) -> String {
    const SECONDS_FROM: u64 = 100_000;
    let millis = at.as_micros() / 1_000;
    if millis < SECONDS_FROM { format!("{millis} ms") } else { format!("{} s", millis / 1_000) }
}

fn draw_row(canvas: &mut Canvas, columns: &Columns, row: &Row) {
    let time = fitted(&stamp(row.at), TIME_WIDTH);
    if let Some(piece) = &row.across {
        let width = columns.widths.iter().sum::<usize>() + GAP * (columns.widths.len() - 1);
        let text = fitted(&labelled(&piece.text, width), width);
        canvas.line(&[(time, Tone::Dim), ("  ".into(), Tone::Plain), (text, piece.tone)]);
        return;
    }
    let mut cells: Vec<Vec<Part>> =
        row.cells.iter().zip(&columns.widths).map(|(cell, width)| wrapped(cell, *width)).collect();
    let rightward = row.arrow.as_ref().filter(|arrow| arrow.from < arrow.to);
    let level = rightward.map_or(0, |arrow| cells[arrow.from].len().saturating_sub(1));
    if let Some(arrow) = rightward {
        lower(&mut cells[arrow.to], level);
    }
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(level + 1);
    for line in 0..height {
        let arrow = row.arrow.as_ref().filter(|_| line == level);
        let first = if line == 0 { time.clone() } else { " ".repeat(TIME_WIDTH) };
        let mut parts = vec![(first, Tone::Dim)];
        for (column, width) in columns.widths.iter().enumerate() {
            let gap = match column.checked_sub(1) {
                Some(left) => arrow.and_then(|arrow| arrow_gap(arrow, left)),
                None => None,
            };
            parts.push(gap.unwrap_or_else(|| (" ".repeat(GAP), Tone::Plain)));
            let cell = cells[column].get(line).cloned().unwrap_or_default();
            match arrow.and_then(|arrow| arrow_cell(arrow, column, &cell.0, *width)) {
                Some((own, drawn)) => {
                    parts.push((own, cell.1));
                    parts.push((drawn, arrow.map(|arrow| arrow.tone).unwrap_or_default()));
                }
                None => parts.push((fitted(&cell.0, *width), cell.1)),
            }
        }
        canvas.line(&parts);
    }
}

/// The cell that an arrow points at begins on the arrow's line.
fn lower(cell: &mut Vec<Part>, level: usize) {
    if !cell.is_empty() {
        cell.splice(0..0, std::iter::repeat_n(Part::default(), level));
    }
}

/// What an arrow draws into the gap to the right of a column.
fn arrow_gap(arrow: &Arrow, left: usize) -> Option<Part> {
    let Arrow { from, to, .. } = *arrow;
    let through = (from.min(to)..from.max(to)).contains(&left);
    let text = match (&arrow.end, from < to) {
        (End::Head, true) if left + 1 == to => "▶ ",
        (End::Head, false) if left == to => " ◀",
        _ => "──",
    };
    through.then(|| (text.to_owned(), arrow.tone))
}

/// What an arrow draws into a cell: the cell's own text, and the line beside it.
fn arrow_cell(arrow: &Arrow, column: usize, own: &str, width: usize) -> Option<(String, String)> {
    let rightward = arrow.from <= arrow.to;
    let (low, high) = (arrow.from.min(arrow.to), arrow.from.max(arrow.to));
    let ends_here = column == arrow.to && arrow.end != End::Head;
    if column == NETWORK && (low..=high).contains(&column) && (ends_here || column != arrow.to) {
        let line = match &arrow.end {
            End::Lost(why) if rightward => fitted(&format!("──✖ {why}"), width),
            End::Lost(why) => right(&format!("{why} ✖──"), width),
            _ => labelled(&arrow.label, width),
        };
        return Some((String::new(), line));
    }
    if column == arrow.from && rightward && own.width() + 2 <= width {
        let space = if own.is_empty() { "" } else { " " };
        let own = format!("{own}{space}");
        let line = "─".repeat(width - own.width());
        return Some((own, line));
    }
    (low < column && column < high).then(|| (String::new(), "─".repeat(width)))
}

/// A line with a label in its middle.
fn labelled(label: &str, width: usize) -> String {
    if label.is_empty() {
        return "─".repeat(width);
    }
    let spaced = format!(" {label} ");
    let label = if spaced.width() <= width { spaced } else { cut(label, width) };
    let rest = width - label.width();
    format!("{}{label}{}", "─".repeat(rest / 2), "─".repeat(rest - rest / 2))
}

/// The lines of a cell.
fn wrapped(cell: &[Piece], width: usize) -> Vec<Part> {
    let options = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let mut lines = Vec::new();
    for piece in cell {
        let plain: String =
            piece.text.chars().map(|c| if c.width().is_none() { ' ' } else { c }).collect();
        let wrapped = textwrap::wrap(compact(plain.trim(), width), &options);
        let whole = wrapped.len() <= HIGHEST;
        lines.extend(wrapped.iter().take(HIGHEST).map(|line| (line.to_string(), piece.tone)));
        if !whole && let Some((last, _)) = lines.last_mut() {
            *last = format!("{}…", cut(last, width - 1).trim_end_matches('…'));
        }
    }
    lines
}

/// `begin (read committed)` is `begin` where there is no room for more.
fn compact(text: &str, width: usize) -> &str {
    let begins = text.ends_with(')') && text.contains("begin (");
    let short = text.split_once(" (").filter(|_| begins && text.width() > width);
    short.map_or(text, |(short, _)| short)
}

/// Padded or cut to exactly this width.
fn fitted(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let blank = width - text.width();
    format!("{text}{}", " ".repeat(blank))
}

fn right(text: &str, width: usize) -> String {
    let text = cut(text, width);
    format!("{}{text}", " ".repeat(width - text.width()))
}

/// Cut to at most this width, with `…` where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + c.width().unwrap_or(0) + 1 > width {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

/// A page in the making.
pub(super) struct Canvas {
    pub(super) text: String,
    colour: bool,
}

impl Canvas {
    pub(super) const fn new(colour: bool) -> Self {
        Self { text: String::new(), colour }
    }

    /// Two cells beside each other, each of so many columns, behind a time.
    pub(super) fn pair(&mut self, time: &str, cells: [&[Part]; 2], room: usize) {
        let height = cells.iter().map(|cell| cell.len()).max().unwrap_or(0);
        for line in 0..height {
            let time = if line == 0 { time } else { "" };
            let part = |cell: &[Part]| {
                let (text, tone) = cell.get(line).cloned().unwrap_or_default();
                (fitted(&text, room), tone)
            };
            self.line(&[
                (fitted(time, TIME_WIDTH), Tone::Dim),
                (" ".to_owned(), Tone::Plain),
                part(cells[0]),
                (" │ ".to_owned(), Tone::Dim),
                part(cells[1]),
            ]);
        }
    }

    fn line(&mut self, parts: &[Part]) {
        let end = parts.iter().rposition(|(text, _)| !text.trim().is_empty());
        let shown = &parts[..end.map_or(0, |end| end + 1)];
        for (index, (text, tone)) in shown.iter().enumerate() {
            let text = if index + 1 == shown.len() { text.trim_end() } else { text };
            let style = style(*tone);
            if self.colour && *tone != Tone::Plain && !text.trim().is_empty() {
                let _ = write!(self.text, "{style}{text}{style:#}");
            } else {
                self.text.push_str(text);
            }
        }
        self.text.push('\n');
    }
}

fn style(tone: Tone) -> Style {
    let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    match tone {
        Tone::Plain => Style::new(),
        Tone::Dim => Style::new().dimmed(),
        Tone::Bad => colour(AnsiColor::Red),
        Tone::Alarm => colour(AnsiColor::Red).bold(),
        Tone::Effect => colour(AnsiColor::Green).bold(),
        Tone::Good => colour(AnsiColor::Green),
    }
}
