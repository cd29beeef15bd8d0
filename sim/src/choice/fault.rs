//! Level 0. What can strike, and what can end a hold. Imports [`crate::point`] and times only.

use crate::point::Point;
use crate::time::Span;
use onestroke_store::{Canon, Verb};

/// A misbehaviour at a point. Magnitudes are plain spans, so that a plan does not depend on the
/// scenario's classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// This copy of a message is lost.
    Drop,
    /// The message is delivered twice.
    Duplicate,
    /// This copy arrives so much later.
    Late(Span),
    /// The client is cut off from all servers for the scenario's span, this message included.
    Partition,
    /// The sweeper runs before this attempt arrives.
    Sweep,
    /// The handler's server crashes.
    Crash {
        /// The question is on its way, and is still executed after the crash.
        in_flight: bool,
        /// The dead sessions keep their locks for a while.
        linger: bool,
    },
    /// The client hung up: this handler is dropped, its server lives on.
    Cancel,
    /// The server's process stands still for so long (a long GC).
    Pause(Span),
    /// This handler is held back until another has passed.
    Hold(Until),
    /// The connection on which this question travels breaks; its handler lives on, and is told so.
    Sever {
        /// The question was on its way, and is still executed.
        in_flight: bool,
    },
    /// The cache's replica becomes the primary, and what it had not yet is lost.
    FailOver,
}

/// Whether a question can still be executed after its server has died: not one that never leaves it.
pub const fn can_fly(verb: Verb) -> bool {
    !matches!(verb, Verb::Reply | Verb::Begin | Verb::Sleep)
}

/// Whether a question leaves its server on a connection that can break.
pub const fn travels(verb: Verb) -> bool {
    !matches!(verb, Verb::Reply | Verb::Sleep)
}

/// What ends a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Until {
    /// Other handlers have passed so many questions.
    Passed(u8),
    /// The question with this point (an `after` point) was executed.
    Point(Point),
    /// The scenario's longest hold is over.
    Longest,
}

impl Until {
    /// Writes it down.
    pub fn portray(self, canon: &mut Canon) {
        match self {
            Self::Passed(others) => {
                canon.word(1_u8);
                canon.word(others);
            }
            Self::Point(point) => {
                canon.word(2_u8);
                canon.word(point.number());
            }
            Self::Longest => canon.word(3_u8),
        }
    }
}

impl Fault {
    /// Writes it down.
    pub fn portray(self, canon: &mut Canon) {
        match self {
            Self::Drop => canon.word(1_u8),
            Self::Duplicate => canon.word(2_u8),
            Self::Late(by) => {
                canon.word(3_u8);
                canon.word(by.as_micros());
            }
            Self::Partition => canon.word(4_u8),
            Self::Sweep => canon.word(5_u8),
            Self::Crash { in_flight, linger } => {
                canon.word(6_u8);
                canon.word(in_flight);
                canon.word(linger);
            }
            Self::Cancel => canon.word(7_u8),
            Self::Pause(for_) => {
                canon.word(8_u8);
                canon.word(for_.as_micros());
            }
            Self::Hold(until) => {
                canon.word(9_u8);
                until.portray(canon);
            }
            Self::Sever { in_flight } => {
                canon.word(10_u8);
                canon.word(in_flight);
            }
            Self::FailOver => canon.word(20_u8),
        }
    }
}
