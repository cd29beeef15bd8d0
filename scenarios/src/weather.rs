//! How often the world misbehaves, where, and for how long: the weights that a seed draws from.
//!
//! Imports rates and sites only. All rates are zero by default: a scenario names the faults
//! that it is about.

use crate::rate::Rate;
use crate::site::{Side, Sites};
use onestroke_store::Span;

/// The fault weights of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weather {
    /// Whether each seed first draws which kinds of fault exist in its run. Default no.
    pub swarm: bool,
    /// No fault begins later than this after the start of the run. Default 3 s.
    pub horizon: Span,
    /// How many faults one run has at most. Default 12.
    pub most_faults: u16,

    /// Of requests: lost on the way.
    pub drop_request: Rate,
    /// Of replies: lost on the way.
    pub drop_reply: Rate,
    /// Of requests: a second copy arrives.
    pub duplicate_request: Rate,
    /// Of replies: a second copy arrives.
    pub duplicate_reply: Rate,
    /// Of requests: late by one of the classes in `late`.
    pub late_request: Rate,
    /// Of replies: late by one of the classes in `late`.
    pub late_reply: Rate,
    /// Of duplicates: the second copy is late by one of the classes in `late`.
    pub late_duplicate: Rate,
    /// Delay classes, added to the network's latency. Needed where a lateness has a rate.
    pub late: Vec<Span>,

    /// Of attempts sent: from then on the client is cut off for a while.
    pub partition: Rate,
    /// How long a client stays cut off. Default 300 ms.
    pub partition_for: Span,

    /// Of sites passed: the server dies there, and all its handlers with it.
    pub crash: Fault,
    /// Of crashes before a question: the question was on its way, and is still executed.
    pub in_flight: Rate,
    /// How long after the crash it is executed. Default 3 ms.
    pub in_flight_after: Span,
    /// How long a dead server takes to come back. Default 50 ms.
    pub restart_after: Span,
    /// Of crashes: the dead server's database sessions keep their locks for a while.
    pub linger: Rate,
    /// How long they keep them. Default 200 ms.
    pub linger_for: Span,

    /// Of sites passed: the client hangs up there, and its handler is dropped; the server lives on.
    pub cancel: Fault,
    /// Of sites passed: the handler stands still there.
    pub pause: Fault,
    /// How long it stands still, one of these. Needed where `pause` has a rate.
    pub pause_for: Vec<Span>,
    /// Of sites passed: the handler is held there until another one has overtaken it. Only sites
    /// before a question count.
    pub hold: Fault,
    /// How many questions another handler passes at most before the held one goes on. Default 6.
    pub hold_most: u8,
    /// How long a handler is held at most. Default 1 s.
    pub hold_for: Span,

    /// Of sites passed: the connection breaks on which the question travels; its handler lives on.
    /// A transaction that was open on it is rolled back.
    pub sever: Fault,
    /// How long it takes a handler to notice. Default 10 ms.
    pub sever_after: Span,

    /// Of sites passed: the cache fails over there, and loses what its replica has not yet.
    pub fail_over: Fault,

    /// Of attempts sent: the sweeper runs just before it arrives.
    pub sweep: Rate,
    /// How far ahead of their expiry the sweeper clears records. Default zero: an honest one.
    pub sweep_ahead: Span,
}

/// A fault inside a handler: how often, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How often, of the sites that a handler passes.
    pub rate: Rate,
    /// At which sites. Default everywhere.
    pub at: Sites,
}

impl Fault {
    /// It never happens, wherever it could.
    pub const NEVER: Self = Self { rate: Rate::NEVER, at: Sites::EVERYWHERE };
}

impl Default for Fault {
    fn default() -> Self {
        Self::NEVER
    }
}

impl Default for Weather {
    fn default() -> Self {
        Self {
            swarm: false,
            horizon: Span::from_secs(3),
            most_faults: 12,
            drop_request: Rate::NEVER,
            drop_reply: Rate::NEVER,
            duplicate_request: Rate::NEVER,
            duplicate_reply: Rate::NEVER,
            late_request: Rate::NEVER,
            late_reply: Rate::NEVER,
            late_duplicate: Rate::NEVER,
            late: Vec::new(),
            partition: Rate::NEVER,
            partition_for: Span::from_millis(300),
            crash: Fault::NEVER,
            in_flight: Rate::NEVER,
            in_flight_after: Span::from_millis(3),
            restart_after: Span::from_millis(50),
            linger: Rate::NEVER,
            linger_for: Span::from_millis(200),
            cancel: Fault::NEVER,
            pause: Fault::NEVER,
            pause_for: Vec::new(),
            hold: Fault { rate: Rate::NEVER, at: Sites::on(Side::Before) },
            hold_most: 6,
            hold_for: Span::from_secs(1),
            sever: Fault::NEVER,
            sever_after: Span::from_millis(10),
            fail_over: Fault::NEVER,
            sweep: Rate::NEVER,
            sweep_ahead: Span::ZERO,
        }
    }
}

impl Weather {
    /// The longest that a message can be late.
    pub fn longest_lateness(&self) -> Span {
        let rates = [self.late_request, self.late_reply, self.late_duplicate];
        if rates.iter().all(|rate| rate.is_never()) {
            return Span::ZERO;
        }
        self.late.iter().copied().max().unwrap_or(Span::ZERO)
    }

    /// The longest that one fault can keep a handler, or a session's locks, from going on.
    pub fn longest_standstill(&self) -> Span {
        let when = |rate: Rate, span: Span| if rate.is_never() { Span::ZERO } else { span };
        let longest_pause = self.pause_for.iter().copied().max().unwrap_or(Span::ZERO);
        [
            when(self.pause.rate, longest_pause),
            when(self.hold.rate, self.hold_for),
            when(self.crash.rate, self.restart_after.max(self.in_flight_after)),
            when(self.linger, self.linger_for),
            when(self.sever.rate, self.sever_after.max(self.in_flight_after)),
        ]
        .into_iter()
        .max()
        .unwrap_or(Span::ZERO)
    }
}
