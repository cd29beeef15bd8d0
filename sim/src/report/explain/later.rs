//! Level 5. Findings about what became of an effect later: overwritten, taken back. Imports `point`, `trace`.

use super::story::{Story, named};
use crate::check::Finding;
use crate::report::timeline::stamp;
use crate::trace::What;

/// An older update overwrote a newer one.
pub(super) fn stale(story: &mut Story<'_>, finding: &Finding) -> Option<String> {
    let newest = story.event(finding.first)?;
    let last = story.event(finding.second)?;
    let What::Committed { op: newer, .. } = newest.1 else { return None };
    let What::Committed { op: older, .. } = last.1 else { return None };
    let version = |op| story.facts_of(op).map_or(0, |facts| facts.version);
    let (new, old) = (version(newer), version(older));
    let first = format!("version {new} ({newer}) was committed at {}", stamp(newest.0));
    let second = format!("version {old} ({older}) was committed over it at {}", stamp(last.0));
    let first = story.fact(newest.0, first);
    let second = story.fact(last.0, second);
    Some(format!(
        "{}; {second}. Nothing compared the versions, so what stands at the end is the older one.",
        super::story::capital(&first)
    ))
}

/// An effect was taken back that was not there, or that the client had been promised.
pub(super) fn undone(story: &mut Story<'_>, finding: &Finding) -> Option<String> {
    let taken = story.event(finding.second)?;
    let What::Compensated { op, subject, .. } = taken.1 else { return None };
    let by = named(subject);
    let promised = story.event(finding.first)?;
    if let What::Succeeded { .. } = promised.1 {
        let told = format!("the client was told success at {}", stamp(promised.0));
        let back = format!("the effect was taken back at {} by {by}", stamp(taken.0));
        let (told, back) = (story.fact(promised.0, told), story.fact(taken.0, back));
        let told = super::story::capital(&told);
        return Some(format!(
            "{told}, and {back}: {op} is undone, and its client believes it done."
        ));
    }
    let again = finding.first != finding.second;
    let first = again.then(|| {
        let text = format!("{op} had been taken back at {}", stamp(promised.0));
        story.fact(promised.0, text)
    });
    let back = format!("it was taken back at {} by {by}", stamp(taken.0));
    let back = story.fact(taken.0, back);
    let before = first.unwrap_or_else(|| format!("No effect of {op} was there"));
    let before = super::story::capital(&before);
    Some(format!("{before}, and {back} all the same: somebody is paid back what they never paid."))
}
