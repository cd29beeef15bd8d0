//! The memory database.
