//! What a scenario promises, and what it assumes.
//!
//! Imports nothing of this crate.

use onestroke_store::Span;

/// What is promised to clients, and what stores are told to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// How often an operation takes effect. Default exactly once.
    pub promise: Promise,
    /// How long stores keep a record after they claimed its key. Default 24 h.
    pub window: Span,
    /// How long a claim is its owner's alone, for stores that take leases. Default 5 s.
    pub lease: Span,
    /// What an attempt gets while another of its operation is in flight. Default either.
    pub in_flight: InFlight,
    /// How alike the successful replies of one operation must be. Default identical.
    pub replay: Replay,
    /// What a key that comes with another payload must get. Default refuse.
    pub mismatch: Mismatch,
    /// How long a probe may take to its final answer once the weather is clear. Default 10 s.
    pub bound: Span,
    /// How many records may be left after the window has passed and a sweep ran. Default: any.
    pub records_at_most: Option<u64>,
    /// Whether expiry before the last retry is what this scenario is about. Default no: then a
    /// window that does not outlive the retries is refused when the scenario is read.
    pub expires: bool,
}

/// How often an operation takes effect. An effect outside, at somebody who knows no keys, can have no
/// better than one of the last two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Promise {
    /// Once: no more, and not less where success was reported.
    #[default]
    ExactlyOnce,
    /// Once, or not at all though success was reported.
    AtMostOnce,
    /// Once or more often.
    AtLeastOnce,
}

/// What an attempt gets while another of its operation is in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// It waits for the other one's reply.
    Wait,
    /// It is refused (409) and told to come again.
    Refuse,
    /// Both are right.
    #[default]
    Either,
}

/// How alike the successful replies of one operation must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// Same status, same body.
    #[default]
    Identical,
    /// All of them successes; status and body may differ.
    Equivalent,
}

/// What a key that comes with another payload must get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mismatch {
    /// A refusal that is final (a 4xx other than 409 and 429).
    #[default]
    Refuse,
    /// Anything: the contract does not say.
    Ignore,
}

impl Default for Contract {
    fn default() -> Self {
        Self {
            promise: Promise::default(),
            window: Span::from_secs(24 * 60 * 60),
            lease: Span::from_secs(5),
            in_flight: InFlight::default(),
            replay: Replay::default(),
            mismatch: Mismatch::default(),
            bound: Span::from_secs(10),
            records_at_most: None,
            expires: false,
        }
    }
}
