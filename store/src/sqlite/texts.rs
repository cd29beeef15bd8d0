//! The SQL texts made so far, found again by the shape of the statement.
//!
//! A shape is a few bytes: the table's address, what is done, and which columns it touches and how.
//! Finding a text allocates nothing. The cache is looked up and never iterated, so the addresses in
//! it decide nothing.

use super::sql;
use crate::statement::{Action, Assignment, Condition, OnConflict, Statement};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// SQL texts by shape.
#[derive(Debug, Default)]
pub(super) struct Texts {
    by_shape: HashMap<Shape, Box<str>, FxBuildHasher>,
}

impl Texts {
    /// The text of a statement, made on the first call with its shape.
    pub(super) fn of(&mut self, statement: &Statement) -> &str {
        let shape = shape_of(statement);
        self.by_shape.entry(shape).or_insert_with(|| sql::text(statement).into())
    }
}

type Shape = SmallVec<[u8; 32]>;

fn shape_of(statement: &Statement) -> Shape {
    let mut shape = Shape::new();
    shape.extend_from_slice(&std::ptr::from_ref(statement.table).addr().to_ne_bytes());
    match &statement.action {
        Action::Insert { on_conflict: OnConflict::Fail, .. } => shape.push(0),
        Action::Insert { on_conflict: OnConflict::Nothing, .. } => shape.push(1),
        Action::Insert { on_conflict: OnConflict::Update(set), .. } => {
            shape.push(2);
            push_settings(&mut shape, set);
        }
        Action::Read { filter, .. } => {
            shape.push(3);
            push_filter(&mut shape, filter);
        }
        Action::Scan { filter, .. } => {
            shape.push(4);
            push_filter(&mut shape, filter);
        }
        Action::Update { filter, set } => {
            shape.push(5);
            push_settings(&mut shape, set);
            // The end of the one and the start of the other must be seen.
            shape.push(u8::MAX);
            push_filter(&mut shape, filter);
        }
        Action::Delete { filter } => {
            shape.push(6);
            push_filter(&mut shape, filter);
        }
    }
    shape
}

fn push_settings(shape: &mut Shape, set: &[Assignment]) {
    shape.extend(set.iter().map(|cell| cell.column.index));
}

fn push_filter(shape: &mut Shape, filter: &[Condition]) {
    shape.extend(filter.iter().flat_map(|one| [one.column.index, one.compare as u8]));
}
