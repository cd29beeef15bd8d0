//! The weather's section: rates, delay classes, and the sites of faults in handlers.
//!
//! Imports the section reader, [`Weather`] and [`Sites`].

use super::section::{Node, Section};
use super::{HOUR, YEAR, any};
use crate::bad::{BadScenario, shortened, suggest};
use crate::rate::Rate;
use crate::site::{Side, Sites};
use crate::weather::{Fault, Weather};
use onestroke_store::{Span, Verb};
use toml::de::DeValue;

/// The fields of the section.
pub(super) const FIELDS: [&str; 30] = [
    "swarm",
    "horizon",
    "most-faults",
    "drop-request",
    "drop-reply",
    "duplicate-request",
    "duplicate-reply",
    "late-request",
    "late-reply",
    "late-duplicate",
    "late",
    "partition",
    "partition-for",
    "crash",
    "in-flight",
    "in-flight-after",
    "restart-after",
    "linger",
    "linger-for",
    "cancel",
    "pause",
    "pause-for",
    "hold",
    "hold-most",
    "hold-for",
    "sever",
    "sever-after",
    "fail-over",
    "sweep",
    "sweep-ahead",
];

/// Reads the section.
pub(super) fn read(section: &Section<'_>) -> Result<Weather, BadScenario> {
    let usual = Weather::default();
    let rate = |name| section.rate(name, Rate::NEVER);
    let span = |name, usual| section.span(name, usual, HOUR);
    let weather = Weather {
        swarm: section.flag("swarm", usual.swarm)?,
        horizon: span("horizon", usual.horizon)?,
        most_faults: section.number("most-faults", usual.most_faults, 0..=1_000)?,
        drop_request: rate("drop-request")?,
        drop_reply: rate("drop-reply")?,
        duplicate_request: rate("duplicate-request")?,
        duplicate_reply: rate("duplicate-reply")?,
        late_request: rate("late-request")?,
        late_reply: rate("late-reply")?,
        late_duplicate: rate("late-duplicate")?,
        late: section.spans("late", YEAR)?,
        partition: rate("partition")?,
        partition_for: span("partition-for", usual.partition_for)?,
        crash: fault(section, "crash")?,
        in_flight: rate("in-flight")?,
        in_flight_after: span("in-flight-after", usual.in_flight_after)?,
        restart_after: span("restart-after", usual.restart_after)?,
        linger: rate("linger")?,
        linger_for: span("linger-for", usual.linger_for)?,
        cancel: fault(section, "cancel")?,
        pause: fault(section, "pause")?,
        pause_for: section.spans("pause-for", HOUR)?,
        hold: hold(section)?,
        hold_most: section.number("hold-most", usual.hold_most, 1..=255)?,
        hold_for: span("hold-for", usual.hold_for)?,
        sever: fault(section, "sever")?,
        sever_after: span("sever-after", usual.sever_after)?,
        fail_over: fault(section, "fail-over")?,
        sweep: rate("sweep")?,
        sweep_ahead: section.span("sweep-ahead", Span::ZERO, YEAR)?,
    };
    check(section, &weather)?;
    Ok(weather)
}

fn check(section: &Section<'_>, weather: &Weather) -> Result<(), BadScenario> {
    let late = any(&[weather.late_request, weather.late_reply, weather.late_duplicate]);
    section.check(!late || !weather.late.is_empty(), "late", || {
        let fix = "list how late, like `late = [\"150ms\", \"2s\"]`";
        ("messages can be late, and it is not said how late".into(), fix.into())
    })?;
    let pauses = any(&[weather.pause.rate]);
    section.check(!pauses || !weather.pause_for.is_empty(), "pause-for", || {
        let fix = "list how long, like `pause-for = [\"150ms\"]`";
        ("handlers can pause, and it is not said how long".into(), fix.into())
    })?;
    let crash = any(&[weather.crash.rate]);
    let severed = any(&[weather.sever.rate]);
    for (name, rate, there) in
        [("in-flight", weather.in_flight, crash || severed), ("linger", weather.linger, crash)]
    {
        section.check(there || rate.is_never(), name, || {
            ("it happens to crashes, and there are none".into(), "set `crash = \"1%\"`".into())
        })?;
    }
    section.check(weather.sweep_ahead == Span::ZERO || any(&[weather.sweep]), "sweep-ahead", || {
        ("the sweeper never runs".into(), "set `sweep = \"10%\"`".into())
    })
}

/// `crash = "1%"`, or `crash = { rate = "1%", at = ["after apply"] }`.
fn fault(section: &Section<'_>, name: &'static str) -> Result<Fault, BadScenario> {
    let Some(node) = section.node(name) else { return Ok(Fault::NEVER) };
    if !matches!(node.get_ref(), DeValue::Table(_)) {
        return Ok(Fault { rate: section.rate_of(name, node)?, at: Sites::EVERYWHERE });
    }
    let inner = section.section(name, &["rate", "at"])?;
    let rate = inner.rate("rate", Rate::NEVER)?;
    inner.check(inner.has("rate"), "rate", || {
        ("is missing".into(), "say how often, like `rate = \"1%\"`".into())
    })?;
    let Some(list) = inner.node("at") else { return Ok(Fault { rate, at: Sites::EVERYWHERE }) };
    let sites = inner.list_of("at", list)?;
    inner.check(!sites.is_empty(), "at", || {
        ("an empty list is nowhere".into(), "list sites, or leave `at` out for everywhere".into())
    })?;
    let mut at = Sites::NOWHERE;
    for node in sites {
        at = at.with(site(&inner, node)?);
    }
    Ok(Fault { rate, at })
}

fn site(section: &Section<'_>, node: Node<'_>) -> Result<Sites, BadScenario> {
    let text = section.text_of("at", node)?;
    Sites::parse(&text).ok_or_else(|| {
        let names = Sites::names();
        let fix = match suggest(&text, names.iter().map(String::as_str)) {
            Some(one) => format!("did you mean `{one}`?"),
            None => {
                let verbs = Verb::ALL.map(Verb::name).join(", ");
                format!("write `before` or `after`, and one of: {verbs}")
            }
        };
        section.wrong("at", node, (format!("`{}` is no site", shortened(&text)), fix))
    })
}

/// A handler is held before a question: a bare verb means that side, and the other side is refused.
fn hold(section: &Section<'_>) -> Result<Fault, BadScenario> {
    let Fault { rate, at } = fault(section, "hold")?;
    let after_only = Verb::ALL
        .into_iter()
        .find(|verb| at.contains(Side::After, *verb) && !at.contains(Side::Before, *verb));
    section.check(after_only.is_none(), "hold", || {
        let verb = after_only.map_or("", Verb::name);
        let problem = format!("a handler is not held after {verb}, only before a question");
        (problem, format!("write `before {verb}`"))
    })?;
    Ok(Fault { rate, at: at.only(Side::Before) })
}
