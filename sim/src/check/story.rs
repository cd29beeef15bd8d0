//! Level 3, tests. Hand-written traces: one call an event, one millisecond apart unless told.

use super::{Checks, Finding, Seen};
use crate::moments::{Moments, Observer};
use crate::point::{Message, Op, Step, Subject};
use crate::time::{Span, Time};
use crate::trace::{OpFacts, ReplyId, Result, Server, Trace, What};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::{Canon, EffectKind, Text, Verb};

/// The one server of most stories.
pub(crate) const SERVER: Server = Server(0);

/// The first delivery of an attempt (from 1) of an operation (from 0).
pub(crate) fn handler(op: u32, attempt: u8) -> Subject {
    Subject::new(Op(op), attempt, 1)
}

/// A trace in the making. Operations charge, under keys of their own, for one client.
pub(crate) struct Story {
    pub(crate) contract: Contract,
    trace: Trace,
    now: Time,
}

impl Story {
    pub(crate) fn new(ops: u32) -> Self {
        let mut trace = Trace::default();
        for op in 0..ops {
            trace.ops.push(OpFacts {
                client: 0,
                tenant: 0,
                key: op,
                payload: op,
                kind: EffectKind::Add,
                parts: 1,
                amount: 40,
                alone: false,
                declined: false,
                target: op,
                version: 0,
                keyed: true,
                wrong_passwords: 0,
            });
        }
        let contract = Contract { window: Span::from_secs(10), ..Contract::default() };
        let story = Self { contract, trace, now: Time::ZERO };
        (0..ops).fold(story, |story, op| story.then(What::Invoked { op: Op(op) }))
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Contract)) -> Self {
        change(&mut self.contract);
        self
    }

    pub(crate) fn facts(mut self, op: u32, change: impl FnOnce(&mut OpFacts)) -> Self {
        change(&mut self.trace.ops[op as usize]);
        self
    }

    pub(crate) fn then(mut self, what: What) -> Self {
        self.now = self.now + Span::from_millis(1);
        self.trace.push(self.now, what);
        self
    }

    pub(crate) fn wait(mut self, secs: u64) -> Self {
        self.now = self.now + Span::from_secs(secs);
        self
    }

    pub(crate) fn after(mut self, millis: u64) -> Self {
        self.now = self.now + Span::from_millis(millis);
        self
    }

    pub(crate) fn arrives(self, subject: Subject) -> Self {
        let message = Message::request(subject);
        self.then(What::Delivered { message, server: SERVER, reply: None })
    }

    pub(crate) fn starts(self, subject: Subject) -> Self {
        self.then(What::Started { subject, server: SERVER })
    }

    pub(crate) fn executes(self, subject: Subject, verb: Verb) -> Self {
        let step = Step { subject, verb, table: 0, ordinal: 1 };
        self.then(What::Executed { step, result: Result::Done, orphan: false })
    }

    pub(crate) fn commits(self, subject: Subject, (part, parts): (u8, u8)) -> Self {
        let op = subject.op;
        let kind = self.trace.ops[op.index()].kind;
        self.then(What::Committed { op, part, parts, kind, subject })
    }

    /// Starts, claims, applies, and commits effect and record.
    pub(crate) fn makes(self, subject: Subject) -> Self {
        let made = self.starts(subject).executes(subject, Verb::Claim);
        let made = made.executes(subject, Verb::Apply).commits(subject, (0, 1));
        made.then(What::Recorded { op: subject.op })
    }

    /// Has its reply. A 2xx names its own operation's receipt.
    pub(crate) fn finishes(mut self, subject: Subject, (status, body): (u16, &str)) -> Self {
        let reply = self.reply(subject.op, (status, body));
        self.then(What::Finished { subject, reply })
    }

    /// Its reply reaches the client.
    pub(crate) fn tells(mut self, subject: Subject, (status, body): (u16, &str)) -> Self {
        let reply = Some(self.reply(subject.op, (status, body)));
        let message = Message::reply(subject);
        self.then(What::Delivered { message, server: SERVER, reply })
    }

    /// Has its reply, and it reaches the client.
    pub(crate) fn answers(self, subject: Subject, reply: (u16, &str)) -> Self {
        self.finishes(subject, reply).tells(subject, reply)
    }

    pub(crate) fn succeeds(mut self, subject: Subject, reply: (u16, &str)) -> Self {
        let Subject { op, attempt, .. } = subject;
        let reply = self.reply(op, reply);
        self.then(What::Succeeded { op, attempt, reply })
    }

    pub(crate) fn dies(self, subject: Subject) -> Self {
        self.then(What::Died { subject })
    }

    pub(crate) fn swept(self, op: u32) -> Self {
        self.then(What::Forgotten { op: Op(op), swept: true })
    }

    fn reply(&mut self, op: Op, (status, body): (u16, &str)) -> ReplyId {
        let owner = (200..300).contains(&status).then_some(op);
        self.trace.intern(status, &Text::new(body), || owner)
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut checks = Checks::new();
        let mut findings = Vec::new();
        // Twice, so that whatever a reset forgot to forget shows.
        for _ in 0..2 {
            checks.reset(&self.contract, &self.trace.ops);
            let fresh = self.portrait(&checks);
            for (index, event) in (0..).zip(&self.trace.events) {
                checks.step(index, event, &self.trace);
            }
            checks.finish(&self.trace, &mut findings);
            checks.reset(&self.contract, &self.trace.ops);
            assert_eq!(self.portrait(&checks), fresh, "a reset forgets all");
        }
        findings
    }

    /// What the clauses remember, written down.
    fn portrait(&self, checks: &Checks) -> Vec<u8> {
        let mut canon = Canon::default();
        canon.begin(Time::ZERO);
        checks.portray(&mut canon, Seen { trace: &self.trace, live: &[] });
        canon.bytes().to_vec()
    }

    /// The kinds of findings with the operations' numbers from 0.
    pub(crate) fn kinds(&self) -> Vec<(FindingKind, Option<u32>)> {
        let name = |finding: Finding| (finding.kind, finding.op.map(|op| op.0));
        self.findings().into_iter().map(name).collect()
    }

    pub(crate) fn moments(&self) -> Moments {
        let mut observer = Observer::new();
        observer.reset(&self.contract, self.trace.ops.len());
        for event in &self.trace.events {
            observer.step(event, &self.trace);
        }
        observer.finish()
    }
}
