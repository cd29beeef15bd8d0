//! Stamps on versions, and the view that a statement takes of them.
//!
//! A stamp says when a version began or ended: at the n-th commit, at the end of a session's open
//! transaction if that commits, or never. It does the work of PostgreSQL's transaction numbers and
//! status table in one word: a commit writes its number over the stamps that it left, so nothing
//! has to be remembered about transactions that are over. Imports nothing of this crate.

/// When a version began or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp(u64);

const PENDING: u64 = 1 << 63;

impl Stamp {
    /// Not yet, and nobody is about to.
    pub(super) const NEVER: Self = Self(u64::MAX);

    /// What no session leaves: to see as an outsider.
    pub(super) const NOBODY: Self = Self::pending(u32::MAX);

    /// At this commit.
    pub(super) const fn at(commit: u64) -> Self {
        Self(commit)
    }

    /// When the open transaction of this session commits.
    pub(super) const fn pending(session: u32) -> Self {
        Self(PENDING | session as u64)
    }

    /// The session whose open transaction left this stamp, unless it is `me`.
    pub(super) fn held_by_other(self, me: Self) -> Option<u32> {
        let pending = self.0 >= PENDING && self != Self::NEVER;
        (pending && self != me).then_some(self.0 as u32)
    }

    /// The number of the commit that left it, where one did.
    pub(super) const fn commit(self) -> u64 {
        self.0
    }

    /// Whether it was left by a commit up to this one.
    pub(super) const fn by(self, commit: u64) -> bool {
        self.0 <= commit
    }
}

/// What a statement sees: all commits up to a number, and what its own transaction did.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The last commit that is seen.
    pub(super) commit: u64,
    /// The stamp of the statement's own transaction.
    pub(super) me: Stamp,
}

impl View {
    /// Whether what left this stamp is seen.
    pub(super) fn sees(self, stamp: Stamp) -> bool {
        stamp.by(self.commit) || stamp == self.me
    }
}
