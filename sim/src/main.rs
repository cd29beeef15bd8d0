//! The `sim` binary: the catalogue's stores on the command line.

use onestroke_sim::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::new().run()
}
