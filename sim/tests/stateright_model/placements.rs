//! Every placement of a few faults in the simulator, bounded by kind, past whatever they break.
//!
//! A plan is extended only behind its last fault, as `exhaust` does: until there two runs are the
//! same, so that each plan is made once.

use super::model::Budget;
use super::outcome::{Outcome, numbered};
use onestroke_sim::choice::{Fault, Source, Strike, Variation};
use onestroke_sim::point::{Leg, Op, Point, Subject};
use onestroke_sim::run::{Keep, Runner, Setup};
use onestroke_sim::trace::{Trace, What};
use std::collections::BTreeMap;

/// The only operation.
const OP: Op = Op(0);

/// At most so many of each kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) faults: Budget,
    pub(crate) holds: u8,
    pub(crate) lates: u8,
}

/// What the simulator reaches.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    /// Each outcome, with a plan that shows it, and none of fewer faults.
    pub(crate) outcomes: BTreeMap<Outcome, Placement>,
}

/// Faults, in the order in which the run reaches them, and the deliveries that go to the other server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    pub(crate) strikes: Vec<Strike>,
    pub(crate) routes: Vec<Variation>,
}

/// Runs every placement.
pub(crate) fn reach(setup: &Setup, bounds: Bounds) -> Reached {
    let mut runner = Runner::new(setup);
    runner.set_exploring(true);
    let mut reached = Reached::default();
    extend(&mut runner, &Placement::default(), bounds, &mut reached);
    reached
}

fn extend(runner: &mut Runner, placement: &Placement, left: Bounds, reached: &mut Reached) {
    let Placement { strikes, routes } = placement.clone();
    let source = Source::Planned { strikes, variations: routes, workload: None };
    runner.run(source, Keep::default());
    reached.note(outcome_of(runner.trace()), placement);
    for offer in offered_behind(placement, runner.offers()) {
        if let Some(left) = left.without(offer.fault) {
            for longer in placement.with(offer) {
                extend(runner, &longer, left, reached);
            }
        }
    }
}

/// What the run offered behind the placement's last fault.
fn offered_behind(placement: &Placement, offers: &[Strike]) -> Vec<Strike> {
    let begin = placement.strikes.last().map_or(0, |last| {
        let at = offers.iter().rposition(|offer| offer.point == last.point);
        at.expect("a fault strikes where it was offered") + 1
    });
    offers[begin..].to_vec()
}

impl Reached {
    fn note(&mut self, outcome: Outcome, placement: &Placement) {
        let known = self.outcomes.get(&outcome);
        if known.is_none_or(|known| placement.strikes.len() < known.strikes.len()) {
            self.outcomes.insert(outcome, placement.clone());
        }
    }
}

impl Bounds {
    /// What is left after this fault, if it is allowed.
    fn without(mut self, fault: Fault) -> Option<Self> {
        let kind = match fault {
            Fault::Crash { .. } => &mut self.faults.crashes,
            Fault::Drop => &mut self.faults.losses,
            Fault::Duplicate => &mut self.faults.duplicates,
            Fault::Hold(_) => &mut self.holds,
            Fault::Late(_) => &mut self.lates,
            other => unreachable!("the scenario has no {other:?}"),
        };
        *kind = kind.checked_sub(1)?;
        Some(self)
    }
}

impl Placement {
    /// With one fault more. Who handles a delivery matters only where a server dies: then the second
    /// attempt, and the second copy if there is one, are routed both ways.
    fn with(&self, strike: Strike) -> Vec<Self> {
        let mut longer = self.clone();
        longer.strikes.push(strike);
        let mut all = vec![longer];
        let died = self.strikes.iter().any(kills);
        let copy = if kills(&strike) {
            self.route(Subject::new(OP, 2, 1), &mut all);
            self.strikes.iter().find_map(second_copy)
        } else {
            second_copy(&strike).filter(|_| died)
        };
        if let Some(copy) = copy {
            self.route(copy, &mut all);
        }
        all
    }

    /// Doubles the placements: one half routes the delivery to the other server.
    fn route(&self, delivery: Subject, all: &mut Vec<Self>) {
        let elsewhere = Variation { point: Point::route(delivery), offset: 1, tie: 0 };
        debug_assert!(!self.routes.contains(&elsewhere), "each delivery is routed once");
        let mut others = all.clone();
        for other in &mut others {
            other.routes.push(elsewhere);
        }
        all.append(&mut others);
    }
}

fn kills(strike: &Strike) -> bool {
    matches!(strike.fault, Fault::Crash { .. })
}

/// The delivery that a doubled request makes.
fn second_copy(strike: &Strike) -> Option<Subject> {
    let message = strike.point.message().filter(|_| strike.fault == Fault::Duplicate)?;
    (message.leg == Leg::Request).then(|| message.double().subject)
}

/// Read from the trace alone.
pub(crate) fn outcome_of(trace: &Trace) -> Outcome {
    let mut outcome = Outcome::default();
    let mut replies = Vec::new();
    for event in &trace.events {
        match event.what {
            What::Committed { .. } => outcome.effects += 1,
            What::Delivered { message, reply: Some(reply), .. } => {
                let status = trace.reply(reply).status;
                replies.push((message.subject.attempt, status, reply));
            }
            What::Succeeded { attempt, .. } => outcome.answered = Some(attempt),
            What::GaveUp { .. } => outcome.gave_up = true,
            _ => {}
        }
    }
    outcome.heard = numbered(replies.into_iter());
    outcome
}
