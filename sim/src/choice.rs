//! Level 0. The one source of choice: weather is a function of (seed, point).
//!
//! A seeded decision is a keyed mix of its point, not the next draw of a stream: removing one fault
//! changes nothing else, and two stores under one seed meet the same weather. A planned decision is
//! looked up; what is not listed is benign, variation included. Faults are counted and logged;
//! variation (jitter, ties, routes) is logged only while recording.

mod fault;

pub use fault::{Fault, Until, can_fly, travels};

use crate::point::Point;
use crate::time::Time;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A fault where it strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strike {
    /// Where.
    pub point: Point,
    /// What.
    pub fault: Fault,
}

/// Harmless choice at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variation {
    /// Where.
    pub point: Point,
    /// The number drawn: jitter in microseconds, a server's index.
    pub offset: u32,
    /// Order among events of the same moment.
    pub tie: u16,
}

/// The faults that can strike at one sort of point, with their chances: what `weather` compiles from
/// a scenario.
#[derive(Clone, Debug, Default)]
pub struct Odds {
    /// Sums of chances so far, in parts of 2^32, with the fault that each stands for.
    steps: Vec<(u32, Fault)>,
}

impl Odds {
    /// Adds a fault with a chance in parts per million, scaled by `numerator / denominator`.
    pub fn add(&mut self, fault: Fault, ppm: u64, (numerator, denominator): (u64, u64)) {
        let chance = (ppm << 32) / 1_000_000 * numerator / denominator.max(1);
        let so_far = self.steps.last().map_or(0, |step| u64::from(step.0));
        let sum = u32::try_from(so_far + chance).unwrap_or(u32::MAX);
        if chance > 0 {
            self.steps.push((sum, fault));
        }
    }

    /// Forgets all faults; keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    fn pick(&self, draw: u32) -> Option<Fault> {
        let &(all, last) = self.steps.last()?;
        if draw < all {
            return self.steps.iter().find(|(sum, _)| draw < *sum).map(|(_, fault)| *fault);
        }
        // A certainty is 2^32 parts, one more than a sum can hold.
        (all == u32::MAX).then_some(last)
    }
}

/// What a decision came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The fault, if one strikes.
    pub fault: Option<Fault>,
    /// Variation: a number below the spread that was asked for.
    pub offset: u32,
    /// Variation: order among events of the same moment.
    pub tie: u16,
}

/// Where decisions come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// From a seed.
    Seeded {
        /// The seed.
        seed: u64,
        /// Changes the key function: for tests that show what does not depend on it.
        salt: u64,
    },
    /// From a seed at the beginning of a run, and from another one from a decision on.
    Forked {
        /// The seed: of the workload, of the swarm's draw, and of the decisions that are kept.
        seed: u64,
        /// How many decisions are kept, the swarm's draw not counted.
        keep: u32,
        /// Draws all decisions after those.
        future: u64,
    },
    /// From a list: a plan, or a recording when the variations are complete.
    Planned {
        /// The faults, sorted by point.
        strikes: Vec<Strike>,
        /// The variations, sorted by point.
        variations: Vec<Variation>,
        /// The seed of the workload; `None` for the plain one.
        workload: Option<u64>,
    },
}

/// A decision of a run, when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// When.
    pub at: Time,
    /// Where.
    pub point: Point,
    /// Whether a fault struck.
    pub struck: bool,
}

/// Bounds on what a seed may do.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// No fault strikes at or after this moment.
    pub horizon: Time,
    /// No more faults than this in one run.
    pub most_faults: u16,
}

/// The one source of choice of a run.
#[expect(clippy::struct_excessive_bools, reason = "each is asked for by itself")]
#[derive(Debug)]
pub struct Choice {
    source: Source,
    key: u64,
    swarm_key: u64,
    /// All that is asked for is a draw: nothing is listed, and nothing is written down.
    plain: bool,
    /// How many decisions are left until the key gives way to another one.
    fork: Option<(u32, u64)>,
    bounds: Bounds,
    calm: bool,
    recording: bool,
    strikes: Vec<Strike>,
    variations: Vec<Variation>,
    reached: Vec<bool>,
    exploring: bool,
    offers: Vec<Strike>,
    decisions: Vec<Decision>,
}

impl Choice {
    /// Nothing strikes until [`Choice::reset`].
    pub fn new(bounds: Bounds) -> Self {
        Self {
            source: Source::Planned { strikes: vec![], variations: vec![], workload: None },
            key: 0,
            swarm_key: 0,
            plain: false,
            fork: None,
            bounds,
            calm: false,
            recording: false,
            strikes: vec![],
            variations: vec![],
            reached: vec![],
            exploring: false,
            offers: vec![],
            decisions: vec![],
        }
    }

    /// Begins a run from a seed; allocates nothing.
    pub fn reset_to_seed(&mut self, seed: u64, salt: u64) {
        self.source = Source::Seeded { seed, salt };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        self.key = rng.next_u64() ^ salt;
        self.swarm_key = rng.next_u64() ^ salt;
        self.begin(0);
    }

    /// Begins a run from any source.
    pub fn reset(&mut self, source: Source) {
        match source {
            Source::Seeded { seed, salt } => self.reset_to_seed(seed, salt),
            Source::Forked { seed, keep, future } => {
                self.reset_to_seed(seed, 0);
                self.fork = Some((keep, mix(!self.key, future)));
                self.source = source;
                self.simplify();
            }
            Source::Planned { mut strikes, mut variations, workload } => {
                strikes.sort_unstable();
                variations.sort_unstable();
                self.begin(strikes.len());
                self.source = Source::Planned { strikes, variations, workload };
                self.simplify();
            }
        }
    }

    /// Whether variations and decisions are logged from now on.
    pub fn set_recording(&mut self, recording: bool) {
        self.recording = recording;
        self.simplify();
    }

    /// Whether all that could strike is listed from now on, in the order in which runs reach it.
    pub fn set_exploring(&mut self, exploring: bool) {
        self.exploring = exploring;
        self.simplify();
    }

    /// The decisions of this run, if it is recorded, in the order in which they were made.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// All that could have struck in this run, point by point in the order in which it reached them.
    pub fn offers(&self) -> &[Strike] {
        &self.offers
    }

    /// From now on nothing strikes, and nothing varies: the weather has cleared.
    pub fn calm_down(&mut self) {
        self.calm = true;
        self.simplify();
    }

    /// The seed from which the workload is drawn; `None` for the plain one of plans.
    pub fn workload_seed(&self) -> Option<u64> {
        match &self.source {
            Source::Seeded { seed, .. } | Source::Forked { seed, .. } => Some(*seed),
            Source::Planned { workload, .. } => *workload,
        }
    }

    /// How strong a kind of fault is in this run, as a fraction: the swarm's draw. Plans have none.
    pub fn strength(&self, kind: u64) -> (u64, u64) {
        if matches!(self.source, Source::Planned { .. }) {
            return (1, 1);
        }
        match mix(self.swarm_key, kind) & 7 {
            0..=2 => (0, 1),
            3 => (1, 4),
            4..=6 => (1, 1),
            _ => (3, 1),
        }
    }

    /// Decides at a point whether a fault of `odds` strikes, where nothing varies.
    #[inline]
    pub fn fault_at(&mut self, point: Point, now: Time, odds: &Odds) -> Option<Fault> {
        if self.plain && odds.steps.is_empty() {
            return None;
        }
        self.at(point, now, odds, 0).fault
    }

    /// Decides at a point: whether a fault of `odds` strikes, and a variation below `spread`
    /// (0 and 1 leave no choice).
    #[inline]
    pub fn at(&mut self, point: Point, now: Time, odds: &Odds, spread: u32) -> Chosen {
        if !self.plain {
            return self.at_length(point, now, odds, spread);
        }
        let draw = mix(self.key, point.number());
        let strikes = odds.steps.last().is_some_and(|&(all, _)| (draw >> 32) as u32 <= all);
        let fault = if strikes { self.strike(point, now, odds, draw) } else { None };
        Chosen { fault, offset: scaled(draw, spread), tie: draw as u16 }
    }

    /// A draw is among those of `odds`: whether the fault strikes.
    fn strike(&mut self, point: Point, now: Time, odds: &Odds, draw: u64) -> Option<Fault> {
        let open =
            now < self.bounds.horizon && self.strikes.len() < usize::from(self.bounds.most_faults);
        let fault = odds.pick((draw >> 32) as u32).filter(|_| open)?;
        self.strikes.push(Strike { point, fault });
        Some(fault)
    }

    /// The same, where more is to be done than to draw.
    #[inline(never)]
    fn at_length(&mut self, point: Point, now: Time, odds: &Odds, spread: u32) -> Chosen {
        if self.calm {
            return Chosen { fault: None, offset: 0, tie: 0 };
        }
        if self.exploring && now < self.bounds.horizon {
            let offers = odds.steps.iter().map(|(_, fault)| Strike { point, fault: *fault });
            self.offers.extend(offers);
        }
        if let Some((keep, future)) = self.fork {
            match keep.checked_sub(1) {
                Some(keep) => self.fork = Some((keep, future)),
                None => (self.key, self.fork) = (future, None),
            }
        }
        let chosen = match &self.source {
            Source::Seeded { .. } | Source::Forked { .. } => {
                let draw = mix(self.key, point.number());
                let open = now < self.bounds.horizon
                    && self.strikes.len() < usize::from(self.bounds.most_faults);
                Chosen {
                    fault: if open { odds.pick((draw >> 32) as u32) } else { None },
                    offset: scaled(draw, spread),
                    tie: draw as u16,
                }
            }
            Source::Planned { strikes, variations, .. } => {
                let mut fault = None;
                if let Ok(at) = strikes.binary_search_by_key(&point, |strike| strike.point) {
                    self.reached[at] = true;
                    fault = Some(strikes[at].fault);
                }
                let listed = variations.binary_search_by_key(&point, |varied| varied.point);
                let varied = listed.ok().map(|at| variations[at]);
                Chosen {
                    fault,
                    offset: varied.map_or(0, |v| v.offset).min(spread.saturating_sub(1)),
                    tie: varied.map_or(0, |v| v.tie),
                }
            }
        };
        if let Some(fault) = chosen.fault {
            self.strikes.push(Strike { point, fault });
        }
        if self.recording {
            self.decisions.push(Decision { at: now, point, struck: chosen.fault.is_some() });
        }
        if self.recording && (chosen.offset, chosen.tie) != (0, 0) {
            let Chosen { offset, tie, .. } = chosen;
            self.variations.push(Variation { point, offset, tie });
        }
        chosen
    }

    /// Says what really ended the hold that struck at `point`, so that the plan can name it.
    pub fn released(&mut self, point: Point, until: Until) {
        if let Some(strike) = self.strikes.iter_mut().rev().find(|strike| strike.point == point) {
            strike.fault = Fault::Hold(until);
        }
    }

    /// For how many faults, variations and offers it has room.
    pub const fn room(&self) -> usize {
        self.strikes.capacity() + self.variations.capacity() + self.offers.capacity()
    }

    /// Whether nothing is left of the plan: what follows is benign, but for what is added to it.
    pub fn is_spent(&self) -> bool {
        match &self.source {
            Source::Planned { strikes, .. } => self.strikes.len() == strikes.len(),
            Source::Seeded { .. } | Source::Forked { .. } => false,
        }
    }

    /// Whether the weather has cleared.
    pub const fn is_calm(&self) -> bool {
        self.calm
    }

    /// The faults that struck so far, in order.
    pub fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    /// The variations so far, in order, if they were recorded.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// The faults of the plan whose point no run has reached yet.
    pub fn unreached(&self) -> impl Iterator<Item = Strike> + '_ {
        let listed = match &self.source {
            Source::Planned { strikes, .. } => strikes.as_slice(),
            Source::Seeded { .. } | Source::Forked { .. } => &[],
        };
        listed
            .iter()
            .zip(&self.reached)
            .filter(|(_, reached)| !**reached)
            .map(|(strike, _)| *strike)
    }

    fn begin(&mut self, listed: usize) {
        self.calm = false;
        self.fork = None;
        self.strikes.clear();
        self.decisions.clear();
        self.variations.clear();
        self.offers.clear();
        self.reached.clear();
        self.reached.resize(listed, false);
        self.simplify();
    }

    fn simplify(&mut self) {
        let seeded = matches!(self.source, Source::Seeded { .. });
        let bare = self.fork.is_none() && !self.recording && !self.exploring;
        self.plain = seeded && bare && !self.calm;
    }
}

/// The lower half of a draw, as a number below `spread`.
const fn scaled(draw: u64, spread: u32) -> u32 {
    ((draw as u32 as u64 * spread as u64) >> 32) as u32
}

/// A keyed mix of 64 bits, after the finalizer of `SplitMix64` (Steele, Lea and Flood, 2014).
fn mix(key: u64, number: u64) -> u64 {
    let mut x = (number ^ key).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27 ^ key.rotate_left(32)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}
