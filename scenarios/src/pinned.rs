//! Pinned plans: findings that are replayed by the regression suite, embedded from
//! `scenarios/pinned/`.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("scenarios/pinned/", $name), include_str!(concat!("../pinned/", $name)))),*]
    };
}

/// File name and text of each pinned plan.
pub const PINNED: &[(&str, &str)] = files![];
