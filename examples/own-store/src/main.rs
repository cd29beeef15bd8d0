//! The whole command line, with one more store.

use onestroke_sim::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::new().with(own_store::entry()).run()
}
