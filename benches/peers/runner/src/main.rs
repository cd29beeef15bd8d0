//! `peers`: builds all systems, runs them in turn for some rounds, and prints how they compare.
//!
//! It fails when the comparison is not fair: a system that does other work, breaks a promise, or
//! does not see a planted bug. A target that is missed is shown, and is no failure.

mod bounded_question;
mod judge;
mod machine;
mod program;
mod spread;
mod systems;
mod table;
mod w1;

use clap::{Parser, ValueEnum};
use program::Workspace;
use std::process::ExitCode;

/// Runs the workload W1 on all systems in turn, asks the bounded question, and compares
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// How much to run
    #[arg(value_enum, default_value_t = Length::Full)]
    length: Length,

    /// How many rounds, instead of five or one
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
}

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Length {
    /// Five rounds, about a second for each system
    Full,
    /// One round, a fifth of that
    Quick,
}

impl Length {
    const fn rounds(self) -> u32 {
        match self {
            Self::Full => 5,
            Self::Quick => 1,
        }
    }

    /// How many of a system's seeds are run.
    const fn of(self, seeds: u64) -> u64 {
        match self {
            Self::Full => seeds,
            Self::Quick => seeds.div_ceil(5),
        }
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in problems {
                eprintln!("not a fair comparison: {problem}");
            }
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// What is wrong with the comparison, if anything.
fn run(options: &Options) -> anyhow::Result<Vec<String>> {
    let workspace = Workspace::here();
    w1::build(&workspace)?;
    bounded_question::build(&workspace)?;
    let rounds = options.rounds.unwrap_or(options.length.rounds());
    let load = machine::Load::begin();
    let measured = w1::measure(&workspace, options.length, rounds)?;
    let answered = bounded_question::ask(&workspace, rounds)?;
    println!("{}", machine::describe(rounds));
    println!("\n{}", table::w1(&measured));
    println!("{}", table::threads(&measured));
    println!("{}", table::bounded(&answered));
    println!("{}", load.describe());
    let mut problems = judge::problems(&measured);
    problems.extend(bounded_question::problems(&answered));
    Ok(problems)
}
