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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::SYSTEMS;
    use spec::Total;
    use spec::program::Report;

    fn report(events: u64, violations: u64) -> Report {
        let total = Total { events, violations, trace: 5, counts: None };
        Report { seeds: 10, cpu_ns: 1, wall_ns: 1, total, resident_kib: 1 }
    }

    /// All systems, each with a thousand events a seed and no fault.
    fn fair() -> All {
        let one = |system| Measured {
            system,
            rounds: vec![report(10_000, 0), report(10_000, 0)],
            two_threads: vec![],
            bug: report(10_000, 3),
        };
        All(SYSTEMS.iter().map(one).collect())
    }

    #[test]
    fn systems_that_do_the_same_work_are_fair() {
        assert_eq!(problems(&fair()), [""; 0]);
    }

    #[test]
    fn a_system_that_does_other_work_is_not() {
        let mut all = fair();
        all.0[0].rounds = vec![report(10_400, 0), report(10_400, 0)];
        let expected =
            "onestroke has 1040 events a seed, and the limit has 1000: they may differ by 3%";
        assert_eq!(problems(&all), [expected]);
    }

    #[test]
    fn a_violation_a_bug_that_is_not_seen_and_a_run_that_is_not_repeated_are_named() {
        let mut all = fair();
        all.0[0].rounds[1] = report(10_000, 2);
        all.0[0].bug = report(10_000, 0);
        let expected = [
            "onestroke shows 2 violations, and there are none",
            "onestroke does not see the planted bug",
            "onestroke does not come to the same when its seeds are run again",
        ];
        assert_eq!(problems(&all), expected);
    }
}
