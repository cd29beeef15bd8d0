//! Who did the same twice by himself, and replies that hide what is the matter.

use super::check;
use crate::point::{Op, Step};
use crate::report::sample::{Sample, subject};
use crate::trace::{Result as Came, What};
use expect_test::expect;
use onestroke_scenarios::FindingKind;
use onestroke_store::Verb;

#[test]
fn a_handler_runs_again_what_it_had_committed() {
    let mut it = Sample::new(&[(1, 40)]);
    let first = subject(1, 1);
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    let step = Step { subject: first, verb: Verb::Commit, table: 0, ordinal: 1 };
    it.push(What::Severed { step });
    it.at(20).does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 3 ms by attempt-1; its key was committed with it. Attempt-1 lost its connection at 3 ms and never heard how its commit came out. Attempt-1 never looked for a key, and charged again at 21 ms: client-1 paid 40 twice.
        - 3 ms: charge #1 of op-1 (40) was committed at 3 ms by attempt-1
        - 3 ms: attempt-1 lost its connection at 3 ms and never heard how its commit came out
        - 21 ms: charge #2 was committed at 21 ms by attempt-1
    "#]],
    );
}

#[test]
fn a_handler_begins_a_step_again() {
    let mut it = Sample::new(&[(1, 40)]);
    let first = subject(1, 1);
    it.sent(first).at(2).starts(first, 1).recorded(first);
    it.does((first, 1, Verb::Apply), "", (Came::Done, "")).committed(first);
    it.does((first, 1, Verb::Commit), "", (Came::Refused, ""));
    it.does((first, 1, Verb::Apply), "", (Came::Done, "")).committed(first);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 3 ms by attempt-1; its key had been written at 2 ms. Attempt-1 was refused its commit at 4 ms, and began again. Attempt-1 never looked for a key, and charged again at 5 ms: client-1 paid 40 twice.
        - 2 ms: its key had been written at 2 ms
        - 3 ms: charge #1 of op-1 (40) was committed at 3 ms by attempt-1
        - 4 ms: attempt-1 was refused its commit at 4 ms, and began again
        - 5 ms: charge #2 was committed at 5 ms by attempt-1
    "#]],
    );
}

#[test]
fn a_409_hides_that_the_payload_is_another() {
    let mut it = Sample::new(&[(1, 40), (1, 25)]);
    it.trace.ops[1].key = 0;
    let (first, second) = (subject(1, 1), subject(2, 1));
    it.starts(first, 1).starts(second, 2);
    let wait = it.reply(409, "in flight", None);
    it.replies(second, wait).answered(second, wait);
    check(
        &it,
        FindingKind::WrongReply,
        2,
        &expect![[r#"
        op-2 carries the key of op-1 and another payload: 25 where op-1 said 40. Yet a server answered "409 in flight" to op-2 at 0 ms, as if op-2 itself were in flight: client-1 will come again with a payload that can never be accepted, and is not told so.
        - 0 ms: a server answered "409 in flight" to op-2 at 0 ms
    "#]],
    );
}

#[test]
fn a_failure_of_the_server_where_nothing_failed() {
    let mut it = Sample::new(&[(1, 40)]);
    it.trace.ops[0].alone = true;
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.starts(first, 1).starts(second, 2);
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    let failed = it.reply(500, "failed", None);
    it.replies(second, failed).answered(second, failed);
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
        client-1 was told "500 failed" at 4 ms about op-1. Nothing had failed: the charge was committed at 1 ms, and the loser of a race is owed the winner's reply, or a 409.
        - 1 ms: the charge was committed at 1 ms
        - 4 ms: client-1 was told "500 failed" at 4 ms about op-1
    "#]],
    );
}

#[test]
fn a_right_password_is_told_what_the_wrong_one_was() {
    let mut it = Sample::new(&[(1, 40)]);
    (it.trace.ops[0].alone, it.trace.ops[0].wrong_passwords) = (true, 1);
    let (first, second) = (subject(1, 1), subject(1, 2));
    let refused = it.reply(401, "wrong password", None);
    it.starts(first, 1).replies(first, refused).answered(first, refused);
    it.at(20).starts(second, 2).replies(second, refused).answered(second, refused);
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
        client-1 was told "401 wrong password" at 23 ms: its password had been wrong before, and was right by now.
        - 23 ms: client-1 was told "401 wrong password" at 23 ms
    "#]],
    );
}

#[test]
fn whoever_has_the_key_is_shown_the_receipt() {
    let mut it = Sample::new(&[(1, 40)]);
    (it.trace.ops[0].alone, it.trace.ops[0].wrong_passwords) = (true, 1);
    let (second, stranger) = (subject(1, 2), subject(1, 1));
    let receipt = it.reply(201, "receipt id-1", Some(1));
    it.starts(second, 1).committed(second).replies(second, receipt).answered(second, receipt);
    it.at(20).starts(stranger, 2).replies(stranger, receipt).answered(stranger, receipt);
    check(
        &it,
        FindingKind::WrongReply,
        1,
        &expect![[r#"
        Attempt-1 of op-1 was told "201 receipt id-1" at 23 ms, and had come with a wrong password: whoever has the key is shown the receipt.
        - 23 ms: attempt-1 of op-1 was told "201 receipt id-1" at 23 ms
    "#]],
    );
}

#[test]
fn whoever_fails_leaves_its_key_behind() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, probe) = (subject(1, 1), subject(1, 2));
    it.starts(first, 1).does((first, 1, Verb::Claim), "", (Came::Done, "")).recorded(first);
    let failed = it.reply(503, "try again", None);
    it.replies(first, failed).answered(first, failed);
    it.at(100).push(What::Probed { op: Op(0) }).sent(probe).starts(probe, 1);
    let wait = it.reply(409, "in flight", None);
    it.replies(probe, wait).answered(probe, wait);
    it.at(1_000).push(What::Unanswered { op: Op(0) });
    check(
        &it,
        FindingKind::Stuck,
        1,
        &expect![[r#"
        Attempt-1 wrote the key of op-1 at 1 ms; it failed at 1 ms and said "503 try again", and nobody took the key over or gave it back. In calm weather, from 100 ms until 1000 ms, client-1 asked about op-1 and was told "409 in flight" once: it will never learn what became of its charge.
        - 1 ms: it failed at 1 ms and said "503 try again"
        - 1 ms: attempt-1 wrote the key of op-1 at 1 ms
        - 100 ms: in calm weather, from 100 ms until 1000 ms, client-1 asked about op-1
    "#]],
    );
}
