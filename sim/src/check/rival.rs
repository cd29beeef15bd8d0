//! Level 3. Who shares a key with whom.
//!
//! An operation whose key another one of its tenant has used is owed nothing by the clauses about
//! effects and replies: what it gets is for `mismatch-accepted` to judge. Imports levels below.

use crate::point::Op;
use crate::trace::{OpFacts, Trace};

/// The operations of the same tenant with the same key, whatever their payload. Looks at all
/// operations only where keys are shared at all.
pub(crate) fn rivals(trace: &Trace, op: Op) -> impl Iterator<Item = (Op, &OpFacts)> {
    let mine = trace.ops.get(op.index()).filter(|mine| !mine.alone);
    let all = (0..Op::MOST).map(Op).zip(if mine.is_some() { &trace.ops[..] } else { &[] });
    all.filter(move |(other, facts)| {
        *other != op
            && mine.is_some_and(|mine| (mine.tenant, mine.key) == (facts.tenant, facts.key))
    })
}
