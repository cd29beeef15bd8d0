//! Values that travel between a store and its database.
//!
//! Times and ids are types of their own, so that a hash of the world can take them relative to now
//! and to each other. Imports nothing of this crate.

use std::fmt;
use std::ops::{Add, Sub};

/// Text of a key, a tenant, a reply: inline up to 24 bytes.
pub type Text = compact_str::CompactString;

/// A moment on a node's clock, in microseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// An identifier that nobody has used before in this run: a receipt number, an owner token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

/// The first 128 bits of a SHA-256 digest.
///
/// A truncated digest keeps the strength of its length (NIST SP 800-107, section 5.1); 128 bits are
/// ample to tell the payloads of one key apart, and fit into a row without a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

/// One cell of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// SQL's NULL: equal to nothing in a condition or a unique key.
    #[default]
    Null,
    /// A whole number.
    Int(i64),
    /// A text.
    Text(Text),
    /// A moment.
    Time(Time),
    /// An identifier.
    Id(Id),
    /// A fingerprint.
    Digest(Digest),
}

impl Time {
    /// The moment the run begins.
    pub const ZERO: Self = Self(0);
    /// Later than every moment of a run.
    pub const MAX: Self = Self(u64::MAX);

    /// The moment this many microseconds after the start.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Microseconds since the start.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this is; zero if it is before.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A span of microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// A span of milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// A span of seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// Length in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// How much longer than `other` it is; zero if it is not.
    pub const fn beyond(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// This span `times` over, at most the longest span there is.
    pub const fn times(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Id {
    /// The identifier with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Digest {
    /// The digest with these bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Span(self.0), f)
    }
}

impl fmt::Display for Span {
    /// Milliseconds, with as many decimals as are needed: `104 ms`, `0.25 ms`; from 100 s on seconds
    /// (`131.5 s`), and whole hours as such: `24 h`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONG: u64 = 100_000_000;
        const HOUR: u64 = 3_600_000_000;
        let (unit, digits, name) = match self.0 {
            hours if hours >= HOUR && hours.is_multiple_of(HOUR) => (HOUR, 0, "h"),
            long if long >= LONG => (1_000_000, 6, "s"),
            _ => (1_000, 3, "ms"),
        };
        let (whole, rest) = (self.0 / unit, self.0 % unit);
        let text = if rest == 0 {
            format!("{whole} {name}")
        } else {
            let decimals = format!("{rest:0digits$}");
            format!("{whole}.{} {name}", decimals.trim_end_matches('0'))
        };
        f.pad(&text)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "id-{}", self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::Time(value) => write!(f, "{value}"),
            Self::Id(value) => write!(f, "{value}"),
            Self::Digest(value) => write!(f, "{value}"),
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<&Text> for Value {
    fn from(value: &Text) -> Self {
        Self::Text(value.clone())
    }
}

impl From<Text> for Value {
    fn from(value: Text) -> Self {
        Self::Text(value)
    }
}

impl From<Time> for Value {
    fn from(value: Time) -> Self {
        Self::Time(value)
    }
}

impl From<Id> for Value {
    fn from(value: Id) -> Self {
        Self::Id(value)
    }
}

impl From<Digest> for Value {
    fn from(value: Digest) -> Self {
        Self::Digest(value)
    }
}
