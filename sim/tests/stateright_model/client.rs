//! The model's client: it sends, may stop waiting at any moment, sends again, and gives up. Once all
//! has come to rest it asks once more, and waits.

use super::database::Receipt;
use super::outcome::{Heard, numbered};

/// How often the client sends before it gives up.
const ATTEMPTS: u8 = 2;

/// The only status of these stores: a conflict waits, and the loser gets the winner's reply.
const CREATED: u16 = 201;

/// The client of the only operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    /// Attempts sent.
    sent: u8,
    state: State,
    /// It has used up its attempts, before the probe.
    pub(crate) gave_up: bool,
    /// Replies that arrived, in order.
    heard: Vec<(u8, Receipt)>,
}

/// How its operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// It waits for a reply.
    Waiting,
    /// It has stopped waiting, and will send again.
    BackingOff,
    /// It has used up its attempts.
    GaveUp,
    /// It has a final reply, to this attempt.
    Answered(u8),
}

impl Client {
    /// It has sent its first attempt.
    pub(crate) fn new() -> Self {
        Self { sent: 1, state: State::Waiting, gave_up: false, heard: vec![] }
    }

    /// How its operation stands.
    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Whether it has sent the probe: the weather has cleared.
    pub(crate) fn probes(&self) -> bool {
        self.sent > ATTEMPTS
    }

    /// The replies that arrived, in order.
    pub(crate) fn heard(&self) -> Vec<Heard> {
        let replies = self.heard.iter().copied();
        numbered(replies.map(|(attempt, receipt)| (attempt, CREATED, receipt)))
    }

    /// Stops waiting.
    pub(crate) fn time_out(&mut self) {
        self.gave_up = self.sent == ATTEMPTS;
        self.state = if self.gave_up { State::GaveUp } else { State::BackingOff };
    }

    /// Sends its next attempt, and says which.
    pub(crate) fn send(&mut self) -> u8 {
        self.sent += 1;
        self.state = State::Waiting;
        self.sent
    }

    /// A reply arrives; the first one to whoever still wants it is final, whichever attempt it answers.
    pub(crate) fn hear(&mut self, attempt: u8, receipt: Receipt) {
        self.heard.push((attempt, receipt));
        if matches!(self.state, State::Waiting | State::BackingOff) {
            self.state = State::Answered(attempt);
        }
    }
}
