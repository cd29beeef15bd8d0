//! Whether the systems did the same work, rightly: if not, their times say nothing.

use crate::w1::{All, Measured};

/// All that is wrong, in words.
pub(crate) fn problems(all: &All) -> Vec<String> {
    let expected = all.limit().events_a_seed();
    all.0.iter().flat_map(|one| of_one(one, expected)).collect()
}

fn of_one(one: &Measured, expected: f64) -> Vec<String> {
    let mut problems = Vec::new();
    let name = one.system.name;
    let (events, tolerance) = (one.events_a_seed(), one.system.tolerance);
    if (events / expected - 1.0).abs() * 100.0 > tolerance as f64 {
        problems.push(format!(
            "{name} has {events:.0} events a seed, and the limit has {expected:.0}: they may differ \
             by {tolerance}%"
        ));
    }
    let runs = one.rounds.iter().chain(&one.two_threads);
    let violations: u64 = runs.map(|report| report.total.violations).sum();
    if violations > 0 {
        problems.push(format!("{name} shows {violations} violations, and there are none"));
    }
    if one.bug.total.violations == 0 {
        problems.push(format!("{name} does not see the planted bug"));
    }
    if one.rounds.windows(2).any(|two| two[0].total != two[1].total) {
        problems.push(format!("{name} does not come to the same when its seeds are run again"));
    }
    problems
}
