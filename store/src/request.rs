//! Triggers and replies: what sets a handler going, and what it answers.

use crate::cache::CacheError;
use crate::call::CallError;
use crate::engine::DbError;
use crate::statement::EffectKind;
use crate::value::{Digest, Id, Span, Text};
use compact_str::ToCompactString as _;
use sha2::{Digest as _, Sha256};
use std::rc::Rc;
use thiserror::Error;

/// What sets a handler going.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// A client's request.
    Request(Rc<Request>),
    /// The sweeper's turn.
    Sweep(Sweep),
    /// A turn of background work.
    Work(Turn),
}

/// A turn of background work: a relay, a reaper, an orchestrator, a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its number, from 1. Turns can overlap.
    pub number: u8,
}

/// A turn of the sweeper that clears old records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// Records that expire at or before now plus this are cleared. Zero for an honest sweeper; more
    /// for one that clears too early.
    pub ahead: Span,
}

/// A client's request, as a server sees it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose account it is for.
    pub tenant: Text,
    /// With which credential of that account it was sent: a token, an API key.
    pub credential: Text,
    /// Whether the credential is taken: a wrong password and an expired token are not. Only stores
    /// that are about it need ask: elsewhere somebody before them has.
    pub authenticated: bool,
    /// The operation type: `charge`, `order`.
    pub operation: Text,
    /// The idempotency key that the client chose; the same on every attempt. Empty when it sent none.
    pub key: Text,
    /// The payload with its fingerprint.
    pub payload: Payload,
    /// What the payload asks for.
    pub effect: Effect,
    /// What it is about, by the client's name for it: a natural id.
    pub target: Text,
    /// The connection on which it comes, by a name that is nobody else's.
    pub connection: Text,
    /// Its place among the operations of its client, from 1: a version, a sequence number. A client that
    /// is restarted begins anew.
    pub sequence: u32,
    /// Which incarnation of its client sent it, from 1: a producer's epoch.
    pub epoch: u32,
}

/// A JSON payload and the fingerprint of its canonical form, computed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    json: Rc<str>,
    fingerprint: Digest,
}

/// A payload that is not JSON.
#[derive(Debug, Error)]
#[error("payload is not JSON: {0}")]
pub struct BadPayload(#[from] serde_json::Error);

/// The business change that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Whether a repeat matters.
    pub kind: EffectKind,
    /// How much.
    pub amount: i64,
    /// Of how many writes it consists, which must appear together.
    pub parts: u8,
}

/// What an applied effect leaves in the store's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Its number, fresh for every execution.
    pub id: Id,
}

/// What a server answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reply {
    /// An HTTP status.
    pub status: u16,
    /// The body.
    pub body: Text,
}

/// Why a handler could not answer; the server turns it into a 5xx.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The database refused.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The other service did not answer, or not with a success.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The cache refused.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// It ends without a word, as a thread that panics: the connection is dropped, no reply is sent,
    /// and the client waits until its timeout.
    #[error("ended without a word")]
    Silent,
    /// Anything else that the store's code wants to fail with.
    #[error("{0}")]
    Other(String),
}

impl Payload {
    /// Reads the JSON, and fingerprints its canonical form (RFC 8785), so that the order of fields
    /// and white space do not matter.
    pub fn new(json: &str) -> Result<Self, BadPayload> {
        Self::without(json, &[])
    }

    /// The same payload, fingerprinted byte for byte as it was sent.
    #[must_use]
    pub fn as_sent(&self) -> Self {
        let fingerprint = digest(self.json.as_bytes());
        Self { json: Rc::clone(&self.json), fingerprint }
    }

    /// The same payload, where these fields at the top are not part of the fingerprint.
    #[must_use]
    pub fn leaving_out(&self, fields: &[&str]) -> Self {
        Self::without(&self.json, fields).expect("it was JSON before")
    }

    fn without(json: &str, fields: &[&str]) -> Result<Self, BadPayload> {
        let mut value: serde_json::Value = serde_json::from_str(json)?;
        if let serde_json::Value::Object(object) = &mut value {
            object.retain(|name, _| !fields.contains(&name.as_str()));
        }
        let canonical = serde_json_canonicalizer::to_vec(&value)?;
        Ok(Self { json: json.into(), fingerprint: digest(&canonical) })
    }

    /// The JSON as it was sent.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The fingerprint of its canonical form.
    pub const fn fingerprint(&self) -> Digest {
        self.fingerprint
    }
}

/// The first 128 bits of SHA-256.
fn digest(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes);
    let mut first = [0; 16];
    first.copy_from_slice(&hash[..16]);
    Digest::new(first)
}

/// What it is, with an id written as ids are shown; there is one in most replies, and the formatter of
/// the standard library is slow.
fn named(what: &'static str, id: Id) -> Text {
    let mut text = Text::const_new(what);
    text.push_str(&id.number().to_compact_string());
    text
}

impl Reply {
    /// 201: the effect was made, and this is its receipt.
    pub fn created(receipt: Receipt) -> Self {
        Self { status: 201, body: named("receipt id-", receipt.id) }
    }

    /// 202: written down, and done later.
    pub fn accepted(id: Id) -> Self {
        Self { status: 202, body: named("accepted id-", id) }
    }

    /// 402: somebody else has declined it, for good.
    pub const fn declined() -> Self {
        Self { status: 402, body: Text::const_new("declined") }
    }

    /// 409: another attempt with this key is in flight; try again later.
    pub const fn in_flight() -> Self {
        Self { status: 409, body: Text::const_new("in flight") }
    }

    /// 400: the request has no key.
    pub const fn key_missing() -> Self {
        Self { status: 400, body: Text::const_new("key missing") }
    }

    /// 401: the credential is not taken.
    pub const fn unauthorized() -> Self {
        Self { status: 401, body: Text::const_new("wrong password") }
    }

    /// 422: the key belongs to another payload.
    pub const fn mismatch() -> Self {
        Self { status: 422, body: Text::const_new("key reused") }
    }

    /// 204: done, with nothing to say.
    pub const fn no_content() -> Self {
        Self { status: 204, body: Text::const_new("") }
    }

    /// No reply at all, with a status that no server sends: the handler ended without a word.
    pub const fn silence() -> Self {
        Self { status: 0, body: Text::const_new("no reply") }
    }

    /// Whether it is no reply at all.
    pub const fn is_silence(&self) -> bool {
        self.status == 0
    }

    /// Whether it reports success (2xx).
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// Whether a client should send the same request again: in flight (409), too many (429) or a
    /// failure of the server (5xx).
    pub const fn asks_for_retry(&self) -> bool {
        matches!(self.status, 409 | 429 | 500..=599)
    }
}

impl Failure {
    /// The reply that a server gives in its place: 503 when the same request may succeed later, none
    /// for [`Failure::Silent`], 500 otherwise.
    pub const fn reply(&self) -> Reply {
        match self {
            Self::Db(
                DbError::SerializationFailure
                | DbError::Deadlock
                | DbError::Busy
                | DbError::WouldWait
                | DbError::ConnectionLost,
            )
            | Self::Call(_)
            | Self::Cache(CacheError::ConnectionLost) => {
                Reply { status: 503, body: Text::const_new("try again") }
            }
            Self::Silent => Reply::silence(),
            _ => Reply { status: 500, body: Text::const_new("failed") },
        }
    }
}
