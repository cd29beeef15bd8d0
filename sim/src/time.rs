//! Level 0. Virtual time: the world's own clock, in microseconds since the run began. The types are
//! the store's, because rows hold times too.

pub use onestroke_store::{Span, Time};
