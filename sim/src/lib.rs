//! Deterministic simulation testing of idempotency stores.
//!
//! Levels, each importing only from its own or from below (a test reads the `use` lines):
//! 0 `time`, `point`, `choice`; 1 `trace`, `plan`, `queue`, `stage`, `forecast`, `describe`; 2 the
//! actors; 3 `world`, `check`, `moments`; 4 `run`; 5 `search`, `report`; 6 `cli`.

pub mod cache;
pub mod check;
pub mod choice;
pub mod cli;
pub mod client;
pub mod database;
mod describe;
pub mod forecast;
pub mod moments;
pub mod network;
mod overhear;
pub mod plan;
pub mod point;
pub mod queue;
pub mod replica;
pub mod report;
pub mod run;
pub mod search;
pub mod server;
pub mod service;
pub mod stage;
pub mod testing;
pub mod time;
mod told;
pub mod trace;
pub mod world;
