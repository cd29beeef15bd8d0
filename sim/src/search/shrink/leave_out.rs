//! Level 5. Leaves out chunks of a list, from halves down to single ones, until none can be missed:
//! the minimizing delta debugging of Zeller and Hildebrandt (2002), without its complements.

use super::shrinker::Shrinker;
use crate::plan::Plan;
use std::ops::Range;

impl Shrinker<'_> {
    /// `count` says how many of something the plan has, and `without` takes some of them away.
    pub(super) fn leave_out(
        &mut self,
        best: &mut Plan,
        count: impl Fn(&Plan) -> usize,
        without: impl Fn(&Plan, Range<usize>) -> Option<Plan>,
    ) {
        let mut size = count(best).div_ceil(2);
        while size > 0 && !self.spent() {
            let before = count(best);
            let mut at = 0;
            while at < count(best) && !self.spent() {
                let range = at..count(best).min(at + size);
                let fewer = without(best, range);
                if !fewer.is_some_and(|fewer| self.takes(best, fewer)) {
                    at += size;
                }
            }
            // Single ones are tried again as long as any could go: one may have needed another.
            let fewer = count(best) < before;
            size = if fewer { size.min(count(best)) } else { size / 2 };
        }
    }
}
