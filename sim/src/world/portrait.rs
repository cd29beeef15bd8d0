//! Level 3. The canonical form of a world between two events: all that can matter for what is to
//! come, if the weather stays benign but for what is added to the plan.
//!
//! Two worlds with one form have one future. Left out is what only tells how the world came here:
//! the trace, the number of the moment, the numbers of slots, sessions and ids, and events that will
//! find nothing to do (how long they go on is kept: the end of the run waits for them).

use super::{Orphan, World};
use crate::point::Subject;
use crate::queue::Listed;
use crate::server::State;
use crate::stage::{Due, Slot, Waiter};
use crate::time::Time;
use crate::told::portray_told;
use onestroke_store::{Canon, Id};

/// A world being written down. Keeps its memory from world to world.
#[derive(Debug, Default)]
pub struct Portrait {
    /// What was written.
    pub canon: Canon,
    /// The handlers that still do something, the questions and sessions that outlived theirs
    /// included.
    pub live: Vec<Subject>,
    slots: Vec<Slot>,
    dues: Vec<Listed<Due>>,
}

impl World {
    /// Writes this world down. False: its database's state cannot be seen.
    pub fn portray(&self, portrait: &mut Portrait) -> bool {
        let Portrait { canon, live, slots, dues } = portrait;
        let trace = &self.stage.trace;
        canon.begin(self.stage.now);
        self.servers.live(slots);
        live.clear();
        live.extend(slots.iter().filter_map(|slot| self.servers.see(*slot)).map(|r| r.subject));
        self.clients.portray(canon);
        self.network.portray(canon);
        canon.word(self.sweeps);
        self.servers.portray(canon, trace, slots);
        for orphan in self.orphans.iter().filter(|orphan| orphan.question.is_some()) {
            live.push(orphan.step.subject);
            orphan.portray(canon);
        }
        canon.word(u64::MAX);
        for grave in self.graves.iter().filter(|grave| !grave.sessions.is_empty()) {
            live.push(grave.subject);
            grave.subject.portray(canon);
            grave.sessions.iter().for_each(|session| canon.session(*session));
            canon.word(u64::MAX);
        }
        canon.word(u64::MAX);
        self.stage.queue.list(dues);
        self.portray_dues(canon, slots, dues);
        self.service.portray(canon);
        self.cache.portray(canon, self.stage.now);
        let visible =
            self.database.portray(canon, |canon, waiter| self.portray_waiter(canon, slots, waiter));
        let mut at = 0;
        while let Some(id) = canon.ids().get(at).copied() {
            canon.word(self.owner(id));
            at += 1;
        }
        visible
    }

    /// The number of the operation whose handler took an id.
    fn owner(&self, id: Id) -> u64 {
        let at = id.number().checked_sub(1).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.owners.get(at)).map_or(u64::MAX, |op| u64::from(op.0))
    }

    fn portray_dues(&self, canon: &mut Canon, slots: &[Slot], dues: &[Listed<Due>]) {
        let mut last_idle = Time::ZERO;
        for ((at, tie, _), due) in dues {
            if self.is_idle(due) {
                last_idle = last_idle.max(*at);
                continue;
            }
            canon.time(*at);
            canon.word(*tie);
            self.portray_due(canon, slots, due);
        }
        canon.word(u64::MAX);
        canon.ahead(last_idle);
    }

    /// Whether an event will find nothing to do.
    fn is_idle(&self, due: &Due) -> bool {
        let asks_no_more = |orphan: u32| self.orphans[orphan as usize].question.is_none();
        match *due {
            Due::Send { op } => self.clients.is_answered(op),
            Due::Timeout { op, attempt } => !self.clients.awaits(op, attempt),
            Due::Step { slot } => self.servers.see(slot).is_none(),
            Due::Retry { waiter: Waiter::Handler(slot) } => {
                self.servers.see(slot).is_none_or(|running| running.state != State::Blocked)
            }
            Due::Retry { waiter: Waiter::Orphan(orphan) } | Due::Orphan { orphan } => {
                asks_no_more(orphan)
            }
            Due::HoldOver { slot, since } => {
                let held = self.servers.see(slot).map(|running| running.state);
                !matches!(held, Some(State::Held(point, ..)) if point == since)
            }
            Due::Arrive { .. }
            | Due::Reap { .. }
            | Due::Restart { .. }
            | Due::Turn { .. }
            | Due::LastSweep => false,
        }
    }

    fn portray_due(&self, canon: &mut Canon, slots: &[Slot], due: &Due) {
        match *due {
            Due::Send { op } => {
                canon.word(1_u8);
                canon.word(op.0);
            }
            Due::Arrive { message, reply } => {
                canon.word(2_u8);
                message.subject.portray(canon);
                canon.word(message.leg as u8);
                canon.word(message.echo);
                if let Some(reply) = reply {
                    self.stage.trace.portray_reply(canon, reply);
                }
            }
            Due::Timeout { op, attempt } => {
                canon.word(3_u8);
                canon.word(op.0);
                canon.word(attempt);
            }
            Due::Step { slot } => {
                canon.word(4_u8);
                portray_slot(canon, slots, slot);
            }
            Due::Retry { waiter } => {
                canon.word(5_u8);
                self.portray_waiter(canon, slots, waiter);
            }
            Due::HoldOver { slot, .. } => {
                canon.word(6_u8);
                portray_slot(canon, slots, slot);
            }
            Due::Orphan { orphan } => {
                canon.word(7_u8);
                canon.size(self.orphan_place(orphan));
            }
            Due::Reap { grave } => {
                canon.word(8_u8);
                self.graves[grave as usize].subject.portray(canon);
            }
            Due::Restart { server } => {
                canon.word(9_u8);
                canon.word(server.0);
            }
            Due::LastSweep => canon.word(10_u8),
            Due::Turn { number } => {
                canon.word(11_u8);
                canon.word(number);
            }
        }
    }

    fn portray_waiter(&self, canon: &mut Canon, slots: &[Slot], waiter: Waiter) {
        match waiter {
            Waiter::Handler(slot) => portray_slot(canon, slots, slot),
            Waiter::Orphan(orphan) => {
                canon.word(u64::MAX - 1);
                canon.size(self.orphan_place(orphan));
            }
        }
    }

    /// Its place among those that still ask.
    fn orphan_place(&self, index: u32) -> usize {
        let before = &self.orphans[..index as usize];
        before.iter().filter(|orphan| orphan.question.is_some()).count()
    }
}

impl Orphan {
    fn portray(&self, canon: &mut Canon) {
        let step = self.step;
        step.subject.portray(canon);
        canon.word(step.verb as u8);
        canon.word(step.table);
        canon.word(step.ordinal);
        canon.word(self.linger);
        canon.session(self.own);
        self.sessions.iter().for_each(|session| canon.session(*session));
        // Its question follows from what its handler had been told.
        portray_told(canon, &self.told);
    }
}

fn portray_slot(canon: &mut Canon, slots: &[Slot], slot: Slot) {
    canon.size(slots.iter().position(|other| *other == slot).unwrap_or(usize::MAX));
}
