//! A peer as a program: its command line, its threads, and the one line of JSON that it prints.

use crate::{Counts, Total};
use clap::Parser;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::thread;
use std::time::Instant;

/// What a peer is asked to do.
#[derive(Clone, Debug, Parser)]
#[command(about = "Runs seeds of W1, and prints one line of JSON")]
struct Options {
    /// How many seeds
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// The first of them
    #[arg(long, default_value_t = 0)]
    first: u64,

    /// On how many threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,

    /// With the planted bug: effects are applied before they are committed
    #[arg(long)]
    bug: bool,

    /// Every seed on a new thread, as madsim's own test runner does it
    #[arg(long)]
    thread_per_seed: bool,
}

/// The line that a peer prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// How many seeds were run.
    pub seeds: u64,
    /// Nanoseconds of CPU time, of all threads.
    pub cpu_ns: u64,
    /// Nanoseconds on the wall.
    pub wall_ns: u64,
    /// What the seeds came to.
    pub total: Total,
    /// The most memory that was resident, in KiB; zero where the system does not say.
    pub resident_kib: u64,
}

/// Which seeds a thread runs.
#[derive(Clone, Debug)]
pub struct Order {
    /// From which, up to which.
    pub seeds: Range<u64>,
    /// With the planted bug.
    pub bug: bool,
}

impl Order {
    /// Adds up what each seed comes to.
    pub fn each(&self, mut seed: impl FnMut(u64, bool) -> Counts) -> Total {
        let mut sum = Counts::default();
        self.seeds.clone().for_each(|number| sum += seed(number, self.bug));
        sum.into()
    }
}

/// The whole of a peer's `main`: `run` runs some seeds on the thread that calls it.
pub fn main(run: impl Fn(&Order) -> Total + Sync) {
    let options = Options::parse();
    let (cpu, wall) = (cpu_ns(), wall_clock());
    let total = run_all(&options, &run);
    let report = Report {
        seeds: options.seeds,
        cpu_ns: cpu_ns() - cpu,
        wall_ns: wall.elapsed().as_nanos() as u64,
        total,
        resident_kib: resident_kib(),
    };
    println!("{}", serde_json::to_string(&report).expect("numbers only"));
}

fn run_all(options: &Options, run: &(impl Fn(&Order) -> Total + Sync)) -> Total {
    let share = |thread: u64| options.first + options.seeds * thread / options.threads;
    if options.threads == 1 {
        return run_share(options, share(0)..share(1), run);
    }
    let mut sum = Total::default();
    thread::scope(|scope| {
        let start = |at| scope.spawn(move || run_share(options, share(at)..share(at + 1), run));
        let threads: Vec<_> = (0..options.threads).map(start).collect();
        for one in threads {
            sum += one.join().expect("it prints why");
        }
    });
    sum
}

fn run_share(
    options: &Options,
    seeds: Range<u64>,
    run: &(impl Fn(&Order) -> Total + Sync),
) -> Total {
    let bug = options.bug;
    if !options.thread_per_seed {
        return run(&Order { seeds, bug });
    }
    let mut sum = Total::default();
    for seed in seeds {
        let one = Order { seeds: seed..seed + 1, bug };
        sum += thread::scope(|scope| scope.spawn(|| run(&one)).join().expect("it prints why"));
    }
    sum
}

/// CPU time of this process so far, in nanoseconds.
pub fn cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// The wall clock. Peers are measured by it; nothing in a seed is decided by it.
#[expect(clippy::disallowed_methods, reason = "nothing but a clock measures speed")]
pub fn wall_clock() -> Instant {
    Instant::now()
}

/// The most memory that was resident.
pub fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
