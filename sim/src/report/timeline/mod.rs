//! Level 5. The timeline: who sent what, what was lost, what crashed, and what became of the records.
//!
//! One row tells one thing: a message with its fate, a question with its answer, a fault. What
//! nothing else comes between shares a row. Imports `time`, `point`, `trace`.

mod beside;
mod database;
mod draw;
mod focus;
mod fold;
mod message;
mod row;

pub use beside::{Beside, Parting};
pub use draw::stamp;

use crate::point::{Names, Op};
use crate::trace::Trace;

/// What is to be seen of a run, and how.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// The names of the store's tables.
    pub names: Names<'a>,
    /// How many columns the terminal has; less than [`LEAST_WIDTH`] is taken as that.
    pub width: usize,
    /// Whether to use colour.
    pub colour: bool,
    /// Show only what concerns this operation, and what befell the servers that it ran on.
    pub focus: Option<Op>,
}

/// Narrower than this no grid can be drawn.
pub const LEAST_WIDTH: usize = 66;

impl View<'_> {
    /// The timeline as text, a header line first, each line ended by a line feed.
    pub fn render(&self) -> String {
        let focus = focus::Focus::new(self.trace, self.focus);
        let columns = row::Columns::new(self, &focus);
        let mut fold = fold::Fold::new(*self, &columns);
        for (index, event) in self.trace.events.iter().enumerate() {
            if focus.shows(index, &event.what) {
                fold.take(index, event);
            }
        }
        draw::draw(&columns, &fold.finish(), self.colour)
    }
}

#[cfg(test)]
mod stories;
#[cfg(test)]
mod tests;
