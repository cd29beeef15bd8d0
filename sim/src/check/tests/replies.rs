//! Level 3, tests. Clauses about replies: the guilty, and the innocent who look like them.

use super::super::story::{Story, handler};
use super::{A, B, guilty, innocent, reused, tenants};
use crate::trace::What;
use onestroke_scenarios::FindingKind::{Leak, MismatchAccepted, WrongReply};
use onestroke_scenarios::{Contract, InFlight, Mismatch, Replay, ServerErrors};

const IN_FLIGHT: (u16, &str) = (409, "in flight");
const DUPLICATE: (u16, &str) = (400, "duplicate");

#[test]
fn another_tenants_receipt_is_a_leak() {
    let (first, second) = (handler(0, 1), handler(1, 1));
    let story = tenants().makes(first).answers(first, A).starts(second).answers(second, A);
    guilty(&story, Leak, 1);
}

#[test]
fn the_old_reply_to_a_reused_key_is_no_leak() {
    let (first, second) = (handler(0, 1), handler(1, 1));
    let story = reused().makes(first).answers(first, A).starts(second).answers(second, A);
    guilty(&story, MismatchAccepted, 1);
}

#[test]
fn a_leak_that_nobody_received_is_innocent() {
    let (first, second) = (handler(0, 1), handler(1, 1));
    innocent(&tenants().makes(first).answers(first, A).starts(second).finishes(second, A));
}

#[test]
fn two_receipts_for_one_operation_are_a_wrong_reply() {
    let story = || Story::new(1).makes(handler(0, 1)).answers(handler(0, 1), A);
    guilty(&story().starts(handler(0, 2)).answers(handler(0, 2), B), WrongReply, 0);
    innocent(&story().starts(handler(0, 2)).answers(handler(0, 2), A));
    let equivalent = story().with(|contract| contract.replay = Replay::Equivalent);
    innocent(&equivalent.starts(handler(0, 2)).answers(handler(0, 2), (204, "")));
}

#[test]
fn replies_are_not_compared_across_the_end_of_the_record() {
    let story = || Story::new(1).makes(handler(0, 1)).answers(handler(0, 1), A);
    innocent(&story().wait(10).starts(handler(0, 2)).answers(handler(0, 2), B));
    innocent(&story().swept(0).starts(handler(0, 2)).answers(handler(0, 2), B));
}

#[test]
fn a_bare_duplicate_is_a_wrong_reply() {
    let story = Story::new(1).makes(handler(0, 1)).finishes(handler(0, 1), A);
    guilty(&story.starts(handler(0, 2)).answers(handler(0, 2), DUPLICATE), WrongReply, 0);
}

#[test]
fn a_bare_duplicate_of_a_handler_that_waited_for_the_effect_is_a_wrong_reply() {
    let story = Story::new(1).starts(handler(0, 2)).makes(handler(0, 1));
    guilty(&story.answers(handler(0, 2), DUPLICATE), WrongReply, 0);
}

#[test]
fn a_failure_that_was_decided_before_the_effect_is_innocent() {
    let story = Story::new(1).starts(handler(0, 2)).answers(handler(0, 2), DUPLICATE);
    innocent(&story.makes(handler(0, 1)));
}

#[test]
fn a_409_breaks_a_promise_to_wait() {
    let waits = |contract: &mut Contract| contract.in_flight = InFlight::Wait;
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).with(waits).makes(first).starts(second);
    guilty(&story.answers(second, IN_FLIGHT), WrongReply, 0);
}

#[test]
fn a_failure_that_asks_for_a_retry_is_innocent() {
    let story = Story::new(1).makes(handler(0, 1)).finishes(handler(0, 1), A);
    innocent(&story.starts(handler(0, 2)).answers(handler(0, 2), (503, "try again")));
}

#[test]
fn in_flight_said_of_something_finished_is_a_wrong_reply() {
    let story = Story::new(1).makes(handler(0, 1)).finishes(handler(0, 1), A);
    guilty(&story.starts(handler(0, 2)).answers(handler(0, 2), IN_FLIGHT), WrongReply, 0);
}

#[test]
fn in_flight_is_true_while_the_first_is_in_flight() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).makes(first).starts(second).answers(second, IN_FLIGHT);
    innocent(&story.finishes(first, A));
}

#[test]
fn in_flight_is_excused_by_any_handler_that_overlaps() {
    let (first, second, third) = (handler(0, 1), handler(0, 2), handler(0, 3));
    let story = || Story::new(1).makes(first).finishes(first, A);
    innocent(&story().starts(third).starts(second).finishes(second, IN_FLIGHT));
    innocent(&story().starts(second).starts(third).finishes(third, A).finishes(second, IN_FLIGHT));
}

#[test]
fn in_flight_is_excused_by_the_sessions_of_the_dead() {
    let (first, dead, third) = (handler(0, 1), handler(0, 2), handler(0, 3));
    let story = || Story::new(1).makes(first).finishes(first, A).starts(dead).dies(dead);
    innocent(&story().starts(third).finishes(third, IN_FLIGHT));
    let reaped = story().then(What::Reaped { subject: dead });
    guilty(&reaped.starts(third).finishes(third, IN_FLIGHT), WrongReply, 0);
}

#[test]
fn a_failure_of_the_server_breaks_a_promise_that_there_is_none() {
    let never = |contract: &mut Contract| contract.server_errors = ServerErrors::Never;
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = || Story::new(1).starts(second).makes(first).answers(second, (500, "failed"));
    guilty(&story().with(never), WrongReply, 0);
    innocent(&story());
    let refused = Story::new(1).starts(second).makes(first).answers(second, IN_FLIGHT);
    innocent(&refused.with(never));
}

#[test]
fn a_409_that_hides_a_mismatch_breaks_a_promise_to_refuse_at_once() {
    let at_once = |contract: &mut Contract| contract.mismatch = Mismatch::RefuseAtOnce;
    let (first, second) = (handler(0, 1), handler(1, 1));
    let story = || reused().starts(first).starts(second).answers(second, IN_FLIGHT);
    guilty(&story().with(at_once), WrongReply, 1);
    innocent(&story());
    let of_its_own = reused().starts(first).starts(second).starts(handler(1, 2));
    innocent(&of_its_own.answers(handler(1, 2), IN_FLIGHT).with(at_once));
}

/// Whoever has the key and not the password was shown the receipt: the record was looked up first.
#[test]
fn a_receipt_for_a_wrong_password_is_a_wrong_reply() {
    let mistyped = |story: Story| story.facts(0, |facts| facts.wrong_passwords = 1);
    let (first, second) = (handler(0, 1), handler(0, 2));
    guilty(&mistyped(Story::new(1).makes(first).answers(first, A)), WrongReply, 0);
    let refused = || Story::new(1).starts(first).answers(first, (401, "wrong password"));
    let paid = || refused().makes(second).answers(second, A);
    innocent(&mistyped(paid()));
    let copy = handler(0, 1);
    guilty(&mistyped(paid().starts(copy).answers(copy, A)), WrongReply, 0);
    innocent(&mistyped(Story::new(1).makes(first).finishes(first, A)));
}

#[test]
fn a_request_without_a_key_is_owed_a_400_and_a_wrong_password_a_401() {
    let told = |reply| Story::new(1).starts(handler(0, 1)).answers(handler(0, 1), reply);
    let missing = (400, "key missing");
    innocent(&told(missing).facts(0, |facts| facts.keyed = false));
    let first = told((401, "wrong password")).facts(0, |facts| facts.wrong_passwords = 1);
    innocent(&first);
    let done = Story::new(1).makes(handler(0, 1)).finishes(handler(0, 1), A);
    let after = done.starts(handler(0, 2)).answers(handler(0, 2), missing);
    guilty(&after.facts(0, |facts| facts.keyed = false), WrongReply, 0);
    let done = Story::new(1).makes(handler(0, 1)).finishes(handler(0, 1), A);
    let second = done.starts(handler(0, 2)).answers(handler(0, 2), (401, "wrong password"));
    guilty(&second.facts(0, |facts| facts.wrong_passwords = 1), WrongReply, 0);
}
