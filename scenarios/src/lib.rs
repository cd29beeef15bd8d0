//! Scenarios: who asks for what, over which network, in which weather, and what is promised.
//!
//! A [`Scenario`] is data and no program: workload, client, topology, latency, weather, contract,
//! the moments that must occur, and what each store is expected to show. [`from_toml`] reads one
//! from a file, [`catalogue`] holds the built-in ones, one claim each. This crate knows the names
//! of stores and questions, and knows no simulator.

mod bad;
mod bugs;
mod catalogue;
mod clock;
mod contract;
mod finding;
mod handling;
mod moment;
mod pinned;
mod rate;
mod read;
mod scenario;
mod site;
mod weather;
mod workload;

pub use bad::{BadScenario, UnknownName};
pub use bugs::{Bug, Fix, Shown, bugs, fixes};
pub use catalogue::{catalogue, find, text};
pub use clock::{Clock, Clocks};
pub use contract::{Contract, Mismatch, Promise, Replay, ServerErrors};
pub use finding::FindingKind;
pub use moment::Moment;
pub use onestroke_store::{InFlight, Stored, WindowFrom};
pub use pinned::PINNED;
pub use rate::{Range, Rate};
pub use read::{Places, contracts, from_toml};
pub use scenario::{Cache, Declines, Latency, Profile, Scenario, Service, Term, Topology, Worker};
pub use site::{Side, Sites};
pub use weather::{Fault, Weather};
pub use workload::{
    CLIENTS_MOST, Client, Keys, OPERATIONS_MOST, Order, Payloads, Workload, WorkloadKind,
};
