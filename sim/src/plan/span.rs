//! Level 1. Spans of time as they stand in a plan: `150ms`, `250us`, `2s`, `24h`.
//!
//! Imports `time`.

use super::bad::{Complaint, shortened};
use crate::time::Span;

/// Units with their microseconds, the longest first.
const UNITS: [(&str, u64); 6] = [
    ("d", 86_400_000_000),
    ("h", 3_600_000_000),
    ("m", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
    ("us", 1),
];

pub(super) fn read(word: &str) -> Result<Span, Complaint> {
    let complaint = || {
        let problem = format!("`{}` is no span of time", shortened(word));
        Complaint::new(problem, "write a whole number and us, ms, s, m, h or d, like `150ms`")
    };
    let digits = word.find(|c: char| !c.is_ascii_digit()).ok_or_else(complaint)?;
    let (number, unit) = word.split_at(digits);
    let micros = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, micros)| *micros);
    let micros = micros.filter(|_| digits > 0).ok_or_else(complaint)?;
    let span = number.parse::<u64>().ok().and_then(|number| number.checked_mul(micros));
    span.map(Span::from_micros).ok_or_else(|| {
        let problem = format!("`{}` is too long", shortened(word));
        Complaint::new(problem, format!("write `{}{unit}` or less", u64::MAX / micros))
    })
}

/// In the longest unit that leaves a whole number.
pub(super) fn write(span: Span) -> String {
    let micros = span.as_micros();
    let whole = UNITS.iter().find(|(_, unit)| micros.is_multiple_of(*unit) && micros >= *unit);
    match whole {
        Some((name, unit)) => format!("{}{name}", micros / unit),
        None => "0ms".to_owned(),
    }
}
