//! Who waits for whom. A session waits for one transaction at a time, so a circle is found by
//! following the waits from one session until they come back.

use super::data::Data;
use super::session::Waiting;
use crate::engine::Session;

impl Data {
    /// Whether what a session waits for has ended.
    pub(super) fn may_proceed(&self, session: u32) -> bool {
        self.awaited(session).is_none()
    }

    /// The sessions from a blocked one along who waits for whom, if that leads back to it.
    pub(super) fn deadlock(&self, session: u32, circle: &mut Vec<Session>) {
        circle.clear();
        let mut at = session;
        for _ in 0..self.sessions.len() {
            circle.push(Session(at));
            match self.awaited(at) {
                Some(next) if next == session => {
                    circle.sort_unstable();
                    return;
                }
                Some(next) => at = next,
                None => break,
            }
        }
        circle.clear();
    }

    /// Lets a session wait for the end of another one's transaction. It keeps its snapshot.
    pub(super) fn wait_for(&mut self, session: u32, other: u32) {
        let number = self.sessions[other as usize].ended;
        self.sessions[session as usize].waiting = Waiting::End { session: other, number };
        self.hold(session);
    }

    /// The session that a blocked one still waits for.
    fn awaited(&self, session: u32) -> Option<u32> {
        match self.session(session)?.waiting {
            Waiting::End { session: other, number } => {
                let still = self.sessions[other as usize].ended == number;
                still.then_some(other)
            }
            Waiting::No | Waiting::Shared | Waiting::Exclusive => None,
        }
    }
}
