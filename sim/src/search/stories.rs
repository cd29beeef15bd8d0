//! Level 5. Stories: what was found, grouped by its minimal plan and not by its seed.
//!
//! Each of the lowest seeds of a kind is shrunk. Two plans tell one story when they are the same but
//! for what a seed happens to draw: the numbers of operations; where the attempts of an operation
//! begin to count; how long a message is late, a server pauses, a handler is held or a lock lingers;
//! which turn of the sweeper it was; and the exact timing, where one is needed at all. Seeds are
//! shrunk by as many threads as there are, each on its own, and grouped in their order.

use super::shrink::{Diverged, Found, shrink};
use crate::choice::{Fault, Strike, Until};
use crate::point::{Message, Op, Place, Point, Step, Subject};
use crate::run::{Runner, Setup};
use crate::time::Span;
use onestroke_scenarios::FindingKind;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Findings that share a minimal plan.
#[derive(Clone, Debug)]
pub struct Story {
    /// The lowest seed that shows it.
    pub seed: u64,
    /// How many of the seeds that were shrunk show it.
    pub seeds: u64,
    /// What was found under the lowest seed.
    pub found: Found,
}

/// All stories of one kind of finding.
#[derive(Clone, Debug)]
pub struct Stories {
    /// The kind.
    pub kind: FindingKind,
    /// How many seeds were shrunk.
    pub shrunk: u64,
    /// The shortest story, then the others with the most frequent first; at least one.
    pub all: Vec<Story>,
}

impl Stories {
    /// The shortest one.
    pub fn shortest(&self) -> &Story {
        &self.all[0]
    }
}

/// Shrinks the finding of this kind under each of the seeds, of which there is one at least.
pub fn stories(
    setup: &Setup,
    kind: FindingKind,
    seeds: &[u64],
    threads: usize,
) -> Result<Stories, Diverged> {
    let mut groups: BTreeMap<Normal, Story> = BTreeMap::new();
    for (seed, found) in seeds.iter().zip(shrink_all(setup, kind, seeds, threads)) {
        let found = found?;
        let story = groups.entry(Normal::of(&found));
        story.or_insert(Story { seed: *seed, seeds: 0, found }).seeds += 1;
    }
    let mut all: Vec<Story> = groups.into_values().collect();
    all.sort_by_key(|story| (story.found.weight(), story.seed));
    all[1..].sort_by_key(|story| Reverse(story.seeds));
    Ok(Stories { kind, shrunk: seeds.len() as u64, all })
}

/// In the order of the seeds, whoever shrank which.
fn shrink_all(
    setup: &Setup,
    kind: FindingKind,
    seeds: &[u64],
    threads: usize,
) -> Vec<Result<Found, Diverged>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut runner = Runner::new(setup);
        let mut mine = Vec::new();
        while let Some((at, seed)) = claim(&next, seeds) {
            mine.push((at, shrink(&mut runner, seed, kind)));
        }
        mine
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        let threads = threads.clamp(1, seeds.len().max(1));
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<_>>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, found)| found).collect()
}

fn claim(next: &AtomicUsize, seeds: &[u64]) -> Option<(usize, u64)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    seeds.get(at).map(|seed| (at, *seed))
}

/// A minimal plan without what a seed happens to draw.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Normal {
    strikes: Vec<Strike>,
    timed: bool,
}

impl Normal {
    fn of(found: &Found) -> Self {
        let plan = &found.plan;
        let names = Renaming::of(found.finding.op, &plan.strikes);
        let mut strikes: Vec<Strike> =
            plan.strikes.iter().map(|strike| names.strike(*strike)).collect();
        strikes.sort_unstable();
        Self { strikes, timed: plan.workload.is_some() || !plan.variations.is_empty() }
    }
}

/// New numbers for operations and attempts.
struct Renaming {
    /// In the order of their new numbers, each with the lowest attempt that is named.
    ops: Vec<(Op, u8)>,
}

impl Renaming {
    /// The finding's operation comes first, the others by what strikes them.
    fn of(first: Option<Op>, strikes: &[Strike]) -> Self {
        let mut lowest: BTreeMap<Op, u8> = BTreeMap::new();
        for Subject { op, attempt, .. } in strikes.iter().map(|strike| strike.point.subject()) {
            let least = lowest.entry(op).or_insert(attempt);
            *least = attempt.min(*least);
        }
        let mut ops: Vec<(Op, u8)> = lowest.into_iter().collect();
        ops.sort_by_cached_key(|(op, least)| {
            let alone = Self { ops: vec![(*op, *least)] };
            let own = strikes.iter().filter(|strike| strike.point.subject().op == *op);
            let mut own: Vec<Strike> = own.map(|strike| alone.strike(*strike)).collect();
            own.sort_unstable();
            (Some(*op) != first, own, *op)
        });
        Self { ops }
    }

    fn strike(&self, Strike { point, fault }: Strike) -> Strike {
        let fault = match fault {
            Fault::Late(_) => Fault::Late(Span::ZERO),
            Fault::Pause(_) => Fault::Pause(Span::ZERO),
            Fault::Crash { in_flight, .. } => Fault::Crash { in_flight, linger: false },
            Fault::Hold(_) => Fault::Hold(Until::Longest),
            other => other,
        };
        Strike { point: self.point(point), fault }
    }

    fn point(&self, point: Point) -> Point {
        let subject = self.subject(point.subject());
        match (point.place(), point.message(), point.step()) {
            (Place::Send, Some(message), _) => Point::send(Message { subject, ..message }),
            (Place::Travel, Some(message), _) => Point::travel(Message { subject, ..message }),
            (Place::Before, _, Some(step)) => Point::before(Step { subject, ..step }),
            (Place::After, _, Some(step)) => Point::after(Step { subject, ..step }),
            _ => point,
        }
    }

    fn subject(&self, subject: Subject) -> Subject {
        let at = self.ops.iter().position(|(op, _)| *op == subject.op);
        let at = at.expect("all operations of the plan have a new number");
        let number = u32::try_from(at).expect("operations are bounded");
        let op = if subject.is_background() { Op::SWEEP } else { Op(number) };
        Subject { op, attempt: subject.attempt - self.ops[at].1 + 1, ..subject }
    }
}

#[cfg(test)]
mod tests;
