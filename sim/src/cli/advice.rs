//! Level 6. What to type in place of a command line that makes no sense, where clap cannot know it.
//!
//! Imports the arguments, and the names of stores and scenarios.

use super::args::{Args, LAST_OF_HUNT};
use super::bad::Bad;
use crate::plan::shortened;
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use onestroke_store::Entry;
use std::ffi::OsString;

/// The same error, with a fix if there is one.
pub(super) fn better(error: clap::Error, given: &[OsString], stores: &[Entry]) -> clap::Error {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let advice = match error.kind() {
        ErrorKind::ArgumentConflict => {
            word(ContextKind::InvalidSubcommand).map(|word| after_flags(&word, given, stores))
        }
        ErrorKind::UnknownArgument if given.get(1).is_some_and(|word| word == "hunt") => {
            word(ContextKind::InvalidArg).filter(|word| word == "--seed").map(|_| {
                let seeds = one_seed(seed_of(given).as_deref());
                format!("a hunt has no `--seed`; to hunt with one seed alone: `sim hunt {seeds}`")
            })
        }
        _ => None,
    };
    match advice {
        Some(advice) => clap::Error::raw(error.kind(), advice + "\n"),
        None => error,
    }
}

/// A line without a command, a seed or a plan; or with a plan and what only a seed can have.
pub(super) fn nothing_to_do(args: &Args) -> Bad {
    let written = [("--record", &args.record), ("--save-plan", &args.save_plan)];
    let written = written.into_iter().find_map(|(flag, file)| Some((flag, file.as_ref()?)));
    Bad::usage(match (written, &args.store) {
        (Some((flag, file)), store) => format!(
            "`{flag}` writes down the run of a seed, and there is none: \
             `sim --seed 42 --store {} {flag} {}`",
            store.as_deref().unwrap_or("NAME"),
            file.display()
        ),
        (None, Some(store)) => format!(
            "nothing to do: try `sim --seed 42 --store {store}` or `sim hunt --store {store}`"
        ),
        (None, None) => {
            "nothing to do: try `sim --seed 42`, `sim hunt --seeds 100000`, `sim suite`, \
                         `sim list` or `sim --help`"
                .to_owned()
        }
    })
}

/// A bare word after flags that stand in place of a command.
fn after_flags(word: &str, given: &[OsString], stores: &[Entry]) -> String {
    let shown = shortened(word);
    let seed = seed_of(given);
    let seed = seed.as_deref();
    let flags = seed.map_or_else(|| "FLAGS".to_owned(), |seed| format!("--seed {seed}"));
    if stores.iter().any(|store| store.name == word) {
        return format!("`{shown}` is a store: did you mean `sim {flags} --store {shown}`?");
    }
    if onestroke_scenarios::find(word).is_ok() {
        return format!("`{shown}` is a scenario: did you mean `sim {flags} --scenario {shown}`?");
    }
    match (Args::command().find_subcommand(word).is_some(), seed) {
        (true, Some(seed)) => format!(
            "`--seed` runs one seed, and takes no command; leave out `{shown}`, or hunt: `sim hunt {}`",
            one_seed(Some(seed))
        ),
        (true, None) => {
            let others = given.iter().skip(1).filter(|other| *other != word);
            let others: Vec<_> = others.map(|other| other.to_string_lossy()).collect();
            format!("flags stand behind the command: `sim {shown} {}`", others.join(" "))
        }
        (false, Some(seed)) => format!(
            "`{shown}` is no flag and no command; leave it out, or hunt: `sim hunt {}`",
            one_seed(Some(seed))
        ),
        (false, None) => {
            format!("`{shown}` is no flag and no command; leave it out, or see `sim --help`")
        }
    }
}

/// The seed of the line, as it was written, if it is one.
fn seed_of(given: &[OsString]) -> Option<String> {
    let mut words = given.iter().map(|word| word.to_string_lossy());
    let seed = words.find_map(|word| match word.strip_prefix("--seed") {
        Some("") => Some(None),
        Some(rest) => rest.strip_prefix('=').map(|seed| Some(seed.to_owned())),
        None => None,
    })?;
    let seed = seed.or_else(|| words.next().map(std::borrow::Cow::into_owned))?;
    seed.parse::<u64>().is_ok().then_some(seed)
}

/// The flag of a hunt for this seed alone.
fn one_seed(seed: Option<&str>) -> String {
    let seed = seed.and_then(|seed| seed.parse::<u64>().ok());
    let seed = seed.filter(|seed| *seed <= LAST_OF_HUNT).unwrap_or(42);
    format!("--seeds {seed}..{}", seed + 1)
}
