//! The bounded question M1, and how both programs are asked it and answer.
//!
//! Two clients with one operation each send it at most twice, to one server that crashes at most once,
//! over a network that loses and doubles. Can an operation take effect twice? Can one that was
//! acknowledged have no effect? And how can the clients' operations end at all?

use clap::Parser;
use serde::{Deserialize, Serialize};
use spec::program::{cpu_ns, resident_kib, wall_clock};
use std::collections::BTreeSet;

/// How many clients there are.
pub const CLIENTS: u8 = 2;

/// How many operations each makes, one after the other.
pub const OPERATIONS: u8 = 1;

/// How often an operation is sent before its client gives it up.
pub const ATTEMPTS: u8 = 2;

/// How often the server crashes.
pub const CRASHES: u8 = 1;

/// More effects than that are not told apart.
pub const MANY: u8 = 2;

/// How one operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct End {
    /// How often it took effect, up to [`MANY`].
    pub effects: u8,
    /// Whether its client was told so; if not, it gave up.
    pub acknowledged: bool,
}

impl End {
    /// Whether it was done twice, or promised and not done.
    pub const fn is_violation(self) -> bool {
        self.effects > 1 || (self.acknowledged && self.effects == 0)
    }
}

/// How all operations ended together. Clients are alike, so it is sorted.
pub type Outcome = Vec<End>;

/// The question in full.
#[derive(Clone, Debug, Parser)]
#[command(about = "Answers the bounded question, and prints one line of JSON")]
pub struct Question {
    /// Of a server that never looks whether it knows the key
    #[arg(long)]
    pub bug: bool,

    /// Collect all outcomes as well, which takes longer
    #[arg(long)]
    pub outcomes: bool,

    /// For stateright: a message that is never delivered stands for a lost one, as its docs advise
    #[arg(long)]
    pub lossless: bool,

    /// For onestroke: at most so many faults at once
    #[arg(long, default_value_t = 3)]
    pub faults: u8,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Some operation took effect twice, or was acknowledged without.
    pub violated: bool,
    /// States that differ, or runs: what the program explores.
    pub explored: u64,
    /// How all can end; empty if it was not asked for.
    pub outcomes: BTreeSet<Outcome>,
}

/// The line that is printed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The answer.
    pub answer: Answer,
    /// Nanoseconds of CPU time to the answer.
    pub cpu_ns: u64,
    /// Nanoseconds on the wall to the answer.
    pub wall_ns: u64,
    /// The most memory that was resident, in KiB; zero where the system does not say.
    pub resident_kib: u64,
}

/// The whole of a program's `main`.
pub fn main(answer: impl Fn(&Question) -> Answer) {
    let question = Question::parse();
    let (cpu, wall) = (cpu_ns(), wall_clock());
    let answer = answer(&question);
    let report = Report {
        answer,
        cpu_ns: cpu_ns() - cpu,
        wall_ns: wall.elapsed().as_nanos() as u64,
        resident_kib: resident_kib(),
    };
    println!("{}", serde_json::to_string(&report).expect("numbers and booleans only"));
}
