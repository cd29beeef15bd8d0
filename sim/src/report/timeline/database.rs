//! Level 5. What the timeline says of questions and of the database. Imports `point`, `trace`.

use super::fold::{Fold, Last};
use super::row::{Arrow, End, Piece, Tone};
use crate::point::{Op, Step};
use crate::time::Time;
use crate::trace::{Result as Came, What};
use onestroke_store::effects::name_of;
use onestroke_store::{EffectKind, Verb};

impl Fold<'_> {
    pub(super) fn take_database(&mut self, at: Time, what: &What) {
        match *what {
            What::Applied { op, kind, .. } => {
                let mut piece = Piece::new(Tone::Dim, format!("{} pending", self.effect(op, kind)));
                piece.passing = true;
                self.change(at, piece);
            }
            What::Committed { op, part, parts, kind, .. } => {
                let times = self.effects.entry((op, part)).or_default();
                *times += 1;
                let of = if self.columns.many_ops { format!(" of {op}") } else { String::new() };
                let part =
                    if parts > 1 { format!(" part {}/{parts}", part + 1) } else { String::new() };
                let again = *times > 1 && kind.repeat_matters();
                let (mark, tone) = if again { ("✖ ", Tone::Alarm) } else { ("", Tone::Effect) };
                let piece = Piece::new(tone, format!("{mark}EFFECT #{times}{part}{of}"));
                self.change(at, piece);
            }
            What::Undone { op, part } => {
                let facts = self.view.trace.ops.get(op.index());
                let effect = facts.map_or_else(String::new, |facts| self.effect(op, facts.kind));
                let many = facts.is_some_and(|facts| facts.parts > 1);
                let part = if many { format!(" part {}", part + 1) } else { String::new() };
                self.change(at, Piece::new(Tone::Bad, format!("{effect}{part} undone")));
            }
            What::Compensated { op, part, .. } => {
                let times = self.effects.entry((op, part)).or_default();
                let (mark, tone) =
                    if *times == 0 { ("✖ ", Tone::Alarm) } else { ("", Tone::Bad) };
                *times = times.saturating_sub(1);
                let of = if self.columns.many_ops { format!(" of {op}") } else { String::new() };
                self.change(at, Piece::new(tone, format!("{mark}EFFECT taken back{of}")));
            }
            What::Vanished { op, part } => {
                let times = self.effects.entry((op, part)).or_default();
                *times = times.saturating_sub(1);
                let of = if self.columns.many_ops { format!(" of {op}") } else { String::new() };
                self.change(at, Piece::new(Tone::Alarm, format!("✖ EFFECT lost{of}")));
            }
            What::FailedOver { lost } => {
                let lost = match lost {
                    0 => "nothing lost".to_owned(),
                    1 => "1 write lost".to_owned(),
                    many => format!("{many} writes lost"),
                };
                self.last = Last::Other;
                self.change(at, Piece::new(Tone::Alarm, format!("✖ cache FAILS OVER, {lost}")));
                self.last = Last::Change;
            }
            What::Evicted { .. } => self.change(at, Piece::new(Tone::Bad, "key had expired")),
            What::ReadBehind { .. } => {
                self.change(at, Piece::new(Tone::Bad, "replica is behind"));
            }
            What::Recorded { .. } => self.change(at, Piece::new(Tone::Plain, "record saved")),
            What::Forgotten { op, swept } => {
                let how = if swept { "swept" } else { "deleted" };
                self.change(at, Piece::new(Tone::Bad, format!("record of {op} {how}")));
            }
            What::RolledBack { .. } => self.change(at, Piece::new(Tone::Bad, "rolled back")),
            What::Reaped { subject } => {
                let text = format!("locks of {} let go", self.label(subject, false));
                self.change(at, Piece::new(Tone::Dim, text));
            }
            What::Remaining { records } => {
                self.last = Last::Other;
                self.change(at, Piece::new(Tone::Plain, format!("{records} records left")));
            }
            _ => {}
        }
    }

    pub(super) fn executed(
        &mut self,
        at: Time,
        (step, index): (Step, usize),
        result: Came,
        orphan: bool,
    ) {
        self.passes(step);
        let text = self.view.trace.note_of(index).map(str::to_owned);
        let text = text.unwrap_or_else(|| outcome(step.verb, result).to_owned());
        let tone = if result == Came::Refused { Tone::Bad } else { Tone::Plain };
        let mut piece = Piece::new(tone, text);
        piece.passing = result == Came::Done && matches!(step.verb, Verb::Commit | Verb::Apply);
        if step.verb == Verb::Sleep {
            piece.text.clear();
        }
        if self.last == Last::Begun(step.subject) {
            self.join_begin(at, step, piece);
        } else {
            let from = match orphan {
                true if self.severed.contains(&step) => " (on its way since)",
                true => " (from the dead server)",
                false => "",
            };
            self.asks(at, step, from, piece);
        }
        let begun = step.verb == Verb::Begin && result == Came::Done;
        self.last = if begun { Last::Begun(step.subject) } else { Last::Change };
    }

    /// The first question of a transaction shares a row with its beginning.
    fn join_begin(&mut self, at: Time, step: Step, piece: Piece) {
        let (from, to) = (self.column_of(step.subject), self.columns.database());
        let question = self.question(step);
        let row = self.last_row();
        row.at = at;
        if let Some(begin) = row.cells[from].last_mut() {
            let bare = begin.text.split(" (").next().unwrap_or_default();
            begin.text = format!("{bare} · {question}");
        }
        row.cells[to] = vec![piece];
    }

    /// A row for a question, with an arrow to the database and its word.
    pub(super) fn asks(&mut self, at: Time, step: Step, suffix: &str, piece: Piece) {
        let from = self.column_of(step.subject);
        let text = format!("{}{}{suffix}", self.who(step.subject), self.question(step));
        let tone = if suffix.is_empty() { Tone::Plain } else { Tone::Bad };
        let (to, silent) = (self.columns.database(), piece.text.is_empty());
        let row = self.row(at, Last::Other);
        row.cells[from].push(Piece::new(tone, text));
        if !silent {
            row.cells[to].push(piece);
            let label = String::new();
            row.arrow = Some(Arrow { from, to, end: End::Head, label, tone: Tone::Plain });
        }
    }

    /// Adds to what the last row did to the database, or makes a row of its own.
    fn change(&mut self, at: Time, piece: Piece) {
        let database = self.columns.database();
        let joins = matches!(self.last, Last::Change | Last::Crash(_)) && self.last_row().at == at;
        let row = if joins { self.last_row() } else { self.row(at, Last::Change) };
        let cell = &mut row.cells[database];
        cell.pop_if(|before| before.passing);
        if cell.iter().all(|before| before.text != piece.text) {
            cell.push(piece);
        }
    }

    fn effect(&self, op: Op, kind: EffectKind) -> String {
        let amount = self.view.trace.ops.get(op.index()).map_or(0, |facts| facts.amount);
        format!("{} {amount}", name_of(kind))
    }
}

/// What the database said, where no note words it.
const fn outcome(verb: Verb, result: Came) -> &'static str {
    match (result, verb) {
        (Came::Refused, _) => "refused",
        (Came::Nothing, Verb::Claim | Verb::Insert) => "key is taken",
        (Came::Nothing, _) => "no row",
        (Came::Done, Verb::Read) => "row found",
        (Came::Done, Verb::Begin) => "transaction open",
        (Came::Done, Verb::Commit) => "COMMITTED",
        (Came::Done, Verb::Rollback) => "rolled back",
        (Came::Done, _) => "done",
    }
}
