//! Level 5. The kinds of findings in depth: what each means, where it comes from, what helps.
//!
//! Imports nothing of this crate.

use onestroke_scenarios::FindingKind;

/// Paragraphs about a kind of finding, not wrapped, a blank line between them.
pub const fn kind_in_depth(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Expired => EXPIRED,
        FindingKind::DoubleEffect => DOUBLE_EFFECT,
        FindingKind::Torn => TORN,
        FindingKind::LostEffect => LOST_EFFECT,
        FindingKind::MismatchAccepted => MISMATCH_ACCEPTED,
        FindingKind::Leak => LEAK,
        FindingKind::WrongReply => WRONG_REPLY,
        FindingKind::Stuck => STUCK,
        FindingKind::Stale => STALE,
        FindingKind::Undone => UNDONE,
        FindingKind::Unbounded => UNBOUNDED,
    }
}

const EXPIRED: &str = "\
A retry came after the first attempt's record had expired or been swept. The store found no key, and \
did it again: the customer paid twice, days apart, and no log line shows an error.

It means that the window is shorter than the retries. The store itself can be right; the arithmetic \
is not. What counts is the worst last arrival: all time-outs and back-offs of the client, plus the \
longest that a message can be late, plus redelivery by a queue, plus the day on which an operator \
redrives a dead-letter queue, plus the skew between the clocks of two nodes.

Usual causes: a TTL chosen by taste (24 h is a habit, not a calculation); a sweeper that clears ahead \
of time, or by another clock than the one that wrote the record; a cache that evicts under memory \
pressure; a window that counts from first sight where it should count from completion.

What helps: compare both (`sim explain SCENARIO` says what they are on paper) and keep records \
longer than the worst last arrival. Where that is not possible, let the server refuse a request that is older than the window, \
by a timestamp in the request, rather than take it for a new one. For the worst cases keep a tombstone: \
the key alone, without the reply, for much longer.";

const DOUBLE_EFFECT: &str = "\
One operation had more than one committed effect. The client asked once and sent it more often, as it \
must when a reply is lost; the store took a repeat for a new request. The customer is charged twice.

Usual causes, in the order in which they are met: no key is looked up at all. The key is looked up, \
and effect and key are written later: two attempts that overlap both find nothing (a SELECT is no \
lock, and a read-committed transaction around it does not make it one). Effect and key are written in \
two steps: a crash between them leaves an effect that no key knows of. The key is written in another \
system than the effect (a cache, a second database), and one of the two commits fails. A lease on the \
key runs out while its owner is only paused, and both go on.

What helps: write the key and the effect in one stroke, in one transaction of one database, under a \
unique constraint on the key, and claim the key first, with an insert that fails or waits. Then there \
is no moment in which one is there without the other. Where the effect is in another system (a \
payment provider, an e-mail), pass a key derived from yours on to it, so that it deduplicates in its \
turn; or accept at-most-once or at-least-once, and say so in the contract. A lease needs a fencing \
token that is checked where the effect is written.";

const TORN: &str = "\
Part of an effect is there and part is not: the order is in the kitchen, and not on the bill. Nobody \
will finish it, because the retry is told that it is done, or refused because it is in progress.

Usual causes: the parts are written in several transactions, and a crash fell between them. A \
statement in the middle failed, its error was swallowed, and the rest was committed. One part lives in \
another database or behind an API.

What helps: all parts, the key and the reply in one transaction. Where the parts cannot share one, \
make each part idempotent under a key of its own, derived from the operation's (key + step); record \
which steps are done; and let the retry, or a worker that scans for unfinished records, resume at the \
first step that is not. An outbox does this for messages: write the message beside the effect in the \
same transaction, send it later, as often as it takes, and let its receiver deduplicate.";

const LOST_EFFECT: &str = "\
The client was told success, and no effect is there. It is the quiet twin of the double charge: nobody \
complains about a payment that never took place until the books are closed.

Usual causes: the key is marked as seen before the effect is made, and a key that was seen counts as \
done; after a crash between the two, the retry is told \"done\". The reply is sent before the commit, \
and the commit fails. An error of the commit is ignored. The effect is left to a background task in \
memory, and the process dies. A cancelled request drops the transaction after the key was stored \
elsewhere.

What helps: never answer success before the commit has been acknowledged. Tell \"seen\" from \"done\": \
a record in progress has no reply, and must be answered with a wait or a 409, never with success. Write \
the effect and the done mark in one transaction. Hand work to the background through a table, not \
through memory.";

const MISMATCH_ACCEPTED: &str = "\
The same key came with another payload and was not refused. The client asked for 25, and was answered \
with the receipt of an earlier 40; or the 25 were charged under a key that already stood for 40.

Almost always the client has a bug: a key made from something that is not unique to the intent (the \
order's number, for two different payments of that order; a minute; a counter that was reset). The \
server is the only one that can notice.

Usual causes: the store keeps no fingerprint of the payload. It keeps one, and compares it only after \
completion, not while the first is in progress. The fingerprint leaves out the field that differs, or \
includes one that changes with each retry (a timestamp, a trace id), and was switched off for that.

What helps: store a hash of the payload's canonical form with the key, on the claim, and compare it on \
every path: in progress, done and failed. Answer with a final refusal (422), not with one that asks for \
a retry. Canonicalise (RFC 8785), so that the order of fields does not matter, and choose the fields on \
purpose.";

const LEAK: &str = "\
A reply went to a client that it does not belong to: one tenant was handed the receipt of another. \
This is a breach of confidentiality and not only a wrong number; its own request was not carried out \
either.

Usual causes: keys of all tenants share one space, and two of them chose the same key (\"1\", \
\"order-1001\", a UUID copied from an example). The key is not scoped by the operation's type, and a \
refund finds the record of a charge. A cache in front of the store is keyed by the header alone. The \
tenant is taken from the payload, not from the authentication.

What helps: make the record's unique key (tenant, operation type, key), with the tenant as \
authenticated; put the same three into every cache key and every lock name. A fingerprint does not \
save you here: two tenants can send the same payload.";

const WRONG_REPLY: &str = "\
The effect is right, and the reply is not. Two successful replies of one operation differ (two receipt \
numbers for one charge), or a success was reported as a failure: a retry whose first reply was lost was \
told a bare \"duplicate\". The client now believes something false, and acts on it: it refunds, it \
charges by another way, it calls support.

Usual causes: the store remembers that the key was used, and not what was answered. The reply is made \
anew on each retry from a state that has changed since. A unique violation is passed on as 400 or 409 \
for good. An error of the first attempt was stored as final though it was transient. The reply was \
stored before the last value (an id, a status) was known.

What helps: store status and body with the key, in the transaction of the effect, and replay them. \
Where equivalent replies are enough, say so in the contract, and build the reply from the stored effect \
only. Decide on purpose which failures are final, and store only those.";

const STUCK: &str = "\
The weather is calm again, all servers are up, and the operation still gets no final answer. Each retry \
is refused as \"in flight\", and nothing is in flight. The customer cannot pay, and cannot learn whether \
they have.

Usual causes: the key is claimed in a transaction of its own, and the claimer died before it settled or \
released it. The claim has no owner, or no expiry, so nobody may take it over. The error path forgets \
to release. A lock of a dead session lingers for longer than the client waits.

What helps: claim, effect and reply in one transaction: then a crash takes the claim back by itself. \
Where the claim must be committed first (the effect is in another system), give it a lease with an \
owner; let a retry take over an expired one with a compare-and-set on the owner; and fence the old \
owner at the place of the effect. Have a worker that finishes or releases abandoned claims, and alert \
on their age.";

const STALE: &str = "\
An older update stands where a newer one had been. The order is shipped, and its page says packed; the \
subscription is active, and the books say incomplete. Each update was applied once, as asked, and the \
last one that arrived was not the last one that was meant.

Usual causes: events of one thing travel on several connections, partitions or retries, and the network \
does not keep their order. Duplicates are dropped by their id, and an id says nothing about order. A late copy of \
the first update is applied after the second, because its record has expired, or because a plain set looks \
harmless. A handler reads, waits and writes back what it had read.

What helps: let each update carry a version or a sequence number of the thing, and write under the \
condition that the stored version is lower, in one statement; answer a late one with success, and leave the thing \
alone. Where there is no version, fetch the present state from its source instead of trusting the event. Apply \
target states (\"shipped\"), not steps (\"next status\").";

const UNDONE: &str = "\
An effect was taken back that should have stayed, or was not there to be taken back: a refund for a \
charge that never took place, a second refund, or a transfer that the client was told was done and that was \
then reversed. Money leaves, and each single step looks right in the log.

Usual causes: a saga that restarts does its compensation again. A step whose answer was lost counts as \
failed, and is compensated, although it was done; or it is compensated before it arrives, and then done. \
A late attempt finds the operation compensated, and reports success from an older note. Two orchestrators \
work on one saga.

What helps: make each compensation an operation of its own, under a key derived from the step it takes \
back, so that it happens once. Ask what became of a step before you compensate it, by its key; never \
read silence as failure. Write the decision (go on, or go back) down once, under a condition, before the \
first step in either direction, and answer the client from that decision only.";

const UNBOUNDED: &str = "\
After the window had passed and a last sweep had run, more records were left than the contract allows. \
Nothing is charged twice, and the table grows for as long as the system lives: indexes outgrow memory, \
claims become slow, and one day somebody truncates the table at noon.

Usual causes: no sweeper, or one that was never scheduled. Records without an expiry (failed, in \
progress, of a retired type) that the sweeper's condition does not match. A sweeper that fails on one \
row and stops. An expiry that each replay pushes further into the future.

What helps: give every record an expiry at the claim, with an index on it; delete in small batches, \
oldest first; partition by day and drop whole partitions where there are many. Delete only what is \
beyond the worst last arrival (see `expired`), or the cure is worse than the illness. Watch the count \
of records older than the window: it should be near zero.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_says_what_it_means_where_it_comes_from_and_what_helps() {
        for kind in FindingKind::ALL {
            let text = kind_in_depth(kind);
            let paragraphs = text.split("\n\n").count();
            assert!((3..=4).contains(&paragraphs), "{kind}: {paragraphs} paragraphs");
            assert!(
                text.contains("\n\nUsual causes") && text.contains("\n\nWhat helps: "),
                "{kind}"
            );
            assert!(text.split("\n\n").all(|paragraph| !paragraph.contains('\n')), "{kind}");
        }
    }
}
