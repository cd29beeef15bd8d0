//! SQL text: the tables, and one text for each shape of statement.
//!
//! The order of the parameters is the contract with [`super::values::bind`]: an insert's row, its
//! origin, then what it sets on conflict; an update's settings, then its filter; a scan's filter,
//! then its limit. Imports the vocabulary only.

use crate::schema::{Column, Table, Type};
use crate::statement::{Action, Assignment, Compare, Condition, OnConflict, Statement};
use std::fmt::{self, Display, Write};

/// The statement that creates a table, unless it is there.
pub(super) fn create(table: &Table) -> String {
    let mut sql = String::new();
    write_create(&mut sql, table).expect("a string takes all that is written");
    sql
}

/// The statement that drops a table.
pub(super) fn drop(table: &Table) -> String {
    format!("DROP TABLE IF EXISTS {}", Name(table.name))
}

/// The statement that deletes all rows of a table.
pub(super) fn clear(table: &Table) -> String {
    format!("DELETE FROM {}", Name(table.name))
}

/// The query that reads all rows of a table: their cells, then their origins.
pub(super) fn all_rows(table: &Table) -> String {
    let (name, columns) = (Name(table.name), List(table.columns));
    format!("SELECT {columns}, _origin FROM {name} ORDER BY _row")
}

/// The query that counts the rows of a table.
pub(super) fn count(table: &Table) -> String {
    format!("SELECT count(*) FROM {}", Name(table.name))
}

/// The text of a statement. It depends on the statement's shape only, never on its values.
pub(super) fn text(statement: &Statement) -> String {
    let mut sql = String::new();
    write_text(&mut sql, statement).expect("a string takes all that is written");
    sql
}

fn write_create(sql: &mut String, table: &Table) -> fmt::Result {
    write!(sql, "CREATE TABLE IF NOT EXISTS {} (", Name(table.name))?;
    for column in table.columns {
        let null = if column.nullable { "" } else { " NOT NULL" };
        write!(sql, "{} {}{null}, ", Name(column.name), type_of(column))?;
    }
    sql.push_str("_row INTEGER PRIMARY KEY, _origin INTEGER NOT NULL, ");
    sql.push_str("_upserted INTEGER NOT NULL DEFAULT 0");
    for key in table.unique {
        write!(sql, ", UNIQUE ({})", List(key))?;
    }
    sql.push_str(") STRICT");
    Ok(())
}

fn write_text(sql: &mut String, statement: &Statement) -> fmt::Result {
    let table = statement.table;
    let (name, columns) = (Name(table.name), List(table.columns));
    match &statement.action {
        Action::Insert { on_conflict, .. } => {
            let places = "?, ".repeat(table.columns.len());
            write!(sql, "INSERT INTO {name} ({columns}, _origin) VALUES ({places}?)")?;
            write_on_conflict(sql, table, on_conflict)
        }
        Action::Read { filter, .. } => {
            write!(sql, "SELECT {columns} FROM {name}")?;
            write_filter(sql, filter)?;
            sql.write_str(" ORDER BY _row LIMIT 1")
        }
        Action::Scan { filter, .. } => {
            write!(sql, "SELECT {columns} FROM {name}")?;
            write_filter(sql, filter)?;
            sql.write_str(" ORDER BY _row LIMIT ?")
        }
        Action::Update { filter, set } => {
            write!(sql, "UPDATE {name} SET ")?;
            write_settings(sql, set)?;
            write_filter(sql, filter)
        }
        Action::Delete { filter } => {
            write!(sql, "DELETE FROM {name}")?;
            write_filter(sql, filter)?;
            sql.write_str(" RETURNING _row, _origin")
        }
    }
}

fn write_on_conflict(sql: &mut String, table: &Table, on_conflict: &OnConflict) -> fmt::Result {
    match on_conflict {
        OnConflict::Fail => Ok(()),
        OnConflict::Nothing => sql.write_str(" ON CONFLICT DO NOTHING"),
        OnConflict::Update(set) => {
            write!(sql, " ON CONFLICT ({}) DO UPDATE SET ", List(table.unique[0]))?;
            write_settings(sql, set)?;
            sql.write_str(", _upserted = 1 RETURNING _upserted")
        }
    }
}

fn write_settings(sql: &mut String, set: &[Assignment]) -> fmt::Result {
    set.iter().enumerate().try_for_each(|(at, cell)| {
        let comma = if at == 0 { "" } else { ", " };
        write!(sql, "{comma}{} = ?", Name(cell.column.name))
    })
}

fn write_filter(sql: &mut String, filter: &[Condition]) -> fmt::Result {
    let mut word = "WHERE";
    for condition in filter {
        let test = match condition.compare {
            Compare::Is => "= ?",
            Compare::IsNot => "<> ?",
            Compare::AtMost => "<= ?",
            Compare::MoreThan => "> ?",
            Compare::IsNull => "IS NULL",
        };
        write!(sql, " {word} {} {test}", Name(condition.column.name))?;
        word = "AND";
    }
    Ok(())
}

const fn type_of(column: &Column) -> &'static str {
    match column.ty {
        Type::Int | Type::Time | Type::Id => "INTEGER",
        Type::Text => "TEXT",
        Type::Digest => "BLOB",
    }
}

/// A quoted name.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.replace('"', "\"\""))
    }
}

/// Quoted names of columns, with commas between.
struct List<'a>(&'a [Column]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(at, column)| {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Name(column.name))
        })
    }
}
