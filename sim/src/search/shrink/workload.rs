//! Level 5. The crowd around a finding goes: clients and operations.
//!
//! Points name operations by their number in the workload, so whatever is said of those that stay is
//! said of them under their new numbers.

use super::renamed::renamed;
use super::shrinker::Shrinker;
use crate::choice::{Fault, Strike, Until};
use crate::plan::{Plan, Size};
use crate::point::{Op, Point};
use onestroke_scenarios::{Keys, Scenario};
use std::ops::Range;

/// Which operations stay: by client that stays, as many of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// How many operations each client had.
    each: u16,
    /// Clients that stay, each with the numbers of its operations that stay.
    clients: Vec<(u16, Vec<u16>)>,
}

impl Kept {
    /// All operations of a scenario.
    pub fn all(scenario: &Scenario) -> Self {
        let each = scenario.workload.operations;
        let client = |client| (client, (0..each).collect());
        Self { each, clients: (0..scenario.workload.clients).map(client).collect() }
    }

    /// Without these of the clients that are left; `None` when nobody would be left.
    pub fn without_clients(mut self, range: Range<usize>) -> Option<Self> {
        self.clients.drain(range);
        (!self.clients.is_empty()).then_some(self)
    }

    /// Without these of the operations that are left, the same of each client.
    pub fn without_operations(mut self, range: Range<usize>) -> Option<Self> {
        for (_, operations) in &mut self.clients {
            operations.drain(range.clone());
        }
        self.clients.iter().all(|(_, operations)| !operations.is_empty()).then_some(self)
    }

    /// These operations and as few others as make the same number for each client.
    fn only(scenario: &Scenario, ops: &[Op]) -> Option<Self> {
        let each = scenario.workload.operations;
        let client_of = |op: &Op| op.0 / u32::from(each);
        let mut kept = Self { each, clients: vec![] };
        for client in 0..scenario.workload.clients {
            let own = |op: &&Op| client_of(op) == u32::from(client);
            let mut own: Vec<u16> =
                ops.iter().filter(own).map(|op| (op.0 % u32::from(each)) as u16).collect();
            own.sort_unstable();
            own.dedup();
            if !own.is_empty() {
                kept.clients.push((client, own));
            }
        }
        let most = kept.clients.iter().map(|(_, own)| own.len()).max()?;
        for (_, own) in &mut kept.clients {
            let others: Vec<u16> = (0..each).filter(|one| !own.contains(one)).collect();
            own.extend(others.into_iter().take(most - own.len()));
            own.sort_unstable();
        }
        Some(kept)
    }

    /// The new number of an operation, if it stays.
    pub fn renumbered(&self, op: Op) -> Option<Op> {
        let (client, number) = (op.0 / u32::from(self.each), op.0 % u32::from(self.each));
        let at = self.clients.iter().position(|(one, _)| u32::from(*one) == client)?;
        let (_, operations) = &self.clients[at];
        let number = operations.iter().position(|one| u32::from(*one) == number)?;
        u32::try_from(at * operations.len() + number).ok().map(Op)
    }

    /// The plan with these operations only. What is said of others is dropped; who waited for
    /// one of them waits for the longest. `scenario` is the one of the whole workload.
    pub fn plan(&self, plan: &Plan, scenario: &Scenario) -> Plan {
        let mut smaller = plan.size.of(scenario);
        smaller.workload.clients = self.clients.len() as u16;
        smaller.workload.operations = self.clients[0].1.len() as u16;
        let size = Size::between(&smaller, scenario);
        Plan { size, ..renamed(plan, |point| self.point(point)) }
    }

    fn point(&self, point: Point) -> Option<Point> {
        let subject = point.subject();
        if subject.is_background() {
            return Some(point);
        }
        self.renumbered(subject.op).map(|op| point.with_op(op))
    }
}

impl Shrinker<'_> {
    /// Leaves only the operations that are named, then tries each client and operation.
    pub(super) fn drop_operations(&mut self, best: &mut Plan) {
        self.keep_only_named(best);
        let whole = self.scenario.clone();
        let kept = |plan: &Plan| Kept::all(&plan.size.of(&whole));
        self.leave_out(
            best,
            |plan| kept(plan).clients.len(),
            |plan, range| Some(kept(plan).without_clients(range)?.plan(plan, &whole)),
        );
        self.leave_out(
            best,
            |plan| usize::from(kept(plan).each),
            |plan, range| Some(kept(plan).without_operations(range)?.plan(plan, &whole)),
        );
    }

    /// The finding's operation and those of the faults; or with the others of their keys.
    fn keep_only_named(&mut self, best: &mut Plan) {
        let scenario = best.size.of(&self.scenario);
        let Some(shown) = self.shows(best) else { return };
        let mut ops: Vec<Op> =
            best.strikes.iter().flat_map(ops_of).chain(shown.finding.op).collect();
        ops.sort_unstable();
        ops.dedup();
        for ops in [ops.clone(), with_pairs(&ops, &scenario)] {
            let Some(kept) = Kept::only(&scenario, &ops) else { continue };
            if kept != Kept::all(&scenario)
                && self.takes(best, kept.plan(best, &self.scenario.clone()))
            {
                return;
            }
        }
    }
}

/// The operations that a fault names.
pub(super) fn ops_of(strike: &Strike) -> impl Iterator<Item = Op> + use<> {
    let until = match strike.fault {
        Fault::Hold(Until::Point(until)) => Some(until),
        _ => None,
    };
    let subjects = [strike.point].into_iter().chain(until).map(Point::subject);
    subjects.filter(|subject| !subject.is_background()).map(|subject| subject.op)
}

/// With the operations that have the same key as one of these.
fn with_pairs(ops: &[Op], scenario: &Scenario) -> Vec<Op> {
    let each = u32::from(scenario.workload.operations);
    let clients = u32::from(scenario.workload.clients);
    let same_key = |op: &Op| -> Vec<Op> {
        let (client, number) = (op.0 / each, op.0 % each);
        match scenario.workload.keys {
            Keys::Fresh | Keys::FreshForEachAttempt => vec![*op],
            // Without a key all operations of a client may be taken for one.
            Keys::Missing => (0..each).map(|one| Op(client * each + one)).collect(),
            Keys::ReusedWithOtherPayload | Keys::SameForTwoEndpoints => {
                let partner = number ^ 1;
                let partner = if partner < each { partner } else { number };
                vec![*op, Op(client * each + partner)]
            }
            Keys::SameForTenants | Keys::SameForConsumers => {
                (0..clients).map(|one| Op(one * each + number)).collect()
            }
        }
    };
    let mut all: Vec<Op> = ops.iter().flat_map(same_key).collect();
    all.sort_unstable();
    all.dedup();
    all
}
