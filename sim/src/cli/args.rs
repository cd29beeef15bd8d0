//! Level 6. What can be said on the command line.

mod bench;
mod compare;
mod otherwise;
mod values;

pub(crate) use bench::Bench;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
pub(crate) use compare::{Compare, Diff};
pub(crate) use otherwise::Otherwise;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
pub(super) use values::LAST_OF_HUNT;
use values::{duration, how_many, seed, seeds, threads};

/// Version and commit, as every report says them.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("ONESTROKE_COMMIT"), ")");

/// Finds the retry that charges a customer twice.
///
/// Runs idempotency stores in a simulated world of lost, doubled and late messages and crashing
/// servers. One seed is one run, the same on every machine.
#[derive(Debug, Parser)]
#[command(name = "sim", version = VERSION, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    /// What to do; without a command, --seed or --plan says it.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Run this seed: through every store, or through the one named by --store
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,

    /// Replay a plan or a recording; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,

    /// Run this store only
    #[arg(long, value_name = "NAME")]
    pub store: Option<String>,

    /// A scenario by name, or the path of a TOML file [default: rainy-night]
    #[arg(long, value_name = "NAME|FILE")]
    pub scenario: Option<String>,

    /// What is under the stores: memory, memory-sqlite, sqlite [default: memory]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// Write all choices of the run to this file, to be replayed with --plan
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Write the plan of the finding to this file, to be replayed with --plan
    #[arg(long, value_name = "FILE")]
    pub save_plan: Option<PathBuf>,

    /// Say from which decision on the seed's finding was likely: other futures are tried from each
    #[arg(long)]
    pub likelihood: bool,

    /// What is otherwise than the scenario says
    #[command(flatten)]
    pub otherwise: Otherwise,

    /// How to print the answer
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,

    /// Show every event on standard error, with virtual time (or set `RUST_LOG`)
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search random seeds on all cores
    Hunt(Hunt),
    /// Run every placement of at most N faults, fewest first: how many does a store survive?
    Exhaust(Exhaust),
    /// Compare the stores: what each shows in each scenario, what it costs, how much it survives
    Compare(Compare),
    /// Say what each store costs: questions, answers, refusals, waits, records, and in a crowd
    Bench(Bench),
    /// Show two stores under one seed, or two plans, side by side from where they part
    Diff(Diff),
    /// Run the regression suite: every scenario's expectations, every pinned plan
    Suite(Suite),
    /// Examine the harness itself: determinism, a canary, how soon planted bugs are caught
    Doctor(Doctor),
    /// Do keys outlive the retries? The bound on paper, and the longest window that breaks
    Ttl(Ttl),
    /// List what there is, one line each
    List {
        /// What to list
        #[arg(value_enum, default_value_t)]
        what: Listed,
    },
    /// Explain a kind of finding, a store, a scenario, a fault or a moment in depth
    Explain {
        /// Its name
        name: String,
    },
}

/// Search random seeds on all cores.
#[derive(Debug, ClapArgs)]
pub(crate) struct Hunt {
    /// How many seeds (from 0), or a range `A..B`
    #[arg(long, value_name = "N|A..B", default_value = "10000", value_parser = seeds,
          allow_negative_numbers = true)]
    pub seeds: Range<u64>,

    /// Hunt with this store only; may be given more than once
    #[arg(long = "store", value_name = "NAME")]
    pub stores: Vec<String>,

    /// Hunt in this scenario; may be given more than once [default: rainy-night]
    #[arg(long = "scenario", value_name = "NAME|FILE")]
    pub scenarios: Vec<String>,

    /// What is under the stores: memory, memory-sqlite, sqlite
    #[arg(long, value_name = "NAME", default_value = "memory")]
    pub backend: String,

    /// Stop after so long: 60s, 5m
    #[arg(long, value_name = "SPAN", value_parser = duration)]
    pub time: Option<Duration>,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,

    /// Say from which decision on the finding was likely: other futures are tried from each
    #[arg(long)]
    pub likelihood: bool,

    /// Write the plan of each finding into this folder
    #[arg(long, value_name = "DIR")]
    pub save_plans: Option<PathBuf>,

    /// Pin the plan of each finding: write it into scenarios/pinned, which the suite replays
    #[arg(long, conflicts_with = "save_plans")]
    pub pin: bool,
}

/// Run every placement of at most N faults, fewest first.
#[derive(Debug, ClapArgs)]
pub(crate) struct Exhaust {
    /// At most so many faults in a run, overtakings not counted
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub faults: u8,

    /// At most so many overtakings besides
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=4))]
    pub overtakings: u8,

    /// Follow every run to its end, also through worlds that were reached before
    #[arg(long)]
    pub no_prune: bool,

    /// Go on with the search that FILE holds, if it is there, and keep in it how far this one comes
    #[arg(long, value_name = "FILE")]
    pub resume: Option<std::path::PathBuf>,

    /// Search with this store only; may be given more than once
    #[arg(long = "store", value_name = "NAME")]
    pub stores: Vec<String>,

    /// The scenario whose faults are placed: one by name, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "two-attempts")]
    pub scenario: String,

    /// What is under the stores: memory, memory-sqlite, sqlite
    #[arg(long, value_name = "NAME", default_value = "memory")]
    pub backend: String,

    /// Stop after so long: 60s, 5m
    #[arg(long, value_name = "SPAN", value_parser = duration)]
    pub time: Option<Duration>,

    /// Stop each store after about so many runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Examine the harness itself.
#[derive(Debug, ClapArgs)]
pub(crate) struct Doctor {
    /// Seeds that are run twice, for each store in each scenario
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = how_many,
          allow_negative_numbers = true)]
    pub twice: u64,

    /// Disjoint ranges of seeds in which each planted bug is hunted
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = how_many,
          allow_negative_numbers = true)]
    pub ranges: u64,

    /// In each range a planted bug must be caught within so many seeds
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = how_many,
          allow_negative_numbers = true)]
    pub bound: u64,
}

/// Run the regression suite.
#[derive(Debug, ClapArgs)]
pub(crate) struct Suite {
    /// Scenario files, plan files, or folders of them [default: the built-in catalogue and pins]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How many seeds for each store in each scenario
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = how_many,
          allow_negative_numbers = true)]
    pub seeds: u64,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,

    /// Run what is here, and count what names a store that this program does not have; without it
    /// such a file is refused
    #[arg(long)]
    pub partial: bool,

    /// Write a JUnit file: a suite for each scenario, a case for each store, moment and pinned plan
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Print an annotation for each failure, as GitHub's workflows read them
    #[arg(long)]
    pub github: bool,

    /// Leave a plan of each finding that is not expected, and of each pinned plan that fails
    #[arg(long, value_name = "DIR")]
    pub save_plans: Option<PathBuf>,
}

/// Do keys outlive the retries?
#[derive(Debug, ClapArgs)]
pub(crate) struct Ttl {
    /// The scenario whose retries count: one by name, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "record-expires")]
    pub scenario: String,

    /// The store that is to break
    #[arg(long, value_name = "NAME", default_value = "one-transaction")]
    pub store: String,

    /// How many seeds each window is tried with
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = how_many,
          allow_negative_numbers = true)]
    pub seeds: u64,

    /// What is under the store: memory, memory-sqlite, sqlite
    #[arg(long, value_name = "NAME", default_value = "memory")]
    pub backend: String,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,
}

/// How to print the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON document
    Json,
    /// One JSON document a line
    Jsonl,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    /// Everything
    #[default]
    All,
    /// Strategies
    Stores,
    /// Claims
    Scenarios,
    /// What the world can do to a run
    Faults,
    /// What the oracle can find
    Findings,
    /// Dangerous situations that are counted
    Moments,
}
