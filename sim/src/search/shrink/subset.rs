//! Level 5. Small sets of faults, fewest first: most findings need one fault or two, and a shrink that
//! only takes away may end on three that happen to be needed together.

use super::shrinker::Shrinker;
use crate::choice::Strike;
use crate::plan::Plan;

/// Of so many faults all combinations are tried, of so many all pairs; of more, each alone.
const ALL: usize = 10;
const PAIRS: usize = 32;

impl Shrinker<'_> {
    /// Tries no fault, then each alone, then each pair, and more where they are few. Says whether any
    /// of that was enough.
    pub(super) fn try_few_faults(&mut self, best: &mut Plan) -> bool {
        let struck = best.strikes.len();
        let in_pairs = if struck <= PAIRS { 2 } else { 1 };
        self.smaller_subset(best, if struck <= ALL { ALL } else { in_pairs })
    }

    /// Takes the first set of at most so many of the faults, not all, that shows the same, fewest
    /// first. Says whether there is one.
    fn smaller_subset(&mut self, best: &mut Plan, most: usize) -> bool {
        let mut all = best.strikes.clone();
        // Of sets of the same size, the one with the plainer faults: a lost reply before a pause.
        all.sort_by_key(|strike| (strike.fault, strike.point));
        for size in (0..all.len()).take_while(|size| *size <= most) {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let mut strikes: Vec<Strike> = chosen.iter().map(|at| all[*at]).collect();
                strikes.sort_unstable();
                let candidate = Plan { strikes, ..best.clone() };
                if self.takes(best, candidate) {
                    return true;
                }
                if self.spent() || !advance(&mut chosen, all.len()) {
                    break;
                }
            }
        }
        false
    }
}

/// The next choice of so many among `all`, in order. Says whether there is one.
fn advance(chosen: &mut [usize], all: usize) -> bool {
    let size = chosen.len();
    let Some(at) = (0..size).rev().find(|at| chosen[*at] < all - (size - at)) else { return false };
    chosen[at] += 1;
    for next in at + 1..size {
        chosen[next] = chosen[next - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_made_once() {
        let mut chosen = vec![0, 1, 2];
        let mut seen = vec![chosen.clone()];
        while advance(&mut chosen, 5) {
            seen.push(chosen.clone());
        }
        assert_eq!(seen.len(), 10);
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seen:?}");
        assert!(!advance(&mut [], 5));
        assert!(!advance(&mut [0, 1], 2));
    }
}
