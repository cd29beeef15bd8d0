//! Level 2. The questions that wait for another session, in the order of their waiting.
//!
//! A list whose places are found by session and by waiter, so that a crowd of waiters costs no more
//! than its numbers. It keeps its memory from run to run. Imports `stage` and `point` only.

use crate::point::Step;
use crate::stage::Waiter;
use onestroke_store::Session;

/// No place.
const NONE: u32 = u32::MAX;

/// Who waits, and on which session.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    places: Vec<Place>,
    free: Vec<u32>,
    /// The first and the last place in use.
    ends: Option<(u32, u32)>,
    by_session: Vec<u32>,
    by_slot: Vec<u32>,
    by_orphan: Vec<u32>,
    /// How many have begun to wait in this run.
    begun: u64,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    session: Session,
    waiter: Waiter,
    step: Step,
    number: u64,
    before: u32,
    after: u32,
}

impl Waiting {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.free.clear();
        self.ends = None;
        self.by_session.clear();
        self.by_slot.clear();
        self.by_orphan.clear();
        self.begun = 0;
    }

    /// For how many it has room.
    pub(super) fn room(&self) -> usize {
        self.places.capacity() + self.by_session.capacity() + self.by_slot.capacity()
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Lets one wait, behind all others. Says whether it did not wait already.
    pub(super) fn add(&mut self, session: Session, (waiter, step): (Waiter, Step)) -> bool {
        if self.place_of(waiter).is_some() {
            return false;
        }
        debug_assert!(self.place_on(session).is_none(), "two questions wait on {session:?}");
        let before = self.ends.map_or(NONE, |(_, last)| last);
        let place = Place { session, waiter, step, number: self.begun, before, after: NONE };
        self.begun += 1;
        let at = if let Some(at) = self.free.pop() {
            self.places[at as usize] = place;
            at
        } else {
            self.places.push(place);
            u32::try_from(self.places.len() - 1).expect("waiters are bounded")
        };
        match &mut self.ends {
            Some((_, last)) => {
                self.places[before as usize].after = at;
                *last = at;
            }
            None => self.ends = Some((at, at)),
        }
        set(&mut self.by_session, session.0, at);
        let (index, number) = self.index(waiter);
        set(index, number, at);
        true
    }

    /// This one waits no more.
    pub(super) fn remove(&mut self, waiter: Waiter) {
        if let Some(at) = self.place_of(waiter) {
            self.take_out(at);
        }
    }

    /// Nobody waits on this session any more. Says who did.
    pub(super) fn remove_on(&mut self, session: Session) -> Option<Waiter> {
        let at = self.place_on(session)?;
        let waiter = self.places[at as usize].waiter;
        self.take_out(at);
        Some(waiter)
    }

    /// All, in the order of their waiting.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Session, Waiter, Step)> {
        let mut at = self.ends.map_or(NONE, |(first, _)| first);
        std::iter::from_fn(move || {
            let place = self.places.get(at as usize)?;
            at = place.after;
            Some((place.session, place.waiter, place.step))
        })
    }

    /// On which session this one waits.
    pub(super) fn session_of(&self, waiter: Waiter) -> Option<Session> {
        self.place_of(waiter).map(|at| self.places[at as usize].session)
    }

    /// The place in the order of waiting of whoever waits on this session.
    pub(super) fn order_on(&self, session: Session) -> Option<u64> {
        self.place_on(session).map(|at| self.places[at as usize].number)
    }

    fn place_on(&self, session: Session) -> Option<u32> {
        self.by_session.get(session.0 as usize).copied().filter(|at| *at != NONE)
    }

    fn place_of(&self, waiter: Waiter) -> Option<u32> {
        let at = match waiter {
            Waiter::Handler(slot) => self.by_slot.get(slot.index as usize),
            Waiter::Orphan(orphan) => self.by_orphan.get(orphan as usize),
        };
        at.copied().filter(|at| *at != NONE && self.places[*at as usize].waiter == waiter)
    }

    fn index(&mut self, waiter: Waiter) -> (&mut Vec<u32>, u32) {
        match waiter {
            Waiter::Handler(slot) => (&mut self.by_slot, slot.index),
            Waiter::Orphan(orphan) => (&mut self.by_orphan, orphan),
        }
    }

    fn take_out(&mut self, at: u32) {
        let Place { session, waiter, before, after, .. } = self.places[at as usize];
        self.by_session[session.0 as usize] = NONE;
        let (index, number) = self.index(waiter);
        index[number as usize] = NONE;
        if before != NONE {
            self.places[before as usize].after = after;
        }
        if after != NONE {
            self.places[after as usize].before = before;
        }
        self.ends = self.ends.and_then(|(first, last)| match (first == at, last == at) {
            (true, true) => None,
            (true, false) => Some((after, last)),
            (false, true) => Some((first, before)),
            (false, false) => Some((first, last)),
        });
        self.free.push(at);
    }
}

fn set(index: &mut Vec<u32>, number: u32, at: u32) {
    let number = number as usize;
    if index.len() <= number {
        index.resize(number + 1, NONE);
    }
    index[number] = at;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Subject;
    use crate::stage::Slot;
    use onestroke_store::Verb;

    fn handler(index: u32) -> Waiter {
        Waiter::Handler(Slot { index, generation: 7 })
    }

    #[test]
    fn they_are_listed_in_the_order_of_their_waiting_and_found_by_session_and_name() {
        let subject = Subject::sweep(1);
        let step = Step { subject, verb: Verb::Claim, table: 0, ordinal: 1 };
        let mut waiting = Waiting::default();
        for (session, waiter) in [(4, handler(9)), (0, Waiter::Orphan(2)), (7, handler(1))] {
            assert!(waiting.add(Session(session), (waiter, step)));
        }
        assert!(!waiting.add(Session(4), (handler(9), step)), "it waits already");
        assert_eq!(waiting.order_on(Session(0)), Some(1));
        assert_eq!(waiting.session_of(handler(1)), Some(Session(7)));
        waiting.remove(Waiter::Orphan(2));
        waiting.remove(Waiter::Orphan(2));
        waiting.remove(Waiter::Handler(Slot { index: 9, generation: 8 }));
        assert_eq!(waiting.len(), 2, "a later handler of the same slot is another one");
        assert!(waiting.add(Session(0), (handler(3), step)));
        let all: Vec<_> = waiting.iter().map(|(session, ..)| session.0).collect();
        assert_eq!(all, [4, 7, 0]);
        assert_eq!(waiting.remove_on(Session(4)), Some(handler(9)));
        assert_eq!(waiting.remove_on(Session(4)), None);
        assert_eq!(waiting.remove_on(Session(0)), Some(handler(3)));
        assert_eq!(waiting.remove_on(Session(7)), Some(handler(1)));
        assert_eq!((waiting.len(), waiting.iter().count()), (0, 0));
    }
}
