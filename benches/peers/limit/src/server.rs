//! The server half: handlers as state machines over the rows of a store.
//!
//! Fault model: a crash takes every handler, its lock and what it has not committed.

use crate::sim::{Event, Sim, at};
use spec::{DOWN, Key};

/// A handler by its slot; it is gone when the server has died since.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    pub(crate) slot: u16,
    pub(crate) life: u32,
}

/// One delivery that is being handled, with its transaction.
#[derive(Clone, Copy)]
pub(crate) struct Handler {
    pub(crate) key: Key,
    locks: bool,
    effects: u8,
    pub(crate) response: u64,
}

/// What the store knows of a key, and whether its client was told.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    state: State,
    pub(crate) effects: u8,
    pub(crate) acknowledged: bool,
    response: u64,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Absent,
    Locked,
    Committed,
}

impl Sim {
    /// Counts a step, unless its handler is gone.
    #[inline]
    pub(crate) fn reached(&mut self, handle: Handle, step: u8) -> bool {
        let alive = handle.life == self.life;
        if alive {
            self.counts.steps += 1;
            let key = self.handlers[usize::from(handle.slot)].key;
            self.note(step.into(), key.number());
        }
        alive
    }

    /// Plans a handler's next step.
    #[inline]
    pub(crate) fn plan(&mut self, handle: Handle, step: u8, event: fn(Handle) -> Event) {
        let (time, dies) = self.weather.step();
        let event = if dies { Event::Crash(handle, step) } else { event(handle) };
        self.queue.push(self.now + time, event);
    }

    #[inline]
    pub(crate) fn handle(&mut self, key: Key) {
        self.counts.deliveries += 1;
        self.note(8, key.number());
        let handler = Handler { key, locks: false, effects: 0, response: 0 };
        let slot = if let Some(slot) = self.free.pop() {
            self.handlers[usize::from(slot)] = handler;
            slot
        } else {
            self.handlers.push(handler);
            self.handlers.len() as u16 - 1
        };
        self.plan(Handle { slot, life: self.life }, 1, Event::Begin);
    }

    #[inline]
    pub(crate) fn claim(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        let row = &mut self.rows[at(handler.key)];
        match row.state {
            State::Absent => {
                row.state = State::Locked;
                handler.locks = true;
                self.plan(handle, 3, Event::Apply);
            }
            State::Locked => self.free.push(handle.slot),
            State::Committed => {
                handler.response = row.response;
                self.plan(handle, 6, Event::Respond);
            }
        }
    }

    #[inline]
    pub(crate) fn apply(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        if self.bug {
            self.rows[at(handler.key)].effects += 1;
        } else {
            handler.effects += 1;
        }
        self.plan(handle, 4, Event::Keep);
    }

    #[inline]
    pub(crate) fn commit(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        let row = &mut self.rows[at(handler.key)];
        row.state = State::Committed;
        row.effects += handler.effects;
        row.response = handler.response;
        handler.locks = false;
        self.plan(handle, 6, Event::Respond);
    }

    #[cold]
    pub(crate) fn crash(&mut self) {
        self.counts.crashes += 1;
        self.life += 1;
        self.up = false;
        for handler in self.handlers.drain(..).filter(|handler| handler.locks) {
            self.rows[at(handler.key)].state = State::Absent;
        }
        self.free.clear();
        self.queue.push(self.now + DOWN, Event::Restart);
    }
}
