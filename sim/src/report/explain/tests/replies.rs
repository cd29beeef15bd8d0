//! Findings about replies, and about records that stay.

use super::check;
use crate::point::{Message, Op};
use crate::report::sample::{Sample, subject};
use crate::trace::{Result as Came, Server, What};
use expect_test::expect;
use onestroke_scenarios::FindingKind;
use onestroke_store::Verb;

#[test]
fn a_key_comes_again_with_another_payload() {
    let mut it = Sample::new(&[(1, 40), (1, 25)]);
    it.trace.ops[1].key = 0;
    let second = subject(2, 1);
    it.at(50).sent(second).at(52).starts(second, 1);
    let reply = it.reply(201, "receipt id-1", Some(1));
    it.replies(second, reply).answered(second, reply);
    check(
        &it,
        FindingKind::MismatchAccepted,
        2,
        &expect![[r#"
        op-2 carries the key of op-1 and another payload: 25 where op-1 said 40. It should have been refused; instead op-2 was told "201 receipt id-1" at 55 ms: client-1 asked for a charge of 25, and was answered as if it had asked for 40.
        - 55 ms: op-2 was told "201 receipt id-1" at 55 ms
    "#]],
    );
}

#[test]
fn a_tenant_is_handed_the_reply_of_another() {
    let mut it = Sample::new(&[(1, 40), (2, 40)]);
    it.trace.ops[1].key = 0;
    let second = subject(2, 1);
    it.at(50).sent(second).at(52).starts(second, 1);
    let reply = it.reply(201, "receipt id-1", Some(1));
    it.replies(second, reply).answered(second, reply);
    check(
        &it,
        FindingKind::Leak,
        2,
        &expect![[r#"
        client-2 was told "201 receipt id-1" at 55 ms about op-2. That is the reply to op-1 of client-1. Both carry the same key: client-2 holds the receipt of somebody else, and none of its own.
        - 55 ms: client-2 was told "201 receipt id-1" at 55 ms about op-2
    "#]],
    );
}

#[test]
fn a_bare_duplicate_where_the_reply_is_owed() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    let created = it.reply(201, "receipt id-1", Some(1));
    it.replies(first, created).lost(Message::reply(first));
    it.at(100).push(What::TimedOut { op: Op(0), attempt: 1 });
    it.at(120).sent(second).at(122).starts(second, 1);
    let duplicate = it.reply(400, "duplicate", None);
    it.replies(second, duplicate).answered(second, duplicate);
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
            client-1 was told "201 receipt id-1" at 3 ms, then "400 duplicate" at 125 ms, both about op-1: two answers that must be one, and client-1 cannot know which of them holds.
            - 3 ms: client-1 was told "201 receipt id-1" at 3 ms
            - 125 ms: client-1 was told "400 duplicate" at 125 ms
        "#]],
    );
}

#[test]
fn two_receipts_for_one_operation() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1).at(10).sent(second).at(12).starts(second, 1);
    for (one, body) in [(first, "receipt id-1"), (second, "receipt id-2")] {
        let reply = it.reply(201, body, Some(1));
        it.replies(one, reply).answered(one, reply);
    }
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
            client-1 was told "201 receipt id-1" at 15 ms, then "201 receipt id-2" at 18 ms, both about op-1: two answers that must be one, and client-1 cannot know which of them holds.
            - 15 ms: client-1 was told "201 receipt id-1" at 15 ms
            - 18 ms: client-1 was told "201 receipt id-2" at 18 ms
        "#]],
    );
}

#[test]
fn a_409_where_nothing_is_in_flight() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    it.at(120).sent(second).at(122).starts(second, 1);
    let reply = it.reply(409, "in flight", None);
    it.replies(second, reply).answered(second, reply);
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
        The charge of op-1 was committed at 3 ms. Yet a retry was answered "409 in flight" at 122 ms, when nobody was at work on it any more: the reply that client-1 is owed was not given.
        - 3 ms: the charge of op-1 was committed at 3 ms
        - 122 ms: a retry was answered "409 in flight" at 122 ms
    "#]],
    );
}

#[test]
fn a_key_in_progress_for_ever() {
    let mut it = Sample::new(&[(1, 40)]);
    let first = subject(1, 1);
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Claim), "", (Came::Done, "")).recorded(first);
    it.asks((first, 1, Verb::Apply), "").at(4).crash(1, first);
    it.at(55).push(What::Restarted { server: Server(0) });
    it.at(900)
        .push(What::GaveUp { op: Op(0) })
        .push(What::Cleared)
        .push(What::Probed { op: Op(0) });
    let reply = it.reply(409, "in flight", None);
    for attempt in 6..9 {
        let one = subject(1, attempt);
        it.at(u64::from(attempt) * 1_000).sent(one).starts(one, 1);
        it.does((one, 1, Verb::Claim), "", (Came::Nothing, ""));
        it.replies(one, reply).answered(one, reply);
    }
    it.at(10_900).push(What::Unanswered { op: Op(0) });
    check(
        &it,
        FindingKind::Stuck,
        1,
        &expect![[r#"
            Attempt-1 wrote the key of op-1 at 3 ms; server-1 crashed at 4 ms, before its apply, and nobody took the key over or gave it back. In calm weather, from 900 ms until 10900 ms, client-1 asked about op-1 and was told "409 in flight" three times: it will never learn what became of its charge.
            - 3 ms: attempt-1 wrote the key of op-1 at 3 ms
            - 4 ms: server-1 crashed at 4 ms, before its apply
            - 900 ms: in calm weather, from 900 ms until 10900 ms, client-1 asked about op-1
        "#]],
    );
}

#[test]
fn records_that_nobody_clears() {
    let mut it = Sample::new(&[(1, 40), (1, 25), (1, 60)]);
    it.at(86_400_000).push(What::Remaining { records: 3 });
    check(
        &it,
        FindingKind::Unbounded,
        1,
        &expect![[r#"
            The window had passed and a last sweep had run, and 3 records were left at 86400 s, of 3 operations: nothing clears them, and the table grows for as long as the system lives.
            - 24 h: 3 records were left at 86400 s
        "#]],
    );
}
