//! Level 1. Reads a whole plan or recording.
//!
//! Imports `point` and `choice`.

use super::bad::{BadPlan, Complaint};
use super::header::{Header, KEYS, begins_body};
use super::line::{Line, lines};
use super::{Plan, fault, vary};
use crate::choice::{Strike, Variation};
use crate::point::{Names, Point};
use std::collections::BTreeMap;

/// The lines below the header.
#[derive(Default)]
struct Body {
    strikes: Vec<Strike>,
    variations: Vec<Variation>,
    /// The line that speaks of a point already: of a fault, of a variation.
    seen: BTreeMap<(bool, Point), usize>,
}

pub(super) fn plan(text: &str, file: &str, names: Names<'_>) -> Result<Plan, BadPlan> {
    let head = Header::read(text, file)?;
    let mut body = Body::default();
    for mut line in lines(text).skip_while(|line| !begins_body(line)) {
        let number = line.number;
        body.take(&mut line, names).map_err(|complaint| complaint.at(file, number))?;
    }
    let Body { mut strikes, mut variations, .. } = body;
    strikes.sort_unstable();
    variations.sort_unstable();
    let Header { scenario, store, backend, expect, workload, size, hash, .. } = head;
    Ok(Plan { scenario, store, backend, expect, workload, size, strikes, variations, hash })
}

/// One fault.
pub(super) fn strike(text: &str, names: Names<'_>) -> Option<Strike> {
    let mut line = lines(text).next()?;
    let known = line.peek().is_some_and(|verb| fault::VERBS.contains(&verb));
    if known { fault::read(&mut line, names).ok() } else { None }
}

/// The line of a plan's text that names this fault.
pub(crate) fn line_of(strike: Strike, text: &str, names: Names<'_>) -> Option<usize> {
    let named = |mut line: Line<'_>| {
        let number = line.number;
        (fault::read(&mut line, names) == Ok(strike)).then_some(number)
    };
    lines(text).skip_while(|line| !begins_body(line)).filter(is_fault).find_map(named)
}

fn is_fault(line: &Line<'_>) -> bool {
    line.peek().is_some_and(|word| fault::VERBS.contains(&word))
}

impl Body {
    fn take(&mut self, line: &mut Line<'_>, names: Names<'_>) -> Result<(), Complaint> {
        let word = line.peek().unwrap_or_default();
        let varies = word == "vary";
        if !begins_body(line) {
            return Err(misplaced(word));
        }
        let number = line.number;
        let point = if varies {
            let variation = vary::read(line, names)?;
            self.variations.push(variation);
            variation.point
        } else {
            let strike = fault::read(line, names)?;
            self.strikes.push(strike);
            strike.point
        };
        match self.seen.insert((varies, point), number) {
            None => Ok(()),
            Some(earlier) => {
                let problem = format!("line {earlier} is about this very place already");
                Err(Complaint::new(problem, "remove one of the two"))
            }
        }
    }
}

/// A line below the header that is no fault.
fn misplaced(word: &str) -> Complaint {
    if KEYS.contains(&word) {
        let problem = format!("a line `{word}` stands below the first fault");
        return Complaint::new(problem, "move it above the faults");
    }
    Complaint::unknown(word, "fault", &fault::VERBS)
}
