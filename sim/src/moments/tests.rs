//! Level 3, tests. Each moment: a run that passed through it, and one that nearly did.

use super::{MomentTotals, Moments};
use crate::check::story::{SERVER, Story, handler};
use crate::point::{Message, Op, Step, Subject};
use crate::trace::{Loss, Result, Server, What};
use onestroke_scenarios::Moment;
use onestroke_store::{Span, Verb};

const A: (u16, &str) = (201, "receipt id-1");
const FIRST: Subject = Subject { op: Op(0), attempt: 1, copy: 1 };
const SECOND: Subject = Subject { op: Op(0), attempt: 2, copy: 1 };

#[track_caller]
fn counts(moment: Moment, story: &Story, times: u64) {
    assert_eq!(story.moments().of(moment), times, "{moment}");
}

fn one() -> Story {
    Story::new(1)
}

/// Two operations under one key: of one tenant with two payloads, or of two tenants.
fn two(tenant: u16) -> Story {
    Story::new(2).facts(1, |facts| (facts.key, facts.tenant) = (0, tenant))
}

fn lost(message: Message, why: Loss) -> What {
    What::Lost { message, why }
}

fn step(subject: Subject) -> Step {
    Step { subject, verb: Verb::Claim, table: 0, ordinal: 1 }
}

#[test]
fn request_lost() {
    let request = Message::request(FIRST);
    counts(Moment::RequestLost, &one().then(lost(request, Loss::Dropped)), 1);
    let reply = Message::reply(FIRST);
    counts(Moment::RequestLost, &one().then(lost(reply, Loss::Dropped)), 0);
}

#[test]
fn reply_lost() {
    let lost = lost(Message::reply(FIRST), Loss::Dropped);
    counts(Moment::ReplyLost, &one().makes(FIRST).finishes(FIRST, A).then(lost), 1);
    counts(Moment::ReplyLost, &one().starts(FIRST).finishes(FIRST, (500, "failed")).then(lost), 0);
    let told_to_wait = one().starts(FIRST).makes(SECOND).finishes(FIRST, (409, "in flight"));
    counts(Moment::ReplyLost, &told_to_wait.then(lost), 0);
}

#[test]
fn duplicate_delivered() {
    let copy = Subject { copy: 2, ..FIRST };
    counts(Moment::DuplicateDelivered, &one().arrives(FIRST).arrives(copy), 1);
    counts(Moment::DuplicateDelivered, &one().arrives(copy), 0);
    counts(Moment::DuplicateDelivered, &one().arrives(FIRST).arrives(SECOND), 0);
}

#[test]
fn attempts_overlap() {
    counts(Moment::AttemptsOverlap, &one().starts(FIRST).starts(SECOND), 1);
    counts(Moment::AttemptsOverlap, &one().starts(FIRST).finishes(FIRST, A).starts(SECOND), 0);
    counts(Moment::AttemptsOverlap, &one().starts(FIRST).dies(FIRST).starts(SECOND), 0);
    counts(Moment::AttemptsOverlap, &Story::new(2).starts(FIRST).starts(handler(1, 1)), 0);
}

#[test]
fn crash_before_effect() {
    let claimed = || one().starts(FIRST).executes(FIRST, Verb::Claim);
    counts(Moment::CrashBeforeEffect, &claimed().dies(FIRST), 1);
    counts(Moment::CrashBeforeEffect, &claimed().executes(FIRST, Verb::Apply).dies(FIRST), 0);
    let read = one().starts(FIRST).executes(FIRST, Verb::Read).dies(FIRST);
    counts(Moment::CrashBeforeEffect, &read, 0);
}

#[test]
fn crash_after_effect() {
    let applied = || one().starts(FIRST).executes(FIRST, Verb::Apply);
    counts(Moment::CrashAfterEffect, &applied().dies(FIRST), 1);
    let sent = What::Sent { message: Message::reply(FIRST), reply: None };
    counts(Moment::CrashAfterEffect, &applied().then(sent).dies(FIRST), 0);
}

#[test]
fn crash_after_commit() {
    counts(Moment::CrashAfterCommit, &one().makes(FIRST).dies(FIRST), 1);
    let applied = one().starts(FIRST).executes(FIRST, Verb::Apply).dies(FIRST);
    counts(Moment::CrashAfterCommit, &applied, 0);
    counts(Moment::CrashAfterCommit, &one().makes(FIRST).starts(SECOND).dies(SECOND), 0);
}

#[test]
fn cancelled_midway() {
    let cancelled = What::Cancelled { subject: FIRST };
    let begun = one().starts(FIRST).executes(FIRST, Verb::Begin);
    counts(Moment::CancelledMidway, &begun.then(cancelled), 1);
    counts(Moment::CancelledMidway, &one().starts(FIRST).then(cancelled), 0);
}

#[test]
fn key_reused() {
    let other = handler(1, 1);
    counts(Moment::KeyReused, &two(0).arrives(FIRST).arrives(other).arrives(SECOND), 2);
    counts(Moment::KeyReused, &two(0).arrives(FIRST).arrives(SECOND), 0);
    counts(Moment::KeyReused, &two(1).arrives(FIRST).arrives(other), 0);
}

#[test]
fn key_shared_by_tenants() {
    let other = handler(1, 1);
    counts(Moment::KeySharedByTenants, &two(1).arrives(FIRST).arrives(other), 1);
    counts(Moment::KeySharedByTenants, &two(0).arrives(FIRST).arrives(other), 0);
    counts(Moment::KeySharedByTenants, &Story::new(2).arrives(FIRST).arrives(other), 0);
}

#[test]
fn late_duplicate() {
    counts(Moment::LateDuplicate, &one().succeeds(FIRST, A).arrives(SECOND), 1);
    counts(Moment::LateDuplicate, &one().arrives(FIRST).succeeds(FIRST, A), 0);
}

#[test]
fn retry_after_expiry() {
    counts(Moment::RetryAfterExpiry, &one().makes(FIRST).wait(10).starts(SECOND), 1);
    counts(Moment::RetryAfterExpiry, &one().makes(FIRST).wait(9).starts(SECOND), 0);
    counts(Moment::RetryAfterExpiry, &one().starts(FIRST).wait(10).starts(SECOND), 0);
}

#[test]
fn swept_then_retried() {
    counts(Moment::SweptThenRetried, &one().makes(FIRST).swept(0).starts(SECOND), 1);
    counts(Moment::SweptThenRetried, &one().makes(FIRST).starts(SECOND).swept(0), 0);
}

#[test]
fn paused_midway() {
    let paused = |server| What::Paused { server, for_: Span::from_millis(100) };
    let begun = || one().starts(FIRST).executes(FIRST, Verb::Begin);
    counts(Moment::PausedMidway, &begun().then(paused(SERVER)), 1);
    counts(Moment::PausedMidway, &begun().then(paused(Server(1))), 0);
    counts(Moment::PausedMidway, &one().starts(FIRST).then(paused(SERVER)), 0);
}

#[test]
fn overtaken() {
    let held = || one().starts(FIRST).then(What::Held { step: step(FIRST) });
    let released = What::Released { step: step(FIRST) };
    let passed = held().starts(SECOND).executes(SECOND, Verb::Claim);
    counts(Moment::Overtaken, &passed.then(released), 1);
    counts(Moment::Overtaken, &held().starts(SECOND).then(released), 0);
}

#[test]
fn overtaken_by_somebody_under_another_key_is_nothing() {
    let (held, other) = (What::Held { step: step(FIRST) }, handler(1, 1));
    let story = Story::new(2).starts(FIRST).then(held).starts(other).executes(other, Verb::Claim);
    counts(Moment::Overtaken, &story.then(What::Released { step: step(FIRST) }), 0);
}

#[test]
fn partitioned_attempt() {
    let request = Message::request(FIRST);
    counts(Moment::PartitionedAttempt, &one().then(lost(request, Loss::Partitioned)), 1);
    counts(Moment::PartitionedAttempt, &one().then(lost(request, Loss::Dropped)), 0);
    let reply = Message::reply(FIRST);
    counts(Moment::PartitionedAttempt, &one().then(lost(reply, Loss::Partitioned)), 0);
}

#[test]
fn records_cleared() {
    let end = What::Remaining { records: 0 };
    let story = one().makes(FIRST).then(What::Cleared).swept(0);
    counts(Moment::RecordsCleared, &story.then(end), 1);
    let early = one().makes(FIRST).swept(0).then(What::Cleared);
    counts(Moment::RecordsCleared, &early.then(end), 0);
}

#[test]
fn refused_midway() {
    let refused = What::Executed { step: step(FIRST), result: Result::Refused, orphan: false };
    let wrote = one().starts(FIRST).executes(FIRST, Verb::Claim);
    counts(Moment::RefusedMidway, &wrote.then(refused), 1);
    counts(Moment::RefusedMidway, &one().starts(FIRST).then(refused), 0);
}

#[test]
fn payload_repeated() {
    let other = handler(1, 1);
    let same = |key| {
        Story::new(2).facts(1, |facts| (facts.key, facts.tenant, facts.payload) = (key, 0, 0))
    };
    counts(Moment::PayloadRepeated, &same(1).arrives(FIRST).arrives(other), 1);
    counts(Moment::PayloadRepeated, &same(0).arrives(FIRST).arrives(other), 0);
    let elsewhere = Story::new(2).facts(1, |facts| (facts.tenant, facts.payload) = (1, 0));
    counts(Moment::PayloadRepeated, &elsewhere.arrives(FIRST).arrives(other), 0);
}

#[test]
fn key_missing() {
    let without = Story::new(1).facts(0, |facts| facts.keyed = false);
    counts(Moment::KeyMissing, &without.arrives(FIRST), 1);
    counts(Moment::KeyMissing, &one().arrives(FIRST), 0);
}

#[test]
fn totals_do_not_depend_on_the_order_of_adding() {
    let mut few = Moments::default();
    few.count(Moment::RequestLost, 3);
    let mut totals = [MomentTotals::default(); 2];
    for run in [few, Moments::default()] {
        totals[0].add_run(&run);
    }
    totals[1].add_run(&few);
    let mut one_way = totals[0];
    one_way.add(&totals[1]);
    let mut other_way = totals[1];
    other_way.add(&totals[0]);
    assert_eq!(one_way, other_way);
    assert_eq!(one_way.occurrences.of(Moment::RequestLost), 6);
    assert_eq!(one_way.runs.of(Moment::RequestLost), 2);
}

#[test]
fn counts_are_written_in_the_order_of_the_list() {
    let text = serde_json::to_string(&Moments::default()).expect("counts are plain");
    assert!(text.starts_with(r#"{"request-lost":0,"reply-lost":0,"#), "{text}");
    let order: Vec<usize> = Moment::ALL.into_iter().map(|moment| moment as usize).collect();
    assert!(order.is_sorted() && order.len() == order[order.len() - 1] + 1);
}

#[test]
fn connection_lost() {
    let severed = What::Severed { step: step(FIRST) };
    counts(Moment::ConnectionLost, &one().starts(FIRST).then(severed), 1);
    counts(Moment::ConnectionLost, &one().starts(FIRST).dies(FIRST), 0);
}

#[test]
fn answer_lost() {
    let severed = What::Severed { step: step(FIRST) };
    let claimed = || one().starts(FIRST).executes(FIRST, Verb::Claim);
    counts(Moment::AnswerLost, &claimed().then(severed), 1);
    counts(Moment::AnswerLost, &one().starts(FIRST).then(severed), 0);
    counts(Moment::AnswerLost, &claimed().executes(FIRST, Verb::Apply).then(severed), 0);
}

#[test]
fn turns_overlap() {
    let (first, second) = (Subject::work(1), Subject::work(2));
    counts(Moment::TurnsOverlap, &one().starts(first).starts(second), 1);
    counts(Moment::TurnsOverlap, &one().starts(first).finishes(first, A).starts(second), 0);
    counts(Moment::TurnsOverlap, &one().starts(Subject::sweep(1)).starts(second), 0);
}

#[test]
fn effect_taken_back() {
    let back = What::Compensated { op: Op(0), part: 0, subject: FIRST };
    counts(Moment::EffectTakenBack, &one().makes(FIRST).then(back), 1);
    counts(Moment::EffectTakenBack, &one().makes(FIRST), 0);
}

#[test]
fn old_after_new() {
    let update = |target: u32| {
        let first = Story::new(2).facts(0, |facts| (facts.target, facts.version) = (0, 1));
        first.facts(1, |facts| (facts.target, facts.version) = (target, 2))
    };
    let newer = handler(1, 1);
    counts(Moment::OldAfterNew, &update(0).makes(newer).arrives(FIRST), 1);
    counts(Moment::OldAfterNew, &update(0).makes(FIRST).arrives(newer), 0);
    counts(Moment::OldAfterNew, &update(1).makes(newer).arrives(FIRST), 0);
}
