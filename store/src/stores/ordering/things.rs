//! Things that are updated: the version that stands, and what it says.

use crate::{Column, EffectKind, Mark, Table};

/// Which thing.
pub(super) const TARGET: Column = Column::text(0, "target");
/// Its version.
pub(super) const VERSION: Column = Column::int(1, "version");
/// What the version says.
pub(super) const AMOUNT: Column = Column::int(2, "amount");

/// All things.
pub(super) static THINGS: Table =
    Table::new("things", &[TARGET, VERSION, AMOUNT]).unique(&[&[TARGET]]);

/// An update is a set.
pub(super) const UPDATE: Mark = Mark { kind: EffectKind::Set, part: 0, parts: 1 };
