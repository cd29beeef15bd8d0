//! Level 6. Numbers and spans of time on the command line: what they may be, and what is said of those
//! that may not.

use onestroke_scenarios::CLIENTS_MOST;
use std::cmp::Ordering;
use std::ops::Range;
use std::time::Duration;

/// The last seed of a hunt: its threads count on, past the end, before they stop.
pub(in crate::cli) const LAST_OF_HUNT: u64 = u64::MAX - 1_000_001;

/// Digits, with or without `_` between them; `None` when it is none of that, or too much for 64 bits.
fn whole(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    whole(text).ok_or_else(|| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

pub(super) fn seeds(text: &str) -> Result<Range<u64>, String> {
    let wrong = || {
        format!(
            "write how many seeds, as in `1000`, or a range without its end, as in `5..1000`; a seed \
             of a hunt is a whole number from 0 to {LAST_OF_HUNT}"
        )
    };
    let range = match text.split_once("..") {
        Some((from, to)) => whole(from).ok_or_else(wrong)?..whole(to).ok_or_else(wrong)?,
        None => 0..whole(text).ok_or_else(wrong)?,
    };
    let Range { start, end } = range;
    match start.cmp(&end) {
        _ if end > LAST_OF_HUNT + 1 => Err(wrong()),
        Ordering::Less => Ok(range),
        Ordering::Equal if start == 0 => Err("a hunt has at least one seed, as in `1000`".into()),
        Ordering::Equal => {
            Err(format!("a range is written without its end: `{start}..{}` is one seed", start + 1))
        }
        Ordering::Greater => Err(format!("it ends before it begins: write `{end}..{start}`")),
    }
}

pub(super) fn how_many(text: &str) -> Result<u64, String> {
    let most = LAST_OF_HUNT + 1;
    let number = whole(text).filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("write how many seeds, a whole number from 1 to {most}"))
}

pub(super) fn clients(text: &str) -> Result<u16, String> {
    let number = whole(text).and_then(|number| u16::try_from(number).ok());
    let number = number.filter(|number| (1..=CLIENTS_MOST).contains(number));
    number.ok_or_else(|| {
        format!("write how many clients, whole numbers from 1 to {CLIENTS_MOST}, as in `1,10,100`")
    })
}

pub(super) fn threads(text: &str) -> Result<u16, String> {
    const MOST: u16 = 1_024;
    let number = whole(text).and_then(|number| u16::try_from(number).ok());
    let number = number.filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("write how many threads, a whole number from 1 to {MOST}"))
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a span of time longer than zero, like `60s`, `5m` or `1h`".to_owned();
    let split = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "s" => number,
        "m" => number.saturating_mul(60),
        "h" => number.saturating_mul(3_600),
        _ => return Err(wrong()),
    };
    if seconds == 0 { Err(wrong()) } else { Ok(Duration::from_secs(seconds)) }
}
