//! What the cache forgot, and what the replica did not know yet.

use super::check;
use crate::point::Step;
use crate::report::sample::{Sample, subject};
use crate::trace::{Result as Came, What};
use expect_test::expect;
use onestroke_scenarios::FindingKind;
use onestroke_store::Verb;

/// The first attempt claims with this, charges, and its reply is lost.
fn first_of(verb: Verb) -> Sample {
    let mut it = Sample::new(&[(1, 40)]);
    let first = subject(1, 1);
    it.sent(first).at(2).starts(first, 1);
    it.does((first, 1, verb), "", (Came::Done, ""));
    it.does((first, 1, Verb::Apply), "", (Came::Done, "")).applied(first).committed(first);
    it
}

/// The second attempt looks with this, and charges again.
fn second_of(it: &mut Sample, verb: Verb, came: Came) {
    let second = subject(1, 2);
    it.at(120).sent(second).at(122).starts(second, 2);
    it.does((second, 2, verb), "", (came, ""));
    it.does((second, 2, Verb::Apply), "", (Came::Done, "")).applied(second).committed(second);
}

#[test]
fn a_claim_is_lost_when_the_cache_fails_over() {
    let mut it = first_of(Verb::Put);
    it.push(What::FailedOver { lost: 1 });
    second_of(&mut it, Verb::Put, Came::Done);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; its key had been written at 3 ms. The client sent attempt-2 at 120 ms. The cache failed over at 4 ms, and lost what it was told last. Attempt-2 claimed the key at 123 ms, and charged again at 124 ms: client-1 paid 40 twice.
        - 3 ms: its key had been written at 3 ms
        - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-1
        - 4 ms: the cache failed over at 4 ms, and lost what it was told last
        - 120 ms: the client sent attempt-2 at 120 ms
        - 123 ms: attempt-2 claimed the key at 123 ms
        - 124 ms: charge #2 was committed at 124 ms by attempt-2
    "#]],
    );
}

#[test]
fn a_fail_over_that_lost_nothing_is_no_news() {
    let mut it = first_of(Verb::Put);
    it.push(What::FailedOver { lost: 0 });
    second_of(&mut it, Verb::Get, Came::Nothing);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; its key had been written at 3 ms. The client sent attempt-2 at 120 ms. Attempt-2 looked for the key at 123 ms, found none, and charged again at 124 ms: client-1 paid 40 twice.
        - 3 ms: its key had been written at 3 ms
        - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-1
        - 120 ms: the client sent attempt-2 at 120 ms
        - 123 ms: attempt-2 looked for the key at 123 ms, found none
        - 124 ms: charge #2 was committed at 124 ms by attempt-2
    "#]],
    );
}

#[test]
fn a_claim_has_expired() {
    let mut it = first_of(Verb::Put);
    let step = Step { subject: subject(1, 2), verb: Verb::Put, table: 0, ordinal: 1 };
    it.at(121).push(What::Evicted { step });
    second_of(&mut it, Verb::Put, Came::Done);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; its key had been written at 3 ms. The client sent attempt-2 at 120 ms. A key of the cache had expired when attempt-2 came at 121 ms. Attempt-2 claimed the key at 123 ms, and charged again at 124 ms: client-1 paid 40 twice.
        - 3 ms: its key had been written at 3 ms
        - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-1
        - 120 ms: the client sent attempt-2 at 120 ms
        - 121 ms: a key of the cache had expired when attempt-2 came at 121 ms
        - 123 ms: attempt-2 claimed the key at 123 ms
        - 124 ms: charge #2 was committed at 124 ms by attempt-2
    "#]],
    );
}

#[test]
fn a_replica_is_behind() {
    let mut it = first_of(Verb::Read);
    let step = Step { subject: subject(1, 2), verb: Verb::Read, table: 0, ordinal: 1 };
    it.at(121).push(What::ReadBehind { step });
    second_of(&mut it, Verb::Read, Came::Nothing);
    check(
        &it,
        FindingKind::DoubleEffect,
        1,
        &expect![[r#"
        Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; no key was ever written. The client sent attempt-2 at 120 ms. Attempt-2 read what the replica had at 121 ms, which was old. Attempt-2 looked for the key at 123 ms, found none, and charged again at 124 ms: client-1 paid 40 twice.
        - 4 ms: charge #1 of op-1 (40) was committed at 4 ms by attempt-1
        - 120 ms: the client sent attempt-2 at 120 ms
        - 121 ms: attempt-2 read what the replica had at 121 ms, which was old
        - 123 ms: attempt-2 looked for the key at 123 ms, found none
        - 124 ms: charge #2 was committed at 124 ms by attempt-2
    "#]],
    );
}

#[test]
fn a_count_is_lost_with_the_cache() {
    let mut it = first_of(Verb::Count);
    let first = subject(1, 1);
    it.push(What::FailedOver { lost: 1 }).push(What::Vanished { op: first.op, part: 0 });
    let reply = it.reply(201, "counted", None);
    it.replies(first, reply).answered(first, reply);
    check(
        &it,
        FindingKind::LostEffect,
        1,
        &expect![[r#"
        The charge was in the cache, and was lost when it failed over at 4 ms. client-1 was told "201 counted" at 7 ms: it believes in a charge that is not there.
        - 4 ms: the charge was in the cache, and was lost when it failed over at 4 ms
        - 7 ms: client-1 was told "201 counted" at 7 ms
    "#]],
    );
}
