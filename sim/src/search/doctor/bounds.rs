//! Level 5. Within how many seeds each planted bug must be caught, as it was recorded.
//!
//! A test writes the file again when told to, and fails when a bug needs more than it says: whoever
//! makes the harness blinder sees it, and must say so by recording another bound.

use onestroke_scenarios::FindingKind;
use std::fmt::Write as _;

const RECORDED: &str = include_str!("bounds.txt");

/// The recorded bound of a bug: this store, in this scenario, as this kind.
pub fn of(scenario: &str, store: &str, kind: FindingKind) -> Option<u64> {
    let wanted = [scenario, store, kind.name()];
    RECORDED.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let same = wanted.iter().all(|word| words.next() == Some(word));
        same.then(|| words.next()?.parse().ok()).flatten()
    })
}

/// The text that records these bounds: scenario, store, finding, seeds.
pub fn text<'a>(bounds: impl Iterator<Item = (&'a str, &'a str, FindingKind, u64)>) -> String {
    let mut text = String::new();
    for (scenario, store, kind, bound) in bounds {
        let _ = writeln!(text, "{scenario:34} {store:28} {:18} {bound:>6}", kind.name());
    }
    text
}
