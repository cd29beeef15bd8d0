//! Where in its file a scenario says what is expected: for whoever points at it.
//!
//! Imports the moments. It reads what the reader has accepted, and never complains.

use crate::moment::Moment;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Lines of a scenario's file, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    expect: usize,
    stores: BTreeMap<String, usize>,
    moments: BTreeMap<String, usize>,
}

impl Places {
    /// The places in this file. All are its first line if it is no TOML.
    pub fn of(text: &str) -> Self {
        let mut places = Self { expect: 1, stores: BTreeMap::new(), moments: BTreeMap::new() };
        let Ok(document) = DeTable::parse(text) else { return places };
        for (key, value) in document.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("expect", DeValue::Table(table)) => {
                    places.expect = line(text, key.span().start);
                    let lines = table
                        .keys()
                        .map(|store| (store.get_ref().to_string(), line(text, store.span().start)));
                    places.stores.extend(lines);
                }
                ("moments", DeValue::Array(array)) => {
                    let name = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
                    let lines = array.iter().filter_map(|moment| {
                        Some((name(moment.get_ref())?, line(text, moment.span().start)))
                    });
                    places.moments.extend(lines);
                }
                _ => {}
            }
        }
        places
    }

    /// Where it says what a store shows; where expectations begin, if it does not.
    pub fn of_store(&self, store: &str) -> usize {
        self.stores.get(store).copied().unwrap_or(self.expect)
    }

    /// Where it says that a moment must occur.
    pub fn of_moment(&self, moment: Moment) -> usize {
        self.moments.get(moment.name()).copied().unwrap_or(1)
    }

    /// Where its expectations begin.
    pub const fn of_expectations(&self) -> usize {
        self.expect
    }
}

fn line(text: &str, start: usize) -> usize {
    text.get(..start).unwrap_or_default().matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_and_moments_are_found_where_they_stand() {
        let text = "claim = \"x\"\nmoments = [\n    \"retry\",\n    \"request-lost\",\n]\n\n[expect]\n\
                    # a comment\nno-dedup = []\n\"check-then-act\" = [\n    \"torn\",\n]\n";
        let places = Places::of(text);
        assert_eq!(places.of_expectations(), 7);
        assert_eq!(places.of_store("no-dedup"), 9);
        assert_eq!(places.of_store("check-then-act"), 10);
        assert_eq!(places.of_store("of-somebody-else"), 7);
        let lost = Moment::parse("request-lost").expect("a moment");
        assert_eq!(places.of_moment(lost), 4);
    }

    #[test]
    fn dotted_expectations_have_places_too() {
        let places = Places::of("claim = \"x\"\nexpect.no-dedup = []\nexpect.torn = []\n");
        assert_eq!((places.of_store("no-dedup"), places.of_store("torn")), (2, 3));
    }

    #[test]
    fn what_is_no_toml_is_pointed_at_as_a_whole() {
        assert_eq!(Places::of("[expect").of_store("no-dedup"), 1);
    }
}
