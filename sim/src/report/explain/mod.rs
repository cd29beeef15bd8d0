//! Level 5. Explains a finding: one paragraph of plain words that ends in the contradiction.
//!
//! It tells what the trace holds and guesses nothing: what it cannot see, it leaves out. Imports
//! `time`, `point`, `trace`, `check`.

mod agreed;
mod befell;
mod effects;
mod later;
mod misled;
mod replies;
mod story;

use crate::check::Finding;
use crate::point::{Names, Op};
use crate::time::Time;
use crate::trace::Trace;
use onestroke_scenarios::FindingKind;
use story::Story;

/// What happened, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// One paragraph, not wrapped.
    pub paragraph: String,
    /// The moments that it is made of, in order of time.
    pub facts: Vec<Fact>,
}

/// One moment of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// When.
    pub at: Time,
    /// What.
    pub text: String,
}

/// Explains a finding from its trace.
pub fn explain(trace: &Trace, finding: &Finding, names: Names<'_>) -> Explanation {
    let op = finding.op.unwrap_or(Op(0));
    let mut story = Story::new(trace, names, op);
    let told = match finding.kind {
        FindingKind::Expired => effects::expired(&mut story),
        FindingKind::DoubleEffect => effects::double(&mut story),
        FindingKind::Torn => effects::torn(&mut story),
        FindingKind::LostEffect => effects::lost(&mut story),
        FindingKind::MismatchAccepted => replies::mismatch(&mut story),
        FindingKind::Leak => replies::leak(&mut story),
        FindingKind::WrongReply => {
            agreed::breach(&mut story, finding).or_else(|| replies::wrong(&mut story))
        }
        FindingKind::Stuck => replies::stuck(&mut story),
        FindingKind::Stale => later::stale(&mut story, finding),
        FindingKind::Undone => later::undone(&mut story, finding),
        FindingKind::Unbounded => replies::unbounded(&mut story),
    };
    let paragraph = told.unwrap_or_else(|| story.plain(finding));
    let mut facts = story.facts;
    facts.sort_by_key(|fact| fact.at);
    Explanation { paragraph, facts }
}

#[cfg(test)]
mod tests;
