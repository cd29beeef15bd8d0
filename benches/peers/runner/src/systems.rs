//! The systems that run W1, and what is expected of each.

use crate::Length;
use crate::program::Program;

/// One system, or one way to run it.
#[derive(Debug)]
pub(crate) struct System {
    /// As the table calls it.
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    /// What it is run with besides seeds.
    pub(crate) arguments: &'static [&'static str],
    /// How many seeds take about a second.
    pub(crate) seeds: u64,
    /// By how many per cent its events a seed may differ from those of the limit.
    pub(crate) tolerance: u64,
    /// How many times ours it should take, in hundredths. Zero: nothing is asked.
    pub(crate) target: u32,
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
        program: program("peer-onestroke"),
        arguments: &[],
        seeds: 8_000,
        tolerance: CLOCK,
        target: 0,
        two_threads: true,
    },
    System {
        name: "limit (hand-written loop)",
        program: LIMIT,
        arguments: &[],
        seeds: 40_000,
        tolerance: CLOCK,
        target: 33,
        two_threads: true,
    },
    System {
        name: "shuttle",
        program: program("peer-shuttle"),
        arguments: &[],
        seeds: 2_000,
        tolerance: NO_CLOCK,
        target: 700,
        two_threads: false,
    },
    System {
        name: "tokio, paused clock",
        program: program("peer-tokio"),
        arguments: &[],
        seeds: 1_200,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "madsim",
        program: MADSIM,
        arguments: &[],
        seeds: 1_000,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "madsim, a thread per seed",
        program: MADSIM,
        arguments: &["--thread-per-seed"],
        seeds: 1_000,
        tolerance: CLOCK,
        target: 1_000,
        two_threads: false,
    },
    System {
        name: "turmoil",
        program: program("peer-turmoil"),
        arguments: &[],
        seeds: 40,
        tolerance: CLOCK,
        target: 30_000,
        two_threads: false,
    },
];

/// The hand-written loop, whose events a seed are those of the workload itself.
pub(crate) const LIMIT: Program = program("peer-limit");

/// Without the flag, madsim is the real world.
const MADSIM: Program = Program { rustflags: Some("--cfg madsim"), ..program("peer-madsim") };

const fn program(package: &'static str) -> Program {
    Program { package, name: package, rustflags: None }
}

impl System {
    /// How many seeds are run in a round.
    pub(crate) fn seeds_of(&self, length: Length) -> u64 {
        length.of(self.seeds).max(SEEDS_LEAST)
    }
}

/// Fewer say nothing of a system's events a seed.
const SEEDS_LEAST: u64 = 40;
