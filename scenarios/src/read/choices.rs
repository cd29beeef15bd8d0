//! The names of the choices that a field can have.
//!
//! Imports the enums of the scenario.

use crate::contract::{Mismatch, Promise, Replay, ServerErrors};
use crate::scenario::{Declines, Profile};
use crate::workload::{Keys, Order, Payloads, WorkloadKind};
use onestroke_store::{InFlight, Stored, WindowFrom};

/// A value that the file names.
pub(super) trait Choice: Copy + 'static {
    /// All of them, with their names.
    const NAMES: &'static [(&'static str, Self)];
}

impl Choice for WorkloadKind {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("charge", Self::Charge),
        ("order", Self::Order),
        ("set-status", Self::SetStatus),
        ("update", Self::Update),
        ("transfer", Self::Transfer),
        ("register", Self::Register),
        ("delete", Self::Delete),
        ("ship", Self::Ship),
    ];
}

impl Choice for Order {
    const NAMES: &'static [(&'static str, Self)] =
        &[("sequential", Self::Sequential), ("concurrent", Self::Concurrent)];
}

impl Choice for Keys {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("fresh", Self::Fresh),
        ("reused-with-other-payload", Self::ReusedWithOtherPayload),
        ("same-for-tenants", Self::SameForTenants),
        ("same-for-consumers", Self::SameForConsumers),
        ("fresh-for-each-attempt", Self::FreshForEachAttempt),
        ("missing", Self::Missing),
        ("same-for-two-endpoints", Self::SameForTwoEndpoints),
    ];
}

impl Choice for Payloads {
    const NAMES: &'static [(&'static str, Self)] =
        &[("same", Self::Same), ("reordered", Self::Reordered), ("stamped", Self::Stamped)];
}

impl Choice for Profile {
    const NAMES: &'static [(&'static str, Self)] =
        &[("postgres", Self::Postgres), ("sqlite", Self::Sqlite)];
}

impl Choice for Declines {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("nothing", Self::Nothing),
        ("every-second", Self::EverySecond),
        ("at-first", Self::AtFirst),
    ];
}

impl Choice for Promise {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("exactly-once", Self::ExactlyOnce),
        ("at-most-once", Self::AtMostOnce),
        ("at-least-once", Self::AtLeastOnce),
    ];
}

impl Choice for WindowFrom {
    const NAMES: &'static [(&'static str, Self)] = &[
        (Self::FirstSight.name(), Self::FirstSight),
        (Self::Completion.name(), Self::Completion),
        (Self::LastHit.name(), Self::LastHit),
    ];
}

impl Choice for InFlight {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("wait", Self::Wait),
        ("refuse", Self::Refuse),
        ("take-over", Self::TakeOver),
        ("either", Self::Either),
    ];
}

impl Choice for Stored {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("all", Self::All),
        ("success", Self::Success),
        ("success-and-refusals", Self::SuccessAndRefusals),
    ];
}

impl Choice for Replay {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("identical", Self::Identical),
        ("equivalent", Self::Equivalent),
        ("current", Self::Current),
    ];
}

impl Choice for ServerErrors {
    const NAMES: &'static [(&'static str, Self)] =
        &[("retry", Self::Retry), ("never", Self::Never)];
}

impl Choice for Mismatch {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("refuse", Self::Refuse),
        ("refuse-at-once", Self::RefuseAtOnce),
        ("replay", Self::Replay),
        ("ignore", Self::Ignore),
    ];
}
