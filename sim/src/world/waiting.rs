//! Level 3. What the world does with questions that wait for another session.
//!
//! A blocked question is asked again once some transaction has ended; in which order, and who dies
//! in a deadlock, the weather chooses.

use super::World;
use crate::point::{Point, Step};
use crate::server::State;
use crate::stage::{Due, Slot, Waiter};
use crate::trace::{Result as Came, What};
use onestroke_store::{Answer, DbError, Session};

impl World {
    /// A question waits; if it closes a circle, the weather chooses who dies.
    pub(super) fn blocked(&mut self, waiter: Waiter, session: Session, step: Step) {
        if self.database.wait(session, waiter, step) {
            if let Waiter::Handler(slot) = waiter
                && let Some(running) = self.servers.get(slot)
            {
                running.state = State::Blocked;
            }
            self.stage.happened(What::Blocked { step });
        }
        let mut circle = std::mem::take(&mut self.circle);
        self.database.deadlock(session, &mut circle);
        if !circle.is_empty() {
            let point = Point::victim(step);
            let spread = u32::try_from(circle.len()).expect("a circle is small");
            let now = self.stage.now;
            let chosen = self.stage.choice.at(point, now, &self.forecast.none, spread);
            let victim = circle[chosen.offset as usize];
            match self.database.give_up(&mut self.stage, victim) {
                Some((Waiter::Handler(slot), error)) => self.refuse(slot, error),
                Some((Waiter::Orphan(orphan), _)) => self.forget_orphan(orphan),
                None => {}
            }
        }
        self.circle = circle;
    }

    /// A question that waited is refused.
    fn refuse(&mut self, slot: Slot, error: DbError) {
        if let Some(running) = self.servers.get(slot) {
            let refused =
                What::Executed { step: running.step, result: Came::Refused, orphan: false };
            self.stage.happened_with(refused, || format!("refused: {error}"));
            running.desk.put(Answer::Db(Err(error)));
            self.answered(slot);
        }
    }

    /// A transaction has ended: those who wait may try again, in an order that the weather chooses.
    #[inline]
    pub(super) fn wake(&mut self) {
        if self.database.may_wake() {
            self.wake_all();
        }
    }

    fn wake_all(&mut self) {
        let mut wakeable = std::mem::take(&mut self.wakeable);
        self.database.take_wakeable(&mut wakeable);
        let now = self.stage.now;
        for (waiter, step) in wakeable.iter().copied() {
            let tie = self.stage.choice.at(Point::wake(step), now, &self.forecast.none, 0).tie;
            self.stage.queue.push(now, tie, Due::Retry { waiter });
        }
        self.wakeable = wakeable;
    }

    pub(super) fn try_again(&mut self, waiter: Waiter) {
        // Of a crowd that was woken together, one goes first, and the others wait on.
        if self.database.still_waits(waiter) {
            return;
        }
        match waiter {
            Waiter::Orphan(orphan) => self.execute_orphan(orphan),
            Waiter::Handler(slot) => {
                let blocked =
                    self.servers.get(slot).is_some_and(|running| running.state == State::Blocked);
                if blocked {
                    self.execute(slot);
                }
            }
        }
    }
}
