//! Level 2. How far the database's read replica has come.
//!
//! Fault model: it has every commit, in order, exactly `replica-lag` after the database made it, and never
//! fails. Without a lag there is none: then the database itself is read.

use crate::time::{Span, Time};
use onestroke_store::{Canon, Engine};
use std::collections::VecDeque;

/// The commits that the replica has not seen for good, and the last one that it has.
#[derive(Debug)]
pub struct Replica {
    lag: Span,
    /// When each commit was made, by its number; the first one is seen.
    commits: VecDeque<(Time, u64)>,
}

impl Replica {
    /// A replica that lags by so much.
    pub const fn new(lag: Span) -> Self {
        Self { lag, commits: VecDeque::new() }
    }

    /// Begins anew, with an empty database.
    ///
    /// # Panics
    /// When it is to lag on an engine that cannot look back: whoever sets it up asks first.
    pub fn reset(&mut self, engine: &mut dyn Engine) {
        self.commits.clear();
        if self.lag > Span::ZERO {
            let commit = engine.commits();
            let commit = commit.unwrap_or_else(|| panic!("{} has no replica", engine.name()));
            self.commits.push_back((Time::ZERO, commit));
            engine.keep_since(commit);
        }
    }

    /// Whether there is one at all.
    #[inline]
    pub fn lags(&self) -> bool {
        self.lag > Span::ZERO
    }

    /// For how many commits it has room.
    pub fn room(&self) -> usize {
        self.commits.capacity()
    }

    /// Follows the database, and says which commit is the last that is seen now; `None`: it does not
    /// lag.
    pub fn follow(&mut self, engine: &mut dyn Engine, now: Time) -> Option<u64> {
        let (_, last) = *self.commits.back()?;
        let newest = engine.commits().filter(|newest| *newest > last);
        self.commits.extend(newest.map(|newest| (now, newest)));
        let mut moved = false;
        while self.commits.get(1).is_some_and(|(at, _)| *at + self.lag <= now) {
            self.commits.pop_front();
            moved = true;
        }
        let (_, seen) = self.commits[0];
        if moved {
            engine.keep_since(seen);
        }
        Some(seen)
    }

    /// Writes when it will see which commit, counted from the one that it sees.
    pub fn portray(&self, canon: &mut Canon) {
        let Some((_, seen)) = self.commits.front() else { return };
        for (at, commit) in self.commits.iter().skip(1) {
            canon.ahead(*at + self.lag);
            canon.word(commit - seen);
        }
        canon.word(u64::MAX);
    }
}
