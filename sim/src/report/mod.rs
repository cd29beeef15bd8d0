//! Level 5. Reports: what a run was, for people and for machines. Pure functions of a trace.
//!
//! Imports nothing above `run`; holds no wall time, so that the same run gives the same bytes.

pub mod ci;
pub mod explain;
pub mod json;
pub mod kinds;
#[cfg(test)]
mod sample;
pub mod timeline;
