//! The built-in scenarios, embedded from `scenarios/catalogue/`, one claim a file.
//!
//! Imports the reader. The order is the order of teaching: the network first, then the server, then
//! the keys, then time, then all of it at once.

use crate::bad::{UnknownName, suggest};
use crate::read::from_toml;
use crate::scenario::Scenario;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../catalogue/", $name, ".toml")))),*]
    };
}

/// Name and text of each file.
const FILES: &[(&str, &str)] = files![
    "lost-request",
    "lost-reply",
    "network-duplicate",
    "same-instant",
    "late-duplicate",
    "partition",
    "crash-between-effect-and-key",
    "crash-between-key-and-effect",
    "crash-after-commit-before-reply",
    "lamp-tips-over",
    "client-hangs-up",
    "server-pauses",
    "overtaking",
    "reused-key",
    "two-tenants",
    "key-per-attempt",
    "record-expires",
    "expired-and-not-swept",
    "sweeper-too-early",
    "board-is-only-so-big",
    "claim-overwrites",
    "race-loser-is-no-outage",
    "race-loser-finds-nothing",
    "one-writer",
    "null-in-the-key",
    "another-server",
    "busy-till",
    "response-expires-first",
    "torn-complete",
    "replayed-as-sent",
    "mismatch-in-flight",
    "one-number-two-orders",
    "local-cache",
    "replay-end-to-end",
    "nobody-at-the-window",
    "client-forgets-its-key",
    "key-missing",
    "json-order",
    "volatile-fields",
    "equal-payloads",
    "same-key-two-endpoints",
    "credential-changes",
    "wrong-password-first",
    "receipt-for-a-stranger",
    "window-from-last-hit",
    "window-from-completion",
    "counts-from-completion",
    "counts-from-last-hit",
    "refused-in-flight",
    "waits-in-flight",
    "provider-answer-lost",
    "provider-call-lost",
    "provider-crash",
    "gateway-timeout",
    "receipt-mail-fails",
    "mailer-at-least-once",
    "mailer-at-most-once",
    "relay-crashes",
    "relays-overlap",
    "duplicate-while-dispatching",
    "transfer",
    "redelivery",
    "two-consumers",
    "visibility-too-short",
    "producer-numbers",
    "producer-out-of-order",
    "producer-restarts",
    "old-after-new",
    "late-copy-of-an-update",
    "set-or-add",
    "delete-twice",
    "natural-id",
    "step-or-advance",
    "commit-answer-lost",
    "commit-then-invalid-state",
    "write-answer-lost",
    "retried-step",
    "late-copy-of-a-creation",
    "cleanup-takes-what-is-not-used",
    "overlapping-batches",
    "two-doors",
    "crash-holds-the-lease",
    "lease-runs-out",
    "lease-shorter-than-handling",
    "lease-outlasts-the-work",
    "lost-lease-cleans-up",
    "claim-without-a-deadline",
    "reaper-frees-live-locks",
    "reply-dies-with-the-lease",
    "lease-and-window",
    "clocks-disagree",
    "crash-between-phases",
    "gateway-retries",
    "two-heirs",
    "like-ietf",
    "like-sqs-fifo",
    "like-brandur",
    "like-stripe-v1",
    "like-iceberg-rest",
    "like-square",
    "like-qonto",
    "like-paypal",
    "like-powertools",
    "like-dynamodb-token",
    "cache-at-once",
    "cache-fails-over",
    "cache-forgets-the-reply",
    "cache-claim-expires",
    "lock-of-another",
    "reply-expires-first",
    "key-in-cache",
    "daily-counter",
    "counter-fails-over",
    "replica-lags",
    "stale-controller",
    "controllers-overlap",
    "fresh-picture",
    "expectation-never-clears",
    "connection-remembers",
    "one-connection",
    "two-attempts",
    "checkout-rush",
    "rainy-night",
];

/// All built-in scenarios, in the order of teaching.
pub fn catalogue() -> Vec<Scenario> {
    FILES.iter().map(|(name, text)| read(name, text)).collect()
}

/// The built-in scenario with this name.
pub fn find(name: &str) -> Result<Scenario, UnknownName> {
    let file = FILES.iter().find(|(one, _)| *one == name);
    file.map(|(name, text)| read(name, text)).ok_or_else(|| UnknownName {
        name: name.to_owned(),
        suggestion: suggest(name, FILES.iter().map(|(one, _)| *one)).map(str::to_owned),
    })
}

/// The file of the built-in scenario with this name.
pub fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(one, _)| *one == name).map(|(_, text)| *text)
}

fn read(name: &str, text: &str) -> Scenario {
    match from_toml(text, &format!("scenarios/catalogue/{name}.toml")) {
        Ok(scenario) => scenario,
        Err(bad) => panic!("a built-in scenario is broken: {bad}"),
    }
}
