//! What became of an effect later, and what a contract promises.

use super::{A, bare_effect, guilty, innocent};
use crate::check::story::{Story, handler};
use crate::point::{Op, Subject};
use crate::trace::What;
use onestroke_scenarios::FindingKind::{DoubleEffect, LostEffect, Stale, Torn, Undone, WrongReply};
use onestroke_scenarios::Promise;
use onestroke_store::EffectKind;

fn taken_back(story: Story, part: u8) -> Story {
    story.then(What::Compensated { op: Op(0), part, subject: Subject::work(1) })
}

/// Two updates of one thing.
fn versions() -> Story {
    let update = |story: Story, op: u32| {
        story.facts(op, |facts| {
            (facts.kind, facts.target, facts.version) = (EffectKind::Set, 0, op + 1);
        })
    };
    update(update(Story::new(2), 0), 1)
}

fn written(story: Story, op: u32, attempt: u8) -> Story {
    story.starts(handler(op, attempt)).commits(handler(op, attempt), (0, 1))
}

#[test]
fn an_older_update_over_a_newer_one_is_stale() {
    guilty(&written(written(versions(), 1, 1), 0, 1), Stale, 1);
    let copy = written(written(written(versions(), 0, 1), 1, 1), 0, 2);
    guilty(&copy, Stale, 1);
}

#[test]
fn updates_in_order_are_not_stale_and_neither_are_those_of_two_things() {
    innocent(&written(written(versions(), 0, 1), 1, 1));
    innocent(&written(written(written(versions(), 1, 1), 0, 1), 1, 2));
    let apart = versions().facts(0, |facts| facts.target = 1);
    innocent(&written(written(apart, 1, 1), 0, 1));
    let unversioned = versions().facts(0, |facts| facts.version = 0);
    innocent(&written(written(unversioned, 1, 1), 0, 1));
}

#[test]
fn an_older_update_that_was_passed_over_is_not_lost() {
    let told = |story: Story| story.succeeds(handler(0, 1), (204, ""));
    innocent(&told(written(versions(), 1, 1)));
    guilty(&told(versions()), LostEffect, 0);
}

#[test]
fn what_is_taken_back_may_be_made_again() {
    let story = taken_back(bare_effect(Story::new(1), 1), 0);
    innocent(&story);
    innocent(&bare_effect(taken_back(bare_effect(Story::new(1), 1), 0), 2));
    let twice = bare_effect(bare_effect(taken_back(bare_effect(Story::new(1), 1), 0), 2), 3);
    guilty(&twice, DoubleEffect, 0);
}

#[test]
fn what_is_not_there_cannot_be_taken_back() {
    guilty(&taken_back(Story::new(1), 0), Undone, 0);
    guilty(&taken_back(taken_back(bare_effect(Story::new(1), 1), 0), 0), Undone, 0);
}

#[test]
fn what_the_client_was_promised_is_not_taken_back() {
    let promised = bare_effect(Story::new(1), 1).succeeds(handler(0, 1), A);
    guilty(&taken_back(promised, 0), Undone, 0);
    let again = bare_effect(taken_back(bare_effect(Story::new(1), 1), 0), 2);
    innocent(&again.succeeds(handler(0, 2), A));
}

#[test]
fn half_of_an_effect_that_is_taken_back_is_torn() {
    let both = |story: Story| {
        let subject = handler(0, 1);
        story.starts(subject).commits(subject, (0, 2)).commits(subject, (1, 2))
    };
    guilty(&taken_back(both(Story::new(1)), 0), Torn, 0);
    innocent(&taken_back(taken_back(both(Story::new(1)), 0), 1));
}

#[test]
fn a_contract_can_promise_less() {
    let promise = |promise| Story::new(1).with(|contract| contract.promise = promise);
    let twice = |story: Story| bare_effect(bare_effect(story, 1), 2);
    let never = |story: Story| story.succeeds(handler(0, 1), (204, ""));
    guilty(&twice(promise(Promise::ExactlyOnce)), DoubleEffect, 0);
    guilty(&twice(promise(Promise::AtMostOnce)), DoubleEffect, 0);
    innocent(&twice(promise(Promise::AtLeastOnce)));
    guilty(&never(promise(Promise::ExactlyOnce)), LostEffect, 0);
    guilty(&never(promise(Promise::AtLeastOnce)), LostEffect, 0);
    innocent(&never(promise(Promise::AtMostOnce)));
}

#[test]
fn a_refusal_is_right_where_another_service_declines() {
    let refused = |declined| {
        let story = Story::new(1).facts(0, |facts| facts.declined = declined);
        let (subject, reply) = (handler(0, 1), (402, "declined"));
        let story = story.starts(subject).answers(subject, reply);
        let id = crate::trace::ReplyId(0);
        story.then(What::Rejected { op: Op(0), attempt: 1, reply: id })
    };
    innocent(&refused(true));
    guilty(&refused(false), WrongReply, 0);
}

/// What the cache loses counts as not made: whoever was told of it lost it.
#[test]
fn an_effect_that_vanished_with_the_cache_is_lost_and_may_be_made_again() {
    let vanished = || {
        let story = bare_effect(Story::new(1), 1);
        story.then(What::Vanished { op: Op(0), part: 0 })
    };
    let told = |story: Story, attempt| {
        story.answers(handler(0, attempt), A).succeeds(handler(0, attempt), A)
    };
    guilty(&told(vanished(), 1), LostEffect, 0);
    innocent(&told(bare_effect(vanished(), 2), 2));
    let thrice = bare_effect(bare_effect(vanished(), 2), 3);
    guilty(&told(thrice, 3), DoubleEffect, 0);
}
