//! Level 1. A scenario's weather, compiled into odds by sort of point; drawn anew for each seed when
//! the scenario asks for swarm.

use crate::choice::{Choice, Fault, Odds, can_fly, travels};
use crate::point::Leg;
use crate::time::Span;
use onestroke_scenarios::{Fault as SitedFault, Rate, Side, Weather};
use onestroke_store::Verb;

/// Odds of faults by sort of point.
#[derive(Debug)]
pub struct Forecast {
    send: [Odds; 2],
    travel: [Odds; 4],
    before: [Odds; Verb::ALL.len()],
    after: [Odds; Verb::ALL.len()],
    /// At points that have variation only.
    pub none: Odds,
}

type Strength = (u64, u64);

const PLAIN: Strength = (1, 1);

/// Strengths by kind of fault, as the swarm draws them.
struct Strengths([Strength; Kind::ALL.len()]);

/// A kind of fault, as the swarm draws them.
#[expect(missing_docs, reason = "each is named by the fault")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Drop,
    Duplicate,
    Late,
    Partition,
    Crash,
    Cancel,
    Pause,
    Hold,
    Sweep,
    Sever,
    FailOver,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Drop,
        Self::Duplicate,
        Self::Late,
        Self::Partition,
        Self::Crash,
        Self::Cancel,
        Self::Pause,
        Self::Hold,
        Self::Sweep,
        Self::Sever,
        Self::FailOver,
    ];

    /// The kind of a fault.
    pub const fn of(fault: Fault) -> Self {
        match fault {
            Fault::Drop => Self::Drop,
            Fault::Duplicate => Self::Duplicate,
            Fault::Late(_) => Self::Late,
            Fault::Partition => Self::Partition,
            Fault::Crash { .. } => Self::Crash,
            Fault::Cancel => Self::Cancel,
            Fault::Pause(_) => Self::Pause,
            Fault::Hold(_) => Self::Hold,
            Fault::Sweep => Self::Sweep,
            Fault::Sever { .. } => Self::Sever,
            Fault::FailOver => Self::FailOver,
        }
    }

    /// Its name, as in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Duplicate => "duplicate",
            Self::Late => "late",
            Self::Partition => "partition",
            Self::Crash => "crash",
            Self::Cancel => "cancel",
            Self::Pause => "pause",
            Self::Hold => "hold",
            Self::Sweep => "sweep",
            Self::Sever => "sever",
            Self::FailOver => "fail over",
        }
    }
}

impl Forecast {
    /// The weather without swarm.
    pub fn new(weather: &Weather) -> Self {
        let mut forecast = Self {
            send: Default::default(),
            travel: Default::default(),
            before: Default::default(),
            after: Default::default(),
            none: Odds::default(),
        };
        forecast.compile(weather, &Strengths([PLAIN; Kind::ALL.len()]));
        forecast
    }

    /// Draws which kinds of fault exist in this run, and how strong; nothing without swarm.
    pub fn draw(&mut self, weather: &Weather, choice: &Choice) {
        if weather.swarm {
            let strengths = Kind::ALL.map(|kind| choice.strength(kind as u64));
            self.compile(weather, &Strengths(strengths));
        }
    }

    /// At the sending of a message.
    pub const fn send(&self, leg: Leg) -> &Odds {
        &self.send[leg as usize]
    }

    /// On the way of one copy.
    pub const fn travel(&self, leg: Leg, first_copy: bool) -> &Odds {
        &self.travel[leg as usize * 2 + !first_copy as usize]
    }

    /// Before a question.
    pub const fn before(&self, verb: Verb) -> &Odds {
        &self.before[verb as usize]
    }

    /// After a question.
    pub const fn after(&self, verb: Verb) -> &Odds {
        &self.after[verb as usize]
    }

    fn compile(&mut self, weather: &Weather, strengths: &Strengths) {
        for odds in self.send.iter_mut().chain(&mut self.travel) {
            odds.clear();
        }
        let of = |kind: Kind| strengths.0[kind as usize];
        let [requests, replies] = &mut self.send;
        add(requests, Fault::Duplicate, weather.duplicate_request, of(Kind::Duplicate));
        add(requests, Fault::Partition, weather.partition, of(Kind::Partition));
        add(requests, Fault::Sweep, weather.sweep, of(Kind::Sweep));
        add(replies, Fault::Duplicate, weather.duplicate_reply, of(Kind::Duplicate));
        let [request, second_request, reply, second_reply] = &mut self.travel;
        add(request, Fault::Drop, weather.drop_request, of(Kind::Drop));
        add(reply, Fault::Drop, weather.drop_reply, of(Kind::Drop));
        let late = [
            (request, weather.late_request),
            (reply, weather.late_reply),
            (second_request, weather.late_duplicate),
            (second_reply, weather.late_duplicate),
        ];
        for (odds, rate) in late {
            add_classes(odds, &weather.late, rate, of(Kind::Late), Fault::Late);
        }
        for verb in Verb::ALL {
            let before = &mut self.before[verb as usize];
            Self::compile_side(before, (Side::Before, verb), weather, strengths);
            let after = &mut self.after[verb as usize];
            Self::compile_side(after, (Side::After, verb), weather, strengths);
        }
    }

    fn compile_side(
        odds: &mut Odds,
        (side, verb): (Side, Verb),
        weather: &Weather,
        strengths: &Strengths,
    ) {
        odds.clear();
        if verb == Verb::Reply && side == Side::After {
            return; // the handler is gone by then
        }
        let of = |kind: Kind| strengths.0[kind as usize];
        let rate_of = |fault: &SitedFault| {
            if fault.at.contains(side, verb) { fault.rate } else { Rate::NEVER }
        };
        add_crashes(odds, rate_of(&weather.crash), (side, verb), weather, of(Kind::Crash));
        add(odds, Fault::Cancel, rate_of(&weather.cancel), of(Kind::Cancel));
        let pause = rate_of(&weather.pause);
        add_classes(odds, &weather.pause_for, pause, of(Kind::Pause), Fault::Pause);
        if travels(verb) {
            let rate = rate_of(&weather.sever);
            add_severed(odds, rate, (side, verb), weather, of(Kind::Sever));
        }
        add(odds, Fault::FailOver, rate_of(&weather.fail_over), of(Kind::FailOver));
        if side == Side::Before {
            let hold = rate_of(&weather.hold);
            let (strength, share) = of(Kind::Hold);
            for passed in 1..=weather.hold_most {
                let fault = Fault::Hold(crate::choice::Until::Passed(passed));
                add(odds, fault, hold, (strength, share * u64::from(weather.hold_most)));
            }
        }
    }
}

fn add(odds: &mut Odds, fault: Fault, rate: Rate, strength: Strength) {
    odds.add(fault, u64::from(rate.ppm()), strength);
}

/// Shares a rate evenly among classes of magnitude.
fn add_classes(
    odds: &mut Odds,
    classes: &[Span],
    rate: Rate,
    (strength, share): Strength,
    fault: impl Fn(Span) -> Fault,
) {
    for class in classes {
        add(odds, fault(*class), rate, (strength, share * classes.len() as u64));
    }
}

/// Broken connections: the question lost or still executed, or its answer lost.
fn add_severed(
    odds: &mut Odds,
    rate: Rate,
    (side, verb): (Side, Verb),
    weather: &Weather,
    (strength, share): Strength,
) {
    const ALL: u64 = 1_000_000;
    let flies = side == Side::Before && can_fly(verb);
    let flying = if flies { u64::from(weather.in_flight.ppm()) } else { 0 };
    for (in_flight, part) in [(false, ALL - flying), (true, flying)] {
        let ppm = u64::from(rate.ppm());
        odds.add(Fault::Sever { in_flight }, ppm, (strength * part, share * ALL));
    }
}

/// Crashes in their four forms: question lost or in flight, locks let go or lingering.
fn add_crashes(
    odds: &mut Odds,
    rate: Rate,
    (side, verb): (Side, Verb),
    weather: &Weather,
    strength: Strength,
) {
    const ALL: u64 = 1_000_000;
    let flies = side == Side::Before && can_fly(verb);
    let flying = if flies { u64::from(weather.in_flight.ppm()) } else { 0 };
    let lingering = u64::from(weather.linger.ppm());
    for (in_flight, share) in [(false, ALL - flying), (true, flying)] {
        for (linger, part) in [(false, ALL - lingering), (true, lingering)] {
            let ppm = u64::from(rate.ppm()) * share / ALL * part / ALL;
            odds.add(Fault::Crash { in_flight, linger }, ppm, strength);
        }
    }
}
