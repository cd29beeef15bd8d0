//! What is set for all stores alike: the part of the contract that is theirs to keep.
//!
//! Imports values only.

use crate::value::Span;

/// What a scenario, or whoever runs a store, sets for all stores alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a record counts.
    pub window: Span,
    /// From when it counts.
    pub window_from: WindowFrom,
    /// How long a claim is its owner's alone, for stores that take leases.
    pub lease: Span,
    /// What an attempt is told while another of its operation is in flight.
    pub in_flight: InFlight,
    /// Which outcomes are kept, and told to later attempts.
    pub stored: Stored,
}

impl Default for Settings {
    /// A day, and five seconds.
    fn default() -> Self {
        let (window, window_from) = (Span::from_secs(24 * 60 * 60), WindowFrom::default());
        let (in_flight, stored) = (InFlight::default(), Stored::default());
        Self { window, window_from, lease: Span::from_secs(5), in_flight, stored }
    }
}

/// From when a record counts. Real systems differ: SQS FIFO and NATS count from first sight, `DynamoDB`
/// from completion, AWS Directory Service Data anew from each success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowFrom {
    /// From the first attempt that the store sees.
    #[default]
    FirstSight,
    /// From when the work is done; until then it is in progress, and counts from first sight.
    Completion,
    /// From the last attempt that was answered with the stored success.
    LastHit,
}

impl WindowFrom {
    /// Its name in scenarios and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstSight => "first-sight",
            Self::Completion => "completion",
            Self::LastHit => "last-hit",
        }
    }
}

/// What an attempt gets while another of its operation is in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// It waits for the other one's reply.
    Wait,
    /// It is refused at once (409) and told to come again.
    Refuse,
    /// It is refused or waits while the other one's lease lasts; after that it takes over.
    TakeOver,
    /// Any of these is right.
    #[default]
    Either,
}

/// Which outcomes are kept, and told to later attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored {
    /// All of them, failures of the server (5xx) too, once the key has been claimed.
    All,
    /// Successes. After anything else the next attempt may try again.
    #[default]
    Success,
    /// Successes, and refusals that are final (a 4xx other than 409 and 429).
    SuccessAndRefusals,
}
