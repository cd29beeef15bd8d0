//! Level 5. A plan under other names: when operations or attempts go, those that stay move up.

use super::sort;
use crate::choice::{Fault, Strike, Until, Variation};
use crate::plan::Plan;
use crate::point::Point;

/// The plan with other points. What is said of a point that has none is dropped; who was held until
/// then is held for the longest.
pub(super) fn renamed(plan: &Plan, point: impl Fn(Point) -> Option<Point>) -> Plan {
    let fault = |fault| match fault {
        Fault::Hold(Until::Point(until)) => {
            Fault::Hold(point(until).map_or(Until::Longest, Until::Point))
        }
        other => other,
    };
    let strike = |one: &Strike| Some(Strike { point: point(one.point)?, fault: fault(one.fault) });
    let variation = |one: &Variation| Some(Variation { point: point(one.point)?, ..*one });
    let strikes = plan.strikes.iter().filter_map(strike).collect();
    let variations = plan.variations.iter().filter_map(variation).collect();
    let mut plan = Plan { strikes, variations, ..plan.clone() };
    sort(&mut plan);
    plan
}
