//! Level 0. Points: places where the world could misbehave, named by what they hit.
//!
//! A point is one number: (operation, attempt, copy, place, verb, table, ordinal). It does not depend
//! on the order in which a run reaches it, on the seed, or on the weights, so that a plan written
//! today names the same place tomorrow. It is rendered only when it is shown.

use onestroke_store::{Canon, Table, Verb};
use std::fmt::{self, Write as _};

/// An operation, by its number from 0 in the order of the workload. Shown as `op-1` and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op(pub u32);

/// What a handler was started by: one delivery of an attempt, or the n-th sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The operation; [`Op::SWEEP`] for the sweeper.
    pub op: Op,
    /// The attempt, from 1; for the sweeper the number of its turn.
    pub attempt: u8,
    /// Which copy of the request, from 1.
    pub copy: u8,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leg {
    /// From the client to a server.
    Request,
    /// From a server back to the client.
    Reply,
}

/// One copy of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// The delivery that it makes, or that it answers.
    pub subject: Subject,
    /// Its way.
    pub leg: Leg,
    /// Which copy of the reply, from 1; 1 for a request, whose copy is the subject's.
    pub echo: u8,
}

/// A question of a handler, by what it means: `commit`, `read records #2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Whose question.
    pub subject: Subject,
    /// What the store means by it.
    pub verb: Verb,
    /// The table's index among the store's tables; 0 where the verb names none.
    pub table: u8,
    /// How often this handler has asked the same, from 1; the last number stands for all beyond.
    pub ordinal: u8,
}

/// Where around a subject something can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Place {
    /// A message is about to be sent.
    Send,
    /// One copy of a message is on its way.
    Travel,
    /// Before a question is executed.
    Before,
    /// After a question was executed, before its answer arrives.
    After,
    /// The client waits before its next attempt.
    Backoff,
    /// The load balancer chooses a server.
    Route,
    /// A blocked question is woken.
    Wake,
    /// The database chooses who dies to end a deadlock.
    Victim,
}

/// A place where the world could misbehave.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u64);

const OP_BITS: u32 = 24;
const COPY_MAX: u8 = 15;
const TABLE_MAX: u8 = 31;

impl Op {
    /// Stands for the sweeper, and for background work, where an operation is expected.
    pub const SWEEP: Self = Self((1 << OP_BITS) - 1);
    /// How many operations a run can have.
    pub const MOST: u32 = (1 << OP_BITS) - 1;

    /// Its index in tables by operation.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Subject {
    /// One delivery of an attempt. Copies beyond the 15th share one name.
    pub fn new(op: Op, attempt: u8, copy: u8) -> Self {
        Self { op, attempt, copy: copy.min(COPY_MAX) }
    }

    /// The sweeper's turn with this number.
    pub const fn sweep(turn: u8) -> Self {
        Self { op: Op::SWEEP, attempt: turn, copy: 1 }
    }

    /// The turn of background work with this number.
    pub const fn work(turn: u8) -> Self {
        Self { op: Op::SWEEP, attempt: turn, copy: Self::WORK }
    }

    /// Tells turns of background work from those of the sweeper.
    const WORK: u8 = 2;

    /// Writes it down.
    pub fn portray(self, canon: &mut Canon) {
        canon.word(self.op.0);
        canon.word(self.attempt);
        canon.word(self.copy);
    }

    /// Whether nobody asked for it: a turn of the sweeper, or of background work.
    pub fn is_background(self) -> bool {
        self.op == Op::SWEEP
    }

    /// Whether this is a turn of the sweeper.
    pub fn is_sweep(self) -> bool {
        self.is_background() && !self.is_work()
    }

    /// Whether this is a turn of background work.
    pub fn is_work(self) -> bool {
        self.is_background() && self.copy == Self::WORK
    }
}

impl Message {
    /// The request that makes this delivery.
    pub const fn request(subject: Subject) -> Self {
        Self { subject, leg: Leg::Request, echo: 1 }
    }

    /// The reply to this delivery.
    pub const fn reply(subject: Subject) -> Self {
        Self { subject, leg: Leg::Reply, echo: 1 }
    }

    /// The second copy of the same message.
    pub fn double(self) -> Self {
        match self.leg {
            Leg::Request => {
                let Subject { op, attempt, copy } = self.subject;
                Self::request(Subject::new(op, attempt, copy + 1))
            }
            Leg::Reply => Self { echo: 2, ..self },
        }
    }
}

impl Point {
    /// Where a message is about to be sent.
    pub fn send(message: Message) -> Self {
        Self::of_message(Place::Send, message)
    }

    /// Where one copy of a message is on its way.
    pub fn travel(message: Message) -> Self {
        Self::of_message(Place::Travel, message)
    }

    /// Before a question is executed.
    pub fn before(step: Step) -> Self {
        Self::of_step(Place::Before, step)
    }

    /// After a question was executed, and before its answer arrives.
    pub fn after(step: Step) -> Self {
        Self::of_step(Place::After, step)
    }

    /// Where a blocked question is woken.
    pub fn wake(step: Step) -> Self {
        Self::of_step(Place::Wake, step)
    }

    /// Where the database chooses who dies.
    pub fn victim(step: Step) -> Self {
        Self::of_step(Place::Victim, step)
    }

    /// Where the client waits after this attempt.
    pub fn backoff(op: Op, attempt: u8) -> Self {
        Self::pack(Place::Backoff, Subject::new(op, attempt, 1), 0)
    }

    /// Where the load balancer chooses a server for a delivery.
    pub fn route(subject: Subject) -> Self {
        Self::pack(Place::Route, subject, 0)
    }

    /// Its number: what the weather is a function of.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The point with this number, if there is one.
    pub fn from_number(number: u64) -> Option<Self> {
        let point = Self(number);
        let place_known = (point.0 & 0xF) <= Place::Victim as u64;
        let verb_known = point.verb_index() < Verb::ALL.len();
        (place_known && verb_known && number >> 60 == 0).then_some(point)
    }

    /// Where it is.
    pub fn place(self) -> Place {
        match self.0 & 0xF {
            0 => Place::Send,
            1 => Place::Travel,
            2 => Place::Before,
            3 => Place::After,
            4 => Place::Backoff,
            5 => Place::Route,
            6 => Place::Wake,
            _ => Place::Victim,
        }
    }

    /// Whom it hits.
    pub fn subject(self) -> Subject {
        Subject {
            op: Op((self.0 >> 36) as u32),
            attempt: (self.0 >> 28) as u8,
            copy: (self.0 >> 24) as u8 & COPY_MAX,
        }
    }

    /// The same place around another operation.
    #[must_use]
    pub const fn with_op(self, op: Op) -> Self {
        debug_assert!(op.0 < 1 << OP_BITS);
        Self(self.0 & ((1 << 36) - 1) | (op.0 as u64) << 36)
    }

    /// The same place around another attempt of the same operation.
    #[must_use]
    pub const fn with_attempt(self, attempt: u8) -> Self {
        Self(self.0 & !(0xFF << 28) | (attempt as u64) << 28)
    }

    /// The message, where the place is about one.
    pub fn message(self) -> Option<Message> {
        let leg = if self.0 >> 4 & 1 == 0 { Leg::Request } else { Leg::Reply };
        let echo = (self.0 >> 5) as u8 & 0x3;
        matches!(self.place(), Place::Send | Place::Travel).then(|| Message {
            subject: self.subject(),
            leg,
            echo,
        })
    }

    /// The question, where the place is about one.
    pub fn step(self) -> Option<Step> {
        let asked =
            matches!(self.place(), Place::Before | Place::After | Place::Wake | Place::Victim);
        asked.then(|| Step {
            subject: self.subject(),
            verb: Verb::ALL[self.verb_index()],
            table: (self.0 >> 12) as u8 & TABLE_MAX,
            ordinal: (self.0 >> 4) as u8,
        })
    }

    fn verb_index(self) -> usize {
        (self.0 >> 17) as usize & 0x7F
    }

    fn of_message(place: Place, message: Message) -> Self {
        let leg = u64::from(message.leg == Leg::Reply);
        Self::pack(place, message.subject, leg | u64::from(message.echo & 0x3) << 1)
    }

    fn of_step(place: Place, step: Step) -> Self {
        let detail = u64::from(step.ordinal)
            | u64::from(step.table & TABLE_MAX) << 8
            | u64::from(step.verb as u8) << 13;
        Self::pack(place, step.subject, detail)
    }

    // place 4 | detail 20 (ordinal 8, table 5, verb 7; or leg 1, echo 2) | copy 4 | attempt 8 | op 24
    fn pack(place: Place, subject: Subject, detail: u64) -> Self {
        debug_assert!(detail < 1 << 20 && subject.op.0 < 1 << OP_BITS);
        Self(
            place as u64
                | detail << 4
                | u64::from(subject.copy) << 24
                | u64::from(subject.attempt) << 28
                | u64::from(subject.op.0) << 36,
        )
    }
}

/// Renders points with the names of a store's tables.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The store's tables, in its order.
    pub tables: &'a [&'static Table],
}

impl Names<'_> {
    /// `op-1 attempt-2`, `op-1 attempt-2 copy-2`, `sweep-1`.
    pub fn subject(self, subject: Subject) -> String {
        subject.to_string()
    }

    /// `request of op-1 attempt-2`, `reply of op-1 attempt-1 copy-2 echo-2`.
    pub fn message(self, message: Message) -> String {
        message.to_string()
    }

    /// `commit`, `read records #2`.
    pub fn question(self, step: Step) -> String {
        let mut text = step.verb.name().to_owned();
        if step.verb.names_table() && !self.tables.is_empty() {
            let table = self.tables.get(usize::from(step.table)).map_or("?", |table| table.name);
            let _ = write!(text, " {table}");
        }
        if step.ordinal > 1 {
            let _ = write!(text, " #{}", step.ordinal);
        }
        text
    }

    /// The whole point: `op-1 attempt-1 after commit`.
    pub fn point(self, point: Point) -> String {
        let subject = point.subject();
        match (point.place(), point.message(), point.step()) {
            (Place::Before, _, Some(step)) => format!("{subject} before {}", self.question(step)),
            (Place::After, _, Some(step)) => format!("{subject} after {}", self.question(step)),
            (Place::Wake, _, Some(step)) => format!("{subject} waking {}", self.question(step)),
            (Place::Victim, _, Some(step)) => format!("{subject} deadlock {}", self.question(step)),
            (Place::Send, Some(message), _) => format!("sending {message}"),
            (_, Some(message), _) => message.to_string(),
            (Place::Backoff, ..) => format!("{subject} backoff"),
            _ => format!("{subject} route"),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "op-{}", self.0 + 1)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_work() {
            return write!(f, "work-{}", self.attempt);
        }
        if self.is_background() {
            return write!(f, "sweep-{}", self.attempt);
        }
        write!(f, "{} attempt-{}", self.op, self.attempt)?;
        if self.copy > 1 { write!(f, " copy-{}", self.copy) } else { Ok(()) }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leg = if self.leg == Leg::Request { "request" } else { "reply" };
        write!(f, "{leg} of {}", self.subject)?;
        if self.echo > 1 { write!(f, " echo-{}", self.echo) } else { Ok(()) }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({})", Names { tables: &[] }.point(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_read_back_from_its_number() {
        let subject = Subject::new(Op(7), 3, 2);
        let step = Step { subject, verb: Verb::Reply, table: 31, ordinal: 255 };
        let message = Message { subject, leg: Leg::Reply, echo: 2 };
        let points = [
            Point::send(message),
            Point::travel(Message::request(subject)),
            Point::before(step),
            Point::after(step),
            Point::wake(step),
            Point::victim(step),
            Point::backoff(Op(7), 3),
            Point::route(subject),
            Point::route(Subject::sweep(9)),
        ];
        for (at, point) in points.iter().enumerate() {
            assert_eq!(Point::from_number(point.number()), Some(*point));
            assert!(points[..at].iter().all(|other| other != point), "{point:?} is not unique");
        }
        assert_eq!(Point::before(step).step(), Some(step));
        assert_eq!(Point::send(message).message(), Some(message));
        assert_eq!(Point::send(message).subject(), subject);
    }

    #[test]
    fn a_point_of_another_operation_is_the_same_place() {
        let of = |op| {
            let subject = Subject::new(Op(op), 3, 2);
            [
                Point::before(Step { subject, verb: Verb::Read, table: 31, ordinal: 255 }),
                Point::travel(Message { subject, leg: Leg::Reply, echo: 2 }),
                Point::backoff(Op(op), 3),
            ]
        };
        assert_eq!(of(7).map(|point| point.with_op(Op(0))), of(0));
        assert_eq!(of(0).map(|point| point.with_op(Op::SWEEP)), of(Op::MOST));
        let [first, second] = [1, 255].map(|attempt| Point::backoff(Op(5), attempt));
        assert_eq!((first.with_attempt(255), second.with_attempt(1)), (second, first));
    }

    #[test]
    fn a_number_with_an_unknown_verb_is_no_point() {
        assert_eq!(Point::from_number(u64::MAX), None);
        assert_eq!(Point::from_number(0x7F << 17), None);
    }
}
