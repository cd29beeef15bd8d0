//! Tables as a store declares them, once: from here come the DDL for real engines, the unique keys
//! of the memory model, and the labels in the timeline.

use crate::value::Value;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Int,
    /// A text.
    Text,
    /// A moment, stored as microseconds.
    Time,
    /// An identifier, stored as its number.
    Id,
    /// A fingerprint, stored as a blob.
    Digest,
}

/// One column; `index` is its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Place in the row, from 0.
    pub index: u8,
    /// Name in SQL and in the timeline.
    pub name: &'static str,
    /// Type of its values.
    pub ty: Type,
    /// Whether it may be NULL.
    pub nullable: bool,
}

/// A table with its unique keys.
#[derive(Debug)]
pub struct Table {
    /// Name in SQL, in points and in the timeline.
    pub name: &'static str,
    /// Columns, in the order of their indices.
    pub columns: &'static [Column],
    /// Unique keys; the first one is the target of an upsert.
    pub unique: &'static [&'static [Column]],
    /// What the table is for, as far as the world has to know.
    pub role: Role,
}

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds idempotency records: a write here is the operation's key being written, and its rows
    /// are what the contract's window and bound speak of.
    Records,
    /// Anything else.
    Business,
}

impl Column {
    /// A column that holds text.
    pub const fn text(index: u8, name: &'static str) -> Self {
        Self::new(index, name, Type::Text)
    }

    /// A column that holds whole numbers.
    pub const fn int(index: u8, name: &'static str) -> Self {
        Self::new(index, name, Type::Int)
    }

    /// A column that holds moments.
    pub const fn time(index: u8, name: &'static str) -> Self {
        Self::new(index, name, Type::Time)
    }

    /// A column that holds identifiers.
    pub const fn id(index: u8, name: &'static str) -> Self {
        Self::new(index, name, Type::Id)
    }

    /// A column that holds fingerprints.
    pub const fn digest(index: u8, name: &'static str) -> Self {
        Self::new(index, name, Type::Digest)
    }

    /// The same column, allowed to be NULL.
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Whether `value` may stand in this column.
    pub const fn accepts(&self, value: &Value) -> bool {
        matches!(
            (self.ty, value),
            (Type::Int, Value::Int(_))
                | (Type::Text, Value::Text(_))
                | (Type::Time, Value::Time(_))
                | (Type::Id, Value::Id(_))
                | (Type::Digest, Value::Digest(_))
        ) || (self.nullable && matches!(value, Value::Null))
    }

    const fn new(index: u8, name: &'static str, ty: Type) -> Self {
        Self { index, name, ty, nullable: false }
    }
}

impl Table {
    /// A business table. Fails to compile when the columns' indices are not 0, 1, 2, ….
    pub const fn new(name: &'static str, columns: &'static [Column]) -> Self {
        let mut at = 0;
        while at < columns.len() {
            assert!(columns[at].index as usize == at, "a column's index is not its place");
            at += 1;
        }
        assert!(columns.len() <= 32, "a table has at most 32 columns");
        Self { name, columns, unique: &[], role: Role::Business }
    }

    /// With these unique keys.
    pub const fn unique(mut self, unique: &'static [&'static [Column]]) -> Self {
        self.unique = unique;
        self
    }

    /// As the table of idempotency records.
    pub const fn records(mut self) -> Self {
        self.role = Role::Records;
        self
    }
}
