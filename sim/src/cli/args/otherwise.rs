//! Level 6. What a run can have otherwise than its scenario says: the spans that `sim ttl` is about.

use crate::plan::span;
use crate::search::ttl::Bound;
use clap::Args as ClapArgs;
use onestroke_scenarios::Scenario;
use onestroke_store::Span;
use std::fmt::Write as _;
use std::sync::Arc;

/// The longest that can be said: sums of such spans never overflow.
const YEAR: Span = Span::from_secs(365 * 24 * 60 * 60);

/// Spans that are not as the scenario says.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Otherwise {
    /// Let records count for so long, and not for as long as the contract says: 1500ms, 24h
    #[arg(long, value_name = "SPAN", value_parser = spans)]
    pub window: Option<Span>,

    /// Let claims be their owner's for so long, and not for as long as the contract says
    #[arg(long, value_name = "SPAN", value_parser = spans)]
    pub lease: Option<Span>,

    /// Deliver again after so long, each time: a queue's visibility time-out
    #[arg(long, value_name = "SPAN", value_parser = spans)]
    pub visibility: Option<Span>,
}

impl Otherwise {
    /// One span otherwise.
    pub(crate) fn one(bound: Bound, span: Span) -> Self {
        let usual = Self::default();
        let span = Some(span);
        match bound {
            Bound::Window => Self { window: span, ..usual },
            Bound::Lease => Self { lease: span, ..usual },
            Bound::Visibility => Self { visibility: span, ..usual },
        }
    }

    /// The scenario with these spans.
    pub(crate) fn of(&self, scenario: Arc<Scenario>) -> Arc<Scenario> {
        self.all().fold(scenario, |scenario, (bound, span)| Arc::new(bound.set(&scenario, span)))
    }

    /// As arguments, each after a space.
    pub(crate) fn arguments(&self) -> String {
        self.all().fold(String::new(), |mut text, (bound, span)| {
            let _ = write!(text, " --{} {}us", bound.name(), span.as_micros());
            text
        })
    }

    fn all(&self) -> impl Iterator<Item = (Bound, Span)> + use<> {
        let all = [
            (Bound::Window, self.window),
            (Bound::Lease, self.lease),
            (Bound::Visibility, self.visibility),
        ];
        all.into_iter().filter_map(|(bound, span)| Some((bound, span?)))
    }
}

fn spans(text: &str) -> Result<Span, String> {
    let wrong =
        || "write a span of time longer than zero, like `250us`, `1500ms` or `24h`".to_owned();
    let span = span(text).filter(|span| *span > Span::ZERO).ok_or_else(wrong)?;
    if span <= YEAR { Ok(span) } else { Err("the longest is `365d`".to_owned()) }
}
