//! From when a record counts, as the contract says: who is to blame for a second effect, the store or the
//! window.

use super::{A, B, bare_effect, guilty, innocent};
use crate::check::story::{Story, handler};
use crate::point::Op;
use crate::time::Span;
use crate::trace::What;
use onestroke_scenarios::FindingKind::{DoubleEffect, Expired, WrongReply};
use onestroke_scenarios::{Moment, WindowFrom};
use onestroke_store::{EffectKind, Verb};

const WINDOW: Span = Span::from_millis(100);

fn story(from: WindowFrom) -> Story {
    Story::new(1).with(|contract| (contract.window, contract.window_from) = (WINDOW, from))
}

/// The first attempt claims its key at once, and works for 80 ms before it applies its effect.
fn slow(from: WindowFrom) -> Story {
    let first = handler(0, 1);
    let story = story(from).starts(first).executes(first, Verb::Claim).after(80);
    let story = story.executes(first, Verb::Apply).commits(first, (0, 1));
    story.then(What::Recorded { op: Op(0) }).finishes(first, A)
}

/// A second one applies it again, so many milliseconds after the first was done.
fn again(story: Story, millis: u64) -> Story {
    bare_effect(story.after(millis), 2)
}

#[test]
fn work_takes_time_off_a_window_from_first_sight_and_not_off_one_from_completion() {
    for millis in [50, 90] {
        guilty(&again(slow(WindowFrom::FirstSight), millis), Expired, 0);
        guilty(&again(slow(WindowFrom::Completion), millis), DoubleEffect, 0);
    }
    guilty(&again(slow(WindowFrom::FirstSight), 5), DoubleEffect, 0);
    guilty(&again(slow(WindowFrom::Completion), 100), Expired, 0);
}

/// An attempt is answered with what is stored, 60 ms after the first.
fn hit(from: WindowFrom, reply: (u16, &str)) -> Story {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = story(from).makes(first).finishes(first, A).after(60);
    story.starts(second).finishes(second, reply)
}

#[test]
fn a_hit_renews_a_window_from_the_last_hit_and_no_other() {
    let again = |story: Story| bare_effect(story.after(60), 3);
    guilty(&again(hit(WindowFrom::LastHit, A)), DoubleEffect, 0);
    guilty(&again(hit(WindowFrom::FirstSight, A)), Expired, 0);
    guilty(&again(hit(WindowFrom::Completion, A)), Expired, 0);
    guilty(&bare_effect(hit(WindowFrom::LastHit, A).after(110), 3), Expired, 0);
}

#[test]
fn who_is_told_to_come_again_has_not_hit() {
    let again = |story: Story| bare_effect(story.after(60), 3);
    guilty(&again(hit(WindowFrom::LastHit, (409, "in flight"))), Expired, 0);
}

#[test]
fn replies_are_compared_for_as_long_as_the_contract_lets_the_record_count() {
    let other = |story: Story| {
        let second = handler(0, 2);
        story.after(60).starts(second).answers(second, B)
    };
    let told = |from| other(slow(from).tells(handler(0, 1), A));
    innocent(&told(WindowFrom::FirstSight));
    guilty(&told(WindowFrom::Completion), WrongReply, 0);
    let later = |from| {
        let third = handler(0, 3);
        let told = hit(from, A).tells(handler(0, 2), A).after(60);
        told.starts(third).answers(third, B)
    };
    innocent(&later(WindowFrom::FirstSight));
    guilty(&later(WindowFrom::LastHit), WrongReply, 0);
}

#[test]
fn a_retry_after_expiry_comes_after_what_the_contract_calls_expiry() {
    let late = |story: Story| story.after(60).starts(handler(0, 9)).moments();
    let count = |story: Story| late(story).of(Moment::RetryAfterExpiry);
    let slowly = |from| {
        let first = handler(0, 1);
        let story = story(from).starts(first).executes(first, Verb::Claim);
        let story = story.then(What::Recorded { op: Op(0) }).after(80);
        story.executes(first, Verb::Apply).commits(first, (0, 1)).finishes(first, A)
    };
    assert_eq!(count(slowly(WindowFrom::FirstSight)), 1);
    assert_eq!(count(slowly(WindowFrom::Completion)), 0);
    assert_eq!(count(hit(WindowFrom::FirstSight, A)), 1);
    assert_eq!(count(hit(WindowFrom::LastHit, A)), 0);
}

/// A late copy finds the record expired, does it again, and is told so: no reply is compared with another
/// record's, whoever hits that one later.
#[test]
fn a_hit_after_the_end_of_the_window_does_not_bring_the_old_record_back() {
    let (first, second, third) = (handler(0, 1), handler(0, 2), handler(0, 3));
    let set = || story(WindowFrom::LastHit).facts(0, |facts| facts.kind = EffectKind::Set);
    let again = set().makes(first).answers(first, A).after(200).makes(second).answers(second, B);
    innocent(&again.after(5).starts(third).answers(third, B));
    // The third had come before the end, and waited for the second.
    let story = set().makes(first).answers(first, A).after(80).starts(third).after(30);
    innocent(&story.makes(second).answers(second, B).answers(third, B));
    // The second had come before the end, and found the record expired.
    let story = set().makes(first).answers(first, A).after(80).starts(second).after(30);
    let story = story.executes(second, Verb::Apply).commits(second, (0, 1));
    innocent(&story.answers(second, B));
}
