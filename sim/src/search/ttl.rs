//! Level 5. The span at which time stops breaking a store, in the world: the same seeds, again and again,
//! with a window, a lease or a visibility time-out that closes in on the longest one that still breaks.
//!
//! Both ends of the answer were run: the longest span that broke, and the one a tick (1 us) above it that
//! did not. That lies at or below the bound on paper, which no seed need attain.

use super::hunt::{Control, hunt};
use crate::run::Setup;
use onestroke_scenarios::{FindingKind, Scenario};
use onestroke_store::Span;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A span that can be too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// How long records count, against the retries.
    Window,
    /// How long a claim is its owner's, against the longest handling.
    Lease,
    /// How long a queue waits before it delivers again, against the longest handling.
    Visibility,
}

/// The search in the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attained {
    /// The longest span that broke, and the lowest seed that shows it; `None` when none that was tried did.
    pub breaks: Option<Breaks>,
    /// The shortest span above it: no seed showed it.
    pub holds: Option<Span>,
    /// The spans that were tried.
    pub tried: u64,
    /// The runs that were made.
    pub runs: u64,
    /// It came to its end.
    pub complete: bool,
}

/// A span that is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaks {
    /// How long it is.
    pub span: Span,
    /// The lowest seed that shows it.
    pub seed: u64,
}

impl Bound {
    /// Its name in reports, and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Lease => "lease",
            Self::Visibility => "visibility",
        }
    }

    /// What shows when it is too short.
    pub const fn breaks_as(self) -> FindingKind {
        match self {
            Self::Window => FindingKind::Expired,
            Self::Lease | Self::Visibility => FindingKind::DoubleEffect,
        }
    }

    /// What the scenario says.
    pub const fn said(self, scenario: &Scenario) -> Span {
        match self {
            Self::Window => scenario.contract.window,
            Self::Lease => scenario.contract.lease,
            Self::Visibility => scenario.client.timeout,
        }
    }

    /// The shortest that is long enough on paper.
    pub fn safe(self, scenario: &Scenario) -> Span {
        match self {
            Self::Window => scenario.smallest_safe_window(),
            Self::Lease => scenario.smallest_safe_lease(),
            Self::Visibility => scenario.smallest_safe_visibility(),
        }
    }

    /// The same scenario, with this span in its place.
    pub fn set(self, scenario: &Scenario, span: Span) -> Scenario {
        match self {
            Self::Window => scenario.with_window(span),
            Self::Lease => scenario.with_lease(span),
            Self::Visibility => scenario.with_visibility(span),
        }
    }
}

/// The same setup with another window.
pub fn with_window(setup: &Setup, window: Span) -> Setup {
    with(setup, Bound::Window, window)
}

/// The same setup with another span.
pub fn with(setup: &Setup, bound: Bound, span: Span) -> Setup {
    Setup { scenario: Arc::new(bound.set(&setup.scenario, span)), ..setup.clone() }
}

/// Closes in on the longest span that breaks, from one tick and the safe one on paper.
pub fn attain(
    setup: &Setup,
    bound: Bound,
    seeds: &Range<u64>,
    threads: usize,
    control: &Control,
) -> Attained {
    let mut attained = Attained { breaks: None, holds: None, tried: 0, runs: 0, complete: false };
    let (mut low, mut high) = (1, bound.safe(&setup.scenario).as_micros());
    let try_span = |attained: &mut Attained, micros: u64| {
        let span = Span::from_micros(micros);
        let campaign = hunt(&with(setup, bound, span), seeds.clone(), threads, control);
        attained.runs += campaign.seeds;
        if control.stop.load(Ordering::Relaxed) {
            return None;
        }
        attained.tried += 1;
        let seed = campaign.found.get(&bound.breaks_as()).map(|tally| tally.first);
        match seed {
            Some(seed) => attained.breaks = Some(Breaks { span, seed }),
            None => attained.holds = Some(span),
        }
        Some(seed.is_some())
    };
    // The safe one first: whatever breaks there is a fault of the bound, or of something else than time.
    match try_span(&mut attained, high) {
        None => return attained,
        Some(true) => return Attained { complete: true, ..attained },
        Some(false) => {}
    }
    match try_span(&mut attained, low) {
        None => return attained,
        Some(false) => return Attained { complete: true, ..attained },
        Some(true) => {}
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match try_span(&mut attained, middle) {
            None => return attained,
            Some(true) => low = middle,
            Some(false) => high = middle,
        }
    }
    Attained { complete: true, ..attained }
}
