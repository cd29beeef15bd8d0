//! Real SQLite.
