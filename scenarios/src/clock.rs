//! The clocks of the servers: how far each is off, and how fast it goes.
//!
//! Imports nothing of this crate. All arithmetic is in whole microseconds and parts per million.

use onestroke_store::{Span, Time};

/// A whole, in parts per million.
const WHOLE: i128 = 1_000_000;

/// How a server's clock differs from the true time of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// By how many microseconds it is ahead at the start; behind, when negative.
    pub offset_us: i64,
    /// By how many parts per million it goes too fast; too slowly, when negative.
    pub drift_ppm: i32,
}

/// The clocks of all servers. Those that a file does not name are true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks(pub Vec<Clock>);

impl Clocks {
    /// What the clock of this server says. The run begins so late that no clock is ever below zero.
    pub fn read(&self, server: u8, now: Time) -> Time {
        if self.0.is_empty() {
            return now;
        }
        let Clock { offset_us, drift_ppm } = self.of(server);
        let true_us = i128::from(now.as_micros());
        let drifted = true_us * i128::from(drift_ppm) / WHOLE;
        let us = true_us + drifted + i128::from(offset_us) + i128::from(self.behind());
        Time::from_micros(u64::try_from(us).unwrap_or(0))
    }

    /// How long a span on the clock of this server is in true time.
    pub fn true_span(&self, server: u8, span: Span) -> Span {
        let pace = WHOLE + i128::from(self.of(server).drift_ppm);
        let us = i128::from(span.as_micros()) * WHOLE / pace;
        Span::from_micros(u64::try_from(us).unwrap_or(u64::MAX))
    }

    /// How far two of these clocks can be apart within this span from the start of the run.
    pub fn apart_within(&self, span: Span) -> Span {
        let offsets = || self.0.iter().map(|clock| clock.offset_us).chain([0]);
        let (least, most) = (offsets().min().unwrap_or(0), offsets().max().unwrap_or(0));
        let drifted = i128::from(span.as_micros()) * self.drift_apart() / WHOLE;
        // Each reading is rounded down.
        let rounded = 2 * i128::from(self.drifts());
        let us = i128::from(most) - i128::from(least) + drifted + rounded;
        Span::from_micros(u64::try_from(us).unwrap_or(u64::MAX))
    }

    /// Some clock goes faster or slower than true time: then it matters when something happens.
    pub fn drifts(&self) -> bool {
        self.0.iter().any(|clock| clock.drift_ppm != 0)
    }

    fn of(&self, server: u8) -> Clock {
        self.0.get(usize::from(server)).copied().unwrap_or_default()
    }

    /// By how many microseconds the slowest clock is behind at the start.
    fn behind(&self) -> i64 {
        self.0.iter().map(|clock| -clock.offset_us).max().unwrap_or(0).max(0)
    }

    /// By how many parts per million the fastest and the slowest clock part, true time included.
    fn drift_apart(&self) -> i128 {
        let drifts = || self.0.iter().map(|clock| i128::from(clock.drift_ppm)).chain([0]);
        drifts().max().unwrap_or(0) - drifts().min().unwrap_or(0)
    }
}
