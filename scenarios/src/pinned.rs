//! Pinned plans: findings that are replayed by the regression suite. A plan is pinned by laying it
//! into `scenarios/pinned/`; the build script lists the folder.

/// File name and text of each pinned plan, by name.
pub const PINNED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pinned.rs"));
