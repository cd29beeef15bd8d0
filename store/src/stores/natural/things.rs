//! Things by their id, with a value each: what the stores of this family write. No table of keys.

use crate::{Column, Mark, Reply, Request, Table, Text};

/// Which thing.
pub(super) const THING: Column = Column::text(0, "thing");
/// Its value: a balance, a state.
pub(super) const VALUE: Column = Column::int(1, "value");

/// One row for each thing that somebody has written.
pub(super) static THINGS: Table = Table::new("things", &[THING, VALUE]).unique(&[&[THING]]);

/// What the request asks for, as one write.
pub(super) fn mark(request: &Request) -> Mark {
    Mark { kind: request.effect.kind, part: 0, parts: 1 }
}

/// A reply that follows from the request alone.
pub(super) fn done(status: u16, what: &'static str) -> Reply {
    Reply { status, body: Text::const_new(what) }
}
