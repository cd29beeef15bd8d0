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
    told("refused-in-flight", "one-transaction", &expect![[r#""#]]);
}

#[test]
fn a_409_where_a_wait_was_promised() {
    told("waits-in-flight", "one-transaction-409", &expect![[r#""#]]);
}

#[test]
fn a_409_after_the_lease_where_the_next_one_takes_over() {
    told("like-brandur", "key-then-effect", &expect![[r#""#]]);
}

#[test]
fn a_failure_that_was_not_stored() {
    told("like-stripe-v1", "exception-releases-claim", &expect![[r#""#]]);
}

#[test]
fn a_refusal_that_was_not_stored() {
    told("like-iceberg-rest", "refusal-forgotten", &expect![[r#""#]]);
}

#[test]
fn an_old_reply_where_the_present_one_is_owed() {
    told("like-paypal", "outbox-relay", &expect![[r#""#]]);
}

#[test]
fn a_refusal_where_the_first_reply_is_owed() {
    told("like-qonto", "one-transaction", &expect![[r#""#]]);
}
