//! Level 5. Cost: what a store asks of the database, and how its clients fare. A fold over traces, so it
//! could be made of the history of a real system.
//!
//! Only what clients do by themselves is counted for them: an operation that is asked about once
//! more after the weather has cleared counts as unanswered. Times are virtual, whole microseconds.
//! Imports `trace`, `point`, `run`.

use super::hunt::Control;
use crate::point::{Leg, Op};
use crate::run::{Runner, Setup};
use crate::time::{Span, Time};
use crate::trace::{Trace, What};
use onestroke_scenarios::Weather;
use onestroke_store::Verb;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// How many seeds a thread takes at a time.
const BLOCK: u64 = 64;

/// What runs cost, all together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many runs.
    pub runs: u64,
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
    /// Operations of which a record was left at the end of the run: where the contract bounds the
    /// records, that is after the window and a last sweep.
    pub records: u64,
    /// By microseconds from the first sending to the final answer: how many operations.
    latency: BTreeMap<u64, u64>,
}

/// An operation in a run.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    first_sent: Option<Time>,
    probed: bool,
    recorded: bool,
}

impl Cost {
    /// Takes one run in.
    pub fn add_run(&mut self, trace: &Trace) {
        let mut lives = vec![Life::default(); trace.ops.len()];
        for event in &trace.events {
            self.step(event.at, event.what, trace, &mut lives);
        }
        self.runs += 1;
        self.operations += lives.iter().filter(|life| life.first_sent.is_some()).count() as u64;
        self.records += lives.iter().filter(|life| life.recorded).count() as u64;
    }

    fn step(&mut self, at: Time, what: What, trace: &Trace, lives: &mut [Life]) {
        match what {
            What::Sent { message, reply: None } if message.leg == Leg::Request => {
                let Some(life) = life_of(message.subject.op, lives) else { return };
                self.attempts += u64::from(!life.probed);
                life.first_sent.get_or_insert(at);
            }
            What::Delivered { message, reply: Some(reply), .. } => {
                let Some(life) = life_of(message.subject.op, lives) else { return };
                let refused = !life.probed && trace.reply(reply).asks_for_retry();
                self.refusals += u64::from(refused);
            }
            What::Succeeded { op, .. } | What::Rejected { op, .. } => {
                let Some(life) = life_of(op, lives).filter(|life| !life.probed) else { return };
                self.answered += 1;
                let span = life.first_sent.map_or(Span::ZERO, |first| at.since(first));
                *self.latency.entry(span.as_micros()).or_default() += 1;
            }
            What::Probed { op } => {
                if let Some(life) = life_of(op, lives) {
                    life.probed = true;
                }
            }
            What::Started { subject, .. } => self.requests += u64::from(!subject.is_background()),
            What::Asked { step, .. } if !step.subject.is_sweep() => match step.verb {
                Verb::Sleep | Verb::Reply => {}
                Verb::Call => self.calls += 1,
                _ if step.subject.is_background() => self.background += 1,
                _ => self.questions += 1,
            },
            What::Recorded { op } => set_recorded(op, true, lives),
            What::Forgotten { op, .. } => set_recorded(op, false, lives),
            _ => {}
        }
    }

    fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        self.operations += other.operations;
        self.attempts += other.attempts;
        self.refusals += other.refusals;
        self.answered += other.answered;
        self.requests += other.requests;
        self.questions += other.questions;
        self.background += other.background;
        self.calls += other.calls;
        self.records += other.records;
        for (micros, count) in &other.latency {
            *self.latency.entry(*micros).or_default() += count;
        }
    }

    /// The time in which so many of a hundred answered operations had their answer; `None` when none
    /// was answered.
    pub fn latency(&self, percent: u64) -> Option<Span> {
        let rank = (self.answered * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let mut reaches = |(_, count): &(&u64, &u64)| {
            seen += **count;
            seen >= rank
        };
        let found = self.latency.iter().find(|one| reaches(one));
        found.map(|(micros, _)| Span::from_micros(*micros))
    }
}

fn life_of(op: Op, lives: &mut [Life]) -> Option<&mut Life> {
    lives.get_mut(op.index())
}

fn set_recorded(op: Op, recorded: bool, lives: &mut [Life]) {
    if let Some(life) = life_of(op, lives) {
        life.recorded = recorded;
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
        let mut cost = Cost::default();
        while !control.stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(BLOCK, Ordering::Relaxed);
            if from >= seeds.end {
                break;
            }
            for seed in from..seeds.end.min(from + BLOCK) {
                runner.seed(seed);
                cost.add_run(runner.trace());
            }
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
        assert!(right.latency(50) > none.latency(50), "more questions take longer");
    }

    #[test]
    fn bad_weather_costs_attempts_and_refusals() {
        let patient = of(&setup("rainy-night", "one-transaction"), 200);
        let hasty = of(&setup("rainy-night", "one-transaction-409"), 200);
        assert!(patient.attempts > patient.operations);
        assert!(hasty.refusals > patient.refusals, "{} {}", hasty.refusals, patient.refusals);
        assert!(patient.latency(99) > patient.latency(50));
        assert!(patient.answered <= patient.operations);
    }

    #[test]
    fn the_sum_is_the_same_whatever_the_threads() {
        let setup = setup("rainy-night", "key-then-effect");
        let three = cost(&setup, 0..300, 3, &Control::default());
        assert_eq!(of(&setup, 300), three);
        assert_eq!(three.runs, 300);
    }

    #[test]
    fn percentiles_go_by_the_nearest_rank() {
        let latency = BTreeMap::from([(10, 50), (20, 49), (30, 1)]);
        let cost = Cost { answered: 100, latency, ..Cost::default() };
        let at = |percent| cost.latency(percent).map(Span::as_micros);
        assert_eq!(
            [at(1), at(50), at(51), at(99), at(100)].map(Option::unwrap),
            [10, 10, 20, 20, 30]
        );
        assert_eq!(Cost::default().latency(50), None);
    }
}
