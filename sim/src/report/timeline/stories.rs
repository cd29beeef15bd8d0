//! Traces that the tests of the timeline draw.

use crate::point::{Message, Op, Step, Subject};
use crate::report::sample::{Sample, subject};
use crate::time::Span;
use crate::trace::{Loss, Result as Came, Server, What};
use onestroke_store::Verb;

/// Two attempts that overlap, on one server; the second waits for the first one's lock.
pub(super) fn overlap(notes: bool) -> Sample {
    let mut it = Sample::new(&[(1, 40)]);
    if !notes {
        it = it.without_notes();
    }
    let (first, second) = (subject(1, 1), Subject::new(Op(0), 1, 2));
    let commit = |subject| Step { subject, verb: Verb::Commit, table: 0, ordinal: 1 };
    let claim = Step { verb: Verb::Claim, ..commit(second) };
    it.sent(first).push(What::Doubled { message: Message::request(second) });
    it.at(2).starts(first, 1).at(3).starts(second, 1);
    it.does((first, 1, Verb::Begin), "begin (read committed)", (Came::Done, "transaction open"));
    it.does((first, 1, Verb::Claim), "claim key-1", (Came::Done, "record key-1 (in progress)"));
    it.asks((second, 1, Verb::Claim), "claim key-1").push(What::Blocked { step: claim });
    it.does((first, 1, Verb::Apply), "apply charge 40", (Came::Done, "written")).applied(first);
    it.push(What::Held { step: commit(first) }).at(30).push(What::Released { step: commit(first) });
    it.push(What::Said { subject: first }).note("about to commit");
    it.does((first, 1, Verb::Commit), "commit", (Came::Done, "COMMITTED"));
    it.committed(first).recorded(first);
    it.push(What::Executed { step: claim, result: Came::Nothing, orphan: false });
    it.note("key is taken");
    let reply = it.reply(201, "receipt id-1", Some(1));
    it.replies(first, reply).lost(Message::reply(first));
    it.replies(second, reply).answered(second, reply);
    it
}

/// Every fault that the other samples lack, on three servers.
pub(super) fn storm() -> Sample {
    let mut it = Sample::new(&[(1, 40), (2, 25)]);
    let (first, second) = (subject(1, 1), subject(2, 1));
    let step = |verb| Step { subject: first, verb, table: 0, ordinal: 1 };
    it.push(What::CutOff { client: 1, for_: Span::from_millis(300) }).sent(second);
    it.push(What::Lost { message: Message::request(second), why: Loss::Partitioned });
    let by = Span::from_millis(300);
    it.sent(first).push(What::Delayed { message: Message::request(first), by });
    it.at(1).push(What::Paused { server: Server(1), for_: by });
    it.at(302).starts(first, 2);
    it.does((first, 2, Verb::Begin), "begin (read committed)", (Came::Done, "transaction open"));
    it.does((first, 2, Verb::Apply), "apply charge 40", (Came::Done, "written")).applied(first);
    it.asks((first, 2, Verb::Commit), "commit").at(305).push(What::Cancelled { subject: first });
    it.push(What::Undone { op: Op(0), part: 0 }).push(What::RolledBack { subject: first });
    it.at(400).starts(second, 3).asks((second, 3, Verb::Apply), "apply charge 25");
    it.at(401).crash(3, second);
    it.at(404).push(What::Executed {
        step: Step { subject: second, ..step(Verb::Apply) },
        result: Came::Done,
        orphan: true,
    });
    it.note("written").applied(second).committed(second);
    let sweep = Subject::sweep(1);
    it.at(450).push(What::Started { subject: sweep, server: Server(0) });
    it.does((sweep, 1, Verb::Delete), "delete expired records", (Came::Done, "1 record changed"));
    it.push(What::Forgotten { op: Op(1), swept: true });
    it.at(604).push(What::Reaped { subject: second }).push(What::GaveUp { op: Op(0) });
    it.at(900).push(What::Cleared).push(What::Probed { op: Op(0) });
    it.at(10_900).push(What::Unanswered { op: Op(0) });
    it.at(86_400_000).push(What::Remaining { records: 3 }).push(What::Exhausted);
    it
}
