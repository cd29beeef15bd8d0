//! Who asks for what: the named workloads, and how a client sends and retries.
//!
//! Imports [`Rate`] only.

use crate::rate::Rate;
use onestroke_store::Span;

/// What the clients want, and under which keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// What an operation asks for. Default charge.
    pub kind: WorkloadKind,
    /// How many clients there are. Default 1.
    pub clients: u16,
    /// How many operations each client has. Default 1.
    pub operations: u16,
    /// In which order a client sends its operations. Default sequential.
    pub order: Order,
    /// Under which keys. Default fresh.
    pub keys: Keys,
    /// How the attempts of one operation write their payload. Default the same.
    pub payloads: Payloads,
    /// How many attempts are sent at the same instant: 1 is normal, 2 a double click or a hedged
    /// request. Default 1.
    pub at_once: u8,
}

/// The most clients that a scenario can have.
pub const CLIENTS_MOST: u16 = 10_000;

/// The most operations that all clients of a scenario can have together: a run keeps its events, some
/// hundred for each.
pub const OPERATIONS_MOST: u32 = 100_000;

/// What an operation asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkloadKind {
    /// Charge an amount: one part, and a repeat counts twice.
    #[default]
    Charge,
    /// Serve an order: soup out, stock down, ledger line; three parts, and a repeat counts twice.
    Order,
    /// Move an amount from here to another service: two parts, and a repeat counts twice.
    Transfer,
    /// Set a status: one part, and a repeat changes nothing.
    SetStatus,
    /// Update a thing: each client's operations write one version after the other of one thing.
    Update,
    /// Create a thing under the id that the client gave it: one part, and a repeat counts twice.
    Register,
    /// Delete a thing: one part, and a repeat changes nothing.
    Delete,
    /// Ship what is packed: one part, and a step from one state to the next.
    Ship,
}

/// In which order a client sends its operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The next one when the one before has its final answer or was given up.
    #[default]
    Sequential,
    /// All of them at the start.
    Concurrent,
}

/// Which keys the operations carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// A key of its own for each operation.
    #[default]
    Fresh,
    /// Each client's second, fourth, … operation reuses the key of the one before it, with another
    /// payload.
    ReusedWithOtherPayload,
    /// Each client is a tenant of its own, and all tenants use the same keys and payloads.
    SameForTenants,
    /// Each client is a consumer of the same messages: same tenant, same key, same payload, another
    /// operation type.
    SameForConsumers,
    /// Each attempt has a key of its own: the client makes the key within its retry loop.
    FreshForEachAttempt,
    /// No attempt has a key: a library takes it and never sends it.
    Missing,
    /// Each client's second, fourth, … operation is for another endpoint, and carries key and payload
    /// of the one before it.
    SameForTwoEndpoints,
}

impl Keys {
    /// Whether they mean something only where a client has two operations.
    pub const fn needs_two_operations(self) -> bool {
        matches!(self, Self::ReusedWithOtherPayload | Self::SameForTwoEndpoints)
    }
}

/// How the attempts of one operation write their payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payloads {
    /// All alike, byte for byte.
    #[default]
    Same,
    /// The fields of every second attempt come in another order.
    Reordered,
    /// Each attempt says when it was sent.
    Stamped,
}

/// How a client sends and retries.
///
/// It sends again after a timeout, a 409, a 429 or a 5xx; every other reply is final. All attempts
/// of an operation carry the same key, unless the workload says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// How long it waits for a reply to the first attempt. Default 100 ms.
    pub timeout: Span,
    /// By how much the timeout grows with each attempt. Default 2.
    pub timeout_factor: u32,
    /// The longest timeout. Default 800 ms.
    pub timeout_limit: Span,
    /// How long it waits after the first failed attempt; may be zero. Default 20 ms.
    pub backoff: Span,
    /// By how much the wait grows with each attempt. Default 2.
    pub backoff_factor: u32,
    /// The longest wait, before jitter. Default 500 ms.
    pub backoff_limit: Span,
    /// How much of the wait may be added to it at random. Default 50%.
    pub jitter: Rate,
    /// How often it sends before it gives up. Default 5.
    pub attempts: u8,
    /// After so many attempts it has forgotten its key, and makes another: it was restarted and had
    /// kept the key nowhere, or kept it for too short a time. 0 is never, the default.
    pub forgets_key_after: u8,
    /// After so many attempts it comes with another credential of the same account. 0 is never, the
    /// default.
    pub new_credential_after: u8,
    /// So many attempts come with a wrong password or an expired token; told 401, the client sends
    /// again with a right one, under the same key. Default 0.
    pub wrong_passwords: u8,
    /// After so many operations it is restarted: it numbers its operations from 1 again, in its next
    /// epoch. 0 is never, the default.
    pub restarts_after: u16,
    /// Whether each attempt comes on a connection of its own. Default no: a client keeps one.
    pub reconnects: bool,
}

impl Workload {
    /// How many operations all clients have together.
    pub const fn all(&self) -> u32 {
        self.clients as u32 * self.operations as u32
    }
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            kind: WorkloadKind::default(),
            clients: 1,
            operations: 1,
            order: Order::default(),
            keys: Keys::default(),
            payloads: Payloads::default(),
            at_once: 1,
        }
    }
}

impl Default for Client {
    fn default() -> Self {
        Self {
            timeout: Span::from_millis(100),
            timeout_factor: 2,
            timeout_limit: Span::from_millis(800),
            backoff: Span::from_millis(20),
            backoff_factor: 2,
            backoff_limit: Span::from_millis(500),
            jitter: Rate::percent(50),
            attempts: 5,
            forgets_key_after: 0,
            new_credential_after: 0,
            wrong_passwords: 0,
            restarts_after: 0,
            reconnects: false,
        }
    }
}

impl Client {
    /// The timeout of the attempt with this index; the first has index 0.
    pub fn timeout_of(&self, attempt: u32) -> Span {
        grown(self.timeout, self.timeout_factor, self.timeout_limit, attempt)
    }

    /// The wait after the attempt with this index has failed, before jitter.
    pub fn backoff_after(&self, attempt: u32) -> Span {
        grown(self.backoff, self.backoff_factor, self.backoff_limit, attempt)
    }

    /// The longest wait after the attempt with this index has failed: jitter included.
    pub fn longest_backoff_after(&self, attempt: u32) -> Span {
        let backoff = self.backoff_after(attempt).as_micros();
        let jitter = u128::from(backoff) * u128::from(self.jitter.ppm()) / 1_000_000;
        let jitter = u64::try_from(jitter).expect("jitter is at most the back-off itself");
        Span::from_micros(backoff.saturating_add(jitter))
    }
}

fn grown(first: Span, factor: u32, limit: Span, attempt: u32) -> Span {
    first.times(u64::from(factor).saturating_pow(attempt)).min(limit)
}
