//! Level 6. What is wrong with what the user gave, and names that resolve to things.

use super::Exit;
use crate::plan::{BadPlan, suggest};
use crate::run::Backend;
use crate::search::shrink::Diverged;
use onestroke_scenarios::{BadScenario, Scenario};
use onestroke_store::Entry;
use std::fmt::Write as _;
use std::io;
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
    #[error("{path}: {error}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
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
        let mut text = format!("no {what} is called `{name}`");
        match suggest(name, names) {
            Some(near) => {
                let _ = write!(text, "; did you mean `{near}`?");
            }
            None => {
                let _ = write!(text, "; there are: {}", names.join(", "));
            }
        }
        Self::Usage(text)
    }

    /// A complaint about a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |error| Self::File { path, error }
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

/// The scenario with this name, or in this file.
pub(crate) fn scenario(name: &str) -> Result<Arc<Scenario>, Bad> {
    let path = Path::new(name);
    let is_file = path.extension().is_some_and(|end| end == "toml") || name.contains('/');
    if is_file {
        let text = std::fs::read_to_string(path).map_err(Bad::file(path))?;
        return Ok(Arc::new(onestroke_scenarios::from_toml(&text, name)?));
    }
    onestroke_scenarios::find(name).map(Arc::new).map_err(|error| Bad::usage(error.to_string()))
}
