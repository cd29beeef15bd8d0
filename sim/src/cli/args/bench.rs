//! Level 6. What can be said to `sim bench`.

use super::values::{clients, how_many, threads};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Say what each store costs.
#[derive(Debug, ClapArgs)]
pub(crate) struct Bench {
    /// The scenario whose weather all stores meet: one by name, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "checkout-rush")]
    pub scenario: String,

    /// Measure this store; may be given more than once [default: those that play in the scenario]
    #[arg(long = "store", value_name = "NAME")]
    pub stores: Vec<String>,

    /// How many seeds for each store; a crowd gets as many as make about a quarter of the operations
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = how_many,
          allow_negative_numbers = true)]
    pub seeds: u64,

    /// The same operations by so many clients at once
    #[arg(long, value_name = "N,N,...", default_value = "1,10,100,1000", value_delimiter = ',',
          value_parser = clients, allow_negative_numbers = true)]
    pub clients: Vec<u16>,

    /// What is under the stores: memory, memory-sqlite, sqlite [default: memory; crowds also on
    /// memory-sqlite, which has one writer at a time]
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// Draw answers and refusals against the number of clients into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Also say how long this machine takes for an operation. That is the one figure that differs
    /// from run to run; it is measured on one thread, stores in turn
    #[arg(long)]
    pub wall: bool,

    /// How many threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,
}
