//! The simplest engine on which keys can be handled in a transaction: a map of committed receipts, and
//! a lock for each key that an open transaction has read.
//!
//! Other simulators are compared with ours on it, so that what is compared is the simulator. It knows
//! the two statements on keys that [`super::store`] asks, and effects; nothing waits.

use super::store::{KEY, KEYS, RECEIPT};
use onestroke_store::{
    Action, DbAnswer, DbError, Engine, Id, Isolation, Origin, Outcome, Row, Session, Statement,
    Table, Text, Value,
};
use rustc_hash::FxHashMap;

/// Keys with their receipts.
#[derive(Debug, Default)]
pub struct Simple {
    /// By key: the receipt, once committed.
    rows: FxHashMap<Text, Id>,
    /// By session: what it has open.
    sessions: Vec<Open>,
    /// The keys that are locked, each by one session. They are few.
    locks: Vec<(Text, Session)>,
}

#[derive(Debug, Default)]
struct Open {
    open: bool,
    /// Key and receipt, to be committed.
    kept: Option<(Text, Id)>,
}

impl Simple {
    fn session(&mut self, session: Session) -> &mut Open {
        let at = session.0 as usize;
        if self.sessions.len() <= at {
            self.sessions.resize_with(at + 1, Open::default);
        }
        &mut self.sessions[at]
    }

    fn end(&mut self, session: Session) -> Option<(Text, Id)> {
        self.locks.retain(|(_, owner)| *owner != session);
        let open = self.session(session);
        open.open = false;
        open.kept.take()
    }

    /// Reads the receipt under a key; whoever finds none has locked it.
    fn claim(&mut self, session: Session, key: &Text) -> Result<DbAnswer, DbError> {
        if let Some(receipt) = self.rows.get(key) {
            let cells = [Value::Text(key.clone()), Value::Id(*receipt)];
            return Ok(DbAnswer::Row(Some(Row(cells.into_iter().collect()))));
        }
        if self.locks.iter().any(|(locked, owner)| locked == key && *owner != session) {
            return Err(DbError::WouldWait);
        }
        self.locks.push((key.clone(), session));
        Ok(DbAnswer::Row(None))
    }
}

fn text(value: &Value) -> &Text {
    match value {
        Value::Text(text) => text,
        other => unreachable!("keys are texts, and this is {other:?}"),
    }
}

impl Engine for Simple {
    fn name(&self) -> &'static str {
        "simple"
    }

    fn reset(&mut self, _: &[&'static Table]) {
        self.rows.clear();
        self.locks.clear();
        for open in &mut self.sessions {
            (open.open, open.kept) = (false, None);
        }
    }

    fn begin(&mut self, session: Session, _: Isolation) -> Outcome {
        self.session(session).open = true;
        Outcome::Done(Ok(DbAnswer::Began(session)))
    }

    fn execute(&mut self, session: Session, statement: &Statement, _: Origin) -> Outcome {
        let of_keys = statement.table.name == KEYS.name;
        Outcome::Done(match &statement.action {
            Action::Read { filter, .. } => self.claim(session, text(&filter[0].value)),
            Action::Insert { row, .. } if of_keys => {
                let receipt = row.id(RECEIPT).expect("each key is kept with its receipt");
                self.session(session).kept = Some((text(&row[KEY]).clone(), receipt));
                Ok(DbAnswer::Inserted)
            }
            // The world counts effects; there is nothing to be kept of them.
            _ => Ok(DbAnswer::Inserted),
        })
    }

    fn commit(&mut self, session: Session) -> Outcome {
        if let Some((key, reply)) = self.end(session) {
            self.rows.insert(key, reply);
        }
        Outcome::Done(Ok(DbAnswer::Committed))
    }

    fn rollback(&mut self, session: Session) {
        self.end(session);
    }

    fn in_transaction(&self, session: Session) -> bool {
        self.sessions.get(session.0 as usize).is_some_and(|open| open.open)
    }

    fn may_proceed(&self, _: Session) -> bool {
        false
    }

    fn deadlock(&self, _: Session, circle: &mut Vec<Session>) {
        circle.clear();
    }

    fn give_up(&mut self, _: Session) -> DbError {
        DbError::WouldWait
    }

    fn deleted(&self) -> &[Origin] {
        &[]
    }

    fn committed(&mut self, _: &'static Table) -> Vec<(Origin, Row)> {
        vec![]
    }

    fn count(&mut self, _: &'static Table) -> u64 {
        self.rows.len() as u64
    }
}
