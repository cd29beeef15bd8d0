//! The reference workload, as other simulators run it too: what "fast" is measured by.
//!
//! Imports the other crates of the workspace, and is imported by benches and comparisons only.

pub mod w1;
