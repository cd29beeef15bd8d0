//! Level 5. Two runs side by side, from where they part: the rows of each timeline, one text each, in the
//! order of time.
//!
//! Imports `time`, `point`, `trace`.

use super::draw::stamp;
use super::focus::{Focus, op_of};
use super::fold::Fold;
use super::row::{
    Arrow, CLIENT, Columns, End, FIRST_SERVER, NETWORK, Piece, Row, TIME_WIDTH, Tone,
};
use super::{View, draw};
use crate::point::Op;
use crate::time::Time;
use crate::trace::{ReplyFacts, Trace, What};

/// Blanks and lines between the time and the two runs.
const BETWEEN: usize = 1 + 3;

/// Two runs of one scenario.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// The one on the left.
    pub left: View<'a>,
    /// The one on the right.
    pub right: View<'a>,
}

/// How far two runs are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// How many events they have in common, from the first on.
    pub events: usize,
    /// When the last of these was.
    pub until: Time,
    /// Whose the next event is, where one of them has one.
    pub op: Option<Op>,
}

/// A row as one text.
struct Told {
    stamp: String,
    text: String,
    tone: Tone,
}

impl Beside<'_> {
    /// How far the two are the same: in what happened, and in how it is told.
    pub fn parting(&self) -> Parting {
        let (left, right) = (self.left.trace, self.right.trace);
        let same = |at: &usize| same_event(left, right, *at);
        let most = left.events.len().min(right.events.len());
        let events = (0..most).take_while(same).count();
        let last = events.checked_sub(1).map(|last| left.events[last].at);
        let next = [left, right].into_iter().filter_map(|trace| trace.events.get(events));
        let op = next.filter_map(|event| op_of(&event.what)).find(|op| *op != Op::SWEEP);
        Parting { events, until: last.unwrap_or(Time::ZERO), op }
    }

    /// What comes after the parting, under the titles of the two; empty when nothing does.
    pub fn render(&self, titles: [&str; 2], width: usize) -> String {
        let parting = self.parting().events;
        let (left, right) = (told(self.left, parting), told(self.right, parting));
        if left.is_empty() && right.is_empty() {
            return String::new();
        }
        let room = width.saturating_sub(TIME_WIDTH + BETWEEN) / 2;
        let mut page = draw::Canvas::new(self.left.colour);
        let head = |text: &str| {
            let lines = textwrap::wrap(text, room).into_iter();
            lines.map(|line| (line.into_owned(), Tone::Dim)).collect::<Vec<_>>()
        };
        page.pair("time", [&head(titles[0]), &head(titles[1])], room);
        let (mut left, mut right) = (left.as_slice(), right.as_slice());
        while let Some(stamp) = earliest(left, right) {
            let (ours, theirs);
            (ours, left) = left.split_at(same_stamp(left, &stamp));
            (theirs, right) = right.split_at(same_stamp(right, &stamp));
            for at in 0..ours.len().max(theirs.len()) {
                let (one, other) = (ours.get(at), theirs.get(at));
                let equal = one.zip(other).is_some_and(|(one, other)| one.text == other.text);
                let cells = [one, other].map(|told| told.map_or(vec![], |t| t.lines(room, equal)));
                let stamp = if at == 0 { stamp.as_str() } else { "" };
                page.pair(stamp, [&cells[0], &cells[1]], room);
            }
        }
        page.text
    }
}

/// Whether the two traces say the same of their event with this index.
fn same_event(left: &Trace, right: &Trace, at: usize) -> bool {
    let (one, other) = (left.events[at], right.events[at]);
    let reply = |trace: &'_ Trace, what| reply_of(trace, what).cloned();
    one == other
        && reply(left, one.what) == reply(right, other.what)
        && left.note_of(at) == right.note_of(at)
}

/// Replies are numbered by each run.
fn reply_of(trace: &Trace, what: What) -> Option<&ReplyFacts> {
    match what {
        What::Sent { reply, .. } | What::Delivered { reply, .. } => {
            reply.map(|reply| trace.reply(reply))
        }
        What::Finished { reply, .. }
        | What::Succeeded { reply, .. }
        | What::Rejected { reply, .. } => Some(trace.reply(reply)),
        _ => None,
    }
}

/// The rows of a run after so many events.
fn told(view: View<'_>, parting: usize) -> Vec<Told> {
    let focus = Focus::new(view.trace, view.focus);
    let columns = Columns::new(&view, &focus);
    let mut fold = Fold::new(view, &columns);
    let mut common = 0;
    for (index, event) in view.trace.events.iter().enumerate() {
        if index == parting {
            common = fold.begin_afresh();
        }
        if focus.shows(index, &event.what) {
            fold.take(index, event);
        }
    }
    if view.trace.events.len() <= parting {
        common = fold.begin_afresh();
    }
    let rows = fold.finish_after(common);
    rows.iter().map(|row| Told::new(row, &columns)).filter(|told| !told.text.is_empty()).collect()
}

fn earliest(left: &[Told], right: &[Told]) -> Option<String> {
    let firsts = [left.first(), right.first()];
    let first = firsts.into_iter().flatten().min_by_key(|told| told.millis());
    first.map(|told| told.stamp.clone())
}

fn same_stamp(told: &[Told], stamp: &str) -> usize {
    told.iter().take_while(|told| told.stamp == stamp).count()
}

impl Told {
    fn new(row: &Row, columns: &Columns) -> Self {
        let stamp = stamp(row.at);
        let pieces = || row.across.iter().chain(row.cells.iter().flatten());
        let tones = pieces().map(|piece| piece.tone).chain(row.arrow.iter().map(|one| one.tone));
        let tone = tones.max_by_key(|tone| weight(*tone)).unwrap_or_default();
        let text = match (&row.across, &row.arrow) {
            (Some(across), _) => across.text.clone(),
            (None, Some(arrow)) => with_arrow(row, arrow, columns),
            (None, None) => {
                let cells = (0..row.cells.len()).map(|column| cell(row, column, columns));
                cells.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
            }
        };
        Self { stamp, text, tone }
    }

    /// For the order of two stamps.
    fn millis(&self) -> u64 {
        let (number, unit) = self.stamp.split_once(' ').unwrap_or((&self.stamp, "ms"));
        let number: u64 = number.parse().unwrap_or(u64::MAX);
        if unit == "s" { number.saturating_mul(1_000) } else { number }
    }

    fn lines(&self, room: usize, equal: bool) -> Vec<(String, Tone)> {
        let tone = if equal && self.tone == Tone::Plain { Tone::Dim } else { self.tone };
        let options = textwrap::Options::new(room)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .subsequent_indent("  ");
        let lines = textwrap::wrap(&self.text, options);
        lines.into_iter().map(|line| (line.into_owned(), tone)).collect()
    }
}

/// What a row with several tones is painted in.
const fn weight(tone: Tone) -> u8 {
    match tone {
        Tone::Dim => 0,
        Tone::Plain => 1,
        Tone::Good => 2,
        Tone::Effect => 3,
        Tone::Bad => 4,
        Tone::Alarm => 5,
    }
}

/// What stands in a cell, with whose it is.
fn cell(row: &Row, column: usize, columns: &Columns) -> String {
    let texts = row.cells[column].iter().map(|piece: &Piece| piece.text.as_str());
    let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    let shared = column >= FIRST_SERVER && columns.share_servers();
    match text.as_str() {
        "" => text,
        _ if column == NETWORK || column == columns.database() || shared => text,
        _ if column == CLIENT && !columns.titles[CLIENT].starts_with("client-") => text,
        // It says which attempt: `server-1 attempt-2: received`.
        _ if column != CLIENT && (text.starts_with("attempt-") || text.starts_with("op-")) => {
            format!("{} {text}", columns.titles[column])
        }
        _ => format!("{}: {text}", columns.titles[column]),
    }
}

/// A message or a question, and what became of it.
fn with_arrow(row: &Row, arrow: &Arrow, columns: &Columns) -> String {
    let mut parts = vec![cell(row, arrow.from, columns)];
    // How long a message took shows in the time of its arrival, unless it was late.
    if !arrow.label.ends_with(" ms") || arrow.tone == Tone::Bad {
        parts.push(arrow.label.clone());
        if let Some(label) = parts.last_mut().filter(|label| !label.is_empty()) {
            *label = format!("({label})");
        }
    }
    match arrow.end {
        End::Head => parts.extend(["→".to_owned(), cell(row, arrow.to, columns)]),
        End::Lost(why) => parts.push(format!("✖ {why}")),
        End::Open => parts.push("→".to_owned()),
    }
    parts.retain(|part| !part.is_empty());
    let others = (0..row.cells.len()).filter(|one| ![arrow.from, arrow.to].contains(one));
    let others = others.map(|column| cell(row, column, columns)).filter(|text| !text.is_empty());
    std::iter::once(parts.join(" ")).chain(others).collect::<Vec<_>>().join("; ")
}
