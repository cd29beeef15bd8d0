//! Level 2. A cache like Redis, as the servers reach it: texts and numbers under keys, beside the
//! database.
//!
//! Fault model: each command is one step, and none waits. A key that has expired is forgotten, on the
//! cache's own clock, which is the world's time; nothing else is evicted. It is replicated
//! asynchronously: when it fails over, the replica becomes the primary, and what was written within the
//! last `replication-lag` is lost. Who is connected notices nothing: connections that break are
//! a fault of their own (`sever`). It takes part in no transaction, and a crash of a server takes
//! nothing back that the cache was told.

use crate::point::{Op, Step};
use crate::stage::Stage;
use crate::time::{Span, Time};
use crate::trace::{Result as Came, What};
use onestroke_scenarios::Cache as Terms;
use onestroke_store::{CacheAction, CacheAnswer, CacheError, Canon, Command, Mark, Text, Value};
use std::collections::VecDeque;

/// The cache.
#[derive(Debug)]
pub struct Cache {
    terms: Terms,
    /// In the order of their keys.
    entries: Vec<Entry>,
    /// What has been written within the lag, the oldest first.
    fresh: VecDeque<Written>,
}

#[derive(Clone, Debug)]
struct Entry {
    key: Text,
    value: Value,
    expires_at: Option<Time>,
}

/// A write that the replica may not have yet.
#[derive(Debug)]
struct Written {
    at: Time,
    key: Text,
    /// What stood there before.
    before: Option<Entry>,
    /// The business effect that it was.
    effect: Option<(Op, u8)>,
}

impl Cache {
    /// A cache on these terms.
    pub const fn new(terms: Terms) -> Self {
        Self { terms, entries: vec![], fresh: VecDeque::new() }
    }

    /// Forgets all; keeps the memory.
    pub fn reset(&mut self) {
        self.entries.clear();
        self.fresh.clear();
    }

    /// For how many keys and writes it has room.
    pub fn room(&self) -> usize {
        self.entries.capacity() + self.fresh.capacity()
    }

    /// Does what it is told, on behalf of this operation.
    pub fn execute(
        &mut self,
        stage: &mut Stage,
        (step, op, orphan): (Step, Op, bool),
        command: &Command,
    ) -> Result<CacheAnswer, CacheError> {
        let now = stage.now;
        self.forget_replicated(now);
        let mut asked = vec![&command.key];
        if let CacheAction::Increment { once: Some(once), .. } = &command.action {
            asked.push(once);
        }
        for key in asked {
            if self.evict(key, now) {
                stage.happened(What::Evicted { step });
            }
        }
        let answer = self.act(now, op, command);
        let result = match &answer {
            Err(_) => Came::Refused,
            Ok(
                CacheAnswer::Found(None) | CacheAnswer::Done(false) | CacheAnswer::Counted(None),
            ) => Came::Nothing,
            Ok(_) => Came::Done,
        };
        let executed = What::Executed { step, result, orphan };
        stage.happened_with(executed, || crate::describe::cached(command, &answer));
        if let (Came::Done, CacheAction::Increment { effect: Some(mark), .. }) =
            (result, &command.action)
        {
            let Mark { kind, part, parts } = *mark;
            stage.happened(What::Applied { op, part, parts, kind });
            let subject = step.subject;
            stage.happened(What::Committed { op, part, parts, kind, subject });
        }
        answer
    }

    /// The replica becomes the primary.
    pub fn fail_over(&mut self, stage: &mut Stage) {
        self.forget_replicated(stage.now);
        let lost = u16::try_from(self.fresh.len()).unwrap_or(u16::MAX);
        stage.happened(What::FailedOver { lost });
        while let Some(write) = self.fresh.pop_back() {
            self.put(&write.key, write.before);
            if let Some((op, part)) = write.effect {
                stage.happened(What::Vanished { op, part });
            }
        }
    }

    /// Writes what it holds, and what the replica has not yet.
    pub fn portray(&self, canon: &mut Canon, now: Time) {
        for entry in self.entries.iter().filter(|entry| entry.lives(now)) {
            entry.portray(canon);
        }
        canon.word(u64::MAX);
        for write in self.fresh.iter().filter(|write| self.may_lose(write, now)) {
            canon.ahead(write.at + self.terms.replication_lag);
            canon.text(&write.key);
            let before = write.before.as_ref().filter(|entry| entry.lives(now));
            canon.word(before.is_some());
            if let Some(entry) = before {
                entry.portray(canon);
            }
            canon.word(write.effect.map_or(u64::MAX, |(op, _)| u64::from(op.0)));
            canon.word(write.effect.map_or(u64::MAX, |(_, part)| u64::from(part)));
        }
        canon.word(u64::MAX);
    }

    fn act(&mut self, now: Time, op: Op, command: &Command) -> Result<CacheAnswer, CacheError> {
        let Command { key, action, .. } = command;
        let there = self.find(key).ok().map(|at| &self.entries[at]);
        Ok(match action {
            CacheAction::Get => CacheAnswer::Found(there.map(|entry| entry.value.clone())),
            CacheAction::Set { if_absent: true, .. } if there.is_some() => CacheAnswer::Done(false),
            CacheAction::Set { value, expires, .. } => {
                let expires_at = expires.map(|span| now + span);
                self.write(now, None, Entry { key: key.clone(), value: value.clone(), expires_at });
                CacheAnswer::Done(true)
            }
            CacheAction::Delete { only_if } => {
                let fits = |entry: &Entry| only_if.as_ref().is_none_or(|it| *it == entry.value);
                let done = there.is_some_and(fits);
                if done {
                    self.remember(now, None, key);
                    self.put(key, None);
                }
                CacheAnswer::Done(done)
            }
            CacheAction::Increment { by, once, effect } => {
                let (old, expires_at) = match there {
                    None => (0, None),
                    Some(Entry { value: Value::Int(old), expires_at, .. }) => (*old, *expires_at),
                    Some(_) => return Err(CacheError::NotANumber),
                };
                if let Some(once) = once {
                    if self.find(once).is_ok() {
                        return Ok(CacheAnswer::Counted(None));
                    }
                    let value = Value::Int(1);
                    self.write(now, None, Entry { key: once.clone(), value, expires_at: None });
                }
                let number = old.saturating_add(*by);
                let value = Value::Int(number);
                let effect = effect.map(|mark| (op, mark.part));
                self.write(now, effect, Entry { key: key.clone(), value, expires_at });
                CacheAnswer::Counted(Some(number))
            }
        })
    }

    fn write(&mut self, now: Time, effect: Option<(Op, u8)>, entry: Entry) {
        self.remember(now, effect, &entry.key);
        let key = entry.key.clone();
        self.put(&key, Some(entry));
    }

    /// Notes what stands under a key, for as long as the replica may not have what comes next.
    fn remember(&mut self, at: Time, effect: Option<(Op, u8)>, key: &Text) {
        if self.terms.replication_lag > Span::ZERO {
            let before = self.find(key).ok().map(|found| self.entries[found].clone());
            self.fresh.push_back(Written { at, key: key.clone(), before, effect });
        }
    }

    fn put(&mut self, key: &Text, entry: Option<Entry>) {
        match (self.find(key), entry) {
            (Ok(at), Some(entry)) => self.entries[at] = entry,
            (Err(at), Some(entry)) => self.entries.insert(at, entry),
            (Ok(at), None) => drop(self.entries.remove(at)),
            (Err(_), None) => {}
        }
    }

    /// Forgets a key that has expired; says whether it had.
    fn evict(&mut self, key: &Text, now: Time) -> bool {
        let Ok(at) = self.find(key) else { return false };
        let over = !self.entries[at].lives(now);
        if over {
            self.entries.remove(at);
        }
        over
    }

    /// Forgets which writes the replica has by now.
    fn forget_replicated(&mut self, now: Time) {
        while let Some(write) = self.fresh.front() {
            if self.may_lose(write, now) {
                break;
            }
            self.fresh.pop_front();
        }
    }

    fn may_lose(&self, write: &Written, now: Time) -> bool {
        write.at + self.terms.replication_lag > now
    }

    fn find(&self, key: &Text) -> Result<usize, usize> {
        self.entries.binary_search_by(|entry| entry.key.cmp(key))
    }
}

impl Entry {
    fn lives(&self, now: Time) -> bool {
        self.expires_at.is_none_or(|at| now < at)
    }

    fn portray(&self, canon: &mut Canon) {
        canon.text(&self.key);
        canon.value(&self.value);
        canon.word(self.expires_at.is_some());
        self.expires_at.into_iter().for_each(|at| canon.ahead(at));
    }
}

#[cfg(test)]
mod tests;
