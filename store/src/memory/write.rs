//! Inserts, updates, deletes and row locks.
//!
//! A statement first looks at every row that it means, and waits or fails before it has changed
//! any: a blocked statement leaves no trace. Rows that moved on after the statement's view was
//! taken are judged anew in their newest version (read committed) or refused (a fixed view), as
//! PostgreSQL does. Under the SQLite profile there is only one writer, and nothing here waits.

use super::data::{Actor, Data, Stop};
use super::heap::Line;
use super::session::Kind;
use super::stamp::Stamp;
use super::table::Candidates;
use crate::engine::{DbAnswer, DbError, Origin};
use crate::statement::{Assignments, Compare, Condition, OnConflict, Row};
use crate::value::Value;

/// A row to insert, and what to do when it cannot be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Insertion<'a> {
    pub(super) row: &'a Row,
    pub(super) on_conflict: &'a OnConflict,
    pub(super) origin: Origin,
}

impl Data {
    /// Inserts a row, or does what is to be done when a unique key is taken. Keys are asked in
    /// their order; an upsert looks at the first one only to find its row.
    pub(super) fn insert(
        &mut self,
        actor: Actor,
        place: u16,
        insertion: Insertion<'_>,
    ) -> Result<DbAnswer, Stop> {
        let table = &self.tables[usize::from(place)];
        for key in 0..table.keys() {
            let Some(line) = self.taken(actor, place, key, insertion.row)? else { continue };
            return match insertion.on_conflict {
                OnConflict::Update(set) if key == 0 => self.upsert(actor, place, line, set),
                OnConflict::Nothing => {
                    self.seen_or_refused(actor, place, line)?;
                    Ok(DbAnswer::Conflict)
                }
                OnConflict::Fail | OnConflict::Update(_) => {
                    Err(DbError::UniqueViolation { table: table.schema.name }.into())
                }
            };
        }
        let table = &mut self.tables[usize::from(place)];
        let line = table.push(insertion.row.clone(), insertion.origin, actor.view.me);
        self.changed(actor.session, place, line, Kind::Inserted);
        self.touch(actor, line);
        Ok(DbAnswer::Inserted)
    }

    /// Updates all rows that fit.
    pub(super) fn update(
        &mut self,
        actor: Actor,
        place: u16,
        filter: &[Condition],
        set: &Assignments,
    ) -> Result<DbAnswer, Stop> {
        self.pick(actor, place, filter, usize::MAX)?;
        let picked = std::mem::take(&mut self.picked);
        for line in &picked {
            self.change(actor, place, *line, set);
        }
        let answer = DbAnswer::Changed(picked.len() as u64);
        self.picked = picked;
        Ok(answer)
    }

    /// Deletes all rows that fit.
    pub(super) fn delete(
        &mut self,
        actor: Actor,
        place: u16,
        filter: &[Condition],
    ) -> Result<DbAnswer, Stop> {
        self.pick(actor, place, filter, usize::MAX)?;
        let picked = std::mem::take(&mut self.picked);
        for line in &picked {
            let victim = self.tables[usize::from(place)].heap.line_mut(*line);
            victim.end = actor.view.me;
            self.deleted.push(victim.origin);
            self.changed(actor.session, place, *line, Kind::Deleted);
            self.touch(actor, *line);
        }
        let answer = DbAnswer::Changed(picked.len() as u64);
        self.picked = picked;
        Ok(answer)
    }

    /// Reads the first row that fits, in its newest version, and locks it.
    pub(super) fn lock(
        &mut self,
        actor: Actor,
        place: u16,
        filter: &[Condition],
    ) -> Result<DbAnswer, Stop> {
        self.pick(actor, place, filter, 1)?;
        let Some(&slot) = self.picked.first() else { return Ok(DbAnswer::Row(None)) };
        let line = self.tables[usize::from(place)].heap.line_mut(slot);
        let row = line.row.clone();
        if line.locker != actor.view.me {
            line.locker = actor.view.me;
            self.changed(actor.session, place, slot, Kind::Locked);
        }
        Ok(DbAnswer::Row(Some(row)))
    }

    /// The line whose unique key is the row's, whoever sees it; waits for open transactions that
    /// have inserted, changed or deleted it.
    fn taken(&self, actor: Actor, place: u16, key: usize, row: &Row) -> Result<Option<u32>, Stop> {
        let table = &self.tables[usize::from(place)];
        let mut taken = None;
        let mut ended_late = false;
        for slot in table.same_key(key, row) {
            let line = table.heap.line(slot);
            if let Some(other) = changed_by_other(line, actor.view.me) {
                return Err(Stop::Wait(other));
            }
            match line.end {
                Stamp::NEVER => taken = Some(slot),
                end => ended_late |= !actor.view.sees(end),
            }
        }
        // A key that was given back after the view was taken: free now, and taken in the view.
        // Every serial order would have to put this transaction after the one that gave it back.
        if taken.is_none() && ended_late && actor.serial {
            return Err(DbError::SerializationFailure.into());
        }
        Ok(taken)
    }

    fn upsert(
        &mut self,
        actor: Actor,
        place: u16,
        slot: u32,
        set: &Assignments,
    ) -> Result<DbAnswer, Stop> {
        let line = self.tables[usize::from(place)].heap.line(slot);
        if let Some(other) = line.locker.held_by_other(actor.view.me) {
            return Err(Stop::Wait(other));
        }
        self.seen_or_refused(actor, place, slot)?;
        self.change(actor, place, slot, set);
        Ok(DbAnswer::Changed(1))
    }

    /// A transaction with a fixed view may not act on a row that it cannot see.
    fn seen_or_refused(&self, actor: Actor, place: u16, slot: u32) -> Result<(), Stop> {
        let line = self.tables[usize::from(place)].heap.line(slot);
        if actor.fixed && !actor.view.sees(line.begin) {
            return Err(DbError::SerializationFailure.into());
        }
        Ok(())
    }

    fn change(&mut self, actor: Actor, place: u16, slot: u32, set: &Assignments) {
        // Nobody needs the version before: no snapshot sees it, and nothing can bring it back.
        let overwrite = actor.last && !self.is_held();
        let heap = &mut self.tables[usize::from(place)].heap;
        // A second change by one transaction overwrites the first: nobody else can see between.
        if heap.line(slot).begin != actor.view.me {
            if overwrite {
                heap.line_mut(slot).begin = actor.view.me;
            } else {
                heap.renew(slot, actor.view.me);
            }
            self.changed(actor.session, place, slot, Kind::Updated);
        }
        let row = &mut self.tables[usize::from(place)].heap.line_mut(slot).row;
        row.apply(set.iter().cloned());
        self.touch(actor, slot);
    }

    fn touch(&mut self, actor: Actor, slot: u32) {
        if actor.serial {
            self.touched.push(slot);
        }
    }

    /// Picks the rows that fit and may be changed now, at most `limit`.
    fn pick(
        &mut self,
        actor: Actor,
        place: u16,
        filter: &[Condition],
        limit: usize,
    ) -> Result<(), Stop> {
        self.picked.clear();
        let table = &self.tables[usize::from(place)];
        let picked = &mut self.picked;
        let mut consider = |slot: u32| {
            let visible = table.heap.visible(slot, actor.view);
            if visible.is_some_and(|row| fits(filter, row))
                && may_change(table.heap.line(slot), actor, filter)?
            {
                picked.push(slot);
            }
            Ok(picked.len() < limit)
        };
        match table.candidates(filter) {
            Candidates::All => go_through(table.heap.iter(), &mut consider),
            Candidates::These(lines) => go_through(lines.into_iter(), &mut consider),
        }
    }
}

/// Whether all conditions hold.
pub(super) fn fits(filter: &[Condition], row: &Row) -> bool {
    // The last condition of a key tells most rows apart: tenant and operation are often the same.
    filter.iter().rev().all(|condition| match (condition.compare, &condition.value) {
        (Compare::Is, Value::Null) => false,
        (Compare::Is, value) => row[condition.column] == *value,
        _ => condition.holds(row),
    })
}

/// Whether a row that fitted in the view may be changed now: false when it no longer fits.
fn may_change(line: &Line, actor: Actor, filter: &[Condition]) -> Result<bool, Stop> {
    let me = actor.view.me;
    if let Some(other) = changed_by_other(line, me).or_else(|| line.locker.held_by_other(me)) {
        return Err(Stop::Wait(other));
    }
    let moved_on = !actor.view.sees(line.begin) || line.end != Stamp::NEVER;
    if !moved_on {
        return Ok(true);
    }
    if actor.fixed {
        return Err(DbError::SerializationFailure.into());
    }
    Ok(line.end == Stamp::NEVER && fits(filter, &line.row))
}

fn changed_by_other(line: &Line, me: Stamp) -> Option<u32> {
    line.begin.held_by_other(me).or_else(|| line.end.held_by_other(me))
}

fn go_through(
    lines: impl Iterator<Item = u32>,
    consider: &mut impl FnMut(u32) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    for line in lines {
        if !consider(line)? {
            break;
        }
    }
    Ok(())
}
