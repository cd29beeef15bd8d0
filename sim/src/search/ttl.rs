//! Level 5. The window at which retries stop breaking a store, in the world: the same seeds, again and
//! again, with windows that close in on the longest one that still shows `expired`.
//!
//! Both ends of the answer were run: the longest window that broke, and the one a tick (1 us) above
//! it that did not. That lies at or below the bound on paper, which no seed need attain.

use super::hunt::{Control, hunt};
use crate::run::Setup;
use onestroke_scenarios::{FindingKind, Scenario};
use onestroke_store::Span;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The search in the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attained {
    /// The longest window that showed `expired`, and the lowest seed that did; `None` when no window
    /// that was tried showed it.
    pub breaks: Option<Breaks>,
    /// The shortest window above it: no seed showed `expired`.
    pub holds: Option<Span>,
    /// The windows that were tried.
    pub windows: u64,
    /// The runs that were made.
    pub runs: u64,
    /// It came to its end.
    pub complete: bool,
}

/// A window that is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaks {
    /// How long records counted.
    pub window: Span,
    /// The lowest seed that shows it.
    pub seed: u64,
}

/// The same setup with another window. Expiry is what it is about, so no window is refused.
pub fn with_window(setup: &Setup, window: Span) -> Setup {
    let mut scenario = Scenario::clone(&setup.scenario);
    scenario.contract.window = window;
    scenario.contract.expires = true;
    Setup { scenario: Arc::new(scenario), ..setup.clone() }
}

/// Closes in on the longest window that breaks, from one tick and the safe one on paper.
pub fn attain(setup: &Setup, seeds: &Range<u64>, threads: usize, control: &Control) -> Attained {
    let mut attained = Attained { breaks: None, holds: None, windows: 0, runs: 0, complete: false };
    let (mut low, mut high) = (1, setup.scenario.smallest_safe_window().as_micros());
    let try_window = |attained: &mut Attained, micros: u64| {
        let window = Span::from_micros(micros);
        let campaign = hunt(&with_window(setup, window), seeds.clone(), threads, control);
        attained.runs += campaign.seeds;
        if control.stop.load(Ordering::Relaxed) {
            return None;
        }
        attained.windows += 1;
        let seed = campaign.found.get(&FindingKind::Expired).map(|tally| tally.first);
        match seed {
            Some(seed) => attained.breaks = Some(Breaks { window, seed }),
            None => attained.holds = Some(window),
        }
        Some(seed.is_some())
    };
    // The safe window first: whatever breaks there is a fault of the bound.
    match try_window(&mut attained, high) {
        None => return attained,
        Some(true) => return Attained { complete: true, ..attained },
        Some(false) => {}
    }
    match try_window(&mut attained, low) {
        None => return attained,
        Some(false) => return Attained { complete: true, ..attained },
        Some(true) => {}
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match try_window(&mut attained, middle) {
            None => return attained,
            Some(true) => low = middle,
            Some(false) => high = middle,
        }
    }
    Attained { complete: true, ..attained }
}
