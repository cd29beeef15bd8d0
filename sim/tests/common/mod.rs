//! What the tests of plans share: every finding of the catalogue, shrunk.

use onestroke_scenarios::{FindingKind, catalogue};
use onestroke_sim::run::{Backend, Outcome, Runner, Setup};
use onestroke_sim::search::hunt::{Control, hunt};
use onestroke_sim::search::shrink::{Found, shrink};
use onestroke_store::stores;
use std::sync::Arc;
use std::thread;

/// How many seeds each store gets in each scenario.
const SEEDS: u64 = 256;

/// How many threads share the cells.
const THREADS: usize = 2;

/// The first finding of a kind, of one store in one scenario.
pub(crate) struct Caught {
    pub(crate) setup: Setup,
    pub(crate) seed: u64,
    pub(crate) found: Found,
}

impl Caught {
    /// Where it was found, for messages.
    pub(crate) fn place(&self) -> String {
        let Setup { scenario, store, .. } = &self.setup;
        let kind = self.found.finding.kind.name();
        format!("{} / {} / seed {} / {kind}", scenario.name, store.name, self.seed)
    }

    /// Its plan as text.
    pub(crate) fn text(&self) -> String {
        self.found.plan.write(Runner::new(&self.setup).names())
    }
}

/// The kinds of a run's findings, in their order.
pub(crate) fn kinds(outcome: &Outcome) -> Vec<FindingKind> {
    outcome.findings.iter().map(|finding| finding.kind).collect()
}

/// All findings of the catalogue's stores in the catalogue's scenarios, shrunk.
pub(crate) fn caught(backend: Backend) -> Vec<Caught> {
    let scenarios: Vec<_> = catalogue().into_iter().map(Arc::new).collect();
    let setup = |scenario: &Arc<_>, store| Setup { scenario: Arc::clone(scenario), store, backend };
    let cells: Vec<Setup> = scenarios
        .iter()
        .flat_map(|scenario| {
            let cast: Vec<_> = scenario.cast(&stores::catalogue()).cloned().collect();
            cast.into_iter().map(move |one| setup(scenario, one))
        })
        .collect();
    let (cells, share) = (&cells, |part: usize| move |at: &usize| at % THREADS == part);
    thread::scope(|scope| {
        let work = |part| {
            let mine = (0..cells.len()).filter(share(part)).collect::<Vec<_>>();
            scope.spawn(move || mine.into_iter().flat_map(|at| of_cell(&cells[at])).collect())
        };
        let workers: Vec<_> = (0..THREADS).map(work).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<_>>| worker.join().expect("no panic");
        workers.into_iter().flat_map(join).collect()
    })
}

fn of_cell(setup: &Setup) -> Vec<Caught> {
    let campaign = hunt(setup, 0..SEEDS, 1, &Control::default());
    let mut runner = Runner::new(setup);
    let mut shrunk = |(kind, seed)| {
        let found = shrink(&mut runner, seed, kind).unwrap_or_else(|bad| panic!("{bad}"));
        Caught { setup: setup.clone(), seed, found }
    };
    campaign.found.iter().map(|(kind, tally)| shrunk((*kind, tally.first))).collect()
}
