//! Spans, rates and ranges as people write them: "100ms", "0.5%", "1ms..3ms".
//!
//! Imports [`Rate`] and [`Range`] only.

use crate::rate::{Range, Rate};
use onestroke_store::Span;

/// Microseconds in each unit of time.
const UNITS: [(&str, u64); 6] = [
    ("us", 1),
    ("ms", 1_000),
    ("s", 1_000_000),
    ("m", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
];

/// "100ms": a whole number and a unit; `None` when it is none. What is longer than can be counted is
/// the longest span, which no field may have.
pub(super) fn span(text: &str) -> Option<Span> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, micros) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    if number.is_empty() {
        return None;
    }
    // Digits only: all that can be wrong with them is that they are too many.
    let number: u64 = number.parse().unwrap_or(u64::MAX);
    Some(Span::from_micros(number.saturating_mul(micros)))
}

/// The span as a file would say it, in the longest unit that leaves a whole number.
pub(super) fn show(span: Span) -> String {
    let micros = span.as_micros();
    if micros == 0 {
        return "0s".into();
    }
    let whole = |(_, unit): &&(&str, u64)| micros.is_multiple_of(*unit);
    let (name, unit) = UNITS.iter().rev().find(whole).unwrap_or(&UNITS[0]);
    format!("{}{name}", micros / unit)
}

/// "10%", "0.5%", with at most four decimals; `None` when it is none, or more than 100%.
pub(super) fn rate(text: &str) -> Option<Rate> {
    let number = text.strip_suffix('%')?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 4 {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let parts: u32 = format!("{decimals:0<4}").parse().ok()?;
    let ppm = whole.checked_mul(10_000)?.checked_add(parts)?;
    (ppm <= Rate::ALWAYS.ppm()).then_some(Rate::from_ppm(ppm))
}

/// "1ms..3ms", or "2ms" for both ends; the ends in the order in which they stand.
pub(super) fn range(text: &str) -> Option<Range> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    Some(Range { least: span(least.trim())?, most: span(most.trim())? })
}
