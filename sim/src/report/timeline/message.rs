//! Level 5. What the timeline says of messages and clients. Imports `point`, `trace`.

use super::fold::{Fold, Last};
use super::row::{Arrow, CLIENT, End, NETWORK, Piece, Tone};
use crate::point::{Leg, Message, Op};
use crate::time::{Span, Time};
use crate::trace::{Loss, ReplyId, Server};

impl Fold<'_> {
    /// A message leaves: the request from its client, the reply from its server.
    pub(super) fn sent(&mut self, at: Time, message: Message, reply: Option<ReplyId>) {
        let (from, tone) = match message.leg {
            Leg::Request => (CLIENT, Tone::Plain),
            Leg::Reply => (self.column_of(message.subject), Tone::Dim),
        };
        let text = match reply {
            Some(reply) => {
                let who = self.who(message.subject);
                let facts = self.view.trace.reply(reply);
                format!("{who}{} {}", facts.status, facts.body)
            }
            None => self.label(message.subject, true),
        };
        let row = self.row(at, Last::Travel(message, at));
        row.cells[from].push(Piece::new(Tone::Plain, text));
        row.arrow = Some(Arrow { from, to: NETWORK, end: End::Open, label: String::new(), tone });
    }

    /// The network makes a second copy.
    pub(super) fn doubled(&mut self, at: Time, message: Message) {
        let copy = self.label(message.subject, true);
        let row = self.row(at, Last::Travel(message, at));
        if message.leg == Leg::Request {
            row.cells[CLIENT].push(Piece::new(Tone::Bad, copy));
        }
        let (from, end, label) = (NETWORK, End::Open, "doubled".to_owned());
        row.arrow = Some(Arrow { from, to: NETWORK, end, label, tone: Tone::Bad });
    }

    pub(super) fn delayed(&mut self, at: Time, message: Message, by: Span) {
        let late = format!("late {by}");
        if self.travels(message) {
            let arrow = self.last_row().arrow.as_mut().expect("a message has an arrow");
            arrow.label = late;
            arrow.tone = Tone::Bad;
            return;
        }
        self.row(at, Last::Other).cells[NETWORK].push(Piece::new(Tone::Bad, late));
    }

    pub(super) fn lost(&mut self, at: Time, message: Message, why: Loss) {
        let why = match why {
            Loss::Dropped => "lost",
            Loss::Partitioned => "cut off",
            Loss::Refused => "no server",
        };
        if self.travels(message) {
            let row = self.last_row();
            let arrow = row.arrow.as_mut().expect("a message has an arrow");
            (arrow.to, arrow.end, arrow.tone) = (NETWORK, End::Lost(why), Tone::Bad);
            self.last = Last::Other;
            return;
        }
        let leg = if message.leg == Leg::Request { "request" } else { "reply" };
        let label = self.label(message.subject, false);
        let cell = &mut self.row(at, Last::Other).cells[NETWORK];
        cell.push(Piece::new(Tone::Bad, format!("──✖ {why}")));
        cell.push(Piece::new(Tone::Bad, format!("{leg} of {label}")));
    }

    /// A request reaches a server.
    pub(super) fn received(&mut self, at: Time, message: Message, server: Server) {
        let column = self.columns.server(server);
        self.servers.insert(message.subject, server);
        let took = self.travel_time(at, message);
        let who = self.who(message.subject);
        let text = match took {
            Some(_) if !self.columns.share_servers() => "received".to_owned(),
            _ => format!("{who}received"),
        };
        self.arrives(at, took, (column, Piece::new(Tone::Plain, text)));
    }

    /// A reply reaches its client.
    pub(super) fn answered(&mut self, at: Time, message: Message, reply: Option<ReplyId>) {
        let took = self.travel_time(at, message);
        let op = message.subject.op;
        let status = reply.map_or(0, |reply| self.view.trace.reply(reply).status);
        let piece = Piece::new(Tone::Dim, format!("{op}: {status}"));
        self.arrives(at, took, (CLIENT, piece));
        self.last = Last::Answer(op);
    }

    /// The client has its final reply.
    pub(super) fn ended(&mut self, at: Time, op: Op, reply: ReplyId, success: bool) {
        let status = self.view.trace.reply(reply).status;
        let (mark, tone) = if success { ("✔", Tone::Good) } else { ("✖", Tone::Bad) };
        let same = self.last == Last::Answer(op);
        let row = if same { self.last_row() } else { self.row(at, Last::Other) };
        if same {
            row.cells[CLIENT].pop();
        }
        row.cells[CLIENT].push(Piece::new(tone, format!("{mark} {op}: {status}")));
    }

    /// How long a message took, if its row is still the last one.
    fn travel_time(&self, at: Time, message: Message) -> Option<Span> {
        match self.last {
            Last::Travel(same, sent) if same == message => Some(at.since(sent)),
            _ => None,
        }
    }

    fn travels(&self, message: Message) -> bool {
        matches!(self.last, Last::Travel(same, _) if same == message)
    }

    /// The arrow goes on to its end, in its own row or in one of its own.
    fn arrives(&mut self, at: Time, took: Option<Span>, (to, piece): (usize, Piece)) {
        let row = if took.is_some() { self.last_row() } else { self.row(at, Last::Other) };
        let tone = if to == CLIENT { Tone::Dim } else { Tone::Plain };
        let fresh = Arrow { from: NETWORK, to, end: End::Head, label: String::new(), tone };
        let arrow = row.arrow.get_or_insert(fresh);
        (arrow.to, arrow.end) = (to, End::Head);
        if let Some(took) = took
            && arrow.label.is_empty()
        {
            arrow.label = format!("{} ms", took.as_micros() / 1_000);
        }
        row.cells[to].push(piece);
        self.last = Last::Other;
    }
}
