//! Level 5. One level of an exhaustive search: all plans of one length, in blocks.
//!
//! The plans of a block are run on all threads, against the worlds known before it; what they gather
//! is then merged in the order of the plans. So which plan was first in a world does not depend on
//! the number of threads, and neither does anything that is reported.

use super::worlds::{Reach, Worlds, alike, used};
use super::{Control, Depth, Level, Minimal, Visit, is_overtaking};
use crate::choice::{Source, Strike};
use crate::run::{Keep, Runner, Setup, Station};
use onestroke_scenarios::FindingKind;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many parents make a block.
const BLOCK: usize = 128;

/// A plan that is to be extended, by some of what its run can be struck by.
#[derive(Clone, Debug)]
pub(super) struct Parent {
    pub(super) strikes: Vec<Strike>,
    pub(super) offers: Range<usize>,
}

impl Parent {
    /// What the plan without faults is made of.
    pub(super) const fn root() -> Self {
        Self { strikes: vec![], offers: 0..0 }
    }
}

/// One level to be run.
pub(super) struct Order<'a> {
    pub(super) setup: &'a Setup,
    pub(super) depth: Depth,
    pub(super) parents: &'a [Parent],
    /// Whether its plans are to be extended.
    pub(super) keep: bool,
    pub(super) visit: Visit<'a>,
}

/// What a level has come to so far.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// How many parents' plans were run.
    pub(super) done: usize,
    pub(super) level: Level,
    pub(super) minimal: Vec<Minimal>,
    pub(super) parents: Vec<Parent>,
}

/// What one plan's run came to.
struct Ran {
    strikes: Vec<Strike>,
    /// What it shows; what its world leads to, if it was not followed.
    finding: Option<FindingKind>,
    /// It came to a world that was known.
    met: bool,
    trail: Vec<Station>,
    /// What can be added to the plan, by its place among the offers.
    offers: Range<usize>,
}

impl Order<'_> {
    /// Goes on with the level, up to so many of its runs; what it comes to does not depend on the
    /// number of threads, nor on where it was stopped before.
    pub(super) fn run(
        &self,
        threads: usize,
        (worlds, part): (&mut Worlds, &mut Part),
        most: u64,
        control: &Control,
    ) {
        let mut alone = (threads <= 1).then(|| Runner::new(self.setup));
        while part.done < self.parents.len() && part.level.runs < most {
            // The blocks are the same wherever the search was stopped.
            let end = (part.done / BLOCK + 1) * BLOCK;
            let block = part.done..self.parents.len().min(end);
            let ran = match &mut alone {
                Some(runner) => self.run_block_alone(block.clone(), runner, worlds, control),
                None => self.run_block(block.clone(), threads, worlds, control),
            };
            for children in ran {
                let Some(children) = children.filter(|_| part.level.runs < most) else { break };
                for child in children {
                    self.merge(child, worlds, part);
                }
                part.done += 1;
            }
            if part.done < block.end {
                break;
            }
        }
        part.level.complete = part.done == self.parents.len();
        part.minimal.sort_unstable();
    }

    /// Runs the children of a block of parents. `None`: stopped before.
    fn run_block(
        &self,
        block: Range<usize>,
        threads: usize,
        worlds: &Worlds,
        control: &Control,
    ) -> Vec<Option<Vec<Ran>>> {
        let next = AtomicUsize::new(block.start);
        let mut slots: Vec<Option<Vec<Ran>>> = Vec::new();
        slots.resize_with(block.len(), || None);
        let slots = Mutex::new(slots);
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut runner = Runner::new(self.setup);
                    while !control.stop.load(Ordering::Relaxed) {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= block.end {
                            break;
                        }
                        let ran = self.run_counted(&mut runner, unit, worlds, control);
                        let mut slots = slots.lock().expect("no worker panics");
                        slots[unit - block.start] = Some(ran);
                    }
                });
            }
        });
        slots.into_inner().expect("no worker panics")
    }

    /// The same on this thread, with a runner that is kept from block to block.
    fn run_block_alone(
        &self,
        block: Range<usize>,
        runner: &mut Runner,
        worlds: &Worlds,
        control: &Control,
    ) -> Vec<Option<Vec<Ran>>> {
        let mut run = |unit: usize| {
            let goes_on = !control.stop.load(Ordering::Relaxed);
            goes_on.then(|| self.run_counted(runner, unit, worlds, control))
        };
        block.map(&mut run).collect()
    }

    fn run_counted(
        &self,
        runner: &mut Runner,
        unit: usize,
        worlds: &Worlds,
        control: &Control,
    ) -> Vec<Ran> {
        let ran = self.run_unit(runner, &self.parents[unit], worlds);
        let found = ran.iter().filter(|ran| ran.finding.is_some()).count();
        control.seeds.fetch_add(ran.len() as u64, Ordering::Relaxed);
        control.findings.fetch_add(found as u64, Ordering::Relaxed);
        ran
    }

    fn run_unit(&self, runner: &mut Runner, parent: &Parent, worlds: &Worlds) -> Vec<Ran> {
        if parent.strikes.is_empty() && parent.offers.is_empty() {
            return vec![self.run_plan(runner, vec![], worlds)];
        }
        // Its run is made again, as far as it is needed: to keep what every run can be struck by would
        // cost more.
        let offers = runner.offered(&parent.strikes, parent.offers.end);
        let offers = offers.get(parent.offers.clone()).unwrap_or_default();
        let extensions: Vec<Strike> =
            offers.iter().filter(|offer| self.fits(&parent.strikes, **offer)).copied().collect();
        let with = |strike: Strike| {
            let mut plan = parent.strikes.clone();
            plan.push(strike);
            plan
        };
        extensions.into_iter().map(|strike| self.run_plan(runner, with(strike), worlds)).collect()
    }

    fn run_plan(&self, runner: &mut Runner, strikes: Vec<Strike>, worlds: &Worlds) -> Ran {
        let mut trail = Vec::new();
        let mut known = None;
        if self.depth.prune {
            let key = self.key(&strikes);
            runner.explore(&strikes, |station| {
                let station = Station { world: station.world ^ key, ..station };
                known = worlds.covers(station.world, reach(&strikes, station));
                if known.is_none() {
                    trail.push(station);
                }
                known.is_none()
            });
        } else {
            run(runner, &strikes);
        }
        let met = known.is_some();
        if !met {
            (self.visit)(runner, &strikes);
        }
        let shown = runner.outcome().findings.first().map(|finding| finding.kind);
        let finding = known.map_or(shown, |known| known.finding);
        let offers = runner.offers();
        let from = strikes.last().map_or(0, |last| {
            let at = offers.iter().rposition(|offer| offer.point == last.point);
            at.map_or(offers.len(), |at| at + 1)
        });
        let to = offers.len().max(from);
        Ran { strikes, finding, met, trail, offers: from..to }
    }

    /// Takes in a run, as if it had been made after all before it and none of the others.
    fn merge(&self, mut ran: Ran, worlds: &mut Worlds, part: &mut Part) {
        part.level.runs += 1;
        let known = |station: &Station| {
            worlds.covers(station.world, reach(&ran.strikes, *station)).is_some()
        };
        let known = ran.trail.iter().position(known);
        let new = known.unwrap_or(ran.trail.len());
        if let Some(known) = known {
            ran.met = true;
            ran.offers.end = ran.trail[known].offers.max(ran.offers.start);
        }
        for station in &ran.trail[..new] {
            let reach = Reach { finding: ran.finding, ..reach(&ran.strikes, *station) };
            let added = worlds.add(station.world, reach);
            part.level.worlds += u64::from(added);
        }
        part.level.met += u64::from(ran.met);
        if let Some(kind) = ran.finding {
            part.minimal.push(Minimal { kind, strikes: ran.strikes.clone() });
            if !self.depth.past_findings {
                return;
            }
        }
        if self.keep && !ran.offers.is_empty() {
            part.parents.push(Parent { strikes: ran.strikes, offers: ran.offers });
        }
    }

    /// Whether a plan can be extended by this.
    fn fits(&self, parent: &[Strike], offer: Strike) -> bool {
        let overtakings = parent.iter().filter(|strike| is_overtaking(**strike)).count();
        let within = if is_overtaking(offer) {
            overtakings < self.depth.overtakings
        } else {
            parent.len() - overtakings < self.depth.faults
        };
        within && alike(parent, offer.fault) < self.depth.each
    }

    /// What tells the worlds of this plan from the same of others, where sorts of faults are counted.
    fn key(&self, strikes: &[Strike]) -> u128 {
        if self.depth.each == usize::MAX { 0 } else { used(strikes) }
    }
}

fn reach(strikes: &[Strike], station: Station) -> Reach {
    let overtakings = strikes.iter().filter(|strike| is_overtaking(**strike)).count();
    let count = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    Reach {
        now: station.now,
        faults: count(strikes.len() - overtakings),
        overtakings: count(overtakings),
        finding: None,
    }
}

fn run(runner: &mut Runner, plan: &[Strike]) {
    let source = Source::Planned { strikes: plan.to_vec(), variations: vec![], workload: None };
    runner.set_exploring(true);
    runner.run(source, Keep::default());
}
