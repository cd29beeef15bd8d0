//! Level 5. Folds events into rows: what happens at servers and in the database.
//!
//! A question makes one row, when it is executed; that it was asked before shows only where a fault
//! falls in between. Imports `time`, `point`, `trace`.

use super::View;
use super::row::{CLIENT, Columns, NETWORK, Piece, Row, Tone};
use crate::point::{Leg, Message, Op, Step, Subject};
use crate::time::Time;
use crate::trace::{Event, Server, What};
use onestroke_store::Verb;
use std::collections::{BTreeMap, BTreeSet};

/// What the last row was about, and so what may still join it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// A message on its way since this moment.
    Travel(Message, Time),
    /// A reply that has reached its client.
    Answer(Op),
    /// A transaction that this handler has begun.
    Begun(Subject),
    /// Something that can change the database.
    Change,
    /// A crash of this server.
    Crash(Server),
    Other,
}

/// How far a handler has come.
#[derive(Clone, Copy)]
struct Stand {
    step: Step,
    executed: bool,
    /// The event that asked, whose note words the question.
    asked: Option<usize>,
}

pub(super) struct Fold<'a> {
    pub(super) view: View<'a>,
    pub(super) columns: &'a Columns,
    pub(super) last: Last,
    /// Where a handler runs or ran.
    pub(super) servers: BTreeMap<Subject, Server>,
    rows: Vec<Row>,
    stands: BTreeMap<Subject, Stand>,
    /// Whom a column spoke of last.
    spoken: BTreeMap<usize, (Server, Subject)>,
    /// Questions whose connection broke.
    pub(super) severed: BTreeSet<Step>,
    /// How often a part of an operation's effect was committed.
    pub(super) effects: BTreeMap<(Op, u8), u32>,
}

impl<'a> Fold<'a> {
    pub(super) fn new(view: View<'a>, columns: &'a Columns) -> Self {
        Self {
            view,
            columns,
            last: Last::Other,
            servers: BTreeMap::new(),
            rows: Vec::new(),
            stands: BTreeMap::new(),
            spoken: BTreeMap::new(),
            severed: BTreeSet::new(),
            effects: BTreeMap::new(),
        }
    }

    /// All rows; that the weather cleared is no news at the end.
    pub(super) fn finish(mut self) -> Vec<Row> {
        let clears = |row: &Row| row.across.as_ref().is_some_and(|piece| piece.tone == Tone::Dim);
        self.rows.pop_if(|row| clears(row));
        if let Some(cleared) = self.rows.iter().position(clears) {
            self.shorten(cleared);
        }
        self.rows
    }

    /// Nothing that follows joins a row that is there; says how many there are.
    pub(super) fn begin_afresh(&mut self) -> usize {
        self.last = Last::Other;
        self.rows.len()
    }

    /// The rows after the first so many.
    pub(super) fn finish_after(mut self, first: usize) -> Vec<Row> {
        self.rows.drain(..first);
        self.finish()
    }

    /// Of a long row of probes, the first and the last tell enough.
    fn shorten(&mut self, cleared: usize) {
        const FIRST: usize = 6;
        const LAST: usize = 4;
        let (from, to) = (cleared + 1 + FIRST, self.rows.len().saturating_sub(LAST));
        if to > from + 1 {
            let mut gap = Row::new(self.rows[from].at, self.columns);
            gap.across = Some(Piece::new(Tone::Dim, format!("{} more rows", to - from)));
            self.rows.splice(from..to, [gap]);
        }
    }

    pub(super) fn take(&mut self, index: usize, event: &Event) {
        let at = event.at;
        match event.what {
            What::Sent { message, reply } => self.sent(at, message, reply),
            What::Doubled { message } => self.doubled(at, message),
            What::Delayed { message, by } => self.delayed(at, message, by),
            What::Lost { message, why } => self.lost(at, message, why),
            What::Delivered { message, server, reply } => match message.leg {
                Leg::Request => self.received(at, message, server),
                Leg::Reply => self.answered(at, message, reply),
            },
            What::Succeeded { op, reply, .. } => self.ended(at, op, reply, true),
            What::Rejected { op, reply, .. } => self.ended(at, op, reply, false),
            What::TimedOut { op, .. } => self.say(at, CLIENT, Tone::Bad, format!("{op} times out")),
            What::GaveUp { op } => self.say(at, CLIENT, Tone::Bad, format!("{op} gives up")),
            What::Probed { op } => self.say(at, CLIENT, Tone::Dim, format!("{op} is probed")),
            What::Unanswered { op } => {
                self.say(at, CLIENT, Tone::Alarm, format!("✖ {op}: no final answer"));
            }
            What::CutOff { client, for_ } => {
                let text = format!("✖ client-{} cut off for {for_}", client + 1);
                self.say(at, NETWORK, Tone::Bad, text);
            }
            What::Cleared => self.across(at, Tone::Dim, "the weather clears"),
            What::Exhausted => self.across(at, Tone::Alarm, "✖ stopped: too many events"),
            _ => self.take_server(index, event),
        }
    }

    fn take_server(&mut self, index: usize, event: &Event) {
        let at = event.at;
        match event.what {
            What::Started { subject, server } => {
                self.servers.insert(subject, server);
            }
            What::Asked { step, server } => {
                self.servers.insert(step.subject, server);
                let asked = Some(index);
                self.stands.insert(step.subject, Stand { step, executed: false, asked });
            }
            What::Finished { subject, .. } => {
                let step = Step { subject, verb: Verb::Reply, table: 0, ordinal: 1 };
                self.stands.insert(subject, Stand { step, executed: false, asked: None });
            }
            What::Executed { step, result, orphan } => {
                self.executed(at, (step, index), result, orphan);
            }
            What::Blocked { step } => {
                let wait = Piece::new(Tone::Bad, "waits for a lock");
                self.asks(at, step, "", wait);
            }
            What::Held { step } => self.held(at, step, "held before"),
            What::Severed { step } => {
                self.severed.insert(step);
                let who = self.who(step.subject);
                let text = format!("✖ {who}connection lost {}", self.stand(step.subject));
                self.say(at, self.column_of(step.subject), Tone::Bad, text);
                self.last = Last::Change;
            }
            What::Released { step } => self.held(at, step, "goes on with"),
            What::Said { subject } => {
                if let Some(line) = self.view.trace.note_of(index) {
                    let text = format!("{}{line}", self.who(subject));
                    self.say(at, self.column_of(subject), Tone::Dim, text);
                }
            }
            What::Cancelled { subject } => {
                let text = format!("✖ {}cancelled {}", self.who(subject), self.stand(subject));
                self.say(at, self.column_of(subject), Tone::Bad, text);
                self.last = Last::Change;
            }
            What::Crashed { server } => self.server(at, server, Tone::Alarm, "✖ CRASH"),
            What::Restarted { server } => self.server(at, server, Tone::Dim, "up again"),
            What::Paused { server, for_ } => {
                self.server(at, server, Tone::Bad, &format!("✖ stands still for {for_}"));
            }
            What::Died { subject } => self.died(at, subject),
            _ => self.take_database(at, &event.what),
        }
    }

    /// A handler's question was executed.
    pub(super) fn passes(&mut self, step: Step) {
        if let Some(stand) = self.stands.get_mut(&step.subject) {
            stand.executed = true;
        }
    }

    fn held(&mut self, at: Time, step: Step, how: &str) {
        let text = format!("{}{how} {}", self.who(step.subject), self.question(step));
        self.say(at, self.column_of(step.subject), Tone::Bad, text);
    }

    /// Something befalls a whole server.
    fn server(&mut self, at: Time, server: Server, tone: Tone, text: &str) {
        let column = self.columns.server(server);
        let share = self.columns.share_servers();
        let text = if share { format!("{text} {server}") } else { text.to_owned() };
        self.say(at, column, tone, text);
        self.spoken.remove(&column);
        self.last = if tone == Tone::Alarm { Last::Crash(server) } else { Last::Other };
    }

    fn died(&mut self, at: Time, subject: Subject) {
        let text = format!("{} dies {}", self.label(subject, false), self.stand(subject));
        let column = self.column_of(subject);
        let joins = matches!(self.last, Last::Crash(_));
        let row = if joins { self.last_row() } else { self.row(at, Last::Change) };
        row.cells[column].push(Piece::new(Tone::Bad, text));
    }

    fn across(&mut self, at: Time, tone: Tone, text: &str) {
        self.row(at, Last::Other).across = Some(Piece::new(tone, text));
    }

    fn say(&mut self, at: Time, column: usize, tone: Tone, text: String) {
        self.row(at, Last::Other).cells[column].push(Piece::new(tone, text));
    }

    pub(super) fn row(&mut self, at: Time, last: Last) -> &mut Row {
        self.last = last;
        self.rows.push(Row::new(at, self.columns));
        self.last_row()
    }

    pub(super) fn last_row(&mut self) -> &mut Row {
        self.rows.last_mut().expect("whatever joins a row comes after it")
    }

    pub(super) fn column_of(&self, subject: Subject) -> usize {
        self.columns.server(self.servers.get(&subject).copied().unwrap_or(Server(0)))
    }

    /// Names a handler where its column spoke of another one before.
    pub(super) fn who(&mut self, subject: Subject) -> String {
        let server = self.servers.get(&subject).copied().unwrap_or(Server(0));
        let column = self.columns.server(server);
        if self.spoken.insert(column, (server, subject)) == Some((server, subject)) {
            return String::new();
        }
        let label = self.label(subject, false);
        if self.columns.share_servers() {
            format!("{server} {label}: ")
        } else {
            format!("{label}: ")
        }
    }

    /// `attempt-2`, and the operation before it where there are several.
    pub(super) fn label(&self, subject: Subject, whole: bool) -> String {
        let text = subject.to_string();
        if whole || self.columns.many_ops || subject.is_background() {
            return text;
        }
        text.split_once(' ').map_or(text.clone(), |(_, rest)| rest.to_owned())
    }

    pub(super) fn question(&self, step: Step) -> String {
        let stand = self.stands.get(&step.subject).filter(|stand| stand.step == step);
        let note = stand.and_then(|stand| stand.asked).and_then(|at| self.view.trace.note_of(at));
        note.map_or_else(|| self.view.names.question(step), str::to_owned)
    }

    /// Where a handler stood when it ended: `before commit`, `after commit`.
    fn stand(&self, subject: Subject) -> String {
        self.stands.get(&subject).map_or_else(String::new, |stand| {
            let side = if stand.executed { "after" } else { "before" };
            format!("{side} {}", self.question(stand.step))
        })
    }
}
