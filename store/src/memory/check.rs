//! Whether a statement is possible at all, before it looks at any row.

use super::table::Table;
use crate::engine::DbError;
use crate::schema::Column;
use crate::statement::{Action, Assignment, Condition, OnConflict, Row, Statement};
use crate::value::Value;

/// Refuses a statement that does not fit its table: a bug in the store.
pub(super) fn check(table: &Table, statement: &Statement) -> Result<(), DbError> {
    match &statement.action {
        Action::Insert { row, on_conflict } => {
            row_fits(table, row)?;
            match on_conflict {
                OnConflict::Update(set) => assignments_fit(table, set),
                OnConflict::Fail | OnConflict::Nothing => Ok(()),
            }
        }
        Action::Read { filter, .. } | Action::Scan { filter, .. } | Action::Delete { filter } => {
            filter_fits(table, filter)
        }
        Action::Update { filter, set } => {
            filter_fits(table, filter)?;
            assignments_fit(table, set)
        }
    }
}

fn row_fits(table: &Table, row: &Row) -> Result<(), DbError> {
    let columns = table.schema.columns;
    if row.0.len() != columns.len() {
        return Err(bad(table, format_args!("has {} columns", columns.len())));
    }
    for (column, value) in columns.iter().zip(&row.0) {
        value_fits(table, column.index, value)?;
    }
    Ok(())
}

fn filter_fits(table: &Table, filter: &[Condition]) -> Result<(), DbError> {
    filter.iter().try_for_each(|condition| {
        column_exists(table, condition.column)?;
        match condition.value {
            Value::Null => Ok(()),
            ref value => value_fits(table, condition.column.index, value),
        }
    })
}

fn assignments_fit(table: &Table, set: &[Assignment]) -> Result<(), DbError> {
    if set.is_empty() {
        return Err(bad(table, format_args!("is updated without a column to set")));
    }
    set.iter().try_for_each(|cell| {
        column_exists(table, cell.column)?;
        if table.in_key(cell.column) {
            let name = cell.column.name;
            return Err(bad(table, format_args!("has {name} in a unique key: not to be updated")));
        }
        value_fits(table, cell.column.index, &cell.value)
    })
}

fn column_exists(table: &Table, column: Column) -> Result<(), DbError> {
    let same = |it: &Column| std::ptr::eq(it.name, column.name) || it.name == column.name;
    match table.schema.columns.get(usize::from(column.index)) {
        Some(declared) if same(declared) => Ok(()),
        _ => Err(bad(table, format_args!("has no column {} at this place", column.name))),
    }
}

fn value_fits(table: &Table, column: u8, value: &Value) -> Result<(), DbError> {
    if table.accepts(column, value) { Ok(()) } else { Err(bad_value(table, column, value)) }
}

#[cold]
fn bad_value(table: &Table, column: u8, value: &Value) -> DbError {
    let column = table.schema.columns[usize::from(column)].name;
    DbError::BadValue { table: table.schema.name, column, value: value.to_string() }
}

#[cold]
fn bad(table: &Table, what: std::fmt::Arguments<'_>) -> DbError {
    DbError::BadStatement(format!("table {} {what}", table.schema.name))
}
