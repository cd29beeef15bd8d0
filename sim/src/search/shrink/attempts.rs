//! Level 5. Fewer attempts: those before the story begins are skipped, those after its end are not
//! made.
//!
//! After the end of the weather every operation without an answer is asked about. An attempt is not
//! saved where that only makes it later: what the clients' own attempts showed they must still show.

use super::renamed::renamed;
use super::shrinker::Shrinker;
use super::workload::ops_of;
use crate::plan::{Plan, Size};
use crate::point::{Op, Point};
use onestroke_scenarios::Scenario;

/// One attempt of an operation.
#[derive(Clone, Copy)]
struct Attempt {
    op: Op,
    number: u8,
}

impl Shrinker<'_> {
    /// Lets later attempts take the place of earlier ones: what follows a lost first request may as
    /// well follow nothing.
    pub(super) fn skip_attempts(&mut self, best: &mut Plan) {
        let Some(shown) = self.shows(best) else { return };
        while let Some(fewer) = self.skip_one(best, shown.unprobed) {
            *best = fewer;
        }
    }

    fn skip_one(&mut self, best: &Plan, unprobed: bool) -> Option<Plan> {
        let mut ops: Vec<Op> = best.strikes.iter().flat_map(ops_of).collect();
        ops.sort_unstable();
        ops.dedup();
        for op in ops {
            for number in 1..last_attempt(best, op) {
                let fewer = Attempt { op, number }.skipped(best);
                if self.keeps(&fewer, unprobed) {
                    return Some(fewer);
                }
            }
        }
        None
    }

    /// The fewest attempts after which a client may give up, and the fewest at once.
    pub(super) fn drop_attempts(&mut self, best: &mut Plan) {
        let Some(shown) = self.shows(best) else { return };
        let now = best.size.of(&self.scenario);
        self.fewest(best, shown.unprobed, now.client.attempts, |scenario, attempts| {
            scenario.client.attempts = attempts;
        });
        self.fewest(best, shown.unprobed, now.workload.at_once, |scenario, at_once| {
            scenario.workload.at_once = at_once;
        });
    }

    fn fewest(
        &mut self,
        best: &mut Plan,
        unprobed: bool,
        now: u8,
        set: impl Fn(&mut Scenario, u8),
    ) {
        for number in 1..now {
            let mut smaller = best.size.of(&self.scenario);
            set(&mut smaller, number);
            let size = Size::between(&smaller, &self.scenario);
            let candidate = Plan { size, ..best.clone() };
            if self.keeps(&candidate, unprobed) {
                *best = candidate;
                return;
            }
        }
    }

    /// Whether it shows the same, and the clients' own attempts do if they did.
    fn keeps(&mut self, candidate: &Plan, unprobed: bool) -> bool {
        self.shows(candidate).is_some_and(|shown| shown.unprobed || !unprobed)
    }
}

/// The last attempt of this operation that a fault names.
fn last_attempt(plan: &Plan, op: Op) -> u8 {
    let subjects = plan.strikes.iter().map(|strike| strike.point.subject());
    subjects.filter(|subject| subject.op == op).map(|subject| subject.attempt).max().unwrap_or(0)
}

impl Attempt {
    /// The plan without what is said of this attempt; later ones of its operation move up by one.
    fn skipped(self, plan: &Plan) -> Plan {
        renamed(plan, |point| self.point(point))
    }

    fn point(self, point: Point) -> Option<Point> {
        let subject = point.subject();
        match subject.attempt {
            _ if subject.op != self.op => Some(point),
            attempt if attempt == self.number => None,
            attempt if attempt > self.number => Some(point.with_attempt(attempt - 1)),
            _ => Some(point),
        }
    }
}
