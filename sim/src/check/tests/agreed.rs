//! What is wrong only because the contract says so: in flight, stored, replayed as it stands.

use super::{A, guilty, innocent, reused};
use crate::check::story::{Story, handler};
use crate::point::{Op, Step, Subject};
use crate::time::Span;
use crate::trace::{Result as Came, What};
use onestroke_scenarios::FindingKind::{MismatchAccepted, Stuck, WrongReply};
use onestroke_scenarios::{InFlight, Mismatch, Replay, Stored};
use onestroke_store::Verb;

const BUSY: (u16, &str) = (409, "in flight");
const FAILED: (u16, &str) = (503, "try again");
const DECLINED: (u16, &str) = (402, "declined");

fn step(subject: Subject, verb: Verb) -> Step {
    Step { subject, verb, table: 0, ordinal: 1 }
}

fn refused(story: Story, subject: Subject, verb: Verb) -> Story {
    story.then(What::Executed { step: step(subject, verb), result: Came::Refused, orphan: false })
}

/// The second attempt's claim waits for the first one's transaction, and ends with this.
fn waits(in_flight: InFlight, reply: (u16, &str)) -> Story {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).with(|contract| contract.in_flight = in_flight);
    let story = story.starts(first).executes(first, Verb::Begin).executes(first, Verb::Claim);
    let story = story.starts(second).executes(second, Verb::Begin);
    let story = story.then(What::Blocked { step: step(second, Verb::Claim) });
    let story = story.executes(first, Verb::Apply).executes(first, Verb::Commit);
    let story = story.commits(first, (0, 1)).then(What::Recorded { op: Op(0) });
    let nothing =
        What::Executed { step: step(second, Verb::Claim), result: Came::Nothing, orphan: false };
    story.then(nothing).answers(first, A).answers(second, reply)
}

#[test]
fn whoever_waits_where_a_409_was_promised_breaks_the_contract() {
    guilty(&waits(InFlight::Refuse, A), WrongReply, 0);
    innocent(&waits(InFlight::Refuse, BUSY));
    for in_flight in [InFlight::Either, InFlight::Wait, InFlight::TakeOver] {
        innocent(&waits(in_flight, A));
    }
}

#[test]
fn whoever_finds_it_done_has_not_waited() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).with(|contract| contract.in_flight = InFlight::Refuse);
    let story = story.starts(first).starts(second).executes(first, Verb::Claim);
    let story = story.executes(first, Verb::Apply).commits(first, (0, 1));
    innocent(&story.then(What::Recorded { op: Op(0) }).answers(first, A).answers(second, A));
}

#[test]
fn to_wait_for_one_statement_of_a_claim_that_all_can_see_is_not_to_wait_for_the_work() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).with(|contract| contract.in_flight = InFlight::Refuse);
    let story = story.starts(first).executes(first, Verb::Claim);
    let story = story.then(What::Recorded { op: Op(0) }).executes(first, Verb::Begin);
    let story = story.executes(first, Verb::Apply).starts(second);
    let story = story.then(What::Blocked { step: step(second, Verb::Claim) });
    let story = story.executes(first, Verb::Commit).commits(first, (0, 1));
    innocent(&story.executes(second, Verb::Claim).answers(first, A).answers(second, A));
}

/// The first attempt claims its key and dies; the second comes so many milliseconds later.
fn abandoned(in_flight: InFlight, millis: u64) -> Story {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).with(|contract| {
        (contract.in_flight, contract.lease) = (in_flight, Span::from_millis(100));
    });
    let story = story.starts(first).executes(first, Verb::Claim).dies(first).after(millis);
    story.starts(second).answers(second, BUSY)
}

#[test]
fn a_409_after_the_lease_breaks_a_contract_that_lets_the_next_one_take_over() {
    guilty(&abandoned(InFlight::TakeOver, 100), WrongReply, 0);
    innocent(&abandoned(InFlight::TakeOver, 90));
    innocent(&abandoned(InFlight::Either, 100));
    innocent(&abandoned(InFlight::Refuse, 100));
}

#[test]
fn somebody_else_at_work_or_a_dead_session_is_a_reason_for_a_409() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let reaped = abandoned(InFlight::TakeOver, 100).then(What::Reaped { subject: first });
    innocent(&reaped);
    let story = Story::new(2).with(|contract| {
        (contract.in_flight, contract.lease) = (InFlight::TakeOver, Span::from_millis(100));
    });
    let story = story.starts(first).executes(first, Verb::Claim).dies(first).after(100);
    innocent(&story.starts(handler(1, 1)).starts(second).answers(second, BUSY));
    let ghost = What::Executed { step: step(first, Verb::Apply), result: Came::Done, orphan: true };
    let story = Story::new(1).with(|contract| {
        (contract.in_flight, contract.lease) = (InFlight::TakeOver, Span::from_millis(100));
    });
    let story = story.starts(first).executes(first, Verb::Claim).dies(first).after(100);
    innocent(&story.starts(second).then(ghost).answers(second, BUSY));
}

/// The first attempt commits its claim, is refused something, and ends with a failure.
fn fails(stored: Stored) -> Story {
    let first = handler(0, 1);
    let story = Story::new(1).with(|contract| contract.stored = stored);
    let story = story.starts(first).executes(first, Verb::Claim);
    let story = story.then(What::Recorded { op: Op(0) });
    refused(story, first, Verb::Upsert).answers(first, FAILED)
}

#[test]
fn a_stored_failure_is_told_again_and_nothing_else() {
    let second = handler(0, 2);
    guilty(&fails(Stored::All).makes(second).answers(second, A), WrongReply, 0);
    innocent(&fails(Stored::All).starts(second).answers(second, FAILED));
    innocent(&fails(Stored::All).starts(second).answers(second, BUSY));
    for stored in [Stored::Success, Stored::SuccessAndRefusals] {
        innocent(&fails(stored).makes(second).answers(second, A));
    }
}

#[test]
fn a_failure_that_could_not_be_stored_is_owed_to_nobody() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let all = || Story::new(1).with(|contract| contract.stored = Stored::All);
    let again = |story: Story| story.answers(first, FAILED).makes(second).answers(second, A);
    // It had claimed nothing; nobody saw its claim; the database refused its last write.
    innocent(&again(refused(all().starts(first), first, Verb::Claim)));
    let claimed = || all().starts(first).executes(first, Verb::Claim);
    innocent(&again(refused(claimed(), first, Verb::Apply)));
    let seen = || claimed().then(What::Recorded { op: Op(0) });
    innocent(&again(refused(refused(seen(), first, Verb::Apply), first, Verb::Settle)));
    innocent(&again(seen().then(What::Severed { step: step(first, Verb::Settle) })));
    // The record that was committed is another one's.
    let other = claimed().starts(second).executes(second, Verb::Claim);
    let other = refused(other.then(What::Recorded { op: Op(0) }), first, Verb::Apply);
    innocent(&other.answers(first, FAILED).starts(handler(0, 3)).answers(handler(0, 3), A));
}

#[test]
fn an_attempt_that_overlapped_the_failure_or_failed_itself_is_no_replay() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let all = Story::new(1).with(|contract| contract.stored = Stored::All);
    let story = all.starts(first).starts(second).executes(first, Verb::Claim);
    let story = refused(story.then(What::Recorded { op: Op(0) }), first, Verb::Upsert);
    innocent(&story.answers(first, FAILED).answers(second, A));
    let own = refused(fails(Stored::All).starts(second), second, Verb::Read);
    innocent(&own.answers(second, (500, "failed")));
}

#[test]
fn a_stored_refusal_is_told_again_and_nothing_else() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let declined = |stored| {
        let story = Story::new(1).with(|contract| contract.stored = stored);
        let story = story.facts(0, |facts| facts.declined = true);
        story.starts(first).answers(first, DECLINED)
    };
    for stored in [Stored::All, Stored::SuccessAndRefusals] {
        guilty(&declined(stored).makes(second).answers(second, A), WrongReply, 0);
        innocent(&declined(stored).starts(second).answers(second, DECLINED));
    }
    innocent(&declined(Stored::Success).makes(second).answers(second, A));
}

#[test]
fn a_stored_failure_is_a_final_answer_and_one_that_is_not_stored_is_stuck() {
    let op = Op(0);
    let probed = |stored, reply| {
        let second = handler(0, 2);
        let story = fails(stored).then(What::Probed { op }).starts(second).answers(second, reply);
        story.then(What::Unanswered { op })
    };
    innocent(&probed(Stored::All, FAILED));
    guilty(&probed(Stored::All, BUSY), Stuck, 0);
    guilty(&probed(Stored::Success, FAILED), Stuck, 0);
    let second = handler(0, 2);
    let anew = fails(Stored::All).then(What::Probed { op }).starts(second);
    let anew = refused(anew, second, Verb::Upsert).answers(second, FAILED);
    guilty(&anew.then(What::Unanswered { op }), Stuck, 0);
}

const ACCEPTED: (u16, &str) = (202, "accepted id-1");

/// A relay makes the effect of what had been accepted, and ends with this.
fn relayed(replay: Replay, status: u16) -> Story {
    let (first, relay) = (handler(0, 1), Subject::work(1));
    let story = Story::new(1).with(|contract| contract.replay = replay);
    let story = story.starts(first).answers(first, ACCEPTED).starts(relay);
    let kind = onestroke_store::EffectKind::Add;
    let done = What::Committed { op: Op(0), part: 0, parts: 1, kind, subject: relay };
    story.then(done).finishes(relay, (status, ""))
}

#[test]
fn what_is_known_to_be_done_is_not_on_its_way() {
    let second = handler(0, 2);
    let again = |story: Story, reply| story.starts(second).answers(second, reply);
    guilty(&again(relayed(Replay::Current, 204), ACCEPTED), WrongReply, 0);
    innocent(&again(relayed(Replay::Current, 204), A));
    innocent(&again(relayed(Replay::Current, 503), ACCEPTED));
    innocent(&again(relayed(Replay::Identical, 204), ACCEPTED));
    innocent(&again(relayed(Replay::Equivalent, 204), ACCEPTED));
}

#[test]
fn another_payload_gets_the_first_reply_where_the_contract_says_so() {
    let (first, second) = (handler(0, 1), handler(1, 1));
    let other = |mismatch, reply| {
        let story = reused().with(|contract| contract.mismatch = mismatch);
        story.makes(first).answers(first, A).starts(second).answers(second, reply)
    };
    innocent(&other(Mismatch::Replay, A));
    guilty(&other(Mismatch::Replay, (422, "key reused")), WrongReply, 1);
    innocent(&other(Mismatch::Refuse, (422, "key reused")));
    let both = reused().with(|contract| contract.mismatch = Mismatch::Replay);
    guilty(&both.makes(first).answers(first, A).makes(second), MismatchAccepted, 1);
}
