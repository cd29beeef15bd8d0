//! Level 6. Campaigns: cells (scenario x store) run over many seeds, judged against what is expected,
//! and watched with a progress bar.

use super::Exit;
use super::bad::Bad;
use crate::moments::MomentTotals;
use crate::run::{Backend, Setup};
use crate::search::hunt::{Campaign, Control, hunt};
use crate::search::stories::{Stories, stories};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use onestroke_scenarios::{FindingKind, Moment, Scenario};
use onestroke_store::Entry;
use std::io::IsTerminal as _;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// What to run.
pub(super) struct Order {
    /// The scenarios.
    pub scenarios: Vec<Arc<Scenario>>,
    /// The stores.
    pub stores: Vec<Entry>,
    /// The user named them: each runs in every scenario, and not only where it plays.
    pub named: bool,
    /// What is under them.
    pub backend: Backend,
    /// The seeds of each cell.
    pub seeds: Range<u64>,
    /// How many threads.
    pub threads: usize,
    /// Stop after so long.
    pub time: Option<Duration>,
    /// How many findings of each kind are shrunk to plans, and grouped by them.
    pub shrink: usize,
}

/// One store in one scenario.
pub(super) struct Cell {
    /// What was run.
    pub setup: Setup,
    /// What came of it.
    pub campaign: Campaign,
    /// By kind: the lowest seeds, shrunk.
    pub found: Vec<Stories>,
}

/// All cells, and whether they are all there.
pub(super) struct Ran {
    /// The cells, scenario by scenario.
    pub cells: Vec<Cell>,
    /// The user interrupted it.
    pub interrupted: bool,
    /// The time was up before all seeds were run.
    pub out_of_time: bool,
}

impl Order {
    /// The stores that run in a scenario.
    pub(super) fn cast<'a>(&'a self, scenario: &'a Scenario) -> Vec<&'a Entry> {
        if self.named {
            self.stores.iter().collect()
        } else {
            scenario.cast(&self.stores).collect()
        }
    }
}

impl Cell {
    /// What this store is expected to show here; `None` when nobody said.
    pub(crate) fn expected(&self) -> Option<&[FindingKind]> {
        self.setup.scenario.expect.get(self.setup.store.name).map(Vec::as_slice)
    }

    /// The kinds that were found and not expected.
    pub(crate) fn unexpected(&self) -> Vec<FindingKind> {
        let expected = self.expected().unwrap_or_default();
        self.campaign.found.keys().filter(|kind| !expected.contains(kind)).copied().collect()
    }

    /// The kinds that were expected and not found. What a scenario expects, it expects on its own
    /// engine profile: on another backend a store may be safe for that engine's reasons.
    pub(crate) fn missing(&self) -> Vec<FindingKind> {
        if !matches!(self.setup.backend, Backend::Memory) {
            return Vec::new();
        }
        let shown = |kind: &&FindingKind| !self.campaign.found.contains_key(kind);
        self.expected().unwrap_or_default().iter().filter(shown).copied().collect()
    }
}

impl Ran {
    /// The scenarios' moments that must occur, with how often they did over all stores.
    pub(crate) fn moments(&self) -> Vec<(Arc<Scenario>, Moment, u64)> {
        let mut all = Vec::new();
        for cells in self.cells.chunk_by(|a, b| Arc::ptr_eq(&a.setup.scenario, &b.setup.scenario)) {
            let mut totals = MomentTotals::default();
            for cell in cells {
                totals.add(&cell.campaign.moments);
            }
            let scenario = &cells[0].setup.scenario;
            for moment in &scenario.moments {
                all.push((Arc::clone(scenario), *moment, totals.runs.of(*moment)));
            }
        }
        all
    }
}

/// Runs all cells.
pub(super) fn run(order: &Order) -> Result<Ran, Bad> {
    run_and(order, |_| {})
}

/// Runs all cells, and then what else there is to run; both can be interrupted.
pub(super) fn run_and(order: &Order, more: impl FnOnce(&Control)) -> Result<Ran, Bad> {
    let (control, interrupted) = listen_for_interrupts();
    let cells: usize = order.scenarios.iter().map(|scenario| order.cast(scenario).len()).sum();
    let all = (order.seeds.end - order.seeds.start).saturating_mul(cells as u64);
    let mut ran = Ran { cells: vec![], interrupted: false, out_of_time: false };
    let result = watched(&control, order.time, all, || {
        for scenario in &order.scenarios {
            for store in order.cast(scenario) {
                if !control.stop.load(Ordering::Relaxed) {
                    ran.cells.push(cell(order, (scenario, store), &control)?);
                }
            }
        }
        more(&control);
        Ok(())
    });
    ran.interrupted = interrupted.load(Ordering::Relaxed);
    ran.out_of_time = control.stop.load(Ordering::Relaxed) && !ran.interrupted;
    result.map(|()| ran)
}

/// Runs a search that can be interrupted, or stopped by time. Says whether it was interrupted.
pub(super) fn stoppable(time: Option<Duration>, work: impl FnOnce(&Control)) -> bool {
    let (control, interrupted) = listen_for_interrupts();
    watched(&control, time, 0, || work(&control));
    interrupted.load(Ordering::Relaxed)
}

/// The first interrupt stops the search and lets it tell what it found, the second ends the process.
fn listen_for_interrupts() -> (Arc<Control>, Arc<AtomicBool>) {
    let control = Arc::new(Control::default());
    let interrupted = Arc::new(AtomicBool::new(false));
    let (handled, flag) = (Arc::clone(&control), Arc::clone(&interrupted));
    // A second handler cannot be set; then the first one still stops the process.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        handled.stop.store(true, Ordering::Relaxed);
    });
    (control, interrupted)
}

fn cell(
    order: &Order,
    (scenario, store): (&Arc<Scenario>, &Entry),
    control: &Control,
) -> Result<Cell, Bad> {
    let scenario = Arc::clone(scenario);
    let setup = Setup { scenario, store: store.clone(), backend: order.backend };
    let campaign = hunt(&setup, order.seeds.clone(), order.threads, control);
    let mut found = Vec::new();
    // Whoever has no time left gets one of each kind.
    let stopped = control.stop.load(Ordering::Relaxed);
    let most = if stopped { order.shrink.min(1) } else { order.shrink };
    for (kind, tally) in campaign.found.iter().filter(|_| most > 0) {
        let seeds = &tally.lowest[..most.min(tally.lowest.len())];
        found.push(stories(&setup, *kind, seeds, order.threads)?);
    }
    Ok(Cell { setup, campaign, found })
}

/// Does the work while a thread of its own keeps the progress bar and the time.
fn watched<T>(control: &Control, time: Option<Duration>, all: u64, work: impl FnOnce() -> T) -> T {
    const TICK: Duration = Duration::from_millis(100);
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let bar = progress_bar(all);
            let mut left = time;
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(control.seeds.load(Ordering::Relaxed));
                bar.set_message(format!("{}", control.findings.load(Ordering::Relaxed)));
                left = left.map(|left| left.saturating_sub(TICK));
                if left == Some(Duration::ZERO) {
                    control.stop.store(true, Ordering::Relaxed);
                }
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

fn progress_bar(all: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    if all == 0 {
        let style = ProgressStyle::with_template("{spinner} {human_pos} runs, {msg} with findings");
        return ProgressBar::new_spinner().with_style(style.expect("the template is well-formed"));
    }
    let template =
        "{wide_bar} {human_pos}/{human_len} seeds, {rate}, {msg} with findings, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.0}/s", state.per_sec());
    };
    ProgressBar::new(all).with_style(style.with_key("rate", rate))
}

/// How many threads: as many as told, or one a core.
pub(super) fn threads(told: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    told.map_or_else(cores, usize::from)
}
