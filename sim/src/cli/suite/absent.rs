//! Level 6. What a suite's files expect of stores that this program does not have. It is refused, or, where only
//! a part of the suite is wanted, counted and told: nothing is passed over in silence.

use super::contents::{Contents, Read};
use crate::cli::bad::Bad;
use crate::plan::Header;
use onestroke_store::Entry;
use serde::Serialize;

/// A store that is not here, and where a file names it.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct Absent {
    pub file: String,
    pub line: usize,
    pub store: String,
    /// A pinned plan names it, and not a scenario.
    pub pinned: bool,
}

/// Refuses what names a store that is not here; with `partial`, takes it out and says what it was.
pub(super) fn sift(
    stores: &[Entry],
    contents: &mut Contents,
    partial: bool,
) -> Result<Vec<Absent>, Bad> {
    let is_here = |name: &str| stores.iter().any(|store| store.name == name);
    let mut absent: Vec<Absent> =
        contents.scenarios.iter().flat_map(|read| of(read, is_here)).collect();
    for (file, text) in &contents.plans {
        let header = Header::read(text, file)?;
        if !is_here(&header.store) {
            let line = header.line("store");
            absent.push(Absent { file: file.clone(), line, store: header.store, pinned: true });
        }
    }
    if let (Some(first), false) = (absent.first(), partial) {
        return Err(first.refused(stores));
    }
    let gone = |file: &String| absent.iter().any(|one| one.pinned && one.file == *file);
    contents.plans.retain(|(file, _)| !gone(file));
    let runs = |read: &Read| read.scenario.cast(stores).next().is_some();
    match absent.first() {
        Some(first) if contents.plans.is_empty() && !contents.scenarios.iter().any(runs) => {
            Err(first.refused(stores))
        }
        _ => Ok(absent),
    }
}

/// What a scenario expects of stores that are not here, in the order of its lines.
fn of(read: &Read, is_here: impl Fn(&str) -> bool) -> Vec<Absent> {
    let named = read.scenario.expect.keys().filter(|name| !is_here(name));
    let absent = |name: &String| Absent {
        file: read.file.clone(),
        line: read.places.of_store(name),
        store: name.clone(),
        pinned: false,
    };
    let mut all: Vec<Absent> = named.map(absent).collect();
    all.sort_by_key(|one| one.line);
    all
}

impl Absent {
    fn refused(&self, stores: &[Entry]) -> Bad {
        let names: Vec<&str> = stores.iter().map(|store| store.name).collect();
        let bad = Bad::unknown("store", &self.store, &names);
        let bad = Bad::usage(format!(
            "{bad} (if another program has it, `--partial` runs the others, and counts what is not run)"
        ));
        Bad::named_in(&self.file, self.line)(bad)
    }
}

/// How much is not run, and what; nothing, if all is.
pub(super) fn told(absent: &[Absent]) -> Option<String> {
    if absent.is_empty() {
        return None;
    }
    let pins = absent.iter().filter(|one| one.pinned).count();
    let names: Vec<String> =
        absent.iter().map(|one| format!("`{}` ({}:{})", one.store, one.file, one.line)).collect();
    Some(format!(
        "not run: {} cells and {pins} pinned plans, whose stores this program does not have: {}",
        absent.len() - pins,
        names.join(", ")
    ))
}
