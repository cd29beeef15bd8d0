//! Level 5. Rows and columns of the timeline. Imports `time`, `trace`.

use super::focus::{Focus, op_of};
use super::{LEAST_WIDTH, View};
use crate::time::Time;
use crate::trace::{Server, What};
use onestroke_store::Verb;
use std::collections::BTreeSet;

/// Index of the clients' column.
pub(super) const CLIENT: usize = 0;
/// Index of the network's column.
pub(super) const NETWORK: usize = 1;
/// Index of the first server's column.
pub(super) const FIRST_SERVER: usize = 2;
/// Width of the time.
pub(super) const TIME_WIDTH: usize = 8;
/// Blank or arrow between two columns.
pub(super) const GAP: usize = 2;

/// The grid: titles and widths from left to right, without the time.
pub(super) struct Columns {
    pub(super) titles: Vec<String>,
    pub(super) widths: Vec<usize>,
    /// The servers with a column of their own; empty when all share one.
    apart: Vec<Server>,
    /// Whether several operations are to be told apart.
    pub(super) many_ops: bool,
}

/// How a text is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tone {
    #[default]
    Plain,
    Dim,
    /// A fault, a loss.
    Bad,
    /// A crash, a second effect.
    Alarm,
    /// An effect.
    Effect,
    /// A success that the client sees.
    Good,
}

/// A text in a cell; it begins on a line of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) tone: Tone,
    /// What comes next in the same cell says the same, and more.
    pub(super) passing: bool,
}

/// A line from one cell to another.
#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) end: End,
    /// Stands on the network's part.
    pub(super) label: String,
    pub(super) tone: Tone,
}

/// How an arrow ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It arrives.
    Head,
    /// It is still under way.
    Open,
    /// It is lost in the network, with these words.
    Lost(&'static str),
}

/// One row; its cells can be higher than a line.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) at: Time,
    pub(super) cells: Vec<Vec<Piece>>,
    pub(super) arrow: Option<Arrow>,
    /// Goes across all columns, in place of cells.
    pub(super) across: Option<Piece>,
}

impl Row {
    pub(super) fn new(at: Time, columns: &Columns) -> Self {
        Self { at, cells: vec![Vec::new(); columns.widths.len()], arrow: None, across: None }
    }
}

impl Piece {
    pub(super) fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { text: text.into(), tone, passing: false }
    }
}

impl Columns {
    pub(super) fn new(view: &View<'_>, focus: &Focus) -> Self {
        let shown = || {
            let events = view.trace.events.iter().enumerate();
            events
                .map(|(index, event)| (index, &event.what))
                .filter(|(index, what)| focus.shows(*index, what))
                .map(|(_, what)| what)
        };
        let servers: BTreeSet<Server> = shown().filter_map(server_of).collect();
        let ops: BTreeSet<_> = shown().filter_map(op_of).collect();
        let clients: BTreeSet<u16> = ops
            .iter()
            .filter_map(|op| view.trace.ops.get(op.index()))
            .map(|facts| facts.client)
            .collect();
        let fit = view.width >= 80 && servers.len() == 2;
        let apart: Vec<Server> =
            if servers.len() == 1 || fit { servers.into_iter().collect() } else { vec![] };
        let client = match clients.first() {
            Some(client) if clients.len() == 1 => format!("client-{}", client + 1),
            _ => "clients".into(),
        };
        let mut titles = vec![client, "network".to_owned()];
        titles.extend(apart.iter().map(ToString::to_string));
        if apart.is_empty() {
            titles.push("servers".into());
        }
        titles.push(behind(shown));
        let many_ops = ops.iter().filter(|op| **op != crate::point::Op::SWEEP).count() > 1;
        let widths = widths(view.width.max(LEAST_WIDTH), titles.len());
        Self { titles, widths, apart, many_ops }
    }

    pub(super) fn server(&self, server: Server) -> usize {
        let at = self.apart.iter().position(|one| *one == server).unwrap_or(0);
        FIRST_SERVER + at
    }

    pub(super) fn database(&self) -> usize {
        self.widths.len() - 1
    }

    /// Whether a cell must name its server.
    pub(super) fn share_servers(&self) -> bool {
        self.apart.is_empty()
    }
}

/// What stands behind the servers, as far as anybody asked it.
fn behind<'a, I: Iterator<Item = &'a What>>(shown: impl Fn() -> I) -> String {
    let asks = |fits: fn(Verb) -> bool| {
        shown().any(|what| matches!(what, What::Asked { step, .. } if fits(step.verb)))
    };
    let mut parts = vec![];
    let others = [asks(Verb::is_of_cache), asks(|verb| verb == Verb::Call)];
    let database =
        |verb: Verb| !verb.is_of_cache() && !matches!(verb, Verb::Call | Verb::Reply | Verb::Sleep);
    if asks(database) || others == [false, false] {
        parts.push("database");
    }
    parts.extend(others[0].then_some("cache"));
    parts.extend(others[1].then_some("service"));
    parts.join(", ")
}

fn server_of(what: &What) -> Option<Server> {
    match what {
        What::Started { server, .. }
        | What::Asked { server, .. }
        | What::Crashed { server }
        | What::Restarted { server }
        | What::Paused { server, .. } => Some(*server),
        _ => None,
    }
}

/// The least that a column needs; what is left goes to servers and database first.
fn widths(width: usize, count: usize) -> Vec<usize> {
    const CLIENT_LEAST: usize = 15;
    const NETWORK_LEAST: usize = 11;
    const OTHER_LEAST: usize = 12;
    let others = count - FIRST_SERVER;
    let least = CLIENT_LEAST + NETWORK_LEAST + OTHER_LEAST * others;
    let extra = (width - TIME_WIDTH - GAP * count).saturating_sub(least);
    let client = (extra / 8).min(4);
    let network = (extra / 8).min(6);
    let rest = extra - client - network;
    let mut widths = vec![CLIENT_LEAST + client, NETWORK_LEAST + network];
    widths.extend(
        (0..others).map(|other| {
            OTHER_LEAST + rest / others + usize::from(others - other <= rest % others)
        }),
    );
    widths
}
