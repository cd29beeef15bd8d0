//! Level 6. The command line: parse, run, print.
//!
//! stdout is the answer, stderr is progress and hints. A binary of another crate gets all of it for
//! its own stores by one call of [`Cli::run`].

mod advice;
mod args;
mod bad;
mod bench;
mod campaign;
mod ci;
mod compare;
mod diff;
mod doctor;
mod exhaust;
mod explain;
mod hunt;
mod influence;
mod likelihood;
mod list;
mod replay;
mod screen;
mod seed;
mod story;
mod suite;
mod table;
mod ttl;

use args::{Args, Command};
use bad::Bad;
use clap::Parser as _;
use onestroke_store::Entry;
pub(crate) use screen::Screen;
use std::ffi::OsString;
use std::process::ExitCode;
pub(crate) use story::{Origin, tell};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing unexpected.
    Fine,
    /// A finding that was not expected; in a campaign also an expected one that never showed, or a
    /// moment that never occurred.
    Found,
    /// Bad usage, a bad file, an unknown name.
    Usage,
    /// The harness itself failed.
    Broken,
    /// Interrupted.
    Interrupted,
}

/// A command line over these stores.
#[derive(Clone, Debug)]
pub struct Cli {
    stores: Vec<Entry>,
}

impl Exit {
    /// The process's exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Found => 1,
            Self::Usage => 2,
            Self::Broken => 3,
            Self::Interrupted => 130,
        }
    }
}

impl Default for Cli {
    fn default() -> Self {
        Self { stores: onestroke_store::stores::catalogue() }
    }
}

impl Cli {
    /// The catalogue's stores.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more store, listed first.
    #[must_use]
    pub fn with(mut self, store: Entry) -> Self {
        self.stores.insert(0, store);
        self
    }

    /// Runs the process's command line.
    pub fn run(self) -> ExitCode {
        ExitCode::from(self.run_with(std::env::args_os()).code())
    }

    /// Runs these arguments; the first one is the program's name.
    pub fn run_with(self, args: impl IntoIterator<Item = OsString>) -> Exit {
        let given: Vec<OsString> = args.into_iter().collect();
        let args = match Args::try_parse_from(&given) {
            Ok(args) => args,
            Err(error) => {
                let error = advice::better(error, &given, &self.stores);
                let _ = error.print();
                return if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            }
        };
        screen::listen(args.verbose);
        let screen = Screen::new(args.format);
        match self.dispatch(&args, &screen) {
            Ok(exit) => exit,
            Err(bad) => {
                screen.complain(&bad);
                bad.exit()
            }
        }
    }

    fn dispatch(&self, args: &Args, screen: &Screen) -> Result<Exit, Bad> {
        match &args.command {
            None => match (&args.plan, args.seed) {
                (Some(_), None) if args.record.is_some() || args.save_plan.is_some() => {
                    Err(advice::nothing_to_do(args))
                }
                (Some(_), None) if args.likelihood => Err(Bad::usage(
                    "`--likelihood` draws other futures of a seed's run, and a plan draws nothing: \
                     give the seed, as in `sim --seed 42 --store check-then-act --likelihood`",
                )),
                (Some(plan), None) => replay::run(&self.stores, args, plan, screen),
                (None, Some(seed)) => seed::run(&self.stores, args, seed, screen),
                (Some(_), Some(_)) => Err(Bad::usage(
                    "`--seed` and `--plan` exclude each other: a plan names all that strikes; leave \
                     one of them out",
                )),
                (None, None) => Err(advice::nothing_to_do(args)),
            },
            Some(Command::Hunt(hunt)) => hunt::run(&self.stores, hunt, screen),
            Some(Command::Exhaust(exhaust)) => exhaust::run(&self.stores, exhaust, screen),
            Some(Command::Compare(compare)) => compare::run(&self.stores, compare, screen),
            Some(Command::Bench(bench)) => bench::run(&self.stores, bench, screen),
            Some(Command::Diff(diff)) => diff::run(&self.stores, diff, screen),
            Some(Command::Suite(suite)) => suite::run(&self.stores, suite, screen),
            Some(Command::Doctor(doctor)) => Ok(doctor::run(&self.stores, doctor, screen)),
            Some(Command::Ttl(ttl)) => ttl::run(&self.stores, ttl, screen),
            Some(Command::List { what }) => Ok(list::run(&self.stores, *what, screen)),
            Some(Command::Explain { name }) => explain::run(&self.stores, name, screen),
        }
    }
}
