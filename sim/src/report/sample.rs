//! Traces built by hand, for the tests of reports.

use crate::point::{Message, Names, Op, Step, Subject};
use crate::time::{Span, Time};
use crate::trace::{Loss, OpFacts, ReplyId, Result as Came, Server, Trace, What};
use onestroke_store::effects::EFFECTS;
use onestroke_store::record::RECORDS;
use onestroke_store::{EffectKind, Table, Text, Verb};

static TABLES: [&Table; 2] = [&RECORDS, &EFFECTS];
/// The tables of the sample stores.
pub(super) const NAMES: Names<'static> = Names { tables: &TABLES };

/// A trace in the making, at a moment that only goes forward.
pub(super) struct Sample {
    pub(super) trace: Trace,
    now: Time,
    notes: bool,
}

pub(super) fn subject(op: u32, attempt: u8) -> Subject {
    Subject::new(Op(op - 1), attempt, 1)
}

impl Sample {
    pub(super) fn new(ops: &[(u16, i64)]) -> Self {
        let mut trace = Trace::default();
        for (index, (client, amount)) in ops.iter().enumerate() {
            let number = index as u32;
            let (kind, parts) = (EffectKind::Add, 1);
            let (client, amount) = (client - 1, *amount);
            let (tenant, key, payload) = (client, number, number);
            let alone = false;
            trace.ops.push(OpFacts {
                client,
                tenant,
                key,
                payload,
                kind,
                parts,
                amount,
                alone,
                declined: false,
                target: key,
                version: 0,
            });
            trace.keys.push(Text::from(format!("key-{}", number + 1)));
        }
        Self { trace, now: Time::ZERO, notes: true }
    }

    pub(super) fn without_notes(mut self) -> Self {
        self.notes = false;
        self
    }

    pub(super) fn at(&mut self, millis: u64) -> &mut Self {
        self.now = Time::from_micros(millis * 1_000);
        self
    }

    pub(super) fn push(&mut self, what: What) -> &mut Self {
        self.trace.push(self.now, what);
        self
    }

    pub(super) fn note(&mut self, text: &str) -> &mut Self {
        if self.notes {
            self.trace.note(text.to_owned());
        }
        self
    }

    pub(super) fn reply(&mut self, status: u16, body: &str, owner: Option<u32>) -> ReplyId {
        self.trace.intern(status, &Text::from(body), || owner.map(|op| Op(op - 1)))
    }

    pub(super) fn sent(&mut self, subject: Subject) -> &mut Self {
        self.push(What::Sent { message: Message::request(subject), reply: None })
    }

    pub(super) fn lost(&mut self, message: Message) -> &mut Self {
        self.push(What::Lost { message, why: Loss::Dropped })
    }

    /// Arrives at a server, and starts there.
    pub(super) fn starts(&mut self, subject: Subject, server: u8) -> &mut Self {
        let (message, server) = (Message::request(subject), Server(server - 1));
        self.push(What::Delivered { message, server, reply: None });
        self.push(What::Started { subject, server })
    }

    /// A question, asked one millisecond ago.
    pub(super) fn does(
        &mut self,
        (subject, server, verb): (Subject, u8, Verb),
        asks: &str,
        (result, says): (Came, &str),
    ) -> &mut Self {
        self.asks((subject, server, verb), asks);
        self.now = self.now + Span::from_millis(1);
        let step = step(subject, verb);
        self.push(What::Executed { step, result, orphan: false }).note(says)
    }

    pub(super) fn asks(
        &mut self,
        (subject, server, verb): (Subject, u8, Verb),
        asks: &str,
    ) -> &mut Self {
        let step = step(subject, verb);
        self.push(What::Asked { step, server: Server(server - 1) }).note(asks)
    }

    pub(super) fn applied(&mut self, subject: Subject) -> &mut Self {
        let (op, kind) = (subject.op, EffectKind::Add);
        self.push(What::Applied { op, part: 0, parts: 1, kind })
    }

    pub(super) fn committed(&mut self, subject: Subject) -> &mut Self {
        self.part(subject, 0, 1)
    }

    pub(super) fn part(&mut self, subject: Subject, part: u8, parts: u8) -> &mut Self {
        let (op, kind) = (subject.op, EffectKind::Add);
        self.push(What::Committed { op, part, parts, kind, subject })
    }

    pub(super) fn recorded(&mut self, subject: Subject) -> &mut Self {
        self.push(What::Recorded { op: subject.op })
    }

    pub(super) fn crash(&mut self, server: u8, dead: Subject) -> &mut Self {
        self.push(What::Crashed { server: Server(server - 1) });
        self.push(What::Died { subject: dead })
    }

    /// Finishes, and the reply leaves a millisecond later.
    pub(super) fn replies(&mut self, subject: Subject, reply: ReplyId) -> &mut Self {
        self.push(What::Finished { subject, reply });
        self.now = self.now + Span::from_millis(1);
        let message = Message::reply(subject);
        self.push(What::Sent { message, reply: Some(reply) })
    }

    /// The reply arrives, two milliseconds after now.
    pub(super) fn answered(&mut self, subject: Subject, reply: ReplyId) -> &mut Self {
        self.now = self.now + Span::from_millis(2);
        let (message, server) = (Message::reply(subject), Server(0));
        self.push(What::Delivered { message, server, reply: Some(reply) });
        let success = self.trace.reply(reply).is_success();
        let again = self.trace.reply(reply).asks_for_retry();
        let Subject { op, attempt, .. } = subject;
        match (success, again) {
            (true, _) => self.push(What::Succeeded { op, attempt, reply }),
            (_, false) => self.push(What::Rejected { op, attempt, reply }),
            _ => self,
        }
    }

    /// `effect-then-key`: a crash between effect and key, a lost request, and a second charge.
    pub(super) fn crash_between(self) -> Self {
        let mut it = self;
        let (first, second, third) = (subject(1, 1), subject(1, 2), subject(1, 3));
        it.push(What::Invoked { op: Op(0) }).sent(first).at(2).starts(first, 1);
        it.does((first, 1, Verb::Read), "look up key-1", (Came::Nothing, "no record"));
        it.does((first, 1, Verb::Apply), "apply charge 40", (Came::Done, "written"));
        it.applied(first).committed(first).asks((first, 1, Verb::Settle), "settle key-1");
        it.at(5).crash(1, first).at(55).push(What::Restarted { server: Server(0) });
        it.at(100).push(What::TimedOut { op: Op(0), attempt: 1 });
        it.at(120).sent(second).lost(Message::request(second));
        it.at(320).push(What::TimedOut { op: Op(0), attempt: 2 });
        it.at(360).sent(third).at(363).starts(third, 2);
        it.does((third, 2, Verb::Read), "look up key-1", (Came::Nothing, "no record"));
        it.does((third, 2, Verb::Apply), "apply charge 40", (Came::Done, "written"));
        it.applied(third).committed(third);
        let says = "record key-1 (201 receipt id-2)";
        it.does((third, 2, Verb::Settle), "settle key-1", (Came::Done, says)).recorded(third);
        let reply = it.reply(201, "receipt id-2", Some(1));
        it.replies(third, reply).answered(third, reply).push(What::Cleared);
        it
    }
}

fn step(subject: Subject, verb: Verb) -> Step {
    Step { subject, verb, table: 0, ordinal: 1 }
}
