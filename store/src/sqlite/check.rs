//! What is wrong with a statement before SQLite sees it: bugs of the store, each told with the name
//! of the table and the column. Imports the vocabulary only.

use super::values;
use crate::engine::DbError;
use crate::schema::{Column, Table};
use crate::statement::{Action, Assignment, Compare, Condition, OnConflict, Row, Statement};
use crate::value::Value;

/// Refuses a statement that is not possible, and a value that does not fit its column.
pub(super) fn check(statement: &Statement) -> Result<(), DbError> {
    let table = statement.table;
    match &statement.action {
        Action::Insert { row, on_conflict } => {
            check_row(table, row)?;
            match on_conflict {
                OnConflict::Fail | OnConflict::Nothing => Ok(()),
                OnConflict::Update(set) => check_upsert(table, set),
            }
        }
        Action::Read { filter, .. } | Action::Scan { filter, .. } | Action::Delete { filter } => {
            check_filter(table, filter)
        }
        Action::Update { filter, set } => {
            check_filter(table, filter)?;
            check_settings(table, set)
        }
    }
}

fn check_row(table: &'static Table, row: &Row) -> Result<(), DbError> {
    let (columns, values) = (table.columns.len(), row.0.len());
    if columns != values {
        let name = table.name;
        return bad(format!("table {name} has {columns} columns, and the row has {values} values"));
    }
    table.columns.iter().zip(&row.0).try_for_each(|(column, value)| accept(table, *column, value))
}

fn check_upsert(table: &'static Table, set: &[Assignment]) -> Result<(), DbError> {
    if table.unique.is_empty() {
        return bad(format!("table {} has no unique key for an upsert", table.name));
    }
    check_settings(table, set)
}

fn check_settings(table: &'static Table, set: &[Assignment]) -> Result<(), DbError> {
    if set.is_empty() {
        return bad(format!("table {} is updated without a column to set", table.name));
    }
    for Assignment { column, value } in set {
        belong(table, *column)?;
        if table.unique.iter().any(|key| key.iter().any(|part| part.index == column.index)) {
            let (column, table) = (column.name, table.name);
            return bad(format!(
                "column {column} of table {table} is in a unique key and cannot be updated"
            ));
        }
        accept(table, *column, value)?;
    }
    Ok(())
}

fn check_filter(table: &'static Table, filter: &[Condition]) -> Result<(), DbError> {
    for Condition { column, compare, value } in filter {
        belong(table, *column)?;
        // A comparison with NULL is possible, and never true.
        if *compare != Compare::IsNull && *value != Value::Null {
            accept(table, *column, value)?;
        }
    }
    Ok(())
}

fn belong(table: &'static Table, column: Column) -> Result<(), DbError> {
    if table.columns.get(usize::from(column.index)) == Some(&column) {
        return Ok(());
    }
    bad(format!("column {} is not of table {}", column.name, table.name))
}

fn accept(table: &'static Table, column: Column, value: &Value) -> Result<(), DbError> {
    if column.accepts(value) && values::fits(value) {
        return Ok(());
    }
    let value = value.to_string();
    Err(DbError::BadValue { table: table.name, column: column.name, value })
}

fn bad(what: String) -> Result<(), DbError> {
    Err(DbError::BadStatement(what))
}
