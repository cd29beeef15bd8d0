//! Business effects, as a store makes them and takes them back: writes that the world counts. Imports the
//! vocabulary of this crate and its parent.

use super::Db;
use crate::effects::{AMOUNT, EFFECTS, ID, KIND, PART};
use crate::engine::DbError;
use crate::request::{Effect, Receipt};
use crate::schema::Table;
use crate::statement::{Action, Assignment, Condition, Mark, OnConflict, Verb};

impl Db {
    /// Applies a business effect, part by part: each part is a statement of its own, and only a
    /// transaction makes them appear together.
    pub async fn apply(&self, effect: Effect) -> Result<Receipt, DbError> {
        let id = self.desk.fresh_id_for(self.cause);
        for part in 0..effect.parts {
            let cells = [
                ID.set(id),
                KIND.set(crate::effects::name_of(effect.kind)),
                PART.set(i64::from(part)),
                AMOUNT.set(effect.amount),
            ];
            let mark = Mark { kind: effect.kind, part, parts: effect.parts };
            self.insert_as_effect(&EFFECTS, cells, mark).await?;
        }
        Ok(Receipt { id })
    }

    /// Takes one part of an applied effect back: a refund, a cancellation. Says whether it was there.
    pub async fn take_back(&self, receipt: Receipt, mark: Mark) -> Result<bool, DbError> {
        let filter = [ID.is(receipt.id), PART.is(i64::from(mark.part))].into_iter().collect();
        let action = Action::Delete { filter };
        self.run(Verb::Undo, &EFFECTS, action, Some(mark));
        Ok(self.told(Self::changed).await? > 0)
    }

    /// Applies one part of an effect, under a receipt that the store chose before.
    pub async fn apply_part(
        &self,
        receipt: Receipt,
        amount: i64,
        mark: Mark,
    ) -> Result<(), DbError> {
        let cells = [
            ID.set(receipt.id),
            KIND.set(crate::effects::name_of(mark.kind)),
            PART.set(i64::from(mark.part)),
            AMOUNT.set(amount),
        ];
        self.insert_as_effect(&EFFECTS, cells, mark).await
    }

    /// Inserts a row of the store's own that *is* a business effect, or the part of one.
    pub async fn insert_as_effect(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        mark: Mark,
    ) -> Result<(), DbError> {
        let verb = (Verb::Apply, Some(mark));
        self.insert_row(verb, table, cells, OnConflict::Fail);
        self.told(|_| ()).await
    }

    /// Updates rows of the store's own as a business effect; no row changed is no effect.
    pub async fn update_as_effect(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        set: impl IntoIterator<Item = Assignment>,
        mark: Mark,
    ) -> Result<u64, DbError> {
        let action =
            Action::Update { filter: filter.into_iter().collect(), set: set.into_iter().collect() };
        self.run(Verb::Apply, table, action, Some(mark));
        self.told(Self::changed).await
    }

    /// Inserts a row of the store's own as a business effect, unless a unique key is taken; says
    /// whether it did. A row that was there already is no effect.
    pub async fn insert_if_absent_as_effect(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        mark: Mark,
    ) -> Result<bool, DbError> {
        let verb = (Verb::Apply, Some(mark));
        self.insert_row(verb, table, cells, OnConflict::Nothing);
        self.told(Self::inserted).await
    }

    /// Inserts a row of the store's own as a business effect, or updates the one with the same first
    /// unique key.
    pub async fn upsert_as_effect(
        &self,
        table: &'static Table,
        cells: impl IntoIterator<Item = Assignment>,
        on_conflict: impl IntoIterator<Item = Assignment>,
        mark: Mark,
    ) -> Result<(), DbError> {
        let on_conflict = OnConflict::Update(on_conflict.into_iter().collect());
        self.insert_row((Verb::Apply, Some(mark)), table, cells, on_conflict);
        self.told(|_| ()).await
    }
}
