//! Level 3. The oracle: one clause of the contract a file, each a fold over the trace and nothing
//! else, so that it also judges histories of real systems.
//!
//! Imports levels below, and the contract's types. Clauses err on the side of the store: a finding
//! is possible only if the store is wrong.

use crate::point::{Op, Subject};
use crate::trace::{Event, Kind, Kinds, OpFacts, Trace};
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
    /// By kind of event: which clauses listen to it, as bits in their order.
    listeners: Listeners,
}

/// How many clauses there are.
const CLAUSES: usize = 11;

/// By kind of event: which clauses listen to it.
#[derive(Debug)]
struct Listeners {
    of: [u16; Kind::COUNT],
    /// What each of them listens to.
    heard: [Kinds; CLAUSES],
}

impl Listeners {
    fn set(&mut self, heard: [Kinds; CLAUSES]) {
        if self.heard == heard {
            return;
        }
        self.heard = heard;
        for (kind, listeners) in self.of.iter_mut().enumerate() {
            let hears = |(at, kinds): (usize, &Kinds)| u16::from(kinds.contain_number(kind)) << at;
            *listeners = heard.iter().enumerate().map(hears).sum();
        }
    }
}

impl Default for Listeners {
    fn default() -> Self {
        Self { of: [0; Kind::COUNT], heard: [Kinds::of(&[]); CLAUSES] }
    }
}

/// Does the same with every clause, in their order; `$at` is its place in it.
macro_rules! each {
    ($checks:ident, & $clause:ident => $body:expr) => {
        each!(@all $checks, ref (_at, $clause) => $body)
    };
    ($checks:ident, &mut $clause:ident => $body:expr) => {
        each!(@all $checks, ref_mut (_at, $clause) => $body)
    };
    ($checks:ident, &mut ($at:ident, $clause:ident) => $body:expr) => {
        each!(@all $checks, ref_mut ($at, $clause) => $body)
    };
    (@all $checks:ident, $by:ident ($at:ident, $clause:ident) => $body:expr) => {{
        each!(@one $by $checks.expired, (0, $at, $clause) => $body);
        each!(@one $by $checks.double_effect, (1, $at, $clause) => $body);
        each!(@one $by $checks.torn, (2, $at, $clause) => $body);
        each!(@one $by $checks.lost_effect, (3, $at, $clause) => $body);
        each!(@one $by $checks.mismatch_accepted, (4, $at, $clause) => $body);
        each!(@one $by $checks.leak, (5, $at, $clause) => $body);
        each!(@one $by $checks.wrong_reply, (6, $at, $clause) => $body);
        each!(@one $by $checks.stuck, (7, $at, $clause) => $body);
        each!(@one $by $checks.stale, (8, $at, $clause) => $body);
        each!(@one $by $checks.undone, (9, $at, $clause) => $body);
        each!(@one $by $checks.unbounded, (10, $at, $clause) => $body);
    }};
    (@one ref $checks:ident.$field:ident, ($number:expr, $at:ident, $clause:ident) => $body:expr) => {{
        let $at: u16 = $number;
        let $clause = &$checks.$field;
        $body;
    }};
    (@one ref_mut $checks:ident.$field:ident, ($number:expr, $at:ident, $clause:ident) => $body:expr) => {{
        let $at: u16 = $number;
        let $clause = &mut $checks.$field;
        $body;
    }};
}

impl Checks {
    /// For any number of runs; call [`Checks::reset`] before each.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a run of these operations. Keeps the memory of the run before.
    pub fn reset(&mut self, contract: &Contract, ops: &[OpFacts]) {
        self.ops = ops.len();
        each!(self, &mut clause => clause.reset(contract, ops.len()));
        if ops.iter().all(|facts| facts.alone) {
            self.mismatch_accepted.spare();
        }
        let mut heard = [Kinds::of(&[]); CLAUSES];
        each!(self, &mut (at, clause) => heard[usize::from(at)] = clause.hears());
        self.listeners.set(heard);
    }

    /// Takes in the next event of the trace, whose index this is.
    pub fn step(&mut self, index: u32, event: &Event, trace: &Trace) {
        let mut listeners = self.listeners.of[event.what.kind() as usize];
        while listeners != 0 {
            match listeners.trailing_zeros() {
                0 => tell(&mut self.expired, index, event, trace),
                1 => tell(&mut self.double_effect, index, event, trace),
                2 => tell(&mut self.torn, index, event, trace),
                3 => tell(&mut self.lost_effect, index, event, trace),
                4 => tell(&mut self.mismatch_accepted, index, event, trace),
                5 => tell(&mut self.leak, index, event, trace),
                6 => tell(&mut self.wrong_reply, index, event, trace),
                7 => tell(&mut self.stuck, index, event, trace),
                8 => tell(&mut self.stale, index, event, trace),
                9 => tell(&mut self.undone, index, event, trace),
                _ => tell(&mut self.unbounded, index, event, trace),
            }
            listeners &= listeners - 1;
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

/// Each clause by itself: together they would load all that any of them may need.
#[inline(never)]
fn tell(clause: &mut impl Check, index: u32, event: &Event, trace: &Trace) {
    clause.step(index, event, trace);
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
