//! Level 3. Who shares a key with whom.
//!
//! An operation whose key another one of its tenant has used is owed nothing by the clauses about
//! effects and replies: what it gets is for `mismatch-accepted` to judge. Imports levels below.

use crate::point::Op;
use crate::trace::{OpFacts, Trace};

/// The operations of the same tenant with the same key, whatever their payload.
pub(crate) fn rivals(trace: &Trace, op: Op) -> impl Iterator<Item = (Op, &OpFacts)> {
    let mine = trace.ops.get(op.index());
    let all = (0..Op::MOST).map(Op).zip(&trace.ops);
    all.filter(move |(other, facts)| {
        *other != op
            && mine.is_some_and(|mine| (mine.tenant, mine.key) == (facts.tenant, facts.key))
    })
}
