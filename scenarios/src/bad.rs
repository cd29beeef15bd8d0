//! What is said of a file that is no scenario, and of a name that nobody has.
//!
//! Imports nothing of this crate.

use std::fmt;
use thiserror::Error;

/// A file that is no scenario: where, which field, what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct BadScenario {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The field with its section, as in `weather.drop-reply`; empty when the file is no TOML.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What would be right; empty when the problem says it.
    pub fix: String,
}

/// A name that no scenario of the catalogue has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnknownName {
    /// The name that was asked for.
    pub name: String,
    /// The name that was probably meant.
    pub suggestion: Option<String>,
}

impl fmt::Display for BadScenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.problem)?;
        if self.fix.is_empty() { Ok(()) } else { write!(f, "; {}", self.fix) }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no scenario is called `{}`", shortened(&self.name))?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            None => f.write_str("; `sim list scenarios` shows them all"),
        }
    }
}

/// A text of a file as it is quoted in a message: not longer than a line can bear.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let plain = text.chars().filter(|c| !c.is_control());
    let mut short: String = plain.clone().take(LONGEST).collect();
    if plain.count() > LONGEST {
        short.push('…');
    }
    short
}

/// The one of `names` that was probably meant by `name`, if any is close: in its beginning, and in
/// that less than half of it must be written anew.
pub(crate) fn suggest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = shortened(name).to_lowercase().replace('_', "-");
    names
        .into_iter()
        .filter(|one| strsim::damerau_levenshtein(&wanted, one) * 2 <= one.len())
        .map(|one| (strsim::jaro_winkler(&wanted, one), one))
        .filter(|(score, _)| *score > 0.8)
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .map(|(_, one)| one)
}

/// "did you mean" where a name is close, the whole choice otherwise.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(one) = suggest(name, names.clone()) {
        return format!("did you mean `{one}`?");
    }
    let all: Vec<&str> = names.into_iter().collect();
    format!("choose from: {}", all.join(", "))
}
