//! Level 6. What can be said on the command line.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

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
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Replay a plan or a recording; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,

    /// Run this store only
    #[arg(long, value_name = "NAME")]
    pub store: Option<String>,

    /// A scenario by name, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "rainy-night")]
    pub scenario: String,

    /// What is under the stores: memory, memory-sqlite, sqlite
    #[arg(long, value_name = "NAME", default_value = "memory")]
    pub backend: String,

    /// Write all choices of the run to this file, to be replayed with --plan
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Write the plan of the finding to this file, to be replayed with --plan
    #[arg(long, value_name = "FILE")]
    pub save_plan: Option<PathBuf>,

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
    /// Run the regression suite: every scenario's expectations, every pinned plan
    Suite(Suite),
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
    #[arg(long, value_name = "N|A..B", default_value = "10000", value_parser = seeds)]
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Write the plan of each finding into this folder
    #[arg(long, value_name = "DIR")]
    pub save_plans: Option<PathBuf>,
}

/// Run the regression suite.
#[derive(Debug, ClapArgs)]
pub(crate) struct Suite {
    /// Scenario files, plan files, or folders of them [default: the built-in catalogue and pins]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How many seeds for each store in each scenario
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
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

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |part: &str| {
        part.replace('_', "").parse::<u64>().map_err(|_| format!("`{part}` is no whole number"))
    };
    let range = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => 0..number(text)?,
    };
    if range.is_empty() {
        return Err("there must be at least one seed, as in `1000` or `0..1000`".into());
    }
    if range.end > u64::MAX - 1_000_000 {
        return Err("seeds end at 18446744073708551615".into());
    }
    Ok(range)
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no span of time; write it as `60s`, `5m` or `1h`");
    let split = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "s" => number,
        "m" => number.saturating_mul(60),
        "h" => number.saturating_mul(3_600),
        _ => return Err(wrong()),
    };
    if seconds == 0 { Err(wrong()) } else { Ok(Duration::from_secs(seconds)) }
}
