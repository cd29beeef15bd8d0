//! Level 5. Which faults make a finding likelier, and which hide it.
//!
//! A run is counted by the kinds of fault that the swarm drew for it, and by the faults that struck.
//! The swarm's draw is a coin that knows nothing of the run: what goes with it is an effect. What goes
//! with a strike may have another reason (a longer run meets more faults). Counts are integers in
//! fixed places, and merge by sums.

use super::interval::{Interval, Share};
use crate::choice::Strike;
use crate::forecast::Kind;
use crate::point::Leg;
use crate::run::Runner;

/// Faults that strike messages are told apart by leg.
const STRUCK: [(Kind, Option<Leg>, &str); 14] = [
    (Kind::Drop, Some(Leg::Request), "drop-request"),
    (Kind::Drop, Some(Leg::Reply), "drop-reply"),
    (Kind::Duplicate, Some(Leg::Request), "duplicate-request"),
    (Kind::Duplicate, Some(Leg::Reply), "duplicate-reply"),
    (Kind::Late, Some(Leg::Request), "late-request"),
    (Kind::Late, Some(Leg::Reply), "late-reply"),
    (Kind::Partition, None, "partition"),
    (Kind::Crash, None, "crash"),
    (Kind::Cancel, None, "cancel"),
    (Kind::Pause, None, "pause"),
    (Kind::Hold, None, "hold"),
    (Kind::Sweep, None, "sweep"),
    (Kind::Sever, None, "sever"),
    (Kind::FailOver, None, "fail-over"),
];

/// The faults of one run, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    drawn: u16,
    struck: u16,
}

/// Runs, counted by their faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    runs: u64,
    drawn: [u64; Kind::ALL.len()],
    struck: [u64; STRUCK.len()],
}

/// What a run had, or had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The swarm drew this kind of fault for it.
    Drawn,
    /// This fault struck in it.
    Struck,
}

/// A finding in runs with a fault, and in runs without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Influence {
    /// The fault.
    pub fault: &'static str,
    /// Whether it was drawn, or struck.
    pub by: By,
    /// In runs that had it.
    pub with: Share,
    /// In runs that had not.
    pub without: Share,
}

impl Faults {
    /// Those of the last run.
    pub fn of(runner: &Runner) -> Self {
        let mut faults = Self::default();
        for kind in Kind::ALL {
            faults.drawn |= u16::from(runner.is_drawn(kind)) << kind as u16;
        }
        for strike in runner.strikes() {
            faults.struck |= 1 << place(*strike);
        }
        faults
    }
}

impl FaultCounts {
    /// Adds one run.
    pub fn add_run(&mut self, faults: Faults) {
        self.runs += 1;
        for (bit, runs) in self.drawn.iter_mut().enumerate() {
            *runs += u64::from(faults.drawn >> bit & 1);
        }
        for (bit, runs) in self.struck.iter_mut().enumerate() {
            *runs += u64::from(faults.struck >> bit & 1);
        }
    }

    /// Adds the counts of others. The order of adding does not matter.
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        let mine = self.drawn.iter_mut().chain(&mut self.struck);
        for (mine, theirs) in mine.zip(other.drawn.iter().chain(&other.struck)) {
            *mine += theirs;
        }
    }

    /// What each fault does to a finding whose runs these are, of all runs. Faults that struck in no
    /// run are left out, and those that every run had, or none.
    pub fn influences(&self, all: &Self) -> Vec<Influence> {
        let influence = |(fault, by), found: u64, runs: u64| Influence {
            fault,
            by,
            with: Share { found, runs },
            without: Share { found: self.runs - found, runs: all.runs - runs },
        };
        let strikes =
            |kind: Kind| (0..).zip(STRUCK).any(|(at, one)| one.0 == kind && all.struck[at] > 0);
        let drawn = (0..)
            .zip(Kind::ALL)
            .filter(|(_, kind)| strikes(*kind))
            .map(|(at, kind)| influence((kind.name(), By::Drawn), self.drawn[at], all.drawn[at]));
        let struck = (0..).zip(STRUCK).map(|(at, (_, _, name))| {
            influence((name, By::Struck), self.struck[at], all.struck[at])
        });
        drawn.chain(struck).filter(|one| one.with.runs > 0 && one.without.runs > 0).collect()
    }
}

impl By {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drawn => "drawn",
            Self::Struck => "struck",
        }
    }
}

impl Influence {
    /// How many times as likely the finding is with the fault as without it.
    pub fn ratio(&self) -> Interval {
        self.with.ratio(self.without)
    }
}

/// Its place in [`STRUCK`].
fn place(strike: Strike) -> usize {
    let kind = Kind::of(strike.fault);
    let leg = strike.point.message().map(|message| message.leg);
    let is =
        |(own, of, _): &(Kind, Option<Leg>, &str)| *own == kind && (of.is_none() || *of == leg);
    STRUCK.iter().position(is).unwrap_or(STRUCK.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Fault;
    use crate::point::{Message, Op, Point, Subject};

    #[test]
    fn a_strike_on_a_message_is_counted_by_its_leg() {
        let subject = Subject::new(Op(0), 1, 1);
        let name = |point, fault| STRUCK[place(Strike { point, fault })].2;
        let [request, reply] = [Message::request(subject), Message::reply(subject)];
        assert_eq!(name(Point::travel(request), Fault::Drop), "drop-request");
        assert_eq!(name(Point::travel(reply), Fault::Drop), "drop-reply");
        assert_eq!(name(Point::send(reply), Fault::Duplicate), "duplicate-reply");
        assert_eq!(name(Point::send(request), Fault::Partition), "partition");
        assert_eq!(name(Point::send(request), Fault::Sweep), "sweep");
    }

    #[test]
    fn runs_with_a_fault_are_set_against_runs_without_it() {
        let (mut all, mut found) = (FaultCounts::default(), FaultCounts::default());
        let crash = Faults { drawn: 1 << Kind::Crash as u16, struck: 1 << 7 };
        let pause = Faults { drawn: 1 << Kind::Pause as u16, struck: 1 << 9 };
        for (faults, shows) in
            [(crash, true), (crash, true), (crash, false), (pause, false), (pause, true)]
        {
            all.add_run(faults);
            if shows {
                found.add_run(faults);
            }
        }
        let influences = found.influences(&all);
        let told: Vec<_> = influences.iter().map(|one| (one.fault, one.by)).collect();
        assert_eq!(
            told,
            [
                ("crash", By::Drawn),
                ("pause", By::Drawn),
                ("crash", By::Struck),
                ("pause", By::Struck)
            ]
        );
        assert_eq!(influences[0].with, Share { found: 2, runs: 3 });
        assert_eq!(influences[0].without, Share { found: 1, runs: 2 });
        assert_eq!(influences[3].with, Share { found: 1, runs: 2 });
    }
}
