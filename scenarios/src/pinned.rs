//! Pinned plans: findings that are replayed by the regression suite, embedded from
//! `scenarios/pinned/`.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("scenarios/pinned/", $name), include_str!(concat!("../pinned/", $name)))),*]
    };
}

/// File name and text of each pinned plan.
pub const PINNED: &[(&str, &str)] = files![
    "board-is-only-so-big--never-forgets--unbounded.plan",
    "client-hangs-up--effect-then-key--double-effect.plan",
    "crash-after-commit-before-reply--no-dedup--double-effect.plan",
    "crash-between-effect-and-key--effect-then-key--double-effect.plan",
    "crash-between-key-and-effect--key-then-effect--stuck.plan",
    "crash-between-key-and-effect--seen-means-done--lost-effect.plan",
    "lamp-tips-over--key-then-effect--torn.plan",
    "late-duplicate--no-dedup--double-effect.plan",
    "lost-reply--bare-duplicate--wrong-reply.plan",
    "lost-reply--no-dedup--double-effect.plan",
    "network-duplicate--check-then-act--double-effect.plan",
    "network-duplicate--seen-means-done--wrong-reply.plan",
    "network-duplicate--select-first-in-transaction--double-effect.plan",
    "overtaking--check-then-act--double-effect.plan",
    "overtaking--effect-then-key--double-effect.plan",
    "rainy-night--key-then-effect--stuck.plan",
    "record-expires--one-transaction--expired.plan",
    "reused-key--no-dedup--mismatch-accepted.plan",
    "same-instant--check-then-act--double-effect.plan",
    "same-instant--select-first-in-transaction--double-effect.plan",
    "server-pauses--check-then-act--double-effect.plan",
    "server-pauses--select-first-in-transaction--double-effect.plan",
    "sweeper-too-early--one-transaction-409--expired.plan",
    "two-tenants--unscoped-key--leak.plan",
];
