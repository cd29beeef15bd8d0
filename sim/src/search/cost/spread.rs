//! Level 5. How spans of virtual time are spread: an HDR histogram.
//!
//! Imports [`Span`] only.

use crate::time::Span;
use hdrhistogram::Histogram;

/// Digits that are kept of each span: its percentiles are true to a thousandth, rounded up.
const DIGITS: u8 = 3;

/// Spans of virtual time, with their percentiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread(Histogram<u64>);

/// Counts are whole numbers: equality is one.
impl Eq for Spread {}

impl Default for Spread {
    fn default() -> Self {
        Self(Histogram::new(DIGITS).expect("so many digits can be kept"))
    }
}

impl Spread {
    /// Takes a span in.
    pub fn record(&mut self, span: Span) {
        // It grows to whatever comes.
        self.0.record(span.as_micros()).expect("a histogram that grows holds every span");
    }

    /// Takes all of another one in.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("a histogram that grows holds every span");
    }

    /// How many spans there are.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// A span that so many of a hundred do not exceed; `None` when there are none.
    pub fn percentile(&self, percent: u64) -> Option<Span> {
        self.permille(percent * 10)
    }

    /// A span that so many of a thousand do not exceed; `None` when there are none.
    pub fn permille(&self, permille: u64) -> Option<Span> {
        let rank = (self.0.len() * permille).div_ceil(1_000).max(1);
        let mut seen = 0;
        let found = self.0.iter_recorded().find(|bucket| {
            seen += bucket.count_at_value();
            seen >= rank
        });
        found.map(|bucket| Span::from_micros(bucket.value_iterated_to()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_go_by_the_nearest_rank() {
        let mut spread = Spread::default();
        for (micros, count) in [(10, 50), (20, 49), (30, 1)] {
            (0..count).for_each(|_| spread.record(Span::from_micros(micros)));
        }
        let at = |permille| spread.permille(permille).map(Span::as_micros);
        assert_eq!(
            [at(10), at(500), at(510), at(990), at(991)].map(Option::unwrap),
            [10, 10, 20, 20, 30]
        );
        assert_eq!(spread.percentile(100).map(Span::as_micros), Some(30));
        assert_eq!(Spread::default().percentile(50), None);
    }

    #[test]
    fn a_span_is_rounded_up_by_less_than_a_thousandth() {
        for micros in [1_999, 2_001, 1_234_567, 86_400_000_000] {
            let mut spread = Spread::default();
            spread.record(Span::from_micros(micros));
            let told = spread.percentile(50).map(Span::as_micros).expect("there is one");
            assert!((micros..=micros + micros / 1_000).contains(&told), "{micros} {told}");
        }
    }

    #[test]
    fn two_halves_are_the_whole() {
        let (mut one, mut two, mut all) = (Spread::default(), Spread::default(), Spread::default());
        for micros in 0..5_000_u64 {
            let span = Span::from_micros(micros * micros);
            if micros.is_multiple_of(3) {
                one.record(span);
            } else {
                two.record(span);
            }
            all.record(span);
        }
        one.add(&two);
        assert_eq!(one, all);
        assert_eq!(one.count(), 5_000);
    }
}
