//! The built-in table of business effects: where [`crate::Db::apply`] writes.

use crate::schema::{Column, Table};
use crate::statement::EffectKind;

/// The receipt number.
pub const ID: Column = Column::id(0, "id");
/// What kind of effect.
pub const KIND: Column = Column::text(1, "kind");
/// Which part of it, from 0.
pub const PART: Column = Column::int(2, "part");
/// How much.
pub const AMOUNT: Column = Column::int(3, "amount");

/// One row for each applied part of an effect.
pub static EFFECTS: Table = Table::new("effects", &[ID, KIND, PART, AMOUNT]).unique(&[&[ID, PART]]);

/// The name of a kind of effect, in the table and in the timeline.
pub const fn name_of(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Add => "charge",
        EffectKind::Set => "set",
        EffectKind::Create => "create",
        EffectKind::Send => "send",
        EffectKind::Transition => "transition",
    }
}
