//! Reads `[topology]`: the servers, their clocks, and the engine.
//!
//! Imports the section, and the topology's types.

use super::HOUR;
use super::section::{Node, Section};
use super::units;
use crate::bad::{BadScenario, shortened};
use crate::clock::{Clock, Clocks};
use crate::scenario::Topology;

/// The fields of the section.
pub(super) const FIELDS: [&str; 5] =
    ["servers", "profile", "replica-lag", "clock-offset", "clock-drift"];

/// The most that a clock may drift: a tenth. Any real one is a thousand times better.
const DRIFT_MOST: i32 = 100_000;
/// The most that a clock may be off: an hour.
const OFFSET_MOST: i64 = 3_600_000_000;

/// Reads the section.
pub(super) fn read(section: &Section<'_>) -> Result<Topology, BadScenario> {
    let usual = Topology::default();
    let servers = section.number("servers", usual.servers, 1..=16)?;
    let profile = section.choice("profile", usual.profile)?;
    let replica_lag = section.span("replica-lag", usual.replica_lag, HOUR)?;
    let offsets = each(section, servers, "clock-offset", offset)?;
    let drifts = each(section, servers, "clock-drift", drift)?;
    let count = offsets.len().max(drifts.len());
    let clock = |at: usize| Clock {
        offset_us: offsets.get(at).copied().unwrap_or(0),
        drift_ppm: drifts.get(at).copied().unwrap_or(0),
    };
    Ok(Topology { servers, profile, replica_lag, clocks: Clocks((0..count).map(clock).collect()) })
}

/// One value a server, or fewer: the servers that are not named have true clocks.
fn each<T>(
    section: &Section<'_>,
    servers: u8,
    name: &str,
    one: fn(&Section<'_>, &str, Node<'_>) -> Result<T, BadScenario>,
) -> Result<Vec<T>, BadScenario> {
    let nodes = section.list(name)?;
    section.check(nodes.len() <= usize::from(servers), name, || {
        let problem = format!("has {} entries for {servers} servers", nodes.len());
        (problem, "write one entry a server, or fewer".into())
    })?;
    nodes.iter().map(|node| one(section, name, node)).collect()
}

fn offset(section: &Section<'_>, name: &str, node: Node<'_>) -> Result<i64, BadScenario> {
    let text = section.text_of(name, node)?;
    let read = signed(&text, |span| i64::try_from(units::span(span)?.as_micros()).ok());
    read.filter(|us| us.abs() <= OFFSET_MOST).ok_or_else(|| {
        let problem = format!("`{}` is no offset of a clock", shortened(&text));
        let fix = "write a span up to an hour, with `-` for a clock that is behind, like \
                   `\"30s\"` or `\"-250ms\"`";
        section.wrong(name, node, (problem, fix.into()))
    })
}

fn drift(section: &Section<'_>, name: &str, node: Node<'_>) -> Result<i32, BadScenario> {
    let text = section.text_of(name, node)?;
    let read = signed(&text, |drift| {
        let digits = drift.strip_suffix("ppm")?;
        let whole = !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit());
        if whole { digits.parse::<i64>().ok() } else { None }
    });
    let ppm = read.and_then(|ppm| i32::try_from(ppm).ok()).filter(|ppm| ppm.abs() <= DRIFT_MOST);
    ppm.ok_or_else(|| {
        let problem = format!("`{}` is no drift of a clock", shortened(&text));
        let fix = "write parts per million up to 100000, with `-` for a clock that is slow, like \
                   `\"200ppm\"` or `\"-50ppm\"`";
        section.wrong(name, node, (problem, fix.into()))
    })
}

/// A number that may stand behind a `-`.
fn signed(text: &str, read: impl Fn(&str) -> Option<i64>) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(rest) => read(rest).map(|number| -number),
        None => read(text),
    }
}
