//! What a scenario promises, and what it assumes.
//!
//! Imports nothing of this crate.

use onestroke_store::{InFlight, Settings, Span, Stored, WindowFrom};

/// What is promised to clients, and what stores are told to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// How often an operation takes effect. Default exactly once.
    pub promise: Promise,
    /// How long stores keep a record after they claimed its key. Default 24 h.
    pub window: Span,
    /// From when a record counts. Default from first sight.
    pub window_from: WindowFrom,
    /// How long a claim is its owner's alone, for stores that take leases. Default 5 s.
    pub lease: Span,
    /// What an attempt gets while another of its operation is in flight. Default either.
    pub in_flight: InFlight,
    /// Which outcomes later attempts are told. Default successes.
    pub stored: Stored,
    /// How alike the successful replies of one operation must be. Default identical.
    pub replay: Replay,
    /// What a key that comes with another payload must get. Default refuse.
    pub mismatch: Mismatch,
    /// What a failure of the server (a 5xx) is to the client. Default a reason to try again.
    pub server_errors: ServerErrors,
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

/// How alike the successful replies of one operation must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// Same status, same body.
    #[default]
    Identical,
    /// All of them successes; status and body may differ.
    Equivalent,
    /// How things stand when it is asked: what is done is not said to be on its way (202).
    Current,
}

/// What a key that comes with another payload must get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mismatch {
    /// A refusal that is final (a 4xx other than 409 and 429).
    #[default]
    Refuse,
    /// The same, and at once: also while the first payload is still in flight.
    RefuseAtOnce,
    /// The reply that the first payload got: payloads are not compared.
    Replay,
    /// Anything: the contract does not say.
    Ignore,
}

/// What a failure of the server (a 5xx) is to the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServerErrors {
    /// A reason to try again.
    #[default]
    Retry,
    /// A breach: nothing fails in this world, so nothing may be reported as failed.
    Never,
}

impl Default for Contract {
    fn default() -> Self {
        let usual = Settings::default();
        Self {
            promise: Promise::default(),
            window: usual.window,
            window_from: usual.window_from,
            lease: usual.lease,
            in_flight: usual.in_flight,
            stored: usual.stored,
            replay: Replay::default(),
            mismatch: Mismatch::default(),
            server_errors: ServerErrors::default(),
            bound: Span::from_secs(10),
            records_at_most: None,
            expires: false,
        }
    }
}

impl Contract {
    /// What stores are told of it.
    pub const fn settings(&self) -> Settings {
        Settings {
            window: self.window,
            window_from: self.window_from,
            lease: self.lease,
            in_flight: self.in_flight,
            stored: self.stored,
        }
    }
}
