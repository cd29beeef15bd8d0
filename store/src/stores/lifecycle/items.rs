//! Things with what was done to them, by key; and batches of items.

use crate::{Column, EffectKind, Mark, Request, Table};

/// Which thing.
pub(super) const TARGET: Column = Column::text(0, "target");
/// Under which key something was done to it.
pub(super) const KEY: Column = Column::text(1, "key");

/// What was done to things.
pub(super) static DEEDS: Table =
    Table::new("deeds", &[TARGET, KEY]).unique(&[&[TARGET, KEY]]).records();

/// Its state: 1 created, 2 deleted.
pub(super) const STATE: Column = Column::int(1, "state");

/// Things.
pub(super) static THINGS: Table = Table::new("things", &[TARGET, STATE]).unique(&[&[TARGET]]);

/// Creating and deleting are sets of its state.
pub(super) const CHANGE: Mark = Mark { kind: EffectKind::Set, part: 0, parts: 1 };

/// Which batch.
pub(super) const BATCH: Column = Column::text(0, "batch");
/// Which item.
pub(super) const ITEM: Column = Column::int(1, "item");

/// Items of all batches, each once.
pub(super) static ITEMS: Table = Table::new("items", &[BATCH, ITEM]).unique(&[&[ITEM]]);
/// Items, each once in a batch.
pub(super) static BATCHED: Table =
    Table::new("batched_items", &[BATCH, ITEM]).unique(&[&[BATCH, ITEM]]);

/// The items of a batch. The second batch of a client shares one with the first.
pub(super) fn items_of(request: &Request) -> impl Iterator<Item = (i64, Mark)> + use<> {
    let items = if request.sequence % 2 == 1 { [1, 3, 7] } else { [2, 7, 14] };
    let mark = |part| Mark { kind: EffectKind::Create, part, parts: 3 };
    items.into_iter().zip(0..).map(move |(item, part)| (item, mark(part)))
}
