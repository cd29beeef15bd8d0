//! Level 5. Whether the magnitude of a needed fault matters, and between which bounds it can be.
//!
//! A span is varied between next to nothing and the longest that the scenario's weather has, and the
//! bounds are found by bisection: as if the finding showed at all values between two that show it.
//! So a bound is told as "about".

use super::shrinker::Shrinker;
use crate::choice::{Fault, Strike, Until};
use crate::plan::Plan;
use crate::time::Span;

/// What can be said of a fault's magnitude. The fault itself is needed in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It has none.
    Plain,
    /// Any does: next to nothing, and the longest that the weather has.
    Any,
    /// From about so much on, up to the longest that the weather has.
    AtLeast(Span),
    /// From next to nothing up to about so much.
    AtMost(Span),
    /// From about so much up to about so much.
    Between(Span, Span),
    /// This one does, and no other that was tried: a little more or less does not.
    Exact,
    /// The handler can be held longer, and not shorter.
    Longer,
    /// The handler can be held shorter, and not longer.
    Shorter,
}

impl Label {
    /// What a person is told of it; nothing where there is nothing to tell.
    pub fn remark(self) -> Option<String> {
        Some(match self {
            Self::Plain => return None,
            Self::Any => "any length does".to_owned(),
            Self::AtLeast(from) => format!("at least about {from}"),
            Self::AtMost(to) => format!("at most about {to}"),
            Self::Between(from, to) => format!("from about {from} to about {to}"),
            Self::Exact => "exactly so long: a little more or less does not do".to_owned(),
            Self::Longer => "or longer".to_owned(),
            Self::Shorter => "or shorter".to_owned(),
        })
    }

    /// Its name in reports for machines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::Any => "any",
            Self::AtLeast(_) => "at-least",
            Self::AtMost(_) => "at-most",
            Self::Between(..) => "between",
            Self::Exact => "exact",
            Self::Longer => "longer",
            Self::Shorter => "shorter",
        }
    }

    /// Its bounds, where it has any.
    pub const fn bounds(self) -> (Option<Span>, Option<Span>) {
        match self {
            Self::AtLeast(from) => (Some(from), None),
            Self::AtMost(to) => (None, Some(to)),
            Self::Between(from, to) => (Some(from), Some(to)),
            _ => (None, None),
        }
    }
}

/// What counts as next to nothing.
const LEAST: Span = Span::from_millis(1);

/// A bound is found when it is known to one part in so many of the value.
const PARTS: u64 = 16;

/// No bisection takes more steps.
const STEPS: u32 = 24;

/// Labels each fault of a plan that shows its finding.
pub(super) fn labels(shrinker: &mut Shrinker<'_>, plan: &Plan) -> Vec<(Strike, Label)> {
    let weather = &shrinker.scenario.weather;
    let (latest, longest) = (weather.longest_lateness(), weather.longest_standstill());
    let mut labels = Vec::new();
    for (at, strike) in plan.strikes.iter().enumerate() {
        let mut shows = |fault: Fault| {
            let mut other = plan.clone();
            other.strikes[at].fault = fault;
            shrinker.shows(&other).is_some()
        };
        let label = match strike.fault {
            Fault::Late(span) => spanned(span, latest, |span| shows(Fault::Late(span))),
            Fault::Pause(span) => spanned(span, longest, |span| shows(Fault::Pause(span))),
            Fault::Hold(_) => {
                held(shows(Fault::Hold(Until::Passed(1))), shows(Fault::Hold(Until::Longest)))
            }
            _ => Label::Plain,
        };
        labels.push((*strike, label));
    }
    labels
}

/// A span that shows the finding, and can be as long as `longest`.
fn spanned(span: Span, longest: Span, mut shows: impl FnMut(Span) -> bool) -> Label {
    let least = LEAST.min(half(Span::ZERO, span));
    let longest = longest.max(span);
    let from = if shows(least) { None } else { Some(bound(least, span, &mut shows)) };
    let to = if longest == span || shows(longest) {
        None
    } else {
        Some(bound(longest, span, &mut shows))
    };
    match (from, to) {
        (None, None) => Label::Any,
        (Some(from), None) => Label::AtLeast(rounded(from)),
        (None, Some(to)) => Label::AtMost(rounded(to)),
        (Some(from), Some(to)) if narrow(from, to, span) => Label::Exact,
        (Some(from), Some(to)) => Label::Between(rounded(from), rounded(to)),
    }
}

const fn held(shorter: bool, longer: bool) -> Label {
    match (shorter, longer) {
        (true, true) => Label::Any,
        (false, true) => Label::Longer,
        (true, false) => Label::Shorter,
        (false, false) => Label::Exact,
    }
}

/// The value next to `bad`, which does not show the finding, that still does; `good` does.
fn bound(mut bad: Span, mut good: Span, mut shows: impl FnMut(Span) -> bool) -> Span {
    for _ in 0..STEPS {
        let gap = bad.as_micros().abs_diff(good.as_micros());
        if gap <= (good.as_micros() / PARTS).max(1) {
            break;
        }
        let middle = half(bad, good);
        if shows(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Whether both bounds are found as near to the value as they are looked for.
fn narrow(from: Span, to: Span, span: Span) -> bool {
    let near = span.as_micros() / PARTS;
    span.as_micros() - from.as_micros() <= near && to.as_micros() - span.as_micros() <= near
}

const fn half(one: Span, other: Span) -> Span {
    let (one, other) = (one.as_micros(), other.as_micros());
    Span::from_micros(one / 2 + other / 2 + (one & other & 1))
}

/// To two digits: nobody reads more of an "about".
fn rounded(span: Span) -> Span {
    let micros = span.as_micros();
    let unit = 10_u64.pow(micros.max(1).ilog10().saturating_sub(1));
    Span::from_micros(micros.div_ceil(unit) * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Span {
        Span::from_millis(millis)
    }

    /// The label of 100 ms, of at most a second, for a finding that shows in this range.
    fn check(from: u64, to: u64) -> Label {
        let mut runs = 0;
        let label = spanned(ms(100), ms(1_000), |span| {
            runs += 1;
            (ms(from)..=ms(to)).contains(&span)
        });
        assert!(runs <= 2 * STEPS + 2, "{runs} runs");
        label
    }

    #[test]
    fn a_span_is_labelled_by_the_range_in_which_it_shows() {
        assert_eq!(check(0, 2_000), Label::Any);
        assert!(
            matches!(check(40, 2_000), Label::AtLeast(from) if (ms(40)..ms(44)).contains(&from))
        );
        assert!(matches!(check(0, 500), Label::AtMost(to) if (ms(460)..=ms(500)).contains(&to)));
        let Label::Between(from, to) = check(40, 500) else { panic!() };
        assert!((ms(40)..ms(44)).contains(&from) && (ms(460)..=ms(500)).contains(&to));
        assert_eq!(check(100, 100), Label::Exact);
        assert_eq!(check(98, 102), Label::Exact);
    }

    #[test]
    fn the_longest_span_has_no_upper_bound_to_be_found() {
        let label = spanned(ms(100), ms(100), |span| span >= ms(60));
        assert!(matches!(label, Label::AtLeast(from) if (ms(60)..ms(65)).contains(&from)));
    }

    #[test]
    fn a_bound_has_two_digits() {
        assert_eq!(rounded(Span::from_micros(117_432)), ms(120));
        assert_eq!(rounded(Span::from_micros(7)), Span::from_micros(7));
        assert_eq!(rounded(Span::ZERO), Span::ZERO);
    }
}
