//! Values on their way into SQLite and out of it.
//!
//! Whole numbers, moments and identifiers are INTEGER, texts TEXT, fingerprints BLOB. An INTEGER has
//! a sign and moments have none: [`crate::Time::MAX`] is stored as the greatest INTEGER, so that it
//! stays later than every other, and what lies between is refused before it comes here.

use crate::engine::Origin;
use crate::schema::{Column, Table, Type};
use crate::statement::{Action, Compare, Condition, OnConflict, Row, Statement};
use crate::value::{Digest, Id, Time, Value};
use rusqlite::types::{Null, ValueRef};
use rusqlite::{Result, ToSql};

/// Binds all parameters of a statement, in the order that [`super::sql`] promises.
pub(super) fn bind(
    prepared: &mut rusqlite::Statement<'_>,
    statement: &Statement,
    origin: Origin,
) -> Result<()> {
    let mut next = Next { prepared, at: 0 };
    match &statement.action {
        Action::Insert { row, on_conflict } => {
            row.0.iter().try_for_each(|value| next.bind_value(value))?;
            next.bind(origin.0)?;
            if let OnConflict::Update(set) = on_conflict {
                set.iter().try_for_each(|cell| next.bind_value(&cell.value))?;
            }
        }
        Action::Read { filter, .. } | Action::Delete { filter } => next.bind_filter(filter)?,
        Action::Scan { filter, limit } => {
            next.bind_filter(filter)?;
            next.bind(*limit)?;
        }
        Action::Update { filter, set } => {
            set.iter().try_for_each(|cell| next.bind_value(&cell.value))?;
            next.bind_filter(filter)?;
        }
    }
    Ok(())
}

/// Whether SQLite can hold the value: all but a few unsigned numbers beyond the INTEGERs.
pub(super) fn fits(value: &Value) -> bool {
    match value {
        Value::Time(time) => signed(time.as_micros()).is_some(),
        Value::Id(id) => signed(id.number()).is_some(),
        Value::Null | Value::Int(_) | Value::Text(_) | Value::Digest(_) => true,
    }
}

/// Reads the cells of a whole row.
pub(super) fn row(table: &Table, cells: &rusqlite::Row<'_>) -> Result<Row> {
    let cell = |column| value(column, cells.get_ref(usize::from(column.index))?);
    table.columns.iter().map(cell).collect::<Result<_>>().map(Row)
}

fn value(column: &Column, cell: ValueRef<'_>) -> Result<Value> {
    if cell == ValueRef::Null {
        return Ok(Value::Null);
    }
    Ok(match column.ty {
        Type::Int => Value::Int(cell.as_i64()?),
        Type::Text => Value::from(cell.as_str()?),
        Type::Time => Value::Time(Time::from_micros(unsigned(cell.as_i64()?))),
        Type::Id => Value::Id(Id::new(unsigned(cell.as_i64()?))),
        Type::Digest => {
            let bytes = cell.as_blob()?.try_into();
            Value::Digest(Digest::new(bytes.expect("a fingerprint has 16 bytes")))
        }
    })
}

fn signed(number: u64) -> Option<i64> {
    match number {
        u64::MAX => Some(i64::MAX),
        _ => i64::try_from(number).ok().filter(|&signed| signed != i64::MAX),
    }
}

fn unsigned(number: i64) -> u64 {
    match number {
        i64::MAX => u64::MAX,
        _ => u64::try_from(number).expect("moments and identifiers are not negative"),
    }
}

/// The parameters still to be bound.
struct Next<'a, 'c> {
    prepared: &'a mut rusqlite::Statement<'c>,
    at: usize,
}

impl Next<'_, '_> {
    fn bind(&mut self, value: impl ToSql) -> Result<()> {
        self.at += 1;
        self.prepared.raw_bind_parameter(self.at, value)
    }

    fn bind_value(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Null => self.bind(Null),
            Value::Int(number) => self.bind(number),
            Value::Text(text) => self.bind(text.as_str()),
            Value::Time(time) => self.bind(signed(time.as_micros())),
            Value::Id(id) => self.bind(signed(id.number())),
            Value::Digest(digest) => self.bind(&digest.bytes()[..]),
        }
    }

    fn bind_filter(&mut self, filter: &[Condition]) -> Result<()> {
        let mut with_value = filter.iter().filter(|one| one.compare != Compare::IsNull);
        with_value.try_for_each(|condition| self.bind_value(&condition.value))
    }
}
