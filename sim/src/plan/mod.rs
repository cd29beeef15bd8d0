//! Level 1. Plans and recordings: the faults of a run as text, one a line, named by what they hit.
//!
//! A plan names only what matters: the faults, and where its finding needs them, the workload's seed
//! and variations; everything else is benign. A recording holds all of a seeded run, and its trace
//! hash. Both are read aloud, edited by hand and committed as regressions, so a bad file gets the
//! line, what is wrong and what would be right. Imports `time`, `point`, `choice`, and the scenarios'
//! types.

mod bad;
mod fault;
mod header;
mod line;
mod read;
mod size;
mod span;
mod vary;
mod write;

pub use bad::{BadPlan, suggest};
pub(crate) use bad::{LONGEST_LIST, shortened};
pub(crate) use header::NOTHING;
pub use header::{BACKENDS, Header, VERSION};
pub(crate) use read::line_of;
pub use size::Size;
pub use write::{strike_line, strikes as strike_lines};

use crate::choice::{Source, Strike, Variation};
use crate::point::Names;
use crate::time::Span;
use onestroke_scenarios::FindingKind;

/// A plan, or a recording when it has a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The scenario's name or path.
    pub scenario: String,
    /// The store's name.
    pub store: String,
    /// What is under the store: one of [`BACKENDS`].
    pub backend: String,
    /// The kind of finding that it shows; `None` is written `nothing`.
    pub expect: Option<FindingKind>,
    /// The seed that the operations are drawn from; without one they are the plain ones.
    pub workload: Option<u64>,
    /// How large the workload is, where it is smaller than the scenario's.
    pub size: Size,
    /// The faults, sorted by point, one a point.
    pub strikes: Vec<Strike>,
    /// Harmless choices, sorted by point, one a point; all others are zero.
    pub variations: Vec<Variation>,
    /// The hash of the trace that was recorded; a recording has one, and a seed.
    pub hash: Option<u64>,
}

/// A span of time as plans have it; `None` when it is none, or is too long.
pub(crate) fn span(word: &str) -> Option<Span> {
    span::read(word).ok()
}

impl Plan {
    /// Reads a plan or a recording. `file` is what errors call it; `names` are the store's tables.
    pub fn read(text: &str, file: &str, names: Names<'_>) -> Result<Self, BadPlan> {
        read::plan(text, file, names)
    }

    /// All that strikes and varies, and the size and the seed of its workload, one a line, as its text
    /// has it: what scenario, store, backend and expectation make a plan of.
    pub fn body(&self, names: Names<'_>) -> Vec<String> {
        let text = self.write(names);
        let body = text.split_once("\n\n").map_or("", |(_, body)| body);
        let size = self.size.lines().map(|(key, number)| format!("{key} {number}"));
        let seed = self.workload.map(|seed| format!("seed {seed}"));
        size.chain(seed).chain(body.lines().map(str::to_owned)).collect()
    }

    /// Its text, sorted; reading it gives the same plan.
    pub fn write(&self, names: Names<'_>) -> String {
        write::plan(self, names)
    }

    /// Only its faults as text, one a line, sorted: for reports.
    pub fn lines(&self, names: Names<'_>) -> Vec<String> {
        write::strikes(&self.strikes, names)
    }

    /// Reads one fault, as [`strike_line`] writes it. `None`: it is none.
    pub fn read_strike(line: &str, names: Names<'_>) -> Option<Strike> {
        read::strike(line, names)
    }

    /// Whether it holds a whole run, and what that run's trace was.
    pub const fn is_recording(&self) -> bool {
        self.hash.is_some()
    }

    /// Where a run of it takes its decisions from. The size is the runner's to mind: see
    /// `Runner::replay`.
    pub(crate) fn source(&self) -> Source {
        Source::Planned {
            strikes: self.strikes.clone(),
            variations: self.variations.clone(),
            workload: self.workload,
        }
    }
}

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod explained;
#[cfg(test)]
mod tests;
