//! Level 6. What can be said to the commands that set stores, or runs, against each other.

use super::values::{how_many, seed, threads};
use clap::Args as ClapArgs;

/// Compare the stores.
#[derive(Debug, ClapArgs)]
pub(crate) struct Compare {
    /// Compare in this scenario; may be given more than once [default: all of the catalogue]
    #[arg(long = "scenario", value_name = "NAME|FILE")]
    pub scenarios: Vec<String>,

    /// Compare this store; may be given more than once [default: those that play in the scenario]
    #[arg(long = "store", value_name = "NAME")]
    pub stores: Vec<String>,

    /// How many seeds for each store in each scenario
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = how_many,
          allow_negative_numbers = true)]
    pub seeds: u64,

    /// Place at most so many faults, and one overtaking, everywhere in two-attempts
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub faults: u8,

    /// Print Markdown, for a page or a pull request
    #[arg(long)]
    pub markdown: bool,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,
}

/// Show two runs side by side.
#[derive(Debug, ClapArgs)]
pub(crate) struct Diff {
    /// A store, or a plan file
    #[arg(value_name = "STORE|PLAN")]
    pub a: String,

    /// Another store, or another plan file of the same scenario
    #[arg(value_name = "STORE|PLAN")]
    pub b: String,

    /// The seed under which two stores are run
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,

    /// The scenario of the seed, by name, or the path of a TOML file [default: rainy-night]
    #[arg(long, value_name = "NAME|FILE")]
    pub scenario: Option<String>,

    /// What is under two stores: memory, memory-sqlite, sqlite [default: memory]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,
}
