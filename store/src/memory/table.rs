//! One table: its rows, its unique keys, and which rows a filter or a key can mean.
//!
//! A unique key holds lines, not versions, because an update never touches a column of one.
//! Several lines may have the same key: dead ones, and those whose fate an open transaction will
//! decide.

use super::heap::Heap;
use super::stamp::Stamp;
use crate::engine::Origin;
use crate::schema;
use crate::schema::{Column, Type};
use crate::statement::{Compare, Condition, Row};
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::Hasher;

/// Up to so many lines are scanned; an index is built when there are more.
const SMALL: usize = 4;

/// Lines in the order of insertion.
pub(super) type Lines = SmallVec<[u32; 4]>;

/// One table.
#[derive(Debug)]
pub(super) struct Table {
    /// What the store declared.
    pub(super) schema: &'static schema::Table,
    /// Its rows.
    pub(super) heap: Heap,
    /// How many rows are committed.
    pub(super) live: u64,
    keys: Vec<Key>,
    indexed: bool,
    /// For each column, the kinds of values that it accepts, a bit each.
    accepted: Vec<u8>,
    /// The columns that are part of a unique key, a bit each.
    in_keys: u32,
}

#[derive(Debug)]
struct Key {
    columns: &'static [Column],
    mask: u32,
    entries: HashTable<u32>,
}

/// Where the rows that a filter can mean are.
pub(super) enum Candidates {
    /// All lines have to be looked at.
    All,
    /// Only these have to be.
    These(Lines),
}

impl Table {
    pub(super) fn new(schema: &'static schema::Table) -> Self {
        let mut table = Self {
            schema,
            heap: Heap::new(),
            live: 0,
            keys: Vec::new(),
            indexed: false,
            accepted: Vec::new(),
            in_keys: 0,
        };
        table.reuse(schema);
        table
    }

    /// Forgets everything, keeps the room.
    pub(super) fn reuse(&mut self, schema: &'static schema::Table) {
        self.schema = schema;
        self.heap.clear();
        self.live = 0;
        self.keys.iter_mut().for_each(Key::clear);
        self.indexed = false;
        self.accepted.clear();
        self.accepted.extend(schema.columns.iter().map(accepted));
        self.keys.truncate(schema.unique.len());
        for (place, columns) in schema.unique.iter().enumerate() {
            let mask = columns.iter().fold(0, |mask, column| mask | 1 << column.index);
            match self.keys.get_mut(place) {
                Some(key) => (key.columns, key.mask) = (columns, mask),
                None => self.keys.push(Key { columns, mask, entries: HashTable::new() }),
            }
        }
        self.in_keys = self.keys.iter().fold(0, |columns, key| columns | key.mask);
    }

    /// How many unique keys there are.
    pub(super) const fn keys(&self) -> usize {
        self.keys.len()
    }

    /// Whether a column is part of a unique key.
    pub(super) fn in_key(&self, column: Column) -> bool {
        self.in_keys & 1 << column.index != 0
    }

    /// Whether a value may stand in the column at this place.
    pub(super) fn accepts(&self, column: u8, value: &Value) -> bool {
        self.accepted[usize::from(column)] & kind_of(value) != 0
    }

    /// The conditions that name the row's unique key.
    pub(super) fn key_conditions<'a>(
        &self,
        key: usize,
        row: &'a Row,
    ) -> impl Iterator<Item = Condition> + use<'a> {
        self.keys[key].columns.iter().map(|column| column.is(row[*column].clone()))
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: Row, origin: Origin, begin: Stamp) -> u32 {
        let line = self.heap.push(row, origin, begin);
        if self.indexed {
            for key in &mut self.keys {
                key.add(&self.heap, line);
            }
        } else if self.heap.len() > SMALL {
            self.build();
        }
        line
    }

    /// Takes a line out.
    pub(super) fn remove(&mut self, line: u32) {
        if self.indexed {
            for key in &mut self.keys {
                key.take(&self.heap, line);
            }
        }
        self.heap.remove(line);
    }

    /// Drops what nobody can see who sees all commits up to `horizon`.
    pub(super) fn prune(&mut self, line: u32, horizon: u64) {
        if self.heap.prune(line, horizon) {
            self.remove(line);
        }
    }

    /// The lines that have the same unique key as `row`; none when a column of it is NULL.
    pub(super) fn same_key(&self, key: usize, row: &Row) -> Lines {
        let key = &self.keys[key];
        if key.columns.iter().any(|column| matches!(row[*column], Value::Null)) {
            return Lines::new();
        }
        let same = |line: &u32| {
            let other = &self.heap.line(*line).row;
            // The last column tells most rows apart: tenant and operation are often the same.
            key.columns.iter().rev().all(|column| other[*column] == row[*column])
        };
        if self.indexed {
            self.in_order(key.entries.iter_hash(hash_row(key.columns, row)).copied().filter(same))
        } else {
            self.heap.iter().filter(same).collect()
        }
    }

    /// Where the rows are that a filter can mean.
    pub(super) fn candidates(&self, filter: &[Condition]) -> Candidates {
        if !self.indexed {
            return Candidates::All;
        }
        let mut given = 0;
        let mut places = [0; 32];
        for (place, condition) in filter.iter().enumerate() {
            if condition.compare == Compare::Is {
                given |= 1 << condition.column.index;
                places[usize::from(condition.column.index)] = place;
            }
        }
        let Some(key) = self.keys.iter().position(|key| key.mask & given == key.mask) else {
            return Candidates::All;
        };
        let value = |column: &Column| &filter[places[usize::from(column.index)]].value;
        let key = &self.keys[key];
        let hash = hash_of(key.columns.iter().map(value));
        // What only shares the hash does not fit the filter.
        Candidates::These(self.in_order(key.entries.iter_hash(hash).copied()))
    }

    fn in_order(&self, lines: impl Iterator<Item = u32>) -> Lines {
        let mut lines: Lines = lines.collect();
        if lines.len() > 1 {
            lines.sort_unstable_by_key(|line| self.heap.line(*line).number);
        }
        lines
    }

    fn build(&mut self) {
        for key in &mut self.keys {
            for line in self.heap.iter() {
                key.add(&self.heap, line);
            }
        }
        self.indexed = true;
    }
}

impl Key {
    fn add(&mut self, heap: &Heap, line: u32) {
        if let Some(hash) = self.hash(&heap.line(line).row) {
            let columns = self.columns;
            let rehash = |line: &u32| hash_row(columns, &heap.line(*line).row);
            self.entries.insert_unique(hash, line, rehash);
        }
    }

    fn take(&mut self, heap: &Heap, line: u32) {
        if let Some(hash) = self.hash(&heap.line(line).row) {
            let entry = self.entries.find_entry(hash, |entry| *entry == line);
            entry.expect("an indexed line is in its index").remove();
        }
    }

    fn hash(&self, row: &Row) -> Option<u64> {
        let null = self.columns.iter().any(|column| matches!(row[*column], Value::Null));
        (!null).then(|| hash_row(self.columns, row))
    }

    /// Empties the index; one that was far too large is given up, since emptying costs its size.
    fn clear(&mut self) {
        if self.entries.capacity() > 64 * self.entries.len().max(SMALL) {
            self.entries = HashTable::new();
        } else {
            self.entries.clear();
        }
    }
}

/// The kinds of values that a column accepts, a bit each.
fn accepted(column: &Column) -> u8 {
    let of_type = match column.ty {
        Type::Int => 1 << 1,
        Type::Text => 1 << 2,
        Type::Time => 1 << 3,
        Type::Id => 1 << 4,
        Type::Digest => 1 << 5,
    };
    of_type | u8::from(column.nullable)
}

/// The bit of a value's kind.
const fn kind_of(value: &Value) -> u8 {
    match value {
        Value::Null => 1,
        Value::Int(_) => 1 << 1,
        Value::Text(_) => 1 << 2,
        Value::Time(_) => 1 << 3,
        Value::Id(_) => 1 << 4,
        Value::Digest(_) => 1 << 5,
    }
}

fn hash_row(columns: &[Column], row: &Row) -> u64 {
    hash_of(columns.iter().map(|column| &row[*column]))
}

fn hash_of<'a>(values: impl Iterator<Item = &'a Value>) -> u64 {
    let mut hasher = FxHasher::default();
    for value in values {
        match value {
            Value::Null => hasher.write_u8(0),
            Value::Int(value) => hasher.write_i64(*value),
            Value::Text(text) => hasher.write(text.as_bytes()),
            Value::Time(time) => hasher.write_u64(time.as_micros()),
            Value::Id(id) => hasher.write_u64(id.number()),
            Value::Digest(digest) => hasher.write(&digest.bytes()),
        }
    }
    hasher.finish()
}
