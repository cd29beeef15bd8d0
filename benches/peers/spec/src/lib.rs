//! W1, the workload that all simulators are compared on: parameters, a store, the check, the counts and
//! the command line. `../README.md` says what happens in a seed.
//!
//! Times are virtual milliseconds. It knows no simulator.

mod counts;
mod message;
pub mod program;
mod random;
mod store;
mod world;

pub use counts::{Counts, Total};
pub use message::{Key, Message};
pub use random::Random;
pub use store::{Claim, Store, Transaction};
pub use world::World;

use std::ops::RangeInclusive;
use std::time::Duration;

/// How many clients there are.
pub const CLIENTS: u8 = 4;

/// How many operations each of them makes, one after the other.
pub const OPERATIONS: u8 = 25;

/// How often one operation is sent before its client goes on to the next.
pub const ATTEMPTS: u8 = 8;

/// How likely a message is lost, each way.
pub const DROP: f64 = 0.10;

/// How likely a second copy of it arrives, each way and whether or not the first was lost.
pub const DUPLICATE: f64 = 0.10;

/// How long a copy of a message takes.
pub const DELAY: RangeInclusive<u32> = 1..=50;

/// How long the server takes before each step of a handler.
pub const STEP: RangeInclusive<u32> = 1..=3;

/// How likely the server dies at the end of that, instead of making the step.
pub const CRASH: f64 = 0.01;

/// How long it is down.
pub const DOWN: u32 = 200;

/// How long an attempt waits for its response, counted from 0.
pub const fn timeout(attempt: u8) -> u32 {
    let doublings = if attempt < 4 { attempt } else { 4 };
    100 << doublings
}

/// So many milliseconds.
pub const fn ms(milliseconds: u32) -> Duration {
    Duration::from_millis(milliseconds as u64)
}
