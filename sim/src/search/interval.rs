//! Level 5. Shares of runs, with the intervals in which they lie at 95 %.
//!
//! Only `+ - * /` and the square root: IEEE 754 fixes these to the last bit, so that a report is the
//! same on every machine; no library of logarithms could promise that. Floats are for showing, and
//! decide nothing.

/// The normal distribution has 95 % within so many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// So many of so many runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// With the finding.
    pub found: u64,
    /// All of them.
    pub runs: u64,
}

/// An estimate between its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// What was seen; infinite for a ratio to nothing.
    pub value: f64,
    /// The upper bound; infinite for a ratio to what may be nothing.
    pub high: f64,
}

/// Of so many sorted samples, those between which the median lies at 95 %, by their places from 0:
/// order statistics (David and Nagaraja, *Order Statistics*, 2003, section 7.1). Of fewer than six
/// samples not even the extremes are as sure; they are given all the same.
pub fn median_between(samples: usize) -> (usize, usize) {
    let last = samples.saturating_sub(1);
    let mut ways = 1.0;
    let mut below = 0.0;
    let mut all = 1.0;
    for _ in 0..samples {
        all *= 2.0;
    }
    let mut place = 0;
    for number in 0..samples / 2 {
        below += ways;
        if below / all > 0.025 {
            break;
        }
        place = number;
        #[expect(clippy::cast_precision_loss, reason = "samples are few")]
        let (left, next) = ((samples - number) as f64, (number + 1) as f64);
        ways = ways * left / next;
    }
    (place, last - place)
}

impl Share {
    /// The share with its score interval (Wilson, 1927); of no runs it may be anything.
    #[expect(clippy::cast_precision_loss, reason = "it is shown in two digits")]
    pub fn interval(self) -> Interval {
        if self.runs == 0 {
            return Interval { low: 0.0, value: 0.0, high: 1.0 };
        }
        let (found, runs) = (self.found as f64, self.runs as f64);
        let value = found / runs;
        let square = Z * Z;
        let middle = found + square / 2.0;
        let half = Z * (found * (runs - found) / runs + square / 4.0).sqrt();
        let low = if self.found == 0 { 0.0 } else { (middle - half) / (runs + square) };
        let high = if self.found == self.runs { 1.0 } else { (middle + half) / (runs + square) };
        Interval { low, value, high }
    }

    /// How many times as large it is as another, by the intervals of both (MOVER-R: Donner and Zou,
    /// *Closed-form confidence intervals for functions of the normal mean and standard deviation*,
    /// 2012). Unlike the logarithm of the ratio it bears a share of nothing.
    pub fn ratio(self, other: Self) -> Interval {
        let (this, other) = (self.interval(), other.interval());
        let product = this.value * other.value;
        let root = |a: f64, c: f64| (product * product - a * c).max(0.0).sqrt();
        let a = other.high * (2.0 * other.value - other.high);
        let c = this.low * (2.0 * this.value - this.low);
        let low = if c > 0.0 { c / (product + root(a, c)) } else { 0.0 };
        let a = other.low * (2.0 * other.value - other.low);
        let c = this.high * (2.0 * this.value - this.high);
        let high = if a > 0.0 { (product + root(a, c)) / a } else { f64::INFINITY };
        let value = match (this.value > 0.0, other.value > 0.0) {
            (_, true) => this.value / other.value,
            (true, false) => f64::INFINITY,
            (false, false) => 1.0,
        };
        Interval { low, value, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(found: u64, runs: u64) -> Share {
        Share { found, runs }
    }

    fn near(one: f64, two: f64, within: f64) {
        assert!((one - two).abs() <= within, "{one} is not {two}");
    }

    /// Table A.7 of Hollander and Wolfe, for the sign test at 95 %.
    #[test]
    fn the_median_of_twenty_lies_between_the_sixth_and_the_fifteenth() {
        assert_eq!(median_between(20), (5, 14));
        assert_eq!(median_between(6), (0, 5));
        assert_eq!(median_between(100), (39, 60));
        assert_eq!(median_between(1), (0, 0));
        assert_eq!(median_between(0), (0, 0));
    }

    #[test]
    fn shares_are_those_of_the_textbook() {
        // Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
        for (found, runs, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = share(found, runs).interval();
            near(interval.low, low, 0.000_05);
            near(interval.high, high, 0.000_05);
        }
    }

    #[test]
    fn a_ratio_of_large_counts_is_that_of_the_logarithm() {
        // Katz et al., 1978: 4 e^(+-0.2008).
        let ratio = share(400, 1000).ratio(share(100, 1000));
        near(ratio.value, 4.0, 1e-12);
        near(ratio.low, 3.272, 0.05);
        near(ratio.high, 4.890, 0.05);
        let inverse = share(100, 1000).ratio(share(400, 1000));
        near(inverse.low * ratio.high, 1.0, 1e-9);
    }

    #[test]
    fn a_ratio_to_nothing_has_a_lower_bound_and_one_of_nothing_an_upper_one() {
        let only = share(50, 100).ratio(share(0, 100));
        assert!(only.value.is_infinite() && only.high.is_infinite());
        assert!((5.0..50.0).contains(&only.low), "{}", only.low);
        let never = share(0, 100).ratio(share(50, 100));
        assert!(never.low == 0.0 && never.value == 0.0);
        near(never.high * only.low, 1.0, 1e-9);
        assert!(share(0, 9).ratio(share(0, 9)).high.is_infinite());
    }

    /// How likely it is that the interval of a ratio holds the true one: summed over all outcomes.
    fn coverage((p, q): (f64, f64), runs: u32) -> f64 {
        let chances = |p: f64| {
            let mut chances = vec![(1.0 - p).powi(runs.cast_signed())];
            for k in 0..runs {
                let last = chances.last().expect("one at least");
                chances.push(last * f64::from(runs - k) / f64::from(k + 1) * p / (1.0 - p));
            }
            chances
        };
        let (these, others) = (chances(p), chances(q));
        let mut covered = 0.0;
        for (a, chance) in (0..).zip(&these) {
            for (b, other) in (0..).zip(&others) {
                let ratio = share(a, runs.into()).ratio(share(b, runs.into()));
                if (ratio.low..=ratio.high).contains(&(p / q)) {
                    covered += chance * other;
                }
            }
        }
        covered
    }

    #[test]
    fn nineteen_of_twenty_ratios_lie_in_their_interval() {
        for shares in [(0.3, 0.1), (0.1, 0.1), (0.05, 0.4)] {
            near(coverage(shares, 150), 0.95, 0.015);
        }
    }
}
