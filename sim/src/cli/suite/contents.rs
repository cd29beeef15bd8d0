//! Level 6. What a suite is to run: scenarios and pinned plans, built in or from files and folders.

use crate::cli::bad::Bad;
use onestroke_scenarios::{Places, Scenario};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the paths hold.
#[derive(Default)]
pub(super) struct Contents {
    pub scenarios: Vec<Read>,
    /// Pinned plans: file and text.
    pub plans: Vec<(String, String)>,
}

/// A scenario that was read, and its file.
pub(in crate::cli) struct Read {
    pub scenario: Arc<Scenario>,
    pub file: String,
    pub places: Places,
}

/// The catalogue, and the pins that came with the program.
pub(super) fn built_in() -> Contents {
    let read = |scenario: Scenario| {
        let places = Places::of(onestroke_scenarios::text(&scenario.name).unwrap_or_default());
        let file = format!("scenarios/catalogue/{}.toml", scenario.name);
        Read { scenario: Arc::new(scenario), file, places }
    };
    let scenarios = onestroke_scenarios::catalogue().into_iter().map(read).collect();
    let plan = |(file, text): &(&str, &str)| ((*file).to_owned(), (*text).to_owned());
    Contents { scenarios, plans: onestroke_scenarios::PINNED.iter().map(plan).collect() }
}

/// Reads files, and folders with all that is in them, in the order of their names.
pub(super) fn read(paths: &[PathBuf]) -> Result<Contents, Bad> {
    let mut contents = Contents::default();
    let mut todo: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(Bad::file(&path))?;
            let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            inside.sort_unstable_by(|a, b| b.cmp(a));
            todo.extend(inside.into_iter().filter(|path| path.is_dir() || is_ours(path)));
            continue;
        }
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(Bad::file(&path))?;
        if path.extension().is_some_and(|end| end == "toml") {
            let mut scenario = onestroke_scenarios::from_toml(&text, &name)?;
            // Reports and plans call it by what finds it again.
            name.clone_into(&mut scenario.name);
            let (scenario, places) = (Arc::new(scenario), Places::of(&text));
            contents.scenarios.push(Read { scenario, file: name, places });
        } else {
            contents.plans.push((name, text));
        }
    }
    Ok(contents)
}

fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml" || end == "plan")
}
