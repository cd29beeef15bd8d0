//! Level 1. What is said of a file that is no plan: the line, what is wrong, what would be right.
//!
//! Imports nothing of this crate.

use std::fmt;
use thiserror::Error;

/// A file that is no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct BadPlan {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub fix: String,
}

impl fmt::Display for BadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.file, self.line, self.problem, self.fix)
    }
}

/// What is wrong in a line, and what would be right; the line is added by whoever knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) problem: String,
    pub(super) fix: String,
}

impl Complaint {
    pub(super) fn new(problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { problem: problem.into(), fix: fix.into() }
    }

    /// `word` is none of these names.
    pub(super) fn unknown(word: &str, what: &str, names: &[&str]) -> Self {
        let word = shortened(word);
        Self::new(format!("`{word}` is no {what}"), did_you_mean(&word, names))
    }

    pub(super) fn at(self, file: &str, line: usize) -> BadPlan {
        BadPlan { file: file.to_owned(), line, problem: self.problem, fix: self.fix }
    }
}

/// A message names all that there is up to so many names.
pub(crate) const LONGEST_LIST: usize = 16;

/// A word as it is quoted in a message: not longer than a line can bear.
pub(crate) fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let plain = word.chars().filter(|c| !c.is_control());
    let mut text: String = plain.clone().take(LONGEST).collect();
    if plain.count() > LONGEST {
        text.push('…');
    }
    text
}

/// The one of `names` that was probably meant by `name`, if any is close: in its beginning, and in
/// that less than half of it must be written anew (`mysql` is not `memory-sqlite`).
pub fn suggest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    const CLOSE: f64 = 0.8;
    let wanted = shortened(name).to_lowercase().replace('_', "-");
    let near = |one: &&&str| strsim::damerau_levenshtein(&wanted, one) * 2 <= one.len();
    let scored = names.iter().filter(near).map(|one| (strsim::jaro_winkler(&wanted, one), *one));
    let best = scored.filter(|(score, _)| *score > CLOSE).fold(None, |best, next| match best {
        Some((score, _)) if score >= next.0 => best,
        _ => Some(next),
    });
    best.map(|(_, one)| one)
}

fn did_you_mean(name: &str, names: &[&str]) -> String {
    match suggest(name, names) {
        Some(one) => format!("did you mean `{one}`?"),
        None => format!("choose from: {}", names.join(", ")),
    }
}
