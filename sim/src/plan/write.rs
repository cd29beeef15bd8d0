//! Level 1. Writes a whole plan or recording, sorted by point: operation, attempt, copy, place.
//!
//! Imports `point` and `choice`.

use super::header::{NOTHING, VERSION};
use super::{Plan, fault, vary};
use crate::choice::Strike;
use crate::point::Names;
use onestroke_scenarios::FindingKind;
use std::fmt::Write as _;

/// One fault as its line in a plan.
pub fn strike_line(strike: Strike, names: Names<'_>) -> String {
    fault::write(strike, names)
}

/// Faults as lines, sorted; of two at the same point only the first can be named.
pub fn strikes(strikes: &[Strike], names: Names<'_>) -> Vec<String> {
    let mut sorted = strikes.to_vec();
    sorted.sort_by_key(|strike| strike.point);
    sorted.dedup_by_key(|strike| strike.point);
    sorted.into_iter().map(|strike| fault::write(strike, names)).collect()
}

pub(super) fn plan(plan: &Plan, names: Names<'_>) -> String {
    let sort = if plan.is_recording() { "recording" } else { "plan" };
    let expect = plan.expect.map_or(NOTHING, FindingKind::name);
    let mut text = format!("onestroke {sort} {VERSION}\n");
    let widest = plan.size.lines().map(|(key, _)| key.len()).max().unwrap_or(0).max(9);
    let mut header = |key: &str, value: &str| {
        let _ = writeln!(text, "{key:<widest$} {value}");
    };
    header("scenario", &plan.scenario);
    header("store", &plan.store);
    header("backend", &plan.backend);
    header("expect", expect);
    for (key, number) in plan.size.lines() {
        header(key, &number.to_string());
    }
    if let Some(seed) = plan.workload {
        header("seed", &seed.to_string());
    }
    if let Some(hash) = plan.hash {
        header("hash", &format!("{hash:016x}"));
    }
    section(&mut text, strikes(&plan.strikes, names));
    let mut variations = plan.variations.clone();
    variations.sort_by_key(|variation| variation.point);
    variations.dedup_by_key(|variation| variation.point);
    section(&mut text, variations.into_iter().map(|one| vary::write(one, names)).collect());
    text
}

fn section(text: &mut String, lines: Vec<String>) {
    if !lines.is_empty() {
        text.push('\n');
    }
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
}
