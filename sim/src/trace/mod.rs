//! Level 1. The event vocabulary: everything that happened, in order. Checks and reports read this
//! and nothing else.
//!
//! Events have a fixed size; what does not fit (replies, facts about operations, texts for the
//! timeline) lies in arenas beside them. A hash runs along with the events; texts are not part of it,
//! so that a run with details has the same hash as one without.

mod kind;
mod text;
mod words;

pub use kind::{Kind, Kinds};

use crate::point::{Message, Op, Step, Subject};
use crate::time::{Span, Time};
use hashbrown::HashTable;
use onestroke_store::{Canon, EffectKind, Text};
use rustc_hash::FxHasher;
use std::hash::Hasher as _;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Time,
    /// What.
    pub what: What,
}

/// A reply, by its index in [`Trace::replies`]. Equal replies share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplyId(pub u32);

/// A server, from 0. Shown as `server-1` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Server(pub u8);

/// Why a message did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Loss {
    /// The network lost it.
    Dropped,
    /// The client was cut off.
    Partitioned,
    /// No server was up.
    Refused,
}

/// How a question came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Result {
    /// Done: a write took place, a row was found, the transaction began or ended.
    Done,
    /// Done, and nothing was there: no row, no row changed, a unique key taken.
    Nothing,
    /// The database refused.
    Refused,
}

/// What happened.
#[expect(
    missing_docs,
    reason = "the fields are named by what they are; each variant is documented"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A client begins an operation.
    Invoked { op: Op },
    /// A message leaves.
    Sent { message: Message, reply: Option<ReplyId> },
    /// The network doubled a message; this is the second copy.
    Doubled { message: Message },
    /// This copy will arrive so much later.
    Delayed { message: Message, by: Span },
    /// This copy is lost.
    Lost { message: Message, why: Loss },
    /// A request reaches a server, or a reply its client (then the server means nothing).
    Delivered { message: Message, server: Server, reply: Option<ReplyId> },
    /// The client stops waiting for an attempt's reply.
    TimedOut { op: Op, attempt: u8 },
    /// The client has a final, successful reply.
    Succeeded { op: Op, attempt: u8, reply: ReplyId },
    /// The client has a final reply that is no success.
    Rejected { op: Op, attempt: u8, reply: ReplyId },
    /// The client has used up its attempts: the outcome is unknown to it.
    GaveUp { op: Op },
    /// The client is cut off from all servers for so long.
    CutOff { client: u16, for_: Span },

    /// A handler starts.
    Started { subject: Subject, server: Server },
    /// A handler asks a question.
    Asked { step: Step, server: Server },
    /// A question was executed. `orphan`: its server had died before.
    Executed { step: Step, result: Result, orphan: bool },
    /// A question waits for another session.
    Blocked { step: Step },
    /// A handler is held back.
    Held { step: Step },
    /// A held handler may go on.
    Released { step: Step },
    /// A handler has its reply, and will send it next.
    Finished { subject: Subject, reply: ReplyId },
    /// The connection broke on which a question of this handler travelled; it is told so.
    Severed { step: Step },
    /// A handler was dropped because its client hung up.
    Cancelled { subject: Subject },
    /// A handler died with its server.
    Died { subject: Subject },

    /// A write of a business effect was executed; it counts only once committed.
    Applied { op: Op, part: u8, parts: u8, kind: EffectKind },
    /// The write is committed.
    Committed { op: Op, part: u8, parts: u8, kind: EffectKind, subject: Subject },
    /// The write is undone.
    Undone { op: Op, part: u8 },
    /// An effect that was committed before is taken back.
    Compensated { op: Op, part: u8, subject: Subject },
    /// An effect that was committed in the cache is lost with it.
    Vanished { op: Op, part: u8 },
    /// A write to a table of records is committed, in the name of this operation.
    Recorded { op: Op },
    /// A record of this operation was deleted, by the sweeper or by a store.
    Forgotten { op: Op, swept: bool },
    /// A transaction of this handler was rolled back without being asked for.
    RolledBack { subject: Subject },

    /// A server crashes.
    Crashed { server: Server },
    /// A server is up again.
    Restarted { server: Server },
    /// A server stands still for so long.
    Paused { server: Server, for_: Span },
    /// The sessions of a dead handler let go of their locks at last.
    Reaped { subject: Subject },

    /// The cache's replica becomes the primary; so many writes are lost.
    FailedOver { lost: u16 },
    /// A question asked the cache for a key that had expired.
    Evicted { step: Step },
    /// A question was answered by the replica, and the database knew better.
    ReadBehind { step: Step },

    /// The weather has cleared: from here on nothing misbehaves.
    Cleared,
    /// An operation without a final answer is asked about, in calm weather.
    Probed { op: Op },
    /// The bound has passed, and the probe has no final answer.
    Unanswered { op: Op },
    /// After the window and a last sweep, so many records are left.
    Remaining { records: u32 },
    /// The run exceeded its bound of events and was stopped.
    Exhausted,
    /// A store's own `tracing` line; its text is a note. Not part of the hash.
    Said { subject: Subject },
}

/// What the oracle knows of an operation, and stores do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpFacts {
    /// Whose operation, from 0.
    pub client: u16,
    /// Which tenant the client belongs to, from 0.
    pub tenant: u16,
    /// Which key it carries: equal numbers are equal keys (within a tenant).
    pub key: u32,
    /// Which payload it carries: equal numbers are equal payloads.
    pub payload: u32,
    /// What it asks for.
    pub kind: EffectKind,
    /// In how many parts.
    pub parts: u8,
    /// How much.
    pub amount: i64,
    /// No other operation of its tenant carries its key.
    pub alone: bool,
    /// Another service declines it: a refusal is the right answer.
    pub declined: bool,
    /// What it is about: equal numbers are the same thing.
    pub target: u32,
    /// Which version of it the operation writes; 0 where there are no versions.
    pub version: u32,
    /// It carries a key at all.
    pub keyed: bool,
    /// So many of its attempts come with a credential that is not taken.
    pub wrong_passwords: u8,
}

impl OpFacts {
    /// Whether this attempt comes with a credential that is not taken.
    pub const fn is_wrong(&self, attempt: u8) -> bool {
        attempt <= self.wrong_passwords
    }
}

/// A reply as the oracle sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFacts {
    /// HTTP status.
    pub status: u16,
    /// Body.
    pub body: Text,
    /// The operation whose receipt the body names, if it names one.
    pub owner: Option<Op>,
}

/// Everything that happened.
#[derive(Debug, Default)]
pub struct Trace {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Facts by operation.
    pub ops: Vec<OpFacts>,
    /// Distinct replies.
    pub replies: Vec<ReplyFacts>,
    /// Texts for the timeline, by the index of their event; empty unless details were asked for.
    pub notes: Vec<Note>,
    /// The tenants' key names by key number, for the timeline.
    pub keys: Vec<Text>,
    /// Replies by what they say; never iterated.
    known_replies: HashTable<u32>,
    hash: u64,
}

/// A text beside an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The event's index.
    pub event: u32,
    /// The text.
    pub text: String,
}

impl Trace {
    /// Forgets all; keeps the memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.ops.clear();
        self.replies.clear();
        self.known_replies.clear();
        self.notes.clear();
        self.keys.clear();
        self.hash = 0;
    }

    /// Appends an event.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kind of event is known where it happens")]
    pub fn push(&mut self, at: Time, what: What) {
        if !matches!(what, What::Said { .. }) {
            let [first, second] = what.words();
            self.absorb(at.as_micros());
            self.absorb(first);
            self.absorb(second);
        }
        self.events.push(Event { at, what });
    }

    /// Puts a text beside the event that was pushed last.
    pub fn note(&mut self, text: String) {
        let event = u32::try_from(self.events.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.notes.push(Note { event, text });
    }

    /// The text beside an event.
    pub fn note_of(&self, event: usize) -> Option<&str> {
        let at = self.notes.binary_search_by_key(&event, |note| note.event as usize).ok()?;
        Some(&self.notes[at].text)
    }

    /// Mixes a word into the running hash: for what is not an event and must be equal all the same.
    #[inline]
    pub fn absorb(&mut self, word: u64) {
        self.hash = (self.hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    /// The number of a reply, new or known.
    pub fn intern(
        &mut self,
        status: u16,
        body: &Text,
        owner: impl FnOnce() -> Option<Op>,
    ) -> ReplyId {
        let hash = hash_of(status, body);
        let same = |id: &u32| {
            let reply = &self.replies[*id as usize];
            reply.status == status && reply.body == *body
        };
        if let Some(id) = self.known_replies.find(hash, same) {
            return ReplyId(*id);
        }
        self.absorb(u64::from(status));
        for byte in body.as_bytes() {
            self.absorb(u64::from(*byte));
        }
        let id = u32::try_from(self.replies.len()).unwrap_or(u32::MAX);
        self.replies.push(ReplyFacts { status, body: body.clone(), owner: owner() });
        let replies = &self.replies;
        let rehash = |id: &u32| hash_of(replies[*id as usize].status, &replies[*id as usize].body);
        self.known_replies.insert_unique(hash, id, rehash);
        ReplyId(id)
    }

    /// Writes what a reply says: its number depends on the way here.
    pub fn portray_reply(&self, canon: &mut Canon, id: ReplyId) {
        let reply = self.reply(id);
        canon.word(reply.status);
        canon.text(&reply.body);
    }

    /// The reply with this number.
    pub fn reply(&self, id: ReplyId) -> &ReplyFacts {
        &self.replies[id.0 as usize]
    }

    /// The running hash over all events so far.
    pub const fn hash(&self) -> u64 {
        self.hash
    }
}

fn hash_of(status: u16, body: &Text) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u16(status);
    hasher.write(body.as_bytes());
    hasher.finish()
}

impl ReplyFacts {
    /// Whether it reports success (2xx).
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// Whether a client should send the same request again: 409, 429, 5xx.
    pub const fn asks_for_retry(&self) -> bool {
        matches!(self.status, 409 | 429 | 500..=599)
    }
}

impl std::fmt::Display for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "server-{}", self.0 + 1)
    }
}
