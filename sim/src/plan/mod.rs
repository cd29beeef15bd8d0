//! Level 1. Plans and recordings: the faults of a run as text, one a line, named by what they hit.
//!
//! A plan names only the faults that matter, and everything else is benign. A recording holds all of
//! a seeded run: its seed, its trace hash, and the variations too. Both are read aloud, edited by
//! hand and committed as regressions, so a bad file gets the line, what is wrong and what would be
//! right. Imports `time`, `point`, `choice`, and the kinds of findings.

mod bad;
mod fault;
mod header;
mod line;
mod read;
mod span;
mod vary;
mod write;

pub use bad::{BadPlan, suggest};
pub use header::{BACKENDS, Header, VERSION};
pub use write::{strike_line, strikes as strike_lines};

use crate::choice::{Source, Strike, Variation};
use crate::point::Names;
use onestroke_scenarios::FindingKind;

/// A plan, or a recording when `recording` is there.
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
    /// The faults, sorted by point, one a point.
    pub strikes: Vec<Strike>,
    /// What a recording holds besides.
    pub recording: Option<Recording>,
}

/// What a recording holds besides the faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The seed of the run.
    pub seed: u64,
    /// The hash of its trace.
    pub hash: u64,
    /// Its harmless choices, sorted by point, one a point.
    pub variations: Vec<Variation>,
}

impl Plan {
    /// Reads a plan or a recording. `file` is what errors call it; `names` are the store's tables.
    pub fn read(text: &str, file: &str, names: Names<'_>) -> Result<Self, BadPlan> {
        read::plan(text, file, names)
    }

    /// Its text, sorted; reading it gives the same plan.
    pub fn write(&self, names: Names<'_>) -> String {
        write::plan(self, names)
    }

    /// Only its faults as text, one a line, sorted: for reports.
    pub fn lines(&self, names: Names<'_>) -> Vec<String> {
        write::strikes(&self.strikes, names)
    }

    /// Where a run of it takes its decisions from.
    pub fn source(&self) -> Source {
        let recording = self.recording.as_ref();
        Source::Planned {
            strikes: self.strikes.clone(),
            variations: recording.map_or_else(Vec::new, |recording| recording.variations.clone()),
            workload: recording.map(|recording| recording.seed),
        }
    }
}

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod tests;
