//! What is told of leases: who stood still, who took over, who cleared the record.

use super::*;
use crate::time::Span;
use crate::trace::Server;

/// The server of a handler stands still for 600 ms.
fn stands_still(it: &mut Sample, server: u8) {
    it.push(What::Paused { server: Server(server - 1), for_: Span::from_millis(600) });
}

/// A handler claims a new key.
fn claims(it: &mut Sample, subject: Subject, server: u8) {
    it.does((subject, server, Verb::Claim), "", (Came::Done, "")).recorded(subject);
}

/// A handler finds the key taken, and takes it over.
fn takes_over(it: &mut Sample, subject: Subject, server: u8) {
    it.does((subject, server, Verb::Claim), "", (Came::Nothing, ""));
    it.does((subject, server, Verb::Read), "", (Came::Done, ""));
    claims(it, subject, server);
}

fn charges(it: &mut Sample, subject: Subject, server: u8) {
    it.does((subject, server, Verb::Apply), "", (Came::Done, "")).committed(subject);
}

#[test]
fn a_handler_outlives_its_lease_and_another_has_taken_over() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    claims(&mut it, first, 1);
    stands_still(&mut it, 1);
    it.at(300).push(What::TimedOut { op: Op(0), attempt: 1 }).sent(second).starts(second, 2);
    takes_over(&mut it, second, 2);
    charges(&mut it, second, 2);
    it.at(603);
    charges(&mut it, first, 1);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 304 ms by attempt-2; its key had been written at 3 ms. Attempt-1 stood still for 600 ms, from 3 ms on. The client sent attempt-2 at 300 ms, since attempt-1 had no reply in time. Attempt-2 had taken the key over at 303 ms. Attempt-1 had claimed the key at 3 ms, before that charge, and charged again at 604 ms: client-1 paid 40 twice.
            - 3 ms: its key had been written at 3 ms
            - 3 ms: attempt-1 stood still for 600 ms, from 3 ms on
            - 3 ms: attempt-1 claimed the key at 3 ms
            - 300 ms: the client sent attempt-2 at 300 ms, since attempt-1 had no reply in time
            - 303 ms: attempt-2 had taken the key over at 303 ms
            - 304 ms: charge #1 of op-1 (40) was committed at 304 ms by attempt-2
            - 604 ms: charge #2 was committed at 604 ms by attempt-1
        "#]],
    );
}

#[test]
fn whoever_has_lost_the_lease_deletes_the_record() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second, third) = (subject(1, 1), subject(1, 2), subject(1, 3));
    it.sent(first).at(2).starts(first, 1);
    claims(&mut it, first, 1);
    stands_still(&mut it, 1);
    it.at(300).sent(second).starts(second, 2);
    takes_over(&mut it, second, 2);
    charges(&mut it, second, 2);
    it.at(603).does((first, 1, Verb::Release), "", (Came::Done, ""));
    it.push(What::Forgotten { op: Op(0), swept: false });
    it.at(700).push(What::TimedOut { op: Op(0), attempt: 2 }).sent(third).starts(third, 1);
    claims(&mut it, third, 1);
    charges(&mut it, third, 1);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 304 ms by attempt-2; its key had been written at 3 ms. Attempt-1 stood still for 600 ms, from 3 ms on. Attempt-1 deleted the record at 604 ms. The client sent attempt-3 at 700 ms, since attempt-2 had no reply in time. Attempt-2 had taken the key over at 303 ms. Attempt-3 claimed the key at 701 ms, and charged again at 702 ms: client-1 paid 40 twice.
            - 3 ms: its key had been written at 3 ms
            - 3 ms: attempt-1 stood still for 600 ms, from 3 ms on
            - 303 ms: attempt-2 had taken the key over at 303 ms
            - 304 ms: charge #1 of op-1 (40) was committed at 304 ms by attempt-2
            - 604 ms: attempt-1 deleted the record at 604 ms
            - 700 ms: the client sent attempt-3 at 700 ms, since attempt-2 had no reply in time
            - 701 ms: attempt-3 claimed the key at 701 ms
            - 702 ms: charge #2 was committed at 702 ms by attempt-3
        "#]],
    );
}

#[test]
fn a_sweep_clears_a_claim_whose_owner_still_works() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    claims(&mut it, first, 1);
    it.at(300).push(What::Forgotten { op: Op(0), swept: true }).sent(second).starts(second, 2);
    claims(&mut it, second, 2);
    charges(&mut it, second, 2);
    charges(&mut it, first, 1);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 302 ms by attempt-2; its key had been written at 3 ms. A sweep cleared the record at 300 ms. The client sent attempt-2 at 300 ms. Attempt-1 had claimed the key at 3 ms, before that charge, and charged again at 303 ms: client-1 paid 40 twice.
        - 3 ms: its key had been written at 3 ms
        - 3 ms: attempt-1 claimed the key at 3 ms
        - 300 ms: a sweep cleared the record at 300 ms
        - 300 ms: the client sent attempt-2 at 300 ms
        - 302 ms: charge #1 of op-1 (40) was committed at 302 ms by attempt-2
        - 303 ms: charge #2 was committed at 303 ms by attempt-1
    "#]],
    );
    check(
        &it,
        FindingKind::Expired,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 302 ms by attempt-2; its record had been swept at 300 ms. The client sent attempt-2 at 300 ms. Attempt-1 had claimed the key at 3 ms, before that charge, and charged again at 303 ms: client-1 paid 40 twice. The record was cleared while retries could still come.
        - 3 ms: attempt-1 claimed the key at 3 ms
        - 300 ms: its record had been swept at 300 ms
        - 300 ms: the client sent attempt-2 at 300 ms
        - 302 ms: charge #1 of op-1 (40) was committed at 302 ms by attempt-2
        - 303 ms: charge #2 was committed at 303 ms by attempt-1
    "#]],
    );
}

#[test]
fn two_attempts_at_one_instant() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).sent(second).at(2).starts(first, 1).starts(second, 2);
    claims(&mut it, second, 2);
    charges(&mut it, second, 2);
    takes_over(&mut it, first, 1);
    charges(&mut it, first, 1);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 4 ms by attempt-2; its key had been written at 3 ms. The client sent attempt-1 and attempt-2 at one instant. Attempt-1 took the key over at 7 ms, and charged again at 8 ms: client-1 paid 40 twice.
        - 0 ms: the client sent attempt-1 and attempt-2 at one instant
        - 3 ms: its key had been written at 3 ms
        - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-2
        - 7 ms: attempt-1 took the key over at 7 ms
        - 8 ms: charge #2 was committed at 8 ms by attempt-1
    "#]],
    );
}

#[test]
fn a_claim_after_the_record_had_vanished_is_no_taking_over() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    charges(&mut it, first, 1);
    it.at(300).sent(second).starts(second, 2);
    it.does((second, 2, Verb::Claim), "", (Came::Nothing, ""));
    it.does((second, 2, Verb::Read), "", (Came::Nothing, ""));
    claims(&mut it, second, 2);
    charges(&mut it, second, 2);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 3 ms by attempt-1; its key only at 303 ms. The client sent attempt-2 at 300 ms. Attempt-2 claimed the key at 303 ms, and charged again at 304 ms: client-1 paid 40 twice.
        - 3 ms: charge #1 of op-1 (40) was committed at 3 ms by attempt-1
        - 300 ms: the client sent attempt-2 at 300 ms
        - 303 ms: its key only at 303 ms
        - 303 ms: attempt-2 claimed the key at 303 ms
        - 304 ms: charge #2 was committed at 304 ms by attempt-2
    "#]],
    );
}
