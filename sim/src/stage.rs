//! Level 1. The stage that all actors share: the moment, what is to come, the source of choice, and
//! the trace of what happened.

use crate::choice::Choice;
use crate::point::{Message, Op, Point, Subject};
use crate::queue::Queue;
use crate::time::{Span, Time};
use crate::trace::{ReplyId, Server, Trace, What};

/// Something that is to happen.
#[expect(
    missing_docs,
    reason = "the fields are named by what they are; each variant is documented"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The client sends its next attempt.
    Send { op: Op },
    /// A copy of a message arrives.
    Arrive { message: Message, reply: Option<ReplyId> },
    /// The client stops waiting for this attempt.
    Timeout { op: Op, attempt: u8 },
    /// A handler goes on: its question is executed, or its answer arrives.
    Step { slot: Slot },
    /// A blocked question tries again.
    Retry { waiter: Waiter },
    /// The longest hold of a handler is over.
    HoldOver { slot: Slot, since: Point },
    /// A question whose server has died is executed.
    Orphan { orphan: u32 },
    /// The sessions that a dead handler left behind are closed.
    Reap { grave: u32 },
    /// A server comes up again.
    Restart { server: Server },
    /// The last sweep, after the window.
    LastSweep,
    /// A turn of background work begins.
    Turn { number: u8 },
}

/// A handler in its slot; the generation tells it from those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Index of the slot.
    pub index: u32,
    /// How often the slot had been used before.
    pub generation: u32,
}

/// Who waits for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waiter {
    /// A handler.
    Handler(Slot),
    /// A question whose server has died.
    Orphan(u32),
}

/// What all actors share.
#[derive(Debug)]
pub struct Stage {
    /// The moment.
    pub now: Time,
    /// What is to come.
    pub queue: Queue<Due>,
    /// The one source of choice.
    pub choice: Choice,
    /// What happened.
    pub trace: Trace,
    /// Whether texts for the timeline are kept.
    pub details: bool,
    /// Whether somebody listens to the events as they happen; asked once a run.
    pub loud: bool,
}

impl Stage {
    /// Asks whether somebody listens to the events.
    pub fn listen(&mut self) {
        self.loud = tracing::enabled!(target: "onestroke::trace", tracing::Level::DEBUG);
    }

    /// Notes that something happened now.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kind of event is known where it happens")]
    pub fn happened(&mut self, what: What) {
        if self.loud {
            self.tell(what);
        }
        self.trace.push(self.now, what);
    }

    #[cold]
    fn tell(&self, what: What) {
        tracing::debug!(target: "onestroke::trace", "{:>10}  {what}", self.now.to_string());
    }

    /// Notes that something happened now, with a text for the timeline if details are kept.
    #[inline]
    pub fn happened_with(&mut self, what: What, text: impl FnOnce() -> String) {
        self.happened(what);
        if self.details {
            self.trace.note(text());
        }
    }

    /// Lets something happen after a span.
    pub fn after(&mut self, span: Span, tie: u16, due: Due) {
        self.queue.push(self.now + span, tie, due);
    }

    /// Puts a store's own line into the trace, if details are kept.
    pub fn said(&mut self, subject: Subject, text: impl FnOnce() -> String) {
        if self.details {
            self.trace.push(self.now, What::Said { subject });
            self.trace.note(text());
        }
    }
}
