//! Level 5. Cost: what a store asks of the database, and how its clients fare. A fold over traces, so it
//! could be made of the history of a real system.
//!
//! Times are virtual, whole microseconds; what they are spread over is kept in HDR histograms, which
//! round a span up by less than a thousandth. Imports `trace`, `point`, `run`.

mod fold;
mod spread;

use super::hunt::Control;
use crate::run::{Runner, Setup};
use crate::time::Span;
pub use fold::Fold;
use onestroke_scenarios::{FindingKind, Weather};
pub use spread::Spread;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// How many seeds a thread takes at a time: few, since runs can be large.
const BLOCK: u64 = 8;

/// What runs cost, all together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many runs.
    pub runs: u64,
    /// By kind of finding: how many runs showed it.
    pub findings: BTreeMap<FindingKind, u64>,
    /// How many runs showed any.
    pub wrong: u64,
    /// Events of all runs.
    pub events: u64,
    /// Operations of all clients.
    pub operations: u64,
    /// Attempts that clients sent for them.
    pub attempts: u64,
    /// Replies that tell a client to try again (409, 5xx) and reached it.
    pub refusals: u64,
    /// Operations that had a final answer.
    pub answered: u64,
    /// Requests that a server began to handle; probes and copies too.
    pub requests: u64,
    /// Questions that their handlers asked of the database.
    pub questions: u64,
    /// Questions that background work asked of it; the sweeper's are not counted.
    pub background: u64,
    /// Calls to another service, of background work too.
    pub calls: u64,
    /// Questions of requests that had to wait for another session.
    pub waits: u64,
    /// How long they waited, all together.
    pub waited: Span,
    /// Handlers of requests that died with their server, or whose client hung up.
    pub cut_off: u64,
    /// Questions and calls of handlers that neither committed an effect nor answered their client.
    pub in_vain: u64,
    /// Operations of which a record was left at the end of the run: where the contract bounds the
    /// records, that is after the window and a last sweep.
    pub records: u64,
    /// Operations of which there was a record when there were most of them: the sum over all runs.
    pub records_at_peak: u64,
    /// From the first sending to the final answer, of answered operations.
    pub latency: Spread,
    /// From an operation's first record until none of it was left, where they were deleted.
    pub kept: Spread,
}

impl Cost {
    fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        self.wrong += other.wrong;
        self.events += other.events;
        self.operations += other.operations;
        self.attempts += other.attempts;
        self.refusals += other.refusals;
        self.answered += other.answered;
        self.requests += other.requests;
        self.questions += other.questions;
        self.background += other.background;
        self.calls += other.calls;
        self.waits += other.waits;
        self.waited = self.waited + other.waited;
        self.cut_off += other.cut_off;
        self.in_vain += other.in_vain;
        self.records += other.records;
        self.records_at_peak += other.records_at_peak;
        for (kind, runs) in &other.findings {
            *self.findings.entry(*kind).or_default() += runs;
        }
        self.latency.add(&other.latency);
        self.kept.add(&other.kept);
    }

    /// Runs a seed and takes it in.
    fn take(&mut self, runner: &mut Runner, seed: u64, fold: &mut Fold) {
        let outcome = runner.seed(seed);
        self.events += outcome.events;
        self.wrong += u64::from(!outcome.findings.is_empty());
        let mut last = None;
        for finding in outcome.findings.iter().map(|finding| finding.kind) {
            if last.replace(finding) != Some(finding) {
                *self.findings.entry(finding).or_default() += 1;
            }
        }
        fold.run(runner.trace(), self);
    }
}

/// The same setup in calm weather: nothing strikes, and what is harmless still varies.
pub fn in_calm(setup: &Setup) -> Setup {
    let mut scenario = (*setup.scenario).clone();
    scenario.weather = Weather::default();
    Setup { scenario: Arc::new(scenario), ..setup.clone() }
}

/// What these seeds cost; the same on any number of threads.
pub fn cost(setup: &Setup, seeds: Range<u64>, threads: usize, control: &Control) -> Cost {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut runner = Runner::new(setup);
        let (mut cost, mut fold) = (Cost::default(), Fold::default());
        while !control.stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(BLOCK, Ordering::Relaxed);
            if from >= seeds.end {
                break;
            }
            for seed in from..seeds.end.min(from + BLOCK) {
                cost.take(&mut runner, seed, &mut fold);
            }
            control.seeds.fetch_add(seeds.end.min(from + BLOCK) - from, Ordering::Relaxed);
        }
        cost
    };
    let parts: Vec<Cost> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Cost>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    });
    let mut all = Cost::default();
    for part in &parts {
        all.merge(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Backend;
    use onestroke_scenarios::find;

    fn setup(scenario: &str, store: &str) -> Setup {
        let mut stores = onestroke_store::stores::catalogue().into_iter();
        let store = stores.find(|entry| entry.name == store).expect("it is in the catalogue");
        let scenario = Arc::new(find(scenario).expect("it is in the catalogue"));
        Setup { scenario, store, backend: Backend::Memory }
    }

    fn of(setup: &Setup, seeds: u64) -> Cost {
        cost(setup, 0..seeds, 1, &Control::default())
    }

    #[test]
    fn in_calm_weather_each_operation_is_one_attempt_and_one_request() {
        for store in ["no-dedup", "one-transaction", "check-then-act"] {
            let calm = of(&in_calm(&setup("rainy-night", store)), 50);
            assert_eq!(calm.runs, 50);
            assert_eq!(calm.attempts, calm.operations, "{store}");
            assert_eq!(calm.requests, calm.operations, "{store}");
            assert_eq!((calm.answered, calm.refusals), (calm.operations, 0), "{store}");
        }
    }

    #[test]
    fn a_store_without_keys_asks_least_and_keeps_nothing() {
        let none = of(&in_calm(&setup("rainy-night", "no-dedup")), 20);
        assert_eq!((none.questions, none.records), (none.requests, 0), "it only applies");
        let right = of(&in_calm(&setup("rainy-night", "one-transaction")), 20);
        assert_eq!(right.records, 0, "after the window all are swept");
        let never = of(&in_calm(&setup("rainy-night", "never-forgets")), 20);
        assert_eq!(never.records, never.operations, "a record for each operation");
        assert!(right.questions > none.questions);
        assert!(
            right.latency.percentile(50) > none.latency.percentile(50),
            "more questions take longer"
        );
    }

    #[test]
    fn bad_weather_costs_attempts_and_refusals() {
        let patient = of(&setup("rainy-night", "one-transaction"), 200);
        let hasty = of(&setup("rainy-night", "one-transaction-409"), 200);
        assert!(patient.attempts > patient.operations);
        assert!(hasty.refusals > patient.refusals, "{} {}", hasty.refusals, patient.refusals);
        assert!(patient.latency.percentile(99) > patient.latency.percentile(50));
        assert!(patient.answered <= patient.operations);
    }

    #[test]
    fn the_sum_is_the_same_whatever_the_threads() {
        let setup = setup("rainy-night", "key-then-effect");
        let three = cost(&setup, 0..300, 3, &Control::default());
        assert_eq!(of(&setup, 300), three);
        assert_eq!(three.runs, 300);
    }
}
