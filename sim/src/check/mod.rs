//! Level 3. The oracle: one clause of the contract a file, each a fold over the trace and nothing
//! else, so that it also judges histories of real systems.
//!
//! Imports levels below, and the contract's types. Clauses err on the side of the store: a finding
//! is possible only if the store is wrong.

use crate::point::{Op, Subject};
use crate::trace::{Event, Kinds, Trace};
use onestroke_scenarios::{Contract, FindingKind};
use onestroke_store::Canon;

mod double_effect;
mod expired;
mod leak;
mod lost_effect;
mod mismatch_accepted;
mod stale;
mod stuck;
mod torn;
mod unbounded;
mod undone;
mod wrong_reply;

pub(crate) mod effects;
mod flights;
pub(crate) mod handlers;
mod life;
mod outcomes;
pub(crate) mod per_op;
mod present;
mod rival;
mod since;
pub(crate) mod versions;

pub use double_effect::DoubleEffect;
pub use expired::Expired;
pub use leak::Leak;
pub use lost_effect::LostEffect;
pub use mismatch_accepted::MismatchAccepted;
pub use stale::Stale;
pub use stuck::Stuck;
pub use torn::Torn;
pub use unbounded::Unbounded;
pub use undone::Undone;
pub use wrong_reply::WrongReply;

/// A breach of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// Which clause.
    pub kind: FindingKind,
    /// Whose operation; `None` when it is nobody's in particular.
    pub op: Option<Op>,
    /// Index of the event from which it went wrong.
    pub first: u32,
    /// Index of the event that completes the contradiction.
    pub second: u32,
}

/// One clause of the contract.
pub trait Check {
    /// What it listens to. Of other events it need not be told.
    const HEARS: Kinds;
    /// What it listens to under the contract of this run, which may be less.
    fn hears(&self) -> Kinds {
        Self::HEARS
    }
    /// Forgets all; keeps the memory. So many operations are to come.
    fn reset(&mut self, contract: &Contract, ops: usize);
    /// Takes in the next event.
    fn step(&mut self, index: u32, event: &Event, trace: &Trace);
    /// What was breached, at the end of the run: at most one finding for each operation, appended
    /// in the order of the operations.
    fn finish(&mut self, trace: &Trace, findings: &mut Vec<Finding>);
    /// Writes all that it remembers, or would look up in the trace, and that can matter for which
    /// finding is to come. Where in the trace something lies is left out.
    fn portray(&self, canon: &mut Canon, seen: Seen<'_>);
}

/// What a clause may look at when it is written down.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The trace so far.
    pub trace: &'a Trace,
    /// The handlers that still do something.
    pub live: &'a [Subject],
}

/// What some clause listens to. Questions that are asked, the commonest event, are not among it.
const ANYBODY: Kinds = Expired::HEARS
    .and(DoubleEffect::HEARS)
    .and(Torn::HEARS)
    .and(LostEffect::HEARS)
    .and(MismatchAccepted::HEARS)
    .and(Leak::HEARS)
    .and(WrongReply::HEARS)
    .and(Stuck::HEARS)
    .and(Stale::HEARS)
    .and(Undone::HEARS)
    .and(Unbounded::HEARS);

/// All clauses, in the order in which they are tried.
#[derive(Debug, Default)]
pub struct Checks {
    expired: Expired,
    double_effect: DoubleEffect,
    torn: Torn,
    lost_effect: LostEffect,
    mismatch_accepted: MismatchAccepted,
    leak: Leak,
    wrong_reply: WrongReply,
    stuck: Stuck,
    stale: Stale,
    undone: Undone,
    unbounded: Unbounded,
    named: per_op::PerOp<bool>,
    ops: usize,
}

/// Does the same with every clause, in their order.
macro_rules! each {
    ($checks:ident, & $clause:ident => $body:expr) => {
        each!(@all $checks, ref $clause => $body)
    };
    ($checks:ident, &mut $clause:ident => $body:expr) => {
        each!(@all $checks, ref_mut $clause => $body)
    };
    (@all $checks:ident, $by:ident $clause:ident => $body:expr) => {{
        each!(@one $by $checks.expired, $clause => $body);
        each!(@one $by $checks.double_effect, $clause => $body);
        each!(@one $by $checks.torn, $clause => $body);
        each!(@one $by $checks.lost_effect, $clause => $body);
        each!(@one $by $checks.mismatch_accepted, $clause => $body);
        each!(@one $by $checks.leak, $clause => $body);
        each!(@one $by $checks.wrong_reply, $clause => $body);
        each!(@one $by $checks.stuck, $clause => $body);
        each!(@one $by $checks.stale, $clause => $body);
        each!(@one $by $checks.undone, $clause => $body);
        each!(@one $by $checks.unbounded, $clause => $body);
    }};
    (@one ref $checks:ident.$field:ident, $clause:ident => $body:expr) => {{
        let $clause = &$checks.$field;
        $body;
    }};
    (@one ref_mut $checks:ident.$field:ident, $clause:ident => $body:expr) => {{
        let $clause = &mut $checks.$field;
        $body;
    }};
}

impl Checks {
    /// For any number of runs; call [`Checks::reset`] before each.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a run of so many operations. Keeps the memory of the run before.
    pub fn reset(&mut self, contract: &Contract, ops: usize) {
        self.ops = ops;
        each!(self, &mut clause => clause.reset(contract, ops));
    }

    /// Takes in the next event of the trace, whose index this is.
    pub fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        let kind = event.what.kind();
        if ANYBODY.contain(kind) {
            each!(self, &mut clause => if clause.hears().contain(kind) {
                clause.step(index, event, trace);
            });
        }
    }

    /// The same, whether a clause listens to it or not: to show that it makes no difference.
    pub fn step_aloud(&mut self, index: u32, event: &Event, trace: &Trace) {
        each!(self, &mut clause => clause.step(index, event, trace));
    }

    /// Replaces `findings` by those of this run, sorted by kind and operation. Of several clauses
    /// that fit one operation only the first is kept.
    pub fn finish(&mut self, trace: &Trace, findings: &mut Vec<Finding>) {
        findings.clear();
        each!(self, &mut clause => clause.finish(trace, findings));
        self.named.reset(self.ops);
        findings.sort_unstable();
        findings.retain(|finding| {
            let slot = finding.op.and_then(|op| self.named.get_mut(op));
            slot.is_none_or(|named| !std::mem::replace(named, true))
        });
    }

    /// Writes all that the clauses remember.
    pub fn portray(&self, canon: &mut Canon, seen: Seen<'_>) {
        each!(self, &clause => clause.portray(canon, seen));
    }
}

impl Finding {
    const fn of(kind: FindingKind, op: Option<Op>, (first, second): per_op::Breach) -> Self {
        Self { kind, op, first, second }
    }
}

#[cfg(test)]
pub(crate) mod story;
#[cfg(test)]
mod tests;
