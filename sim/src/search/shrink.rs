//! Level 5. Shrink: from a seed that shows a finding to a plan that names only what matters.
//!
//! Faults are dropped in halves, then one by one, until none can be missed; the same for variations,
//! which most plans need none of. Only the same kind of finding counts. Bounded by [`RUNS_MOST`].

use crate::check::Finding;
use crate::choice::{Fault, Source, Strike, Variation};
use crate::plan::Plan;
use crate::run::{Keep, Runner};
use crate::time::Span;
use onestroke_scenarios::FindingKind;
use thiserror::Error;

/// A shrink gives up after so many runs, with the shortest plan so far.
pub const RUNS_MOST: u32 = 20_000;

/// A finding with the plan that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The finding, as the plan shows it.
    pub finding: Finding,
    /// The faults that matter.
    pub plan: Plan,
    /// How many faults had struck before shrinking.
    pub struck: usize,
    /// Trace hash of the plan's run.
    pub hash: u64,
    /// By fault of the plan: whether its magnitude matters. Each fault itself is needed.
    pub labels: Vec<(Strike, Label)>,
}

/// Whether the magnitude of a needed fault matters: it was halved, and doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It has none.
    Plain,
    /// Half and double do as well.
    Any,
    /// Double does as well, half does not.
    AtLeast,
    /// Half does as well, double does not.
    AtMost,
    /// Neither does.
    Exact,
}

impl Found {
    /// Orders findings for telling: the graver kind first, then the shorter story.
    pub fn weight(&self) -> (FindingKind, usize, u32) {
        (self.finding.kind, self.plan.strikes.len(), self.finding.second)
    }
}

/// The harness is broken: what it found is not found again.
#[derive(Debug, Error)]
#[error(
    "seed {seed} showed {kind} with trace hash {first:016x}, and now {second:016x} without it: \
     the harness or the store is not deterministic (does the store read a clock, a random number or \
     a static of its own?)",
    kind = kind.name()
)]
pub struct Diverged {
    /// The seed.
    pub seed: u64,
    /// What it had shown.
    pub kind: FindingKind,
    /// Trace hash of the first run.
    pub first: u64,
    /// Trace hash of the second run.
    pub second: u64,
}

/// Confirms and shrinks the finding of this kind under a seed.
pub fn shrink(runner: &mut Runner, seed: u64, kind: FindingKind) -> Result<Found, Diverged> {
    let seeded = Source::Seeded { seed, salt: 0 };
    let first = runner.run(seeded.clone(), Keep::default()).hash;
    let second = runner.run(seeded, Keep { variations: true, details: false });
    let again = second.findings.iter().any(|finding| finding.kind == kind);
    if !again || second.hash != first {
        return Err(Diverged { seed, kind, first, second: second.hash });
    }
    let strikes = runner.strikes().to_vec();
    let struck = strikes.len();
    let mut shrinker = Shrinker { runner, kind, runs: 0 };
    let plain = Candidate { strikes: strikes.clone(), variations: vec![], workload: None };
    let shortest = if shrinker.shows(&plain) {
        shrinker.drop_faults(plain)
    } else {
        let variations = shrinker.runner_variations(seed);
        let full = Candidate { strikes, variations, workload: Some(seed) };
        if !shrinker.shows(&full) {
            let second = shrinker.runner.outcome().hash;
            return Err(Diverged { seed, kind, first, second });
        }
        let fewer = shrinker.drop_faults(full);
        let fewer = shrinker.drop_variations(fewer);
        shrinker.drop_faults(fewer)
    };
    shrinker.into_found(shortest, struck).ok_or(Diverged { seed, kind, first, second: 0 })
}

#[derive(Clone)]
struct Candidate {
    strikes: Vec<Strike>,
    variations: Vec<Variation>,
    workload: Option<u64>,
}

struct Shrinker<'a> {
    runner: &'a mut Runner,
    kind: FindingKind,
    runs: u32,
}

impl Shrinker<'_> {
    fn shows(&mut self, candidate: &Candidate) -> bool {
        self.runs += 1;
        let Candidate { strikes, variations, workload } = candidate.clone();
        let source = Source::Planned { strikes, variations, workload };
        let outcome = self.runner.run(source, Keep::default());
        outcome.findings.iter().any(|finding| finding.kind == self.kind)
    }

    fn runner_variations(&mut self, seed: u64) -> Vec<Variation> {
        let keep = Keep { variations: true, details: false };
        self.runner.run(Source::Seeded { seed, salt: 0 }, keep);
        self.runner.variations().to_vec()
    }

    fn drop_faults(&mut self, candidate: Candidate) -> Candidate {
        let Candidate { strikes, variations, workload } = candidate;
        let strikes = self.drop_from(strikes, |strikes| Candidate {
            strikes: strikes.to_vec(),
            variations: variations.clone(),
            workload,
        });
        Candidate { strikes, variations, workload }
    }

    fn drop_variations(&mut self, candidate: Candidate) -> Candidate {
        let Candidate { strikes, variations, workload } = candidate;
        let plain = Candidate { strikes: strikes.clone(), variations: vec![], workload: None };
        if self.shows(&plain) {
            return plain;
        }
        let variations = self.drop_from(variations, |variations| Candidate {
            strikes: strikes.clone(),
            variations: variations.to_vec(),
            workload,
        });
        Candidate { strikes, variations, workload }
    }

    /// Drops chunks, from halves down to single ones, as long as any can be missed.
    fn drop_from<T: Clone>(
        &mut self,
        mut items: Vec<T>,
        candidate: impl Fn(&[T]) -> Candidate,
    ) -> Vec<T> {
        let mut size = items.len().div_ceil(2).max(1);
        loop {
            let before = items.len();
            let mut at = 0;
            while at < items.len() && self.runs < RUNS_MOST {
                let mut fewer = items.clone();
                fewer.drain(at..items.len().min(at + size));
                if self.shows(&candidate(&fewer)) {
                    items = fewer;
                } else {
                    at += size;
                }
            }
            if self.runs >= RUNS_MOST || (size == 1 && items.len() == before) {
                return items;
            }
            size = if items.len() == before { size / 2 } else { size.min(items.len()) }.max(1);
        }
    }

    /// Halves and doubles each magnitude, one at a time.
    fn labels(&mut self, shortest: &Candidate) -> Vec<(Strike, Label)> {
        let mut labels = Vec::new();
        for (at, strike) in shortest.strikes.iter().enumerate() {
            let mut still = |numerator: u64, denominator: u64| {
                let fault = scaled(strike.fault, (numerator, denominator))?;
                let mut other = shortest.clone();
                other.strikes[at].fault = fault;
                Some(self.shows(&other))
            };
            let label = match (still(1, 2), still(2, 1)) {
                (Some(true), Some(true)) => Label::Any,
                (Some(false), Some(true)) => Label::AtLeast,
                (Some(true), Some(false)) => Label::AtMost,
                (Some(false), Some(false)) => Label::Exact,
                _ => Label::Plain,
            };
            labels.push((*strike, label));
        }
        labels
    }

    fn into_found(mut self, shortest: Candidate, struck: usize) -> Option<Found> {
        let labels = self.labels(&shortest);
        let Candidate { strikes, variations, workload } = shortest;
        let source =
            Source::Planned { strikes: strikes.clone(), variations: variations.clone(), workload };
        let outcome = self.runner.run(source, Keep::default());
        let hash = outcome.hash;
        let finding = *outcome.findings.iter().find(|finding| finding.kind == self.kind)?;
        let setup = self.runner.setup();
        let plan = Plan {
            scenario: setup.scenario.name.clone(),
            store: setup.store.name.to_owned(),
            backend: setup.backend.name().to_owned(),
            expect: Some(self.kind),
            workload,
            strikes,
            variations,
            // Whoever changes a trace without harm shall find the plan green.
            hash: None,
        };
        Some(Found { finding, plan, struck, hash, labels })
    }
}

/// The fault with another magnitude, if it has one.
fn scaled(fault: Fault, (numerator, denominator): (u64, u64)) -> Option<Fault> {
    let scale = |span: Span| Span::from_micros(span.as_micros() * numerator / denominator);
    match fault {
        Fault::Late(span) => Some(Fault::Late(scale(span))),
        Fault::Pause(span) => Some(Fault::Pause(scale(span))),
        _ => None,
    }
}
