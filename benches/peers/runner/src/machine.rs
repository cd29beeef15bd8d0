//! The machine: what it is, and what else it did meanwhile.

use std::fs;
use std::process::Command;
use std::time::Instant;

/// Processor, compiler and rounds, in one line.
pub(crate) fn describe(rounds: u32) -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let rustc = rustc.unwrap_or_default();
    let rounds = if rounds == 1 { "one round".to_owned() } else { format!("{rounds} rounds") };
    format!("{model}, {cores} cores; {rustc}; {rounds}, in turn")
}

/// What the machine has done since some moment.
#[derive(Debug)]
pub(crate) struct Load {
    since: Instant,
    busy: Option<u64>,
    own: u64,
}

/// Ticks of `/proc/stat` in a second, on every Linux that is in use.
const TICKS: f64 = 100.0;

impl Load {
    pub(crate) fn begin() -> Self {
        Self {
            since: spec::program::wall_clock(),
            busy: busy_ticks(),
            own: own_ticks().unwrap_or(0),
        }
    }

    /// How many cores others kept busy.
    pub(crate) fn describe(&self) -> String {
        let seconds = self.since.elapsed().as_secs_f64();
        let Some((before, now)) = self.busy.zip(busy_ticks()) else {
            return "Nothing is known of what else ran meanwhile.".to_owned();
        };
        let own = own_ticks().unwrap_or(0).saturating_sub(self.own);
        let others = (now - before).saturating_sub(own) as f64 / TICKS;
        let cores = others / seconds;
        format!("It took {seconds:.0} s. Others kept {cores:.2} cores busy meanwhile.")
    }
}

/// What all processors have worked, in ticks.
fn busy_ticks() -> Option<u64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let all = stat.lines().next()?.strip_prefix("cpu")?;
    let ticks: Vec<u64> = all.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // The fourth and fifth are idle, and waiting for a disk.
    let idle = ticks.iter().skip(3).take(2).sum::<u64>();
    Some(ticks.iter().take(8).sum::<u64>() - idle)
}

/// What this process and all that it has run have worked, in ticks.
fn own_ticks() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, after_name) = stat.rsplit_once(") ")?;
    // Fields 14 to 17, and what is left begins with the third.
    let ticks = after_name.split_whitespace().skip(11).take(4);
    ticks.map(|word| word.parse::<u64>().ok()).sum()
}
