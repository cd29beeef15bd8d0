//! The canonical form of a state: the words by which two states are found to be the same.
//!
//! Times are written relative to now, and ids and sessions by the order in which they first appear,
//! so that states which differ only by a shift of the clock or by a count of what came before have
//! one form. This is sound for stores that take times and ids for what they are: a moment to be
//! compared with another, and a name that is nobody else's. Imports values and sessions only.

use crate::engine::Session;
use crate::statement::Row;
use crate::value::{Digest, Id, Span, Time, Value};
use xxhash_rust::xxh3::xxh3_128;

/// Ends a text; no byte of UTF-8.
const END: u8 = 0xFF;
/// Stands before an id within a text; no byte of UTF-8.
const ID: u8 = 0xFE;
/// How an id is written in a text (see `Display` of [`Id`]).
const ID_PREFIX: &str = "id-";

/// A state being written down. Keeps its memory from state to state.
#[derive(Debug, Default)]
pub struct Canon {
    now: Time,
    bytes: Vec<u8>,
    ids: Vec<Id>,
    sessions: Vec<Session>,
}

impl Canon {
    /// Begins a new state, at this moment.
    pub fn begin(&mut self, now: Time) {
        self.now = now;
        self.bytes.clear();
        self.ids.clear();
        self.sessions.clear();
    }

    /// Writes a number.
    #[inline]
    pub fn word(&mut self, word: impl Into<u64>) {
        self.bytes.extend_from_slice(&word.into().to_le_bytes());
    }

    /// Writes whether something is so.
    #[inline]
    pub fn flag(&mut self, flag: bool) {
        self.bytes.push(u8::from(flag));
    }

    /// Writes a length or an index.
    pub fn size(&mut self, size: usize) {
        self.word(size as u64);
    }

    /// Writes a moment, relative to now.
    pub fn time(&mut self, time: Time) {
        // Before and after now are told apart by the sign.
        self.word(time.as_micros().wrapping_sub(self.now.as_micros()));
    }

    /// Writes how long ago a moment was, where all that is longer ago than `most` is the same.
    pub fn age(&mut self, time: Time, most: Span) {
        self.word(self.now.since(time).min(most).as_micros());
    }

    /// Writes how far ahead a moment is, where all that is past is the same.
    pub fn ahead(&mut self, time: Time) {
        self.word(time.since(self.now).as_micros());
    }

    /// Writes an id, by the order of its first appearance.
    pub fn id(&mut self, id: Id) {
        let known = self.ids.iter().position(|other| *other == id);
        let number = known.unwrap_or_else(|| {
            self.ids.push(id);
            self.ids.len() - 1
        });
        self.size(number);
    }

    /// Writes a session, by the order of its first appearance.
    pub fn session(&mut self, session: Session) {
        let known = self.sessions.iter().position(|other| *other == session);
        let number = known.unwrap_or_else(|| {
            self.sessions.push(session);
            self.sessions.len() - 1
        });
        self.size(number);
    }

    /// Writes a text, with the ids in it as ids.
    pub fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, id, after)) = next_id(rest) {
            self.bytes.extend_from_slice(before.as_bytes());
            self.bytes.push(ID);
            self.id(id);
            rest = after;
        }
        self.bytes.extend_from_slice(rest.as_bytes());
        self.bytes.push(END);
    }

    /// Writes a fingerprint.
    pub fn digest(&mut self, digest: Digest) {
        self.bytes.extend_from_slice(&digest.bytes());
    }

    /// Writes a cell, with its type.
    pub fn value(&mut self, value: &Value) {
        self.bytes.push(match value {
            Value::Null => 0,
            Value::Int(_) => 1,
            Value::Text(_) => 2,
            Value::Time(_) => 3,
            Value::Id(_) => 4,
            Value::Digest(_) => 5,
        });
        match value {
            Value::Null => {}
            Value::Int(value) => self.word(value.cast_unsigned()),
            Value::Text(text) => self.text(text),
            Value::Time(time) => self.time(*time),
            Value::Id(id) => self.id(*id),
            Value::Digest(digest) => self.digest(*digest),
        }
    }

    /// Writes a row.
    pub fn row(&mut self, row: &Row) {
        self.size(row.0.len());
        row.0.iter().for_each(|value| self.value(value));
    }

    /// The ids written so far, in the order of their first appearance.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// The sessions written so far, in the order of their first appearance.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// All that was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A hash of all that was written: 128 bits, so that of 10 million states two different ones
    /// share a hash with a chance of less than 10^-24.
    pub fn hash(&self) -> u128 {
        xxh3_128(&self.bytes)
    }
}

/// The first id in a text, as [`Id`] is written, with what is before and after it.
fn next_id(text: &str) -> Option<(&str, Id, &str)> {
    // By hand: the searcher of the standard library costs more to set up than a text is long.
    let bytes = text.as_bytes();
    let dashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'-');
    dashes.filter(|(at, _)| bytes[..=*at].ends_with(ID_PREFIX.as_bytes())).find_map(|(dash, _)| {
        let at = dash + 1 - ID_PREFIX.len();
        let inside_a_word = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let digits = &text[at + ID_PREFIX.len()..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let plain = !inside_a_word && !digits.starts_with('0');
        let number = digits[..end].parse().ok().filter(|_| plain)?;
        Some((&text[..at], Id::new(number), &digits[end..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(now: u64, write: impl Fn(&mut Canon)) -> Vec<u8> {
        let mut canon = Canon::default();
        canon.begin(Time::from_micros(now));
        write(&mut canon);
        canon.bytes().to_vec()
    }

    #[test]
    fn a_shift_of_the_clock_is_no_difference_and_a_moment_is() {
        let at = |now, time| form(now, |canon| canon.time(Time::from_micros(time)));
        assert_eq!(at(10, 7), at(110, 107));
        assert_ne!(at(10, 7), at(10, 13));
        let age = |now, time| {
            form(now, |canon| canon.age(Time::from_micros(time), Span::from_micros(50)))
        };
        assert_eq!(age(100, 50), age(100, 3), "older than it matters");
        assert_ne!(age(100, 51), age(100, 50));
    }

    #[test]
    fn ids_are_told_apart_by_their_first_appearance_in_texts_too() {
        let text = |text: &'static str, id| {
            form(0, move |canon| {
                canon.text(text);
                canon.id(Id::new(id));
            })
        };
        assert_eq!(text("receipt id-7", 7), text("receipt id-12", 12));
        assert_ne!(text("receipt id-7", 7), text("receipt id-7", 8));
        assert_eq!(text("id-7, id-8", 8), text("id-1, id-10", 10));
        assert_ne!(text("id-7, id-8", 8), text("id-7, id-7", 8));
    }

    #[test]
    fn what_only_looks_like_an_id_is_text() {
        for (one, other) in [("grid-1", "grid-2"), ("id-07", "id-08"), ("id-", "id")] {
            let text = |text: &'static str| form(0, move |canon| canon.text(text));
            assert_ne!(text(one), text(other), "{one} and {other}");
        }
    }

    #[test]
    fn values_of_different_types_differ() {
        let values = [Value::Null, Value::Int(1), Value::from(Id::new(1)), Value::from("1")];
        let forms: Vec<_> =
            values.iter().map(|value| form(0, |canon| canon.value(value))).collect();
        for (at, one) in forms.iter().enumerate() {
            assert!(!forms[at + 1..].contains(one));
        }
    }
}
