//! Level 6. What is wrong with what the user gave, and names that resolve to things.

use super::Exit;
use crate::plan::{BadPlan, LONGEST_LIST, shortened, suggest};
use crate::run::Backend;
use crate::search::shrink::Diverged;
use onestroke_scenarios::{BadScenario, Scenario};
use onestroke_store::Entry;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Why a command cannot be carried out.
#[derive(Debug, Error)]
pub(crate) enum Bad {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A scenario file is wrong.
    #[error(transparent)]
    Scenario(#[from] BadScenario),
    /// A plan file is wrong.
    #[error(transparent)]
    Plan(#[from] BadPlan),
    /// A file cannot be read or written.
    #[error("{path}{problem}; {fix}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why; begins with `: `, or with the line.
        problem: String,
        /// What would be right.
        fix: String,
    },
    /// The harness contradicts itself.
    #[error(transparent)]
    Diverged(#[from] Diverged),
}

impl Bad {
    /// A complaint about the command line.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// A complaint about a name that is none of these.
    pub(crate) fn unknown(what: &str, name: &str, names: &[&str]) -> Self {
        let mut text = format!("no {what} is called `{}`", shortened(name));
        match suggest(name, names) {
            Some(near) => {
                let _ = write!(text, "; did you mean `{near}`?");
            }
            None if names.len() > LONGEST_LIST => text += "; `sim list` shows all that there is",
            None => {
                let _ = write!(text, "; choose from: {}", names.join(", "));
            }
        }
        Self::Usage(text)
    }

    /// A complaint about a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| {
            let (problem, fix) = of_system(&path, &error);
            Self::File { path, problem, fix }
        }
    }

    /// The same, said of the line of a file that names what is wrong.
    pub(super) fn named_in(file: &str, line: usize) -> impl Fn(Self) -> Self {
        let place = format!("{file}:{line}");
        move |bad| match bad {
            // It names the line of a file itself.
            Self::Scenario(_) | Self::Plan(_) | Self::Diverged(_) => bad,
            Self::Usage(_) | Self::File { .. } => Self::usage(format!("{place}: {bad}")),
        }
    }

    /// The exit code that it ends with.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Diverged(_) => Exit::Broken,
            _ => Exit::Usage,
        }
    }
}

/// The store with this name.
pub(crate) fn store<'a>(stores: &'a [Entry], name: &str) -> Result<&'a Entry, Bad> {
    let names: Vec<&str> = stores.iter().map(|store| store.name).collect();
    let found = stores.iter().find(|store| store.name == name);
    found.ok_or_else(|| Bad::unknown("store", name, &names))
}

/// The backend with this name.
pub(crate) fn backend(name: &str) -> Result<Backend, Bad> {
    let names: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
    Backend::parse(name).ok_or_else(|| Bad::unknown("backend", name, &names))
}

/// The backend with this name, which can run these scenarios.
pub(crate) fn backend_for<'a>(
    name: &str,
    scenarios: impl IntoIterator<Item = &'a Arc<Scenario>>,
) -> Result<Backend, Bad> {
    let backend = backend(name)?;
    let mut scenarios = scenarios.into_iter();
    scenarios.try_for_each(|scenario| backend.suits(scenario)).map_err(Bad::usage)?;
    Ok(backend)
}

/// The scenario with this name, or in this file.
pub(crate) fn scenario(name: &str) -> Result<Arc<Scenario>, Bad> {
    let path = Path::new(name);
    let is_file = path.extension().is_some_and(|end| end == "toml") || name.contains('/');
    if is_file {
        let text = std::fs::read_to_string(path).map_err(Bad::file(path))?;
        let mut scenario = onestroke_scenarios::from_toml(&text, name)?;
        // Reports and plans call it by what finds it again.
        name.clone_into(&mut scenario.name);
        return Ok(Arc::new(scenario));
    }
    onestroke_scenarios::find(name).map(Arc::new).map_err(|error| Bad::usage(error.to_string()))
}

/// What is wrong with a file that the system refuses, and what would be right.
fn of_system(path: &Path, error: &io::Error) -> (String, String) {
    let (problem, fix) = match error.kind() {
        ErrorKind::NotFound => return missing(path),
        ErrorKind::IsADirectory => ("this is a folder", "name a file".to_owned()),
        ErrorKind::AlreadyExists => ("this is a file", "name a folder".to_owned()),
        ErrorKind::NotADirectory => {
            let file = path.ancestors().find(|one| one.is_file()).unwrap_or(path);
            ("this cannot be", format!("`{}` is a file and no folder", file.display()))
        }
        ErrorKind::PermissionDenied => {
            ("this is forbidden", "give your user the right to it, or name another".to_owned())
        }
        ErrorKind::InvalidData => return no_text(path),
        _ => return (format!(": {error}"), "is the path right?".to_owned()),
    };
    (format!(": {problem}"), fix)
}

fn missing(path: &Path) -> (String, String) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        let problem = format!(": there is no folder `{}`", folder.display());
        return (problem, "is the path right? if so, make the folder first".to_owned());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let scenario = path.extension().is_none_or(|end| end == "toml");
    let fix = match onestroke_scenarios::find(&stem) {
        Ok(_) => format!("did you mean the built-in scenario, `{stem}`?"),
        Err(_) if scenario => {
            "is the path right? built-in scenarios: `sim list scenarios`".to_owned()
        }
        Err(_) => "is the path right?".to_owned(),
    };
    (": there is no such file".to_owned(), fix)
}

fn no_text(path: &Path) -> (String, String) {
    let fix = "save it as UTF-8".to_owned();
    let bytes = std::fs::read(path).unwrap_or_default();
    let Err(error) = std::str::from_utf8(&bytes) else {
        return (": this is no text".to_owned(), fix);
    };
    let good = &bytes[..error.valid_up_to()];
    let line = good.split(|byte| *byte == b'\n').count();
    let byte = bytes[error.valid_up_to()];
    (format!(":{line}: this is no UTF-8 text: here stands a byte {byte:#04x}"), fix)
}
