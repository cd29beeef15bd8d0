//! Level 1. An event's content as two words, for the running hash.

use super::{ReplyId, What};
use crate::point::{Message, Op, Step, Subject};

impl What {
    /// Its content as two words, for the hash. The first byte tells the kind.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kind of event is known where it happens")]
    pub(super) fn words(&self) -> [u64; 2] {
        let reply = |reply: Option<ReplyId>| reply.map_or(u64::MAX, |id| u64::from(id.0));
        let step = |s: &Step| {
            subject_word(s.subject)
                ^ u64::from(s.verb as u8) << 40
                ^ u64::from(s.table) << 48
                ^ u64::from(s.ordinal) << 54
        };
        let effect = |op: Op, part: u8, parts: u8| {
            u64::from(op.0) | u64::from(part) << 32 | u64::from(parts) << 40
        };
        let (kind, first, second) = match self {
            Self::Invoked { op } => (1, u64::from(op.0), 0),
            Self::Sent { message, reply: id } => (2, message_word(*message), reply(*id)),
            Self::Doubled { message } => (3, message_word(*message), 0),
            Self::Delayed { message, by } => (4, message_word(*message), by.as_micros()),
            Self::Lost { message, why } => (5, message_word(*message), *why as u64),
            Self::Delivered { message, server, reply: id } => {
                (6, message_word(*message), reply(*id) << 8 | u64::from(server.0))
            }
            Self::TimedOut { op, attempt } => (7, u64::from(op.0), u64::from(*attempt)),
            Self::Succeeded { op, attempt, reply } => {
                (8, u64::from(op.0), u64::from(*attempt) << 32 | u64::from(reply.0))
            }
            Self::Rejected { op, attempt, reply } => {
                (9, u64::from(op.0), u64::from(*attempt) << 32 | u64::from(reply.0))
            }
            Self::GaveUp { op } => (10, u64::from(op.0), 0),
            Self::CutOff { client, for_ } => (11, u64::from(*client), for_.as_micros()),
            Self::Started { subject, server } => (12, subject_word(*subject), u64::from(server.0)),
            Self::Asked { step: s, server } => (13, step(s), u64::from(server.0)),
            Self::Executed { step: s, result, orphan } => {
                (14, step(s), *result as u64 | u64::from(*orphan) << 8)
            }
            Self::Blocked { step: s } => (15, step(s), 0),
            Self::Held { step: s } => (16, step(s), 0),
            Self::Released { step: s } => (17, step(s), 0),
            Self::Finished { subject, reply } => (18, subject_word(*subject), u64::from(reply.0)),
            Self::Cancelled { subject } => (19, subject_word(*subject), 0),
            Self::Died { subject } => (20, subject_word(*subject), 0),
            Self::Applied { op, part, parts, kind } => {
                (21, effect(*op, *part, *parts), *kind as u64)
            }
            Self::Committed { op, part, parts, kind, subject } => {
                (22, effect(*op, *part, *parts), subject_word(*subject) << 4 | *kind as u64)
            }
            Self::Undone { op, part } => (23, u64::from(op.0), u64::from(*part)),
            Self::Recorded { op } => (24, u64::from(op.0), 0),
            Self::Forgotten { op, swept } => (25, u64::from(op.0), u64::from(*swept)),
            Self::RolledBack { subject } => (26, subject_word(*subject), 0),
            Self::Crashed { server } => (27, u64::from(server.0), 0),
            Self::Restarted { server } => (28, u64::from(server.0), 0),
            Self::Paused { server, for_ } => (29, u64::from(server.0), for_.as_micros()),
            Self::Reaped { subject } => (30, subject_word(*subject), 0),
            Self::Cleared => (31, 0, 0),
            Self::Probed { op } => (32, u64::from(op.0), 0),
            Self::Unanswered { op } => (33, u64::from(op.0), 0),
            Self::Remaining { records } => (34, u64::from(*records), 0),
            Self::Exhausted => (35, 0, 0),
            Self::Said { subject } => (36, subject_word(*subject), 0),
            Self::Severed { step: s } => (37, step(s), 0),
            Self::Compensated { op, part, subject } => {
                (38, effect(*op, *part, 0), subject_word(*subject))
            }
            Self::Vanished { op, part } => (50, u64::from(op.0), u64::from(*part)),
            Self::FailedOver { lost } => (51, u64::from(*lost), 0),
            Self::Evicted { step: s } => (52, step(s), 0),
            Self::ReadBehind { step: s } => (53, step(s), 0),
        };
        [first ^ kind << 58, second]
    }
}

fn subject_word(subject: Subject) -> u64 {
    u64::from(subject.op.0) | u64::from(subject.attempt) << 24 | u64::from(subject.copy) << 32
}

fn message_word(message: Message) -> u64 {
    subject_word(message.subject) | (message.leg as u64) << 40 | u64::from(message.echo) << 41
}
