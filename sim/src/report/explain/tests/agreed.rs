//! Replies that are wrong only because the contract says so, told of runs of the catalogue.

use crate::report::explain::explain;
use crate::run::{Backend, Runner, Setup};
use crate::search::shrink::shrink;
use expect_test::{Expect, expect};
use onestroke_scenarios::FindingKind::WrongReply;
use onestroke_store::stores;
use std::sync::Arc;

/// The story of the first seed that shows it.
fn told(scenario: &str, store: &str, story: &Expect) {
    let entry = stores::catalogue().into_iter().find(|entry| entry.name == store);
    let scenario = Arc::new(onestroke_scenarios::find(scenario).expect("it is there"));
    let store = entry.expect("it is there");
    let mut runner = Runner::new(&Setup { scenario, store, backend: Backend::Memory });
    let shows = |seed: &u64| runner.seed(*seed).findings.iter().any(|one| one.kind == WrongReply);
    let seed = (0..400).find(shows).expect("some seed shows it");
    let found = shrink(&mut runner, seed, WrongReply).expect("it is found again");
    let finding = found.with_details(&mut runner);
    let explanation = explain(runner.trace(), &finding, runner.names());
    story.assert_eq(&format!("{}\n", explanation.paragraph));
    assert!(!explanation.facts.is_empty());
}

#[test]
fn a_wait_where_a_409_was_promised() {
    told(
        "refused-in-flight",
        "one-transaction",
        &expect![[r#"
        Attempt-2 found op-1 in flight at 3 ms, and waited for the other's transaction; attempt-2 answered "201 receipt id-1" at 7 ms. By this contract it is refused at once (409): who is made to wait times out and sends again, and what waits piles up behind one slow handler.
    "#]],
    );
}

#[test]
fn a_409_where_a_wait_was_promised() {
    told(
        "waits-in-flight",
        "one-transaction-409",
        &expect![[r#"
        client-1 was told "409 in flight" at 5 ms about op-1, in reply to attempt-2. By this contract an attempt waits for the one that is in flight, and gets its reply: a 409 is an answer that nobody is prepared for.
    "#]],
    );
}

#[test]
fn a_409_after_the_lease_where_the_next_one_takes_over() {
    told(
        "like-brandur",
        "key-then-effect",
        &expect![[r#"
        The last that was done for op-1 was attempt-1's, at 2 ms. Yet attempt-6 answered "409 in flight" at 723 ms, when every lease was over and nobody was at work: by this contract the next attempt takes over.
    "#]],
    );
}

#[test]
fn a_failure_that_was_not_stored() {
    told(
        "like-stripe-v1",
        "exception-releases-claim",
        &expect![[r#"
        Attempt-1 answered "503 try again" at 5 ms; attempt-2 answered "201 receipt id-2" at 34 ms, both about op-2. By this contract a failure is stored once the key is claimed, and told again: client-2 may have turned elsewhere since, and cannot know which of the two holds.
    "#]],
    );
}

#[test]
fn a_refusal_that_was_not_stored() {
    told(
        "like-iceberg-rest",
        "refusal-forgotten",
        &expect![[r#"
        Attempt-1 answered "402 declined" at 4 ms; attempt-2 answered "201 receipt id-2" at 104 ms, both about op-1. By this contract a refusal is stored before it is sent, and told again: client-1 may have turned elsewhere since, and cannot know which of the two holds.
    "#]],
    );
}

#[test]
fn an_old_reply_where_the_present_one_is_owed() {
    told(
        "like-paypal",
        "outbox-relay",
        &expect![[r#"
        The effect of op-1 was there from 42 ms, made by work-1. Yet attempt-2 answered "202 accepted id-1" at 124 ms, as if it were on its way: by this contract a replay says how things stand now, and not what was said the first time.
    "#]],
    );
}

#[test]
fn a_refusal_where_the_first_reply_is_owed() {
    told(
        "like-qonto",
        "one-transaction",
        &expect![[r#"
        op-1 had its effect at 6 ms under the same key. Yet attempt-1 answered "422 key reused" at 12 ms to op-2: by this contract another payload gets the first reply, and payloads are not compared.
    "#]],
    );
}
