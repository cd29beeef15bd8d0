//! The systems that run W1, and what is expected of each.

use crate::Length;

/// One system, or one way to run it.
#[derive(Debug)]
pub(crate) struct System {
    /// As the table calls it.
    pub(crate) name: &'static str,
    /// The package, which is also the program.
    pub(crate) package: &'static str,
    /// What it is run with besides seeds.
    pub(crate) arguments: &'static [&'static str],
    /// What its compiler is told besides.
    pub(crate) rustflags: Option<&'static str>,
    /// How many seeds take about a second.
    pub(crate) seeds: u64,
    /// By how many per cent its events a seed may differ from those of the limit.
    pub(crate) tolerance: u64,
    /// How many times ours it should take, in hundredths. Zero: nothing is asked.
    pub(crate) target: u64,
    /// Whether it is run on two threads as well.
    pub(crate) two_threads: bool,
}

/// What systems with a clock may differ by: turmoil runs so few seeds that chance is a per cent or two.
const CLOCK: u64 = 3;

/// Without a clock more attempts meet, are locked out, and are made again.
const NO_CLOCK: u64 = 15;

/// All of them, ours first: the others are compared with it.
pub(crate) const SYSTEMS: &[System] = &[
    System {
        name: "onestroke",
        package: "peer-onestroke",
        arguments: &[],
        rustflags: None,
        seeds: 8_000,
        tolerance: CLOCK,
        target: 0,
        two_threads: true,
    },
    System {
        name: "limit (hand-written loop)",
        package: LIMIT,
        arguments: &[],
        rustflags: None,
        seeds: 40_000,
        tolerance: CLOCK,
        target: 33,
        two_threads: true,
    },
    System {
        name: "shuttle",
        package: "peer-shuttle",
        arguments: &[],
        rustflags: None,
        seeds: 2_000,
        tolerance: NO_CLOCK,
        target: 700,
        two_threads: false,
    },
    System {
        name: "tokio, paused clock",
        package: "peer-tokio",
        arguments: &[],
        rustflags: None,
        seeds: 1_200,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "madsim",
        package: "peer-madsim",
        arguments: &[],
        rustflags: Some("--cfg madsim"),
        seeds: 1_000,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "madsim, a thread per seed",
        package: "peer-madsim",
        arguments: &["--thread-per-seed"],
        rustflags: Some("--cfg madsim"),
        seeds: 1_000,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "turmoil",
        package: "peer-turmoil",
        arguments: &[],
        rustflags: None,
        seeds: 40,
        tolerance: CLOCK,
        target: 30_000,
        two_threads: false,
    },
];

/// The hand-written loop, whose events a seed are those of the workload itself.
pub(crate) const LIMIT: &str = "peer-limit";

impl System {
    /// How many seeds are run in a round.
    pub(crate) fn seeds_of(&self, length: Length) -> u64 {
        length.of(self.seeds).max(SEEDS_LEAST)
    }
}

/// Fewer say nothing of a system's events a seed.
const SEEDS_LEAST: u64 = 40;
