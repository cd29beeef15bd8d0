//! Level 3. What strikes servers and handlers: crashes with what they leave behind, pauses, hang-ups.

use super::{Grave, Orphan, Sessions, World};
use crate::choice::can_fly;
use crate::point::{Point, Step, Subject};
use crate::stage::{Due, Slot, Waiter};
use crate::time::Span;
use crate::trace::{Server, What};
use onestroke_store::{Asked, Session, Told};

/// Stands for no handler at all.
const NOBODY: Slot = Slot { index: u32::MAX, generation: u32::MAX };

/// A question that goes on without its handler.
pub(super) struct Flight {
    pub step: Step,
    /// The session that it runs on, where it is in no transaction.
    pub own: Session,
    pub question: Asked,
    /// What is to be closed when it is done.
    pub sessions: Sessions,
    /// What its handler had been told, if that is kept.
    pub told: Vec<Told>,
}

impl World {
    pub(super) fn pause(&mut self, server: Server, span: Span) {
        self.servers.pause(server, self.stage.now + span);
        self.stage.happened(What::Paused { server, for_: span });
    }

    /// The client hung up: the handler is dropped, and its transactions with it.
    pub(super) fn cancel(&mut self, slot: Slot) {
        let Some(running) = self.servers.get(slot) else { return };
        let subject = running.subject;
        self.stage.happened(What::Cancelled { subject });
        let sessions = std::mem::take(&mut running.sessions);
        let own = running.own.take();
        self.database.stop_waiting(Waiter::Handler(slot));
        self.servers.free(slot.index as usize);
        for session in sessions {
            self.database.close(&mut self.stage, session);
            self.stage.happened(What::RolledBack { subject });
        }
        if let Some(own) = own {
            self.database.close(&mut self.stage, own);
        }
    }

    /// A server crashes, with all its handlers. The question of `flying` is still executed.
    pub(super) fn crash(&mut self, server: Server, flying: Option<Slot>, linger: bool) {
        self.stage.happened(What::Crashed { server });
        self.servers.take_down(server);
        let mut dead = std::mem::take(&mut self.scratch);
        self.servers.slots_on(server, &mut dead);
        for slot in dead.drain(..) {
            self.bury(slot, flying == Some(slot), linger);
        }
        self.scratch = dead;
        self.stage.after(self.scenario.weather.restart_after, 0, Due::Restart { server });
    }

    /// A handler dies with its server.
    pub(super) fn bury(&mut self, slot: Slot, flies: bool, linger: bool) {
        let running = self.servers.at(slot);
        let (subject, step) = (running.subject, running.step);
        self.stage.happened(What::Died { subject });
        self.database.stop_waiting(Waiter::Handler(slot));
        let mut sessions = std::mem::take(&mut running.sessions);
        let question = if flies && can_fly(step.verb) { running.desk.asked() } else { None };
        let own = running.own.take();
        let told = if question.is_some() { running.desk.take_told() } else { vec![] };
        self.servers.free(slot.index as usize);
        if let Some(question) = question {
            let own = own.unwrap_or_else(|| self.database.open());
            sessions.push(own);
            let flight = Flight { step, own, question, sessions, told };
            self.set_flying(flight, linger);
            return;
        }
        sessions.extend(own);
        self.leave(subject, sessions, linger);
    }

    /// A question goes on without its handler, which has given it up.
    pub(super) fn fly(&mut self, flight: Flight) {
        self.set_flying(flight, false);
    }

    fn set_flying(&mut self, flight: Flight, linger: bool) {
        let Flight { step, own, question, sessions, told } = flight;
        let orphan = u32::try_from(self.orphans.len()).expect("faults are bounded");
        let question = Some(question);
        self.orphans.push(Orphan { step, own, question, sessions, linger, told });
        self.stage.after(self.scenario.weather.in_flight_after, 0, Due::Orphan { orphan });
    }

    /// The sessions of a dead handler are closed now, or after a while.
    pub(super) fn leave(&mut self, subject: Subject, sessions: Sessions, linger: bool) {
        if linger && !sessions.is_empty() {
            let grave = u32::try_from(self.graves.len()).expect("crashes are bounded");
            self.graves.push(Grave { subject, sessions });
            self.stage.after(self.scenario.weather.linger_for, 0, Due::Reap { grave });
            return;
        }
        for session in sessions {
            if self.database.roll_back(&mut self.stage, session) {
                self.stage.happened(What::RolledBack { subject });
            }
            self.database.close(&mut self.stage, session);
        }
    }

    pub(super) fn execute_orphan(&mut self, index: u32) {
        let orphan = &mut self.orphans[index as usize];
        let Some(asked) = orphan.question.take() else { return };
        let Some(question) = asked.question() else { return };
        let (step, own) = (orphan.step, orphan.own);
        let waiter = Waiter::Orphan(index);
        if self.perform(question, (step, own, true), None) {
            let orphan = &mut self.orphans[index as usize];
            let (sessions, linger) = (std::mem::take(&mut orphan.sessions), orphan.linger);
            self.database.stop_waiting(waiter);
            self.leave(step.subject, sessions, linger);
            self.passed(NOBODY, Point::after(step));
        } else {
            let session = question.transaction().unwrap_or(own);
            self.orphans[index as usize].question = Some(asked);
            self.blocked(waiter, session, step);
        }
    }

    /// A question that outlived its server is not asked any more.
    pub(super) fn forget_orphan(&mut self, index: u32) {
        let orphan = &mut self.orphans[index as usize];
        orphan.question = None;
        let (subject, sessions) = (orphan.step.subject, std::mem::take(&mut orphan.sessions));
        self.leave(subject, sessions, false);
    }

    pub(super) fn reap(&mut self, index: u32) {
        let grave = &mut self.graves[index as usize];
        let (subject, sessions) = (grave.subject, std::mem::take(&mut grave.sessions));
        self.leave(subject, sessions, false);
        self.stage.happened(What::Reaped { subject });
    }
}
