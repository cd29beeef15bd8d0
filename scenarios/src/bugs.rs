//! Public bugs of idempotency code, from `scenarios/bugs.toml`: which scenario shows each, which store
//! has it, and which one holds there. What no simulator of this kind can show says why.
//!
//! Imports the kinds of findings.

use crate::finding::FindingKind;
use serde::Deserialize;

/// A fault that real projects have reported, reduced to its mechanism.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// Its number: `B01`. Scenarios name it in their sources.
    pub id: String,
    /// Its mechanism, in a few words.
    pub name: String,
    /// Where it is shown; `None` when it is out of reach.
    pub shown: Option<Shown>,
    /// Why it is out of reach; `None` when it is shown.
    pub outside: Option<String>,
}

/// Where a bug is shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The scenario.
    pub scenario: String,
    /// The store that has it.
    pub store: String,
    /// As what it shows there, by name.
    pub finding: String,
    /// The store that does the same right, and shows nothing there; `None` when no store can.
    pub holds: Option<String>,
    /// In which scenario that one holds, if it is not the same one: where the world's own fault is
    /// the bug, the sibling scenario is the world without it.
    pub holds_in: Option<String>,
}

impl Shown {
    /// As what it shows.
    ///
    /// # Panics
    /// When there is no such kind; a test reads the whole table.
    pub fn kind(&self) -> FindingKind {
        kind(&self.finding)
    }
}

impl Fix {
    /// As what the other store shows it.
    ///
    /// # Panics
    /// When there is no such kind; a test reads the whole table.
    pub fn kind(&self) -> FindingKind {
        kind(&self.finding)
    }
}

fn kind(name: &str) -> FindingKind {
    FindingKind::parse(name)
        .unwrap_or_else(|| panic!("scenarios/bugs.toml: no finding is called {name}"))
}

/// One thing that a right store does, and what happens without it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fix {
    /// The right store.
    pub store: String,
    /// What it does.
    pub what: String,
    /// The store that is the same but for that.
    pub without: String,
    /// Where it shows.
    pub scenario: String,
    /// As what, by name.
    pub finding: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    bug: Vec<Bug>,
    #[serde(default)]
    fix: Vec<Fix>,
}

/// All bugs, by number.
///
/// # Panics
/// When the table is broken; a test reads it.
pub fn bugs() -> Vec<Bug> {
    let mut bugs = table().bug;
    bugs.sort_by(|a, b| a.id.cmp(&b.id));
    bugs
}

/// What right stores do, one by one: those that no bug is about, and then the bugs' other sides.
///
/// # Panics
/// When the table is broken; a test reads it.
pub fn fixes() -> Vec<Fix> {
    let of_bug = |bug: Bug| {
        let shown = bug.shown.filter(|shown| shown.holds_in.is_none())?;
        let (store, what) = (shown.holds?, format!("not {}: {}", bug.id, bug.name));
        let Shown { scenario, store: without, finding, .. } = shown;
        Some(Fix { store, what, without, scenario, finding })
    };
    let mut fixes = table().fix;
    fixes.extend(bugs().into_iter().filter_map(of_bug));
    fixes.sort_by(|a, b| a.store.cmp(&b.store));
    fixes
}

fn table() -> Table {
    toml::from_str(include_str!("../bugs.toml"))
        .unwrap_or_else(|bad| panic!("scenarios/bugs.toml is broken: {bad}"))
}
