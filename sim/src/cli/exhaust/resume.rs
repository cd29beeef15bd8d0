//! Level 6. `sim exhaust --resume FILE`: keeps how far a search came, and goes on from there.

use crate::cli::args::VERSION;
use crate::cli::bad::Bad;
use crate::run::Setup;
use crate::search::exhaust::{Depth, Saved, Search};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The searches of these setups: from the file, where it holds them, or new ones.
pub(super) fn read(
    path: Option<&Path>,
    setups: &[Setup],
    depth: Depth,
) -> Result<Vec<Search>, Bad> {
    let saved = match path {
        None => vec![],
        Some(path) => saved(path)?,
    };
    let search = |setup: &Setup| {
        let of_store = |one: &&Saved| one.store == setup.store.name;
        let Some(kept) = saved.iter().find(of_store) else { return Ok(Search::new(setup, depth)) };
        Search::restore(setup, depth, VERSION, kept).map_err(|mismatch| Bad::File {
            path: path.unwrap_or(Path::new("")).to_owned(),
            problem: format!(": {mismatch}"),
            fix: "ask for the same search, or name another file".to_owned(),
        })
    };
    setups.iter().map(search).collect()
}

/// Keeps the searches; the file is replaced only when all of it is written.
pub(super) fn write(path: &Path, setups: &[Setup], searches: &[Search]) -> Result<(), Bad> {
    let saved: Vec<Saved> =
        setups.iter().zip(searches).map(|(setup, search)| search.save(setup, VERSION)).collect();
    let text = serde_json::to_string(&saved).expect("a search has only plain keys");
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    fs::write(beside, text + "\n").map_err(Bad::file(path))?;
    fs::rename(beside, path).map_err(Bad::file(path))
}

fn saved(path: &Path) -> Result<Vec<Saved>, Bad> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(Bad::file(path)(error)),
    };
    serde_json::from_str(&text).map_err(|error| Bad::File {
        path: path.to_owned(),
        problem: format!(":{}: it is no kept search: {error}", error.line()),
        fix: "name a file that `sim exhaust --resume` wrote, or one that is not there yet"
            .to_owned(),
    })
}
