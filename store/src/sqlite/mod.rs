//! Real SQLite under a store: inside the simulation ([`Sqlite`]) and outside of it ([`SqliteFile`]).
//!
//! Fault model: a crash is a rollback; there is no loss of power. Files here import `rusqlite` and
//! this crate's vocabulary, never the memory model.
//!
//! How statements map to SQL (`?` stands for a bound value; all values are bound):
//!
//! | statement | SQL |
//! |---|---|
//! | begin | `BEGIN DEFERRED` at every isolation level: SQLite has one, serializable |
//! | insert | `INSERT …`, with `ON CONFLICT DO NOTHING` where nothing is to be inserted |
//! | upsert | `INSERT … ON CONFLICT (first key) DO UPDATE SET …, _upserted = 1 RETURNING …` |
//! | read | `SELECT … ORDER BY _row LIMIT 1`; a lock is not asked for: there is no `FOR UPDATE` |
//! | scan | `SELECT … ORDER BY _row LIMIT ?` |
//! | update | `UPDATE … SET …` |
//! | delete | `DELETE … RETURNING _row, _origin` |
//!
//! Every table has three hidden columns:
//!
//! - `_row INTEGER PRIMARY KEY` is the order of insertion.
//! - `_origin` is the operation that inserted the row; an upsert over it leaves it as it is.
//! - `_upserted` is 0 when a row is inserted and is set to 1 by the `DO UPDATE` branch alone, so what
//!   an upsert returns of it says which branch was taken. Nothing else tells them apart: both count
//!   as one change, and the row's number and origin may be those of the statement before.

mod check;
mod engine;
mod file;
mod link;
mod seat;
mod sql;
mod texts;
mod values;

pub use engine::Sqlite;
pub use file::SqliteFile;
