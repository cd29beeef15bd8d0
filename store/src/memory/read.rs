//! Plain reads: they never wait, and see what the statement's view sees.

use super::data::Data;
use super::stamp::View;
use super::table::Candidates;
use super::write::fits;
use crate::engine::DbAnswer;
use crate::statement::{Condition, Row};

impl Data {
    /// The first row that fits.
    pub(super) fn read(&self, view: View, place: u16, filter: &[Condition]) -> DbAnswer {
        let mut found = None;
        self.seek(view, place, filter, |row| {
            found = Some(row.clone());
            false
        });
        DbAnswer::Row(found)
    }

    /// The first rows that fit, at most `limit`.
    pub(super) fn scan(
        &self,
        view: View,
        place: u16,
        filter: &[Condition],
        limit: u32,
    ) -> DbAnswer {
        let mut rows = Vec::new();
        if limit > 0 {
            self.seek(view, place, filter, |row| {
                rows.push(row.clone());
                rows.len() < limit as usize
            });
        }
        DbAnswer::Rows(rows)
    }

    /// Shows the rows that fit, in the order of insertion, until told that it is enough.
    fn seek(
        &self,
        view: View,
        place: u16,
        filter: &[Condition],
        mut show: impl FnMut(&Row) -> bool,
    ) {
        let heap = &self.tables[usize::from(place)].heap;
        let mut more = |line: &u32| match heap.visible(*line, view) {
            Some(row) if fits(filter, row) => show(row),
            _ => true,
        };
        match self.tables[usize::from(place)].candidates(filter) {
            Candidates::All => heap.iter().all(|line| more(&line)),
            Candidates::These(lines) => lines.iter().all(more),
        };
    }
}
