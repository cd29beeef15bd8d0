//! Level 1. Kinds of events, and sets of them: who folds over a trace says what it listens to.

use super::What;

/// A kind of event.
#[expect(missing_docs, reason = "each is named like the event")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Invoked,
    Sent,
    Doubled,
    Delayed,
    Lost,
    Delivered,
    TimedOut,
    Succeeded,
    Rejected,
    GaveUp,
    CutOff,
    Started,
    Asked,
    Executed,
    Blocked,
    Held,
    Released,
    Finished,
    Severed,
    Cancelled,
    Died,
    Applied,
    Committed,
    Undone,
    Compensated,
    Vanished,
    Recorded,
    Forgotten,
    RolledBack,
    Crashed,
    Restarted,
    Paused,
    Reaped,
    FailedOver,
    Evicted,
    ReadBehind,
    Cleared,
    Probed,
    Unanswered,
    Remaining,
    Exhausted,
    Said,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = Self::Said as usize + 1;
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u64);

impl Kinds {
    /// The set of these.
    pub const fn of(kinds: &[Kind]) -> Self {
        let (mut set, mut at) = (0, 0);
        while at < kinds.len() {
            set |= 1 << kinds[at] as u64;
            at += 1;
        }
        Self(set)
    }

    /// These and those.
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether this one is in it.
    pub const fn contain(self, kind: Kind) -> bool {
        self.contain_number(kind as usize)
    }

    /// Whether the kind with this number is in it.
    pub(crate) const fn contain_number(self, kind: usize) -> bool {
        self.0 >> kind & 1 == 1
    }
}

impl What {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Invoked { .. } => Kind::Invoked,
            Self::Sent { .. } => Kind::Sent,
            Self::Doubled { .. } => Kind::Doubled,
            Self::Delayed { .. } => Kind::Delayed,
            Self::Lost { .. } => Kind::Lost,
            Self::Delivered { .. } => Kind::Delivered,
            Self::TimedOut { .. } => Kind::TimedOut,
            Self::Succeeded { .. } => Kind::Succeeded,
            Self::Rejected { .. } => Kind::Rejected,
            Self::GaveUp { .. } => Kind::GaveUp,
            Self::CutOff { .. } => Kind::CutOff,
            Self::Started { .. } => Kind::Started,
            Self::Asked { .. } => Kind::Asked,
            Self::Executed { .. } => Kind::Executed,
            Self::Blocked { .. } => Kind::Blocked,
            Self::Held { .. } => Kind::Held,
            Self::Released { .. } => Kind::Released,
            Self::Finished { .. } => Kind::Finished,
            Self::Severed { .. } => Kind::Severed,
            Self::Cancelled { .. } => Kind::Cancelled,
            Self::Died { .. } => Kind::Died,
            Self::Applied { .. } => Kind::Applied,
            Self::Committed { .. } => Kind::Committed,
            Self::Undone { .. } => Kind::Undone,
            Self::Compensated { .. } => Kind::Compensated,
            Self::Vanished { .. } => Kind::Vanished,
            Self::Recorded { .. } => Kind::Recorded,
            Self::Forgotten { .. } => Kind::Forgotten,
            Self::RolledBack { .. } => Kind::RolledBack,
            Self::Crashed { .. } => Kind::Crashed,
            Self::Restarted { .. } => Kind::Restarted,
            Self::Paused { .. } => Kind::Paused,
            Self::Reaped { .. } => Kind::Reaped,
            Self::FailedOver { .. } => Kind::FailedOver,
            Self::Evicted { .. } => Kind::Evicted,
            Self::ReadBehind { .. } => Kind::ReadBehind,
            Self::Cleared => Kind::Cleared,
            Self::Probed { .. } => Kind::Probed,
            Self::Unanswered { .. } => Kind::Unanswered,
            Self::Remaining { .. } => Kind::Remaining,
            Self::Exhausted => Kind::Exhausted,
            Self::Said { .. } => Kind::Said,
        }
    }
}
