//! What a store can ask of a database: one statement over one table.
//!
//! Every statement maps to one SQL statement; each engine documents how.

use crate::schema::{Column, Table};
use crate::value::{Digest, Id, Text, Time, Value};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Index;

/// A full row, one value a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub SmallVec<[Value; 8]>);

/// What the store means by a question: it names the point in plans and in the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Verb {
    /// Begin a transaction.
    Begin,
    /// Claim a key: the record helper's insert.
    Claim,
    /// Read one row.
    Read,
    /// Read several rows.
    Scan,
    /// Insert a row.
    Insert,
    /// Insert a row or update the one in its place.
    Upsert,
    /// Update rows.
    Update,
    /// Delete rows.
    Delete,
    /// A write that is the business effect, or a part of it.
    Apply,
    /// Write the reply under its key.
    Settle,
    /// Give a claimed key back.
    Release,
    /// Commit a transaction.
    Commit,
    /// Roll a transaction back.
    Rollback,
    /// Wait for a span of time.
    Sleep,
    /// Send the reply: the last step of every handler.
    Reply,
    /// Call another service.
    Call,
    /// Take an effect back.
    Undo,
    /// Read a key of the cache.
    Get,
    /// Give a key of the cache a value.
    Put,
    /// Let the cache forget a key.
    Take,
    /// Add to a number in the cache.
    Count,
}

impl Verb {
    /// All verbs, in the order of their numbers.
    pub const ALL: [Self; 21] = [
        Self::Begin,
        Self::Claim,
        Self::Read,
        Self::Scan,
        Self::Insert,
        Self::Upsert,
        Self::Update,
        Self::Delete,
        Self::Apply,
        Self::Settle,
        Self::Release,
        Self::Commit,
        Self::Rollback,
        Self::Sleep,
        Self::Reply,
        Self::Call,
        Self::Undo,
        Self::Get,
        Self::Put,
        Self::Take,
        Self::Count,
    ];

    /// Its name in plans, scenarios and the timeline.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Claim => "claim",
            Self::Read => "read",
            Self::Scan => "scan",
            Self::Insert => "insert",
            Self::Upsert => "upsert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Apply => "apply",
            Self::Settle => "settle",
            Self::Release => "release",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Sleep => "sleep",
            Self::Reply => "reply",
            Self::Call => "call",
            Self::Undo => "undo",
            Self::Get => "get",
            Self::Put => "put",
            Self::Take => "take",
            Self::Count => "count",
        }
    }

    /// Whether the cache is asked, and not the database.
    pub const fn is_of_cache(self) -> bool {
        matches!(self, Self::Get | Self::Put | Self::Take | Self::Count)
    }

    /// Whether its name needs the table beside it to be stable: `read orders`, but plain `claim`.
    pub const fn names_table(self) -> bool {
        matches!(
            self,
            Self::Read | Self::Scan | Self::Insert | Self::Upsert | Self::Update | Self::Delete
        )
    }
}

/// What to do when a unique key is taken.
#[expect(
    clippy::large_enum_variant,
    reason = "statements are built in place; a box would allocate"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum OnConflict {
    /// Fail with [`crate::DbError::UniqueViolation`].
    Fail,
    /// Insert nothing (`ON CONFLICT DO NOTHING`), whichever unique key is taken.
    Nothing,
    /// Update the row whose *first* unique key is taken (`ON CONFLICT (…) DO UPDATE`).
    Update(Assignments),
}

/// Whether a statement may wait for another transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Wait until the other transaction ends.
    Block,
    /// Fail: on PostgreSQL (a `lock_timeout`) with [`crate::DbError::WouldWait`], on SQLite
    /// (`busy_timeout` 0) with [`crate::DbError::Busy`].
    Refuse,
}

/// One comparison of a column with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The column.
    pub column: Column,
    /// How it is compared.
    pub compare: Compare,
    /// With what. A comparison with NULL is never true.
    pub value: Value,
}

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Is,
    /// Different, neither side NULL.
    IsNot,
    /// Less or equal.
    AtMost,
    /// Greater.
    MoreThan,
    /// The column is NULL; the value is ignored.
    IsNull,
}

/// One column set to a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The column.
    pub column: Column,
    /// Its new value.
    pub value: Value,
}

/// Conditions that must all hold.
pub type Filter = SmallVec<[Condition; 4]>;

/// Columns to set.
pub type Assignments = SmallVec<[Assignment; 6]>;

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Insert `row`.
    Insert {
        /// The full row.
        row: Row,
        /// What to do when a unique key is taken.
        on_conflict: OnConflict,
    },
    /// Read the first row that fits (in the order of insertion).
    Read {
        /// Which rows fit.
        filter: Filter,
        /// Lock the row (`FOR UPDATE`).
        lock: bool,
    },
    /// Read all rows that fit, in the order of insertion, at most `limit`.
    Scan {
        /// Which rows fit.
        filter: Filter,
        /// How many at most.
        limit: u32,
    },
    /// Update all rows that fit. Columns of a unique key cannot be updated.
    Update {
        /// Which rows fit.
        filter: Filter,
        /// What they become.
        set: Assignments,
    },
    /// Delete all rows that fit.
    Delete {
        /// Which rows fit.
        filter: Filter,
    },
}

/// Marks a write as a business effect, or as one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// Whether a repeat matters.
    pub kind: EffectKind,
    /// Which part this is, from 0.
    pub part: u8,
    /// How many parts the effect has.
    pub parts: u8,
}

/// What kind of change an effect is, and so whether a repeat of it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// Adds to a sum: twice is two.
    Add,
    /// Sets a value: twice is once.
    Set,
    /// Creates a thing: twice is two.
    Create,
    /// Sends something out: twice is two.
    Send,
    /// Moves a state on, if it is in the state before: twice is once.
    Transition,
}

impl EffectKind {
    /// Whether doing it twice differs from doing it once.
    pub const fn repeat_matters(self) -> bool {
        matches!(self, Self::Add | Self::Create | Self::Send)
    }
}

/// One statement over one table.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What the store means by it.
    pub verb: Verb,
    /// The table.
    pub table: &'static Table,
    /// What is done to it.
    pub action: Action,
    /// Set when the write is a business effect.
    pub effect: Option<Mark>,
    /// The write takes the effect back that was made before.
    pub undoes: bool,
    /// Whether it may wait.
    pub wait: Wait,
    /// On whose behalf, where it is not the handler's own trigger: an id that the handler of that
    /// operation had taken.
    pub cause: Option<Id>,
}

impl Column {
    /// Holds where the column equals `value`.
    pub fn is(self, value: impl Into<Value>) -> Condition {
        self.compare(Compare::Is, value.into())
    }

    /// Holds where the column differs from `value`, and is not NULL.
    pub fn is_not(self, value: impl Into<Value>) -> Condition {
        self.compare(Compare::IsNot, value.into())
    }

    /// Holds where the column is `value` or less.
    pub fn at_most(self, value: impl Into<Value>) -> Condition {
        self.compare(Compare::AtMost, value.into())
    }

    /// Holds where the column is more than `value`.
    pub fn more_than(self, value: impl Into<Value>) -> Condition {
        self.compare(Compare::MoreThan, value.into())
    }

    /// Holds where the column is NULL.
    pub fn is_null(self) -> Condition {
        self.compare(Compare::IsNull, Value::Null)
    }

    /// Sets the column to `value`.
    pub fn set(self, value: impl Into<Value>) -> Assignment {
        Assignment { column: self, value: value.into() }
    }

    fn compare(self, compare: Compare, value: Value) -> Condition {
        Condition { column: self, compare, value }
    }
}

impl Condition {
    /// Whether `row` fits.
    pub fn holds(&self, row: &Row) -> bool {
        let cell = &row.0[usize::from(self.column.index)];
        let null = matches!(cell, Value::Null) || matches!(self.value, Value::Null);
        match self.compare {
            Compare::IsNull => matches!(cell, Value::Null),
            Compare::Is => !null && *cell == self.value,
            Compare::IsNot => !null && *cell != self.value,
            Compare::AtMost => !null && *cell <= self.value,
            Compare::MoreThan => !null && *cell > self.value,
        }
    }
}

impl Row {
    /// A row of `table` with these cells; the others are NULL.
    pub fn of(table: &Table, cells: impl IntoIterator<Item = Assignment>) -> Self {
        let mut row = Self(SmallVec::from_elem(Value::Null, table.columns.len()));
        row.apply(cells);
        row
    }

    /// Becomes a row of `table` with these cells, in the room of the old one; the others are NULL.
    pub(crate) fn renew(&mut self, table: &Table, cells: impl IntoIterator<Item = Assignment>) {
        let columns = table.columns.len();
        self.0.truncate(columns);
        self.0.iter_mut().for_each(|value| *value = Value::Null);
        while self.0.len() < columns {
            self.0.push(Value::Null);
        }
        self.apply(cells);
    }

    /// Sets these cells.
    pub fn apply(&mut self, cells: impl IntoIterator<Item = Assignment>) {
        for cell in cells {
            self.0[usize::from(cell.column.index)] = cell.value;
        }
    }

    /// The text in `column`; empty when it is NULL.
    pub fn text(&self, column: Column) -> Text {
        match &self[column] {
            Value::Text(text) => text.clone(),
            _ => Text::default(),
        }
    }

    /// The number in `column`; `None` when it is NULL.
    pub fn int(&self, column: Column) -> Option<i64> {
        match self[column] {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The moment in `column`; `None` when it is NULL.
    pub fn time(&self, column: Column) -> Option<Time> {
        match self[column] {
            Value::Time(value) => Some(value),
            _ => None,
        }
    }

    /// The identifier in `column`; `None` when it is NULL.
    pub fn id(&self, column: Column) -> Option<Id> {
        match self[column] {
            Value::Id(value) => Some(value),
            _ => None,
        }
    }

    /// The fingerprint in `column`; `None` when it is NULL.
    pub fn digest(&self, column: Column) -> Option<Digest> {
        match self[column] {
            Value::Digest(value) => Some(value),
            _ => None,
        }
    }
}

impl Index<Column> for Row {
    type Output = Value;
    fn index(&self, column: Column) -> &Value {
        &self.0[usize::from(column.index)]
    }
}

impl Action {
    /// Becomes an insert, in the room of the old one; the row is to be written.
    pub(crate) fn insert(&mut self, on_conflict: OnConflict) -> &mut Row {
        if !matches!(self, Self::Insert { .. }) {
            *self = Self::Insert { row: Row::default(), on_conflict: OnConflict::Fail };
        }
        let Self::Insert { row, on_conflict: place } = self else {
            unreachable!("it is an insert since the line above")
        };
        match (&*place, &on_conflict) {
            // What is large is not moved for nothing.
            (OnConflict::Fail, OnConflict::Fail) | (OnConflict::Nothing, OnConflict::Nothing) => {}
            _ => *place = on_conflict,
        }
        row
    }

    /// Becomes a read, in the room of the old one.
    pub(crate) fn read(&mut self, conditions: impl IntoIterator<Item = Condition>, locks: bool) {
        match self {
            Self::Read { filter, lock } => {
                *lock = locks;
                filter.clear();
                filter.extend(conditions);
            }
            _ => *self = Self::Read { filter: conditions.into_iter().collect(), lock: locks },
        }
    }

    /// Whether it can change rows or take row locks.
    pub const fn writes(&self) -> bool {
        match self {
            Self::Insert { .. } | Self::Update { .. } | Self::Delete { .. } => true,
            Self::Read { lock, .. } => *lock,
            Self::Scan { .. } => false,
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
