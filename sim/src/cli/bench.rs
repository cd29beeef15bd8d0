//! Level 6. `sim bench`: what each store costs, under the same weather and in a crowd.
//!
//! It tells what was measured, and recommends nothing. Wall time is read only when asked for.

mod plot;
mod report;
mod tables;

use super::Exit;
use super::args::{Bench, Format};
use super::bad::{self, Bad};
use super::campaign;
use super::hunt::{pretty, to_line};
use super::screen::Screen;
use crate::run::{Backend, Setup};
use crate::search::cost::{Cost, cost};
use crate::search::hunt::Control;
use onestroke_scenarios::Scenario;
use onestroke_store::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// However large the crowd, each store meets it under so many seeds.
const CROWDS_LEAST: u64 = 2;

/// All runs of a crowd together have one operation for so many of the scenario itself.
const CROWDS_SHARE: u64 = 4;

/// All that was measured.
struct Benched {
    scenario: Arc<Scenario>,
    seeds: u64,
    backend: Backend,
    stores: Vec<Measured>,
    crowds: Vec<Crowds>,
    interrupted: bool,
}

/// One store under the scenario's weather.
struct Measured {
    store: Entry,
    cost: Cost,
    wall: Option<Duration>,
}

/// The same operations by more and more clients, on one backend.
struct Crowds {
    backend: Backend,
    clients: Vec<u16>,
    /// By store: what each crowd costs.
    stores: Vec<(Entry, Vec<Cost>)>,
}

/// What to measure.
struct Order {
    scenario: Arc<Scenario>,
    stores: Vec<Entry>,
    seeds: u64,
    backend: Backend,
    crowds: Vec<(u16, Arc<Scenario>)>,
    crowded_backends: Vec<Backend>,
    threads: usize,
    wall: bool,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Bench, screen: &Screen) -> Result<Exit, Bad> {
    let order = Order::of(stores, args)?;
    let mut benched = Benched {
        scenario: Arc::clone(&order.scenario),
        seeds: order.seeds,
        backend: order.backend,
        stores: vec![],
        crowds: vec![],
        interrupted: false,
    };
    benched.interrupted = campaign::stoppable(None, |control| order.measure(&mut benched, control));
    if let Some(path) = &args.svg {
        std::fs::write(path, plot::svg(&benched)).map_err(Bad::file(path))?;
    }
    match screen.format {
        Format::Human => screen.print(&tables::human(&benched, screen)),
        Format::Json => screen.print(&pretty(&report::report(&benched))),
        Format::Jsonl => screen.print(&(to_line(&report::report(&benched)) + "\n")),
    }
    Ok(if benched.interrupted { Exit::Interrupted } else { Exit::Fine })
}

impl Order {
    fn of(stores: &[Entry], args: &Bench) -> Result<Self, Bad> {
        let scenario = bad::scenario(&args.scenario)?;
        let by_name = |name: &String| bad::store(stores, name).cloned();
        let stores: Vec<Entry> = if args.stores.is_empty() {
            scenario.cast(stores).cloned().collect()
        } else {
            args.stores.iter().map(by_name).collect::<Result<_, _>>()?
        };
        let backend = args.backend.as_deref().map(bad::backend).transpose()?;
        let crowded_backends =
            backend.map_or_else(|| vec![Backend::Memory, Backend::MemorySqlite], |one| vec![one]);
        let backend = backend.unwrap_or_default();
        for one in crowded_backends.iter().chain([&backend]) {
            one.suits(&scenario).map_err(Bad::usage)?;
        }
        let crowd = |clients: &u16| {
            let crowded = scenario.crowded(*clients);
            let crowded =
                crowded.map_err(|why| Bad::usage(format!("`--clients {clients}`: {why}")));
            crowded.map(|crowded| (*clients, Arc::new(crowded)))
        };
        let mut clients = args.clients.clone();
        clients.sort_unstable();
        clients.dedup();
        Ok(Self {
            crowds: clients.iter().map(crowd).collect::<Result<_, _>>()?,
            scenario,
            stores,
            seeds: args.seeds,
            backend,
            crowded_backends,
            threads: if args.wall { 1 } else { campaign::threads(args.threads) },
            wall: args.wall,
        })
    }

    fn measure(&self, benched: &mut Benched, control: &Control) {
        for store in &self.stores {
            let setup = Self::setup(&self.scenario, store, self.backend);
            let (cost, wall) = self.timed(|| cost(&setup, 0..self.seeds, self.threads, control));
            if control.stop.load(Ordering::Relaxed) {
                return;
            }
            let wall = wall.filter(|_| self.wall);
            benched.stores.push(Measured { store: store.clone(), cost, wall });
        }
        for backend in &self.crowded_backends {
            let clients = self.crowds.iter().map(|(clients, _)| *clients).collect();
            benched.crowds.push(Crowds { backend: *backend, clients, stores: vec![] });
            for store in &self.stores {
                let costs = self.in_crowds(store, *backend, control);
                if control.stop.load(Ordering::Relaxed) {
                    return;
                }
                let crowds = benched.crowds.last_mut().expect("it was put there above");
                crowds.stores.push((store.clone(), costs));
            }
        }
    }

    fn in_crowds(&self, store: &Entry, backend: Backend, control: &Control) -> Vec<Cost> {
        let of = |(_, scenario): &(u16, Arc<Scenario>)| {
            let setup = Self::setup(scenario, store, backend);
            cost(&setup, 0..self.seeds_of(scenario), self.threads, control)
        };
        self.crowds.iter().map(of).collect()
    }

    /// So many seeds that there are about a quarter of the operations of the scenario itself.
    fn seeds_of(&self, crowded: &Scenario) -> u64 {
        let all = self.seeds.saturating_mul(u64::from(self.scenario.workload.all())) / CROWDS_SHARE;
        all.div_ceil(u64::from(crowded.workload.all())).max(CROWDS_LEAST.min(self.seeds))
    }

    fn setup(scenario: &Arc<Scenario>, store: &Entry, backend: Backend) -> Setup {
        Setup { scenario: Arc::clone(scenario), store: store.clone(), backend }
    }

    /// How long it took, if that is asked for.
    #[expect(
        clippy::disallowed_methods,
        reason = "wall time is what is asked for, and is said to be"
    )]
    fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, Option<Duration>) {
        let began = self.wall.then(std::time::Instant::now);
        let result = work();
        (result, began.map(|began| began.elapsed()))
    }
}
