//! Level 1. Events in words, for `tracing`.

use super::What;
use crate::point::{Names, Step};
use std::fmt;

impl fmt::Display for What {
    /// For `tracing`: what happened, to whom; tables by number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let question = |step: &Step| Names { tables: &[] }.question(*step);
        match self {
            Self::Invoked { op } => write!(f, "invoked {op}"),
            Self::Sent { message, .. } => write!(f, "sent {message}"),
            Self::Doubled { message } => write!(f, "doubled {message}"),
            Self::Delayed { message, by } => write!(f, "delayed {message} by {by}"),
            Self::Lost { message, why } => write!(f, "lost {message} ({why:?})"),
            Self::Delivered { message, .. } => write!(f, "delivered {message}"),
            Self::TimedOut { op, attempt } => write!(f, "timed out {op} attempt-{attempt}"),
            Self::Started { subject, server } => write!(f, "started {subject} on {server}"),
            Self::Asked { step, .. } => write!(f, "asked {}: {}", step.subject, question(step)),
            Self::Executed { step, result, orphan } => {
                let orphan = if *orphan { ", after its server died" } else { "" };
                write!(f, "executed {}: {} ({result:?}{orphan})", step.subject, question(step))
            }
            Self::Blocked { step } => write!(f, "blocked {}: {}", step.subject, question(step)),
            Self::Held { step } => write!(f, "held {}: {}", step.subject, question(step)),
            Self::Released { step } => write!(f, "released {}: {}", step.subject, question(step)),
            Self::Finished { subject, .. } => write!(f, "finished {subject}"),
            Self::Severed { step } => write!(f, "severed {}: {}", step.subject, question(step)),
            Self::Compensated { op, part, .. } => write!(f, "took back {op} part {}", part + 1),
            Self::Vanished { op, part } => write!(f, "lost {op} part {} with the cache", part + 1),
            Self::FailedOver { lost } => write!(f, "the cache failed over, {lost} writes lost"),
            Self::Evicted { step } => write!(f, "expired for {}: {}", step.subject, question(step)),
            Self::ReadBehind { step } => write!(f, "behind {}: {}", step.subject, question(step)),
            Self::Cancelled { subject } => write!(f, "cancelled {subject}"),
            Self::Died { subject } => write!(f, "died {subject}"),
            Self::RolledBack { subject } => write!(f, "rolled back {subject}"),
            Self::Reaped { subject } => write!(f, "reaped {subject}"),
            Self::Applied { op, part, .. } => write!(f, "applied {op} part {}", part + 1),
            Self::Committed { op, part, .. } => write!(f, "committed {op} part {}", part + 1),
            Self::Undone { op, part } => write!(f, "undone {op} part {}", part + 1),
            Self::Crashed { server } => write!(f, "crashed {server}"),
            Self::Restarted { server } => write!(f, "restarted {server}"),
            Self::Paused { server, for_ } => write!(f, "paused {server} for {for_}"),
            other => write!(f, "{other:?}"),
        }
    }
}
