//! Level 5. A search that was stopped, as a file keeps it.
//!
//! It holds which plans are still to be extended and which worlds were reached; with both the search
//! goes on as if it had never been stopped. It is for the version that wrote it only: another one
//! may reach other worlds.

use super::level::{Parent, Part};
use super::worlds::{Reach, Worlds};
use super::{Depth, Exhausted, Level, Minimal, Search};
use crate::plan::{Plan, strike_line};
use crate::point::Names;
use crate::run::{Runner, Setup};
use crate::time::Time;
use onestroke_scenarios::FindingKind;
use onestroke_store::Canon;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A search as a file keeps it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// Which version wrote it.
    tool: String,
    scenario: String,
    /// Of all that the scenario says.
    scenario_hash: String,
    /// The store's name.
    pub store: String,
    backend: String,
    faults: usize,
    overtakings: usize,
    prune: bool,
    over: bool,
    levels: Vec<Level>,
    minimal: Vec<SavedMinimal>,
    /// The present level: plans to be extended, how many were, and what came of it.
    parents: Vec<SavedParent>,
    done: usize,
    level: Level,
    level_minimal: Vec<SavedMinimal>,
    level_parents: Vec<SavedParent>,
    /// Hash of each world; microseconds, faults and overtakings with which it was reached; what
    /// follows from it.
    worlds: Vec<SavedWorld>,
}

/// Which offers of its run, from and to, and its faults.
type SavedParent = (usize, usize, Vec<String>);

type SavedWorld = (String, u64, u8, u8, Option<String>);

/// Kind of finding, and the faults.
type SavedMinimal = (String, Vec<String>);

/// Why a search cannot be gone on with.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Mismatch {
    /// Something else is asked for than what was kept.
    #[error("it holds a search with {what} `{kept}`, and `{asked}` is asked for")]
    Other {
        /// What differs.
        what: &'static str,
        /// What is in the file.
        kept: String,
        /// What is asked for.
        asked: String,
    },
    /// It holds something that no search writes.
    #[error("it was changed: `{0}` means nothing here")]
    Changed(String),
}

impl Search {
    /// The search as a file keeps it; `tool` is the version that writes it.
    pub fn save(&self, setup: &Setup, tool: &str) -> Saved {
        let runner = Runner::new(setup);
        let names = runner.names();
        // One that is over needs them no more.
        let worlds = if self.over { vec![] } else { self.worlds.sorted() }.into_iter();
        let world = |(world, reach): (u128, Reach)| {
            let Reach { now, faults, overtakings, finding } = reach;
            let finding = finding.map(|kind| kind.name().to_owned());
            (format!("{world:032x}"), now.as_micros(), faults, overtakings, finding)
        };
        Saved {
            tool: tool.to_owned(),
            scenario: setup.scenario.name.clone(),
            scenario_hash: scenario_hash(setup),
            store: setup.store.name.to_owned(),
            backend: setup.backend.name().to_owned(),
            faults: self.depth.faults,
            overtakings: self.depth.overtakings,
            prune: self.depth.prune,
            over: self.over,
            levels: self.before.levels.clone(),
            minimal: minimal_lines(&self.before.minimal, names),
            parents: parent_lines(&self.parents, names),
            done: self.part.done,
            level: self.part.level.clone(),
            level_minimal: minimal_lines(&self.part.minimal, names),
            level_parents: parent_lines(&self.part.parents, names),
            worlds: worlds.map(world).collect(),
        }
    }

    /// The search that a file kept, if it is the one that is asked for.
    pub fn restore(
        setup: &Setup,
        depth: Depth,
        tool: &str,
        saved: &Saved,
    ) -> Result<Self, Mismatch> {
        let mut search = Self::new(setup, depth);
        let pruned = |prune| if prune { "pruning" } else { "no pruning" };
        same("version", &saved.tool, tool)?;
        same("scenario", &saved.scenario, &setup.scenario.name)?;
        same("scenario hash", &saved.scenario_hash, &scenario_hash(setup))?;
        same("store", &saved.store, setup.store.name)?;
        same("backend", &saved.backend, setup.backend.name())?;
        same("faults", &saved.faults.to_string(), &depth.faults.to_string())?;
        same("overtakings", &saved.overtakings.to_string(), &depth.overtakings.to_string())?;
        same("worlds", pruned(saved.prune), pruned(search.depth.prune))?;
        let runner = Runner::new(setup);
        let names = runner.names();
        let blind = search.before.blind;
        let minimal = read_minimal(&saved.minimal, names)?;
        search.before = Exhausted { levels: saved.levels.clone(), minimal, blind };
        search.parents = read_parents(&saved.parents, names)?;
        search.part = Part {
            done: saved.done.min(search.parents.len()),
            level: saved.level.clone(),
            minimal: read_minimal(&saved.level_minimal, names)?,
            parents: read_parents(&saved.level_parents, names)?,
        };
        search.worlds = read_worlds(&saved.worlds)?;
        search.over = saved.over;
        Ok(search)
    }
}

fn same(what: &'static str, kept: &str, asked: &str) -> Result<(), Mismatch> {
    let (kept, asked) = (kept.to_owned(), asked.to_owned());
    if kept == asked { Ok(()) } else { Err(Mismatch::Other { what, kept, asked }) }
}

fn scenario_hash(setup: &Setup) -> String {
    let mut canon = Canon::default();
    canon.text(&format!("{:?}", setup.scenario));
    format!("{:032x}", canon.hash())
}

fn parent_lines(parents: &[Parent], names: Names<'_>) -> Vec<SavedParent> {
    let line = |parent: &Parent| {
        let faults = parent.strikes.iter().map(|strike| strike_line(*strike, names)).collect();
        (parent.offers.start, parent.offers.end, faults)
    };
    parents.iter().map(line).collect()
}

fn minimal_lines(all: &[Minimal], names: Names<'_>) -> Vec<SavedMinimal> {
    let line = |one: &Minimal| {
        let faults = one.strikes.iter().map(|strike| strike_line(*strike, names)).collect();
        (one.kind.name().to_owned(), faults)
    };
    all.iter().map(line).collect()
}

fn read_parents(saved: &[SavedParent], names: Names<'_>) -> Result<Vec<Parent>, Mismatch> {
    let read = |(from, to, faults): &SavedParent| {
        if from > to {
            return Err(Mismatch::Changed(format!("[{from}, {to}]")));
        }
        Ok(Parent { strikes: read_strikes(faults, names)?, offers: *from..*to })
    };
    saved.iter().map(read).collect()
}

fn read_kind(name: &str) -> Result<FindingKind, Mismatch> {
    FindingKind::parse(name).ok_or_else(|| Mismatch::Changed(name.to_owned()))
}

fn read_minimal(saved: &[SavedMinimal], names: Names<'_>) -> Result<Vec<Minimal>, Mismatch> {
    let read = |(kind, faults): &SavedMinimal| {
        Ok(Minimal { kind: read_kind(kind)?, strikes: read_strikes(faults, names)? })
    };
    saved.iter().map(read).collect()
}

fn read_strikes(
    lines: &[String],
    names: Names<'_>,
) -> Result<Vec<crate::choice::Strike>, Mismatch> {
    let read = |line: &String| {
        Plan::read_strike(line, names).ok_or_else(|| Mismatch::Changed(line.clone()))
    };
    lines.iter().map(read).collect()
}

fn read_worlds(saved: &[SavedWorld]) -> Result<Worlds, Mismatch> {
    let mut worlds = Worlds::default();
    for (hash, now, faults, overtakings, kind) in saved {
        let world = u128::from_str_radix(hash, 16).map_err(|_| Mismatch::Changed(hash.clone()))?;
        let now = Time::from_micros(*now);
        let finding = kind.as_deref().map(read_kind).transpose()?;
        worlds.add(world, Reach { now, faults: *faults, overtakings: *overtakings, finding });
    }
    Ok(worlds)
}
