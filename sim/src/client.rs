//! Level 2. The clients.
//!
//! A client sends its operations one after another, or all at once. It waits for a reply, and sends
//! again, with the same key unless the workload says otherwise, after a timeout, a 409, a 429 or a 5xx, with exponential back-off and
//! jitter, up to its limit of attempts. Any other reply is final. A client that has given up does not
//! know what happened.
//!
//! Fault model: clients are honest. A scenario's workload says whose keys are reused, shared or
//! missing, whether each attempt has a key of its own, and how attempts write their payload. A client
//! may forget its key (it was restarted), change its credential, or begin with a wrong password. What
//! an attempt carries follows from operation and attempt, so that a duplicate of it carries the same.

use crate::choice::{Chosen, Odds};
use crate::point::{Op, Point};
use crate::stage::{Due, Stage};
use crate::time::{Span, Time};
use crate::trace::{OpFacts, ReplyId, What};
use onestroke_scenarios::{Client, Declines, Keys, Order, Payloads, Workload, WorkloadKind};
use onestroke_store::{Canon, Effect, EffectKind, Payload, Request, Text};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::rc::Rc;

/// Amounts that a workload draws from; a plan has the first one everywhere.
const AMOUNTS: [i64; 4] = [40, 25, 60, 15];

/// The weather's key comes from stream 0 of the same seed.
const WORKLOAD_STREAM: u64 = 1;

/// After so many attempts a probe spreads what it still has to send over what is left of its bound:
/// an answer that is there in the end is asked for in the end.
const PROBES_BRISK: u8 = 100;
/// After so many attempts a probe sends no more, and waits out its bound.
const PROBES_MOST: u8 = 200;

/// All clients with their operations.
#[derive(Debug)]
pub struct Clients {
    client: Client,
    workload: Workload,
    declines: Declines,
    /// Attempts of one operation do not all carry the same.
    varies: bool,
    operations: Vec<Operation>,
    /// By client: how many of its operations have begun.
    begun: Vec<u16>,
    /// By account and amount.
    payloads: Vec<Payload>,
}

#[derive(Debug)]
struct Operation {
    request: Rc<Request>,
    client: u16,
    /// Its account and amount.
    content: usize,
    /// Attempts sent so far.
    sent: u8,
    /// The attempt whose reply the client waits for.
    open: Option<u8>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Final,
    GaveUp,
    /// Asked about after the end, until this moment.
    Probed(Time),
}

/// How a payload is written.
#[derive(Clone, Copy, Debug)]
enum Written {
    Plain,
    Reordered,
    Stamped(u8),
}

impl Clients {
    /// Clients as a scenario describes them.
    pub fn new(client: Client, workload: Workload, declines: Declines) -> Self {
        let accounts = if is_shared(workload.keys) { 1 } else { workload.clients };
        let plain = Client {
            forgets_key_after: 0,
            new_credential_after: 0,
            wrong_passwords: 0,
            reconnects: false,
            ..client
        };
        let varies = client != plain
            || workload.payloads != Payloads::Same
            || workload.keys == Keys::FreshForEachAttempt;
        let contents = usize::from(accounts) * AMOUNTS.len();
        let payloads = (0..contents).map(|content| payload(content, Written::Plain)).collect();
        Self { client, workload, declines, varies, operations: vec![], begun: vec![], payloads }
    }

    /// How many clients there are.
    pub const fn count(&self) -> usize {
        self.workload.clients as usize
    }

    /// Makes the operations of a run: from the seed, or plain ones for a plan.
    pub fn reset(&mut self, stage: &mut Stage) {
        let mut rng = stage.choice.workload_seed().map(ChaCha8Rng::seed_from_u64);
        if let Some(rng) = &mut rng {
            rng.set_stream(WORKLOAD_STREAM);
        }
        let each = self.workload.operations;
        self.begun.clear();
        self.begun.resize(self.count(), 0);
        let fresh = self.operations.is_empty();
        let mut previous = 0;
        for client in 0..self.workload.clients {
            for number in 0..each {
                let index = usize::from(client) * usize::from(each) + usize::from(number);
                let drawn = rng.as_mut().map_or(0, |rng| rng.next_u32() as usize % AMOUNTS.len());
                let second = number % 2 == 1;
                let amount = match self.workload.keys {
                    Keys::ReusedWithOtherPayload if second => (previous + 1) % AMOUNTS.len(),
                    Keys::SameForTwoEndpoints if second => previous,
                    Keys::SameForTenants | Keys::SameForConsumers if client > 0 => {
                        let same = &stage.trace.ops[usize::from(number)];
                        same.payload as usize
                    }
                    _ => drawn,
                };
                previous = amount;
                let key = match self.workload.keys {
                    Keys::Fresh | Keys::FreshForEachAttempt | Keys::Missing => index,
                    Keys::ReusedWithOtherPayload | Keys::SameForTwoEndpoints => {
                        index - usize::from(second)
                    }
                    Keys::SameForTenants | Keys::SameForConsumers => usize::from(number),
                };
                self.set(stage, index, (client, amount, key), fresh);
            }
        }
    }

    /// The operations with which the clients begin, in order.
    pub fn first(&self) -> impl Iterator<Item = Op> + use<> {
        let Workload { clients, operations, order, .. } = self.workload;
        let each = if order == Order::Concurrent { operations } else { 1 };
        (0..u32::from(clients)).flat_map(move |client| {
            (0..u32::from(each)).map(move |number| Op(client * u32::from(operations) + number))
        })
    }

    /// Begins an operation.
    pub fn begin(&mut self, stage: &mut Stage, op: Op) {
        self.begun[usize::from(self.operations[op.index()].client)] += 1;
        stage.happened(What::Invoked { op });
        stage.after(Span::ZERO, 0, Due::Send { op });
    }

    /// Takes the attempts to be sent now: first and last, if the operation still wants any.
    pub fn take_attempts(&mut self, stage: &mut Stage, op: Op) -> Option<(u8, u8)> {
        let operation = &mut self.operations[op.index()];
        if operation.state == State::Final {
            return None;
        }
        let first = operation.sent + 1;
        let at_once = match operation.state {
            State::Probed(_) => 1,
            _ => self.workload.at_once.min(self.client.attempts - operation.sent),
        };
        let last = operation.sent + at_once;
        operation.sent = last;
        operation.open = Some(last);
        let timeout = self.client.timeout_of(u32::from(last) - 1);
        stage.after(timeout, 0, Due::Timeout { op, attempt: last });
        Some((first, last))
    }

    /// A reply arrives. Says whether the operation has ended with it.
    pub fn receive(&mut self, stage: &mut Stage, op: Op, attempt: u8, reply: ReplyId) -> bool {
        let operation = &mut self.operations[op.index()];
        if matches!(operation.state, State::Final | State::GaveUp) {
            return false;
        }
        let facts = stage.trace.reply(reply);
        let mistyped = facts.status == 401 && attempt <= self.client.wrong_passwords;
        if facts.asks_for_retry() || mistyped {
            let awaited = operation.open == Some(attempt);
            return awaited && self.retry(stage, op);
        }
        let success = facts.is_success();
        operation.state = State::Final;
        operation.open = None;
        stage.happened(if success {
            What::Succeeded { op, attempt, reply }
        } else {
            What::Rejected { op, attempt, reply }
        });
        true
    }

    /// The wait for an attempt is over. Says whether the operation has ended with it.
    pub fn time_out(&mut self, stage: &mut Stage, op: Op, attempt: u8) -> bool {
        if self.operations[op.index()].open != Some(attempt) {
            return false;
        }
        stage.happened(What::TimedOut { op, attempt });
        self.retry(stage, op)
    }

    /// Begins the next operation of the client whose operation has ended, if it has one.
    pub fn next(&mut self, stage: &mut Stage, ended: Op) {
        let client = self.operations[ended.index()].client;
        let begun = self.begun[usize::from(client)];
        if begun < self.workload.operations {
            let each = u32::from(self.workload.operations);
            self.begin(stage, Op(u32::from(client) * each + u32::from(begun)));
        }
    }

    /// Asks about an operation that has no final answer, until the bound has passed.
    pub fn probe(&mut self, stage: &mut Stage, op: Op, bound: Span) {
        let operation = &mut self.operations[op.index()];
        operation.state = State::Probed(stage.now + bound);
        stage.happened(What::Probed { op });
        stage.after(Span::ZERO, 0, Due::Send { op });
    }

    /// The operations without a final answer.
    pub fn unanswered(&self) -> impl Iterator<Item = Op> + '_ {
        let open = |(index, operation): (usize, &Operation)| {
            let index = u32::try_from(index).expect("operations are bounded");
            (operation.state != State::Final).then_some(Op(index))
        };
        self.operations.iter().enumerate().filter_map(open)
    }

    /// Whether the client still waits for this attempt.
    pub fn awaits(&self, op: Op, attempt: u8) -> bool {
        self.operations[op.index()].open == Some(attempt)
    }

    /// Whether the client has its answer, and sends no more.
    pub fn is_answered(&self, op: Op) -> bool {
        self.operations[op.index()].state == State::Final
    }

    /// Writes how all operations stand. What they ask for is the same in every run of a plan.
    pub fn portray(&self, canon: &mut Canon) {
        for operation in &self.operations {
            canon.word(operation.sent);
            canon.word(operation.open.unwrap_or(0));
            match operation.state {
                State::Waiting => canon.word(0_u8),
                State::Final => canon.word(1_u8),
                State::GaveUp => canon.word(2_u8),
                State::Probed(until) => {
                    canon.word(3_u8);
                    canon.time(until);
                }
            }
        }
        self.begun.iter().for_each(|begun| canon.word(*begun));
    }

    /// Whose operation it is.
    pub fn client_of(&self, op: Op) -> u16 {
        self.operations[op.index()].client
    }

    /// The request that an attempt of an operation sends.
    pub fn request(&self, op: Op, attempt: u8) -> Rc<Request> {
        let operation = &self.operations[op.index()];
        if !self.varies {
            return Rc::clone(&operation.request);
        }
        let mut request = Request::clone(&operation.request);
        let comes_after = |attempts: u8| attempts > 0 && attempt > attempts;
        if self.workload.keys == Keys::FreshForEachAttempt {
            let _ = write!(request.key, "-attempt-{attempt}");
        }
        if comes_after(self.client.forgets_key_after) {
            request.key.push_str("-anew");
        }
        if comes_after(self.client.new_credential_after) {
            request.credential.push_str("-new");
        }
        request.authenticated = attempt > self.client.wrong_passwords;
        if self.client.reconnects {
            let _ = write!(request.connection, "-{op}-attempt-{attempt}");
        }
        match self.workload.payloads {
            Payloads::Reordered if attempt.is_multiple_of(2) => {
                request.payload = payload(operation.content, Written::Reordered);
            }
            Payloads::Stamped => {
                request.payload = payload(operation.content, Written::Stamped(attempt));
            }
            Payloads::Same | Payloads::Reordered => {}
        }
        Rc::new(request)
    }

    /// An attempt has failed: waits and sends again, or gives up. Says whether it gave up.
    fn retry(&mut self, stage: &mut Stage, op: Op) -> bool {
        let operation = &mut self.operations[op.index()];
        operation.open = None;
        let attempt = operation.sent;
        let over = match operation.state {
            State::Probed(until) => stage.now >= until,
            _ => attempt >= self.client.attempts,
        };
        if over {
            let probed = matches!(operation.state, State::Probed(_));
            operation.state = State::GaveUp;
            stage.happened(if probed { What::Unanswered { op } } else { What::GaveUp { op } });
            return !probed;
        }
        if let State::Probed(until) = operation.state
            && attempt >= PROBES_MOST
        {
            // Enough was asked; the bound is waited out for an answer that is still on its way.
            operation.open = Some(attempt);
            stage.queue.push(until, 0, Due::Timeout { op, attempt });
            return false;
        }
        let mut wait = self.client.backoff_after(u32::from(attempt) - 1);
        if let State::Probed(until) = operation.state {
            wait = wait.max(spread_out(until.since(stage.now), attempt));
        }
        let jitter = wait.as_micros() * u64::from(self.client.jitter.ppm()) / 1_000_000;
        let spread = u32::try_from(jitter + 1).unwrap_or(u32::MAX);
        let point = Point::backoff(op, attempt);
        let Chosen { offset, tie, .. } =
            stage.choice.at(point, stage.now, &Odds::default(), spread);
        stage.after(wait + Span::from_micros(u64::from(offset)), tie, Due::Send { op });
        false
    }

    fn set(
        &mut self,
        stage: &mut Stage,
        index: usize,
        (client, amount, key): (u16, usize, usize),
        fresh: bool,
    ) {
        let owner = if is_shared(self.workload.keys) { 0 } else { client };
        let content = usize::from(owner) * AMOUNTS.len() + amount;
        let effect = effect_of(self.workload.kind, AMOUNTS[amount]);
        let keyed = self.workload.keys != Keys::Missing;
        let other = self.workload.keys == Keys::SameForTwoEndpoints && key != index;
        // The updates of a client are about one thing, and number their versions.
        let updates = self.workload.kind == WorkloadKind::Update;
        let target = if updates { usize::from(client) } else { index };
        let number = index % usize::from(self.workload.operations) + 1;
        let version = u32::try_from(number).expect("operations are bounded");
        let (epoch, sequence) = numbers(version, u32::from(self.client.restarts_after));
        let consumers = self.workload.keys == Keys::SameForConsumers;
        if fresh {
            let request = Rc::new(Request {
                tenant: numbered("tenant", if consumers { 0 } else { usize::from(client) }),
                credential: numbered("credential", usize::from(client)),
                authenticated: true,
                operation: match (consumers, other) {
                    (true, _) => numbered("consumer", usize::from(client)),
                    (_, true) => Text::const_new("other"),
                    _ => Text::const_new(operation_type(self.workload.kind)),
                },
                key: if keyed { numbered("key", key) } else { Text::default() },
                payload: self.payloads[content].clone(),
                effect,
                target: numbered("thing", target),
                connection: numbered("connection", usize::from(client)),
                sequence,
                epoch,
            });
            let state = State::Waiting;
            let operation = Operation { request, client, content, sent: 0, open: None, state };
            self.operations.push(operation);
        } else {
            let operation = &mut self.operations[index];
            let known = Rc::make_mut(&mut operation.request);
            known.payload.clone_from(&self.payloads[content]);
            known.effect = effect;
            operation.content = content;
            (operation.sent, operation.open, operation.state) = (0, None, State::Waiting);
        }
        stage.trace.keys.push(self.operations[index].request.key.clone());
        stage.trace.ops.push(OpFacts {
            client,
            tenant: client,
            // What two consumers do with one message, or two endpoints with one key, are two.
            key: u32::try_from(if consumers || other { index } else { key })
                .expect("operations are bounded"),
            payload: u32::try_from(content).expect("payloads are few"),
            kind: effect.kind,
            parts: effect.parts,
            amount: effect.amount,
            alone: self.workload.keys != Keys::ReusedWithOtherPayload,
            declined: self.declines.declines(u32::try_from(index).unwrap_or(u32::MAX)),
            target: u32::try_from(target).expect("operations are bounded"),
            version: if updates { version } else { 0 },
            keyed,
            wrong_passwords: self.client.wrong_passwords,
        });
    }
}

/// A payload by account and amount.
fn payload(content: usize, written: Written) -> Payload {
    let (account, amount) = (content / AMOUNTS.len() + 1, AMOUNTS[content % AMOUNTS.len()]);
    let json = match written {
        Written::Plain => format!(r#"{{"account":"account-{account}","amount":{amount}}}"#),
        Written::Reordered => format!(r#"{{"amount":{amount},"account":"account-{account}"}}"#),
        Written::Stamped(attempt) => {
            format!(r#"{{"account":"account-{account}","amount":{amount},"sent_at":{attempt}}}"#)
        }
    };
    Payload::new(&json).expect("the workload's payloads are JSON")
}

/// Epoch and sequence number of a client's operation with this number, when the client is restarted after
/// so many operations.
const fn numbers(number: u32, restarts_after: u32) -> (u32, u32) {
    match (number - 1).checked_div(restarts_after) {
        Some(before) => (before + 1, number - before * restarts_after),
        None => (1, number),
    }
}

/// Whether the clients send the same payloads under the same keys.
const fn is_shared(keys: Keys) -> bool {
    matches!(keys, Keys::SameForTenants | Keys::SameForConsumers)
}

/// How long a probe waits at least after this attempt, so that the attempts that it has left last
/// for what is left of its bound.
fn spread_out(left: Span, attempt: u8) -> Span {
    let attempts = u64::from(PROBES_MOST.saturating_sub(attempt)).max(1);
    if attempt < PROBES_BRISK { Span::ZERO } else { Span::from_micros(left.as_micros() / attempts) }
}

const fn effect_of(kind: WorkloadKind, amount: i64) -> Effect {
    let (kind, parts) = match kind {
        WorkloadKind::Charge => (EffectKind::Add, 1),
        WorkloadKind::Order => (EffectKind::Create, 3),
        WorkloadKind::Transfer => (EffectKind::Add, 2),
        WorkloadKind::SetStatus | WorkloadKind::Update | WorkloadKind::Delete => {
            (EffectKind::Set, 1)
        }
        WorkloadKind::Register => (EffectKind::Create, 1),
        WorkloadKind::Ship => (EffectKind::Transition, 1),
    };
    Effect { kind, amount, parts }
}

const fn operation_type(kind: WorkloadKind) -> &'static str {
    match kind {
        WorkloadKind::Charge => "charge",
        WorkloadKind::Order => "order",
        WorkloadKind::Transfer => "transfer",
        WorkloadKind::SetStatus => "set-status",
        WorkloadKind::Update => "update",
        WorkloadKind::Register => "register",
        WorkloadKind::Delete => "delete",
        WorkloadKind::Ship => "ship",
    }
}

fn numbered(what: &str, index: usize) -> Text {
    let mut text = Text::const_new("");
    let _ = write!(text, "{what}-{}", index + 1);
    text
}
