//! Level 5. What is left is made simpler: the least magnitude of the scenario's, a lost message in
//! place of a partition, a plain crash in place of one whose locks linger, half of a harmless choice.
//!
//! A fault is only replaced by one that the scenario's weather can bring. Magnitudes stay classes of
//! the scenario: a plan at the very edge would not outlive unrelated changes of the code.

use super::shrinker::Shrinker;
use super::sort;
use crate::choice::{Fault, Strike, Until, Variation};
use crate::plan::Plan;
use crate::point::{Leg, Message, Point};
use crate::time::Span;
use onestroke_scenarios::{Rate, Weather};

const ALL: u32 = 1_000_000;

impl Shrinker<'_> {
    pub(super) fn simplify(&mut self, best: &mut Plan) {
        self.name_releases(best);
        while self.simplify_one(best) {}
        for at in 0..best.variations.len() {
            for variation in halves(best.variations[at]) {
                let mut simpler = best.clone();
                simpler.variations[at] = variation;
                if self.takes(best, simpler) {
                    break;
                }
            }
        }
    }

    /// A hold is named by what released it in this run; when nothing did, it was the longest.
    fn name_releases(&mut self, best: &mut Plan) {
        if self.shows(best).is_none() {
            return;
        }
        let struck = self.runner.strikes();
        let mut named = best.clone();
        for strike in &mut named.strikes {
            let same = struck.iter().find(|one| one.point == strike.point);
            if let (Fault::Hold(_), Some(Strike { fault: Fault::Hold(until), .. })) =
                (strike.fault, same)
            {
                strike.fault = Fault::Hold(*until);
            }
        }
        if named != *best {
            self.takes(best, named);
        }
    }

    fn simplify_one(&mut self, best: &mut Plan) -> bool {
        for at in 0..best.strikes.len() {
            let strike = best.strikes[at];
            for simpler in simpler(strike, &self.scenario.weather) {
                let there = |one: &Strike| one.point == simpler.point && *one != strike;
                if best.strikes.iter().any(there) {
                    continue;
                }
                let mut candidate = best.clone();
                candidate.strikes[at] = simpler;
                sort(&mut candidate);
                if self.takes(best, candidate) {
                    return true;
                }
            }
        }
        false
    }
}

/// What a fault may be replaced by, the simplest first; each is simpler than the fault itself.
fn simpler(strike: Strike, weather: &Weather) -> Vec<Strike> {
    let Strike { point, fault } = strike;
    let other = |fault| Strike { point, fault };
    match fault {
        Fault::Late(span) => shorter(&weather.late, span).map(Fault::Late).map(other).collect(),
        Fault::Pause(span) => {
            shorter(&weather.pause_for, span).map(Fault::Pause).map(other).collect()
        }
        Fault::Partition => lost(point, weather),
        Fault::Crash { in_flight, linger } => {
            let plain = |rate: Rate| rate.ppm() < ALL;
            let fewer = [(false, false), (false, linger), (in_flight, false)];
            fewer
                .into_iter()
                .filter(|to| *to != (in_flight, linger))
                .filter(|to| to.0 == in_flight || plain(weather.in_flight))
                .filter(|to| to.1 == linger || plain(weather.linger))
                .map(|(in_flight, linger)| other(Fault::Crash { in_flight, linger }))
                .collect()
        }
        Fault::Sever { in_flight: true } if weather.in_flight.ppm() < ALL => {
            vec![other(Fault::Sever { in_flight: false })]
        }
        Fault::Hold(Until::Passed(passed)) if passed > 1 => {
            vec![other(Fault::Hold(Until::Passed(1)))]
        }
        _ => vec![],
    }
}

/// The classes below a span, the least first.
fn shorter(classes: &[Span], than: Span) -> impl Iterator<Item = Span> {
    let mut below: Vec<Span> = classes.iter().copied().filter(|one| *one < than).collect();
    below.sort_unstable();
    below.into_iter()
}

/// The first message that a partition takes, lost by itself; or the reply to it.
fn lost(point: Point, weather: &Weather) -> Vec<Strike> {
    let Some(request) = point.message() else { return vec![] };
    let reply = Message { leg: Leg::Reply, ..request };
    [(request, weather.drop_request), (reply, weather.drop_reply)]
        .into_iter()
        .filter(|(_, rate)| !rate.is_never())
        .map(|(message, _)| Strike { point: Point::travel(message), fault: Fault::Drop })
        .collect()
}

/// Only its jitter, only its order.
fn halves(variation: Variation) -> Vec<Variation> {
    let Variation { offset, tie, .. } = variation;
    if offset == 0 || tie == 0 {
        return vec![];
    }
    vec![Variation { tie: 0, ..variation }, Variation { offset: 0, ..variation }]
}
