//! Each kind of finding, told from a trace built by hand.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod again;
mod agreed;
mod leases;
mod misled;
mod replies;

use super::*;
use crate::point::{Message, Subject};
use crate::report::sample::{NAMES, Sample, subject};
use crate::trace::{Result as Came, What};
use expect_test::{Expect, expect};
use onestroke_store::{EffectKind, Verb};

fn check(sample: &Sample, kind: FindingKind, op: u32, told: &Expect) {
    let finding = Finding { kind, op: Some(Op(op - 1)), first: 0, second: 0 };
    let Explanation { paragraph, facts } = explain(&sample.trace, &finding, NAMES);
    assert!(facts.is_sorted_by_key(|fact| fact.at));
    let facts: Vec<String> = facts.iter().map(|f| format!("- {}: {}\n", f.at, f.text)).collect();
    told.assert_eq(&format!("{paragraph}\n{}", facts.concat()));
}

#[test]
fn a_crash_between_effect_and_key_charges_twice() {
    let sample = Sample::new(&[(1, 40)]).crash_between();
    check(
        &sample,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; its key was not, because server-1 crashed at 5 ms, before its settle. The client sent attempt-3 at 360 ms, since attempt-2 had no reply in time. Attempt-3 looked for the key at 364 ms, found none, and charged again at 365 ms: client-1 paid 40 twice.
            - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-1
            - 5 ms: server-1 crashed at 5 ms, before its settle
            - 360 ms: the client sent attempt-3 at 360 ms, since attempt-2 had no reply in time
            - 364 ms: attempt-3 looked for the key at 364 ms, found none
            - 365 ms: charge #2 was committed at 365 ms by attempt-3
        "#]],
    );
}

#[test]
fn two_that_overlap_both_find_nothing() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), Subject::new(Op(0), 1, 2));
    it.sent(first).push(What::Doubled { message: Message::request(second) });
    it.at(2).starts(first, 1).starts(second, 2);
    it.does((second, 2, Verb::Read), "", (Came::Nothing, ""));
    it.does((first, 1, Verb::Read), "", (Came::Nothing, ""));
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    it.does((second, 2, Verb::Commit), "", (Came::Done, "")).committed(second);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 5 ms by attempt-1; its key was committed with it. The network delivered the request of attempt-1 twice. Copy-2 of attempt-1 had looked for the key at 3 ms, before that charge, found none, and charged again at 6 ms: client-1 paid 40 twice.
            - 3 ms: copy-2 of attempt-1 looked for the key at 3 ms, found none
            - 5 ms: charge #1 of op-1 (40) was committed at 5 ms by attempt-1
            - 6 ms: charge #2 was committed at 6 ms by copy-2 of attempt-1
        "#]],
    );
}

#[test]
fn a_lost_reply_without_any_key() {
    let mut it = Sample::new(&[(1, 40)]);
    for attempt in 1..=3 {
        let one = subject(1, attempt);
        it.at(u64::from(attempt) * 100 - 100).sent(one).starts(one, 1);
        it.does((one, 1, Verb::Apply), "", (Came::Done, "")).committed(one);
        let reply = it.reply(201, &format!("receipt id-{attempt}"), Some(1));
        it.replies(one, reply).lost(Message::reply(one));
        it.at(u64::from(attempt) * 100 - 10).push(What::TimedOut { op: Op(0), attempt });
    }
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 1 ms by attempt-1; no key was ever written. The client sent attempt-2 at 100 ms, since attempt-1 had no reply in time (the reply to attempt-1 was lost at 2 ms). Attempt-2 never looked for a key, and charged again at 101 ms: client-1 paid 40 three times.
            - 1 ms: charge #1 of op-1 (40) was committed at 1 ms by attempt-1
            - 2 ms: the reply to attempt-1 was lost at 2 ms
            - 100 ms: the client sent attempt-2 at 100 ms, since attempt-1 had no reply in time
            - 101 ms: charge #2 was committed at 101 ms by attempt-2
        "#]],
    );
}

#[test]
fn a_record_is_swept_before_the_retry() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Commit), "", (Came::Done, "")).committed(first).recorded(first);
    it.at(200).push(What::Forgotten { op: Op(0), swept: true });
    it.at(210)
        .push(What::TimedOut { op: Op(0), attempt: 1 })
        .sent(second)
        .at(212)
        .starts(second, 1);
    it.does((second, 1, Verb::Claim), "", (Came::Done, ""));
    it.does((second, 1, Verb::Commit), "", (Came::Done, "")).committed(second);
    check(
        &it,
        FindingKind::Expired,
        1,
        &expect![[r#"
            Charge #1 of op-1 (40) was committed at 3 ms by attempt-1; its record was swept at 200 ms. The client sent attempt-2 at 210 ms, since attempt-1 had no reply in time. Attempt-2 claimed the key at 213 ms, and charged again at 214 ms: client-1 paid 40 twice. The record was cleared while retries could still come.
            - 3 ms: charge #1 of op-1 (40) was committed at 3 ms by attempt-1
            - 200 ms: its record was swept at 200 ms
            - 210 ms: the client sent attempt-2 at 210 ms, since attempt-1 had no reply in time
            - 213 ms: attempt-2 claimed the key at 213 ms
            - 214 ms: charge #2 was committed at 214 ms by attempt-2
        "#]],
    );
}

#[test]
fn half_an_order() {
    let mut it = Sample::new(&[(1, 40)]);
    it.trace.ops[0].parts = 3;
    it.trace.ops[0].kind = EffectKind::Create;
    let first = subject(1, 1);
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Apply), "", (Came::Done, "")).part(first, 0, 3);
    it.asks((first, 1, Verb::Apply), "").at(4).crash(1, first);
    check(
        &it,
        FindingKind::Torn,
        1,
        &expect![[r#"
        Part 1 of op-1's creation was committed at 3 ms; parts 2 and 3 never were, because server-1 crashed at 4 ms, before its apply: client-1's creation is half there, half not.
        - 3 ms: part 1 of op-1's creation was committed at 3 ms
        - 4 ms: server-1 crashed at 4 ms, before its apply
    "#]],
    );
}

#[test]
fn seen_means_done_and_nothing_was() {
    let mut it = Sample::new(&[(1, 40)]);
    let (first, second) = (subject(1, 1), subject(1, 2));
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, Verb::Claim), "", (Came::Done, "")).recorded(first);
    it.asks((first, 1, Verb::Apply), "").at(4).crash(1, first);
    it.at(120).sent(second).at(122).starts(second, 2);
    it.does((second, 2, Verb::Claim), "", (Came::Nothing, ""));
    let reply = it.reply(204, "", None);
    it.replies(second, reply).answered(second, reply);
    check(
        &it,
        FindingKind::LostEffect,
        1,
        &expect![[r#"
        Attempt-1 wrote the key of op-1 at 3 ms; server-1 crashed at 4 ms, before its apply, and no charge had been committed. client-1 was told "204" at 126 ms: it believes in a charge that is not there.
        - 3 ms: attempt-1 wrote the key of op-1 at 3 ms
        - 4 ms: server-1 crashed at 4 ms, before its apply
        - 126 ms: client-1 was told "204" at 126 ms
    "#]],
    );
}

#[test]
fn a_trace_without_the_story_is_told_plainly() {
    for kind in FindingKind::ALL {
        let finding = Finding { kind, op: Some(Op(0)), first: 9, second: 9 };
        let told = explain(&Trace::default(), &finding, NAMES);
        assert_eq!(told.paragraph, format!("op-1: the contract is broken ({kind})."));
    }
}
