//! Level 3, tests. Each clause: the guilty, and the innocent who look like them.

mod agreed;
mod later;
mod replies;
mod windows;

use super::story::{Story, handler};
use crate::point::Op;
use crate::trace::{ReplyId, What};
use onestroke_scenarios::FindingKind::{
    self, DoubleEffect, Expired, LostEffect, MismatchAccepted, Stuck, Torn, Unbounded,
};
use onestroke_scenarios::Mismatch;
use onestroke_store::{EffectKind, Verb};

const A: (u16, &str) = (201, "receipt id-1");
const B: (u16, &str) = (201, "receipt id-2");

#[track_caller]
fn guilty(story: &Story, kind: FindingKind, op: u32) {
    assert_eq!(story.kinds(), [(kind, Some(op))]);
}

#[track_caller]
fn innocent(story: &Story) {
    assert_eq!(story.kinds(), []);
}

/// No record is ever written.
fn bare_effect(story: Story, attempt: u8) -> Story {
    let subject = handler(0, attempt);
    story.starts(subject).executes(subject, Verb::Apply).commits(subject, (0, 1))
}

/// Two operations of one tenant under one key, with different payloads.
fn reused() -> Story {
    Story::new(2).facts(1, |facts| facts.key = 0)
}

/// Two operations of two tenants under equal keys.
fn tenants() -> Story {
    reused().facts(1, |facts| facts.tenant = 1)
}

#[test]
fn two_charges_are_a_double_effect() {
    let story = bare_effect(bare_effect(Story::new(1), 1), 2);
    guilty(&story, DoubleEffect, 0);
    let finding = story.findings()[0];
    assert_eq!((finding.first, finding.second), (3, 6), "the two commits");
}

#[test]
fn setting_twice_is_setting_once() {
    for kind in [EffectKind::Set, EffectKind::Transition] {
        let story = Story::new(1).facts(0, |facts| facts.kind = kind);
        innocent(&bare_effect(bare_effect(story, 1), 2));
    }
}

#[test]
fn an_effect_that_was_rolled_back_does_not_count() {
    let (first, kind) = (handler(0, 1), EffectKind::Add);
    let story = Story::new(1).starts(first).executes(first, Verb::Apply);
    let story = story.then(What::Applied { op: Op(0), part: 0, parts: 1, kind });
    let story = story.dies(first).then(What::Undone { op: Op(0), part: 0 });
    innocent(&story.makes(handler(0, 2)).answers(handler(0, 2), A).succeeds(handler(0, 2), A));
}

#[test]
fn the_parts_of_one_effect_are_not_a_repeat() {
    let first = handler(0, 1);
    let story = Story::new(1).facts(0, |facts| facts.parts = 2).starts(first);
    innocent(&story.commits(first, (0, 2)).commits(first, (1, 2)));
}

#[test]
fn a_client_that_gave_up_allows_one_effect_or_none() {
    innocent(&Story::new(1).then(What::GaveUp { op: Op(0) }));
    innocent(&Story::new(1).makes(handler(0, 1)).then(What::GaveUp { op: Op(0) }));
}

#[test]
fn a_second_effect_after_the_window_is_expired() {
    let story = Story::new(1).makes(handler(0, 1)).wait(10).makes(handler(0, 2));
    guilty(&story, Expired, 0);
}

#[test]
fn a_second_effect_after_a_sweep_is_expired() {
    let story = Story::new(1).makes(handler(0, 1)).swept(0).makes(handler(0, 2));
    guilty(&story, Expired, 0);
}

#[test]
fn a_second_effect_within_the_window_has_not_expired() {
    let story = Story::new(1).makes(handler(0, 1)).wait(9).makes(handler(0, 2));
    guilty(&story, DoubleEffect, 0);
}

#[test]
fn without_a_record_nothing_expires() {
    guilty(&bare_effect(bare_effect(Story::new(1), 1).wait(10), 2), DoubleEffect, 0);
}

#[test]
fn a_second_effect_that_was_applied_before_the_sweep_has_not_expired() {
    let second = handler(0, 2);
    let story = Story::new(1).starts(second).executes(second, Verb::Apply).makes(handler(0, 1));
    guilty(&story.swept(0).commits(second, (0, 1)), DoubleEffect, 0);
}

#[test]
fn a_record_that_the_store_deleted_has_not_expired() {
    let deleted = What::Forgotten { op: Op(0), swept: false };
    let story = Story::new(1).makes(handler(0, 1)).then(deleted).makes(handler(0, 2));
    guilty(&story, DoubleEffect, 0);
}

#[test]
fn a_retry_after_the_window_that_makes_nothing_is_innocent() {
    let story = Story::new(1).makes(handler(0, 1)).answers(handler(0, 1), A).wait(10);
    innocent(&story.starts(handler(0, 2)).answers(handler(0, 2), (410, "key expired")));
}

#[test]
fn a_part_that_is_missing_at_the_end_is_torn() {
    let first = handler(0, 1);
    let story = Story::new(1).starts(first).commits(first, (0, 3)).dies(first);
    guilty(&story, Torn, 0);
    assert_eq!(story.findings()[0].second, 3, "where the handler died");
}

#[test]
fn a_part_that_comes_later_is_not_torn() {
    let (first, second) = (handler(0, 1), handler(0, 2));
    let story = Story::new(1).starts(first).commits(first, (0, 2)).dies(first);
    innocent(&story.starts(second).commits(second, (1, 2)));
}

#[test]
fn a_run_that_was_stopped_midway_is_not_torn() {
    let first = handler(0, 1);
    let story = Story::new(1).starts(first).commits(first, (0, 2)).then(What::Exhausted);
    assert_eq!(story.kinds(), [(Stuck, None)]);
}

#[test]
fn success_without_an_effect_is_lost() {
    let first = handler(0, 1);
    guilty(&Story::new(1).starts(first).answers(first, A).succeeds(first, A), LostEffect, 0);
}

#[test]
fn a_step_that_was_told_and_never_taken_is_lost_unless_another_could_have_taken_it() {
    let first = handler(0, 1);
    let told = |ops| {
        let story = Story::new(ops).facts(0, |facts| facts.kind = EffectKind::Transition);
        story.starts(first).answers(first, A).succeeds(first, A)
    };
    guilty(&told(1), LostEffect, 0);
    guilty(&told(2), LostEffect, 0);
    innocent(&told(2).facts(1, |facts| facts.target = 0));
}

#[test]
fn an_effect_that_comes_after_the_reply_is_not_lost() {
    let first = handler(0, 1);
    innocent(
        &Story::new(1).starts(first).answers(first, A).succeeds(first, A).commits(first, (0, 1)),
    );
}

#[test]
fn a_success_under_a_reused_key_is_owed_no_effect() {
    let second = handler(1, 1);
    innocent(&reused().starts(second).answers(second, A).succeeds(second, A));
}

#[test]
fn two_payloads_under_one_key_cannot_both_be_accepted() {
    guilty(&reused().makes(handler(0, 1)).makes(handler(1, 1)), MismatchAccepted, 1);
    let replayed = reused().makes(handler(0, 1)).starts(handler(1, 1));
    guilty(&replayed.answers(handler(1, 1), A), MismatchAccepted, 1);
    guilty(&reused().makes(handler(1, 1)).makes(handler(0, 1)), MismatchAccepted, 1);
}

#[test]
fn whoever_claims_the_key_first_may_have_it() {
    let refused = (422, "key reused");
    let story = reused().makes(handler(1, 1)).answers(handler(1, 1), A).starts(handler(0, 1));
    innocent(&story.answers(handler(0, 1), refused));
}

#[test]
fn a_key_is_free_again_after_its_record_is_gone() {
    innocent(&reused().makes(handler(0, 1)).wait(10).makes(handler(1, 1)));
    innocent(&reused().makes(handler(0, 1)).swept(0).makes(handler(1, 1)));
}

#[test]
fn a_mismatch_that_the_contract_ignores_is_innocent() {
    let story = reused().with(|contract| contract.mismatch = Mismatch::Ignore);
    innocent(&story.makes(handler(0, 1)).makes(handler(1, 1)));
}

#[test]
fn another_tenants_key_is_another_key() {
    innocent(&tenants().makes(handler(0, 1)).makes(handler(1, 1)));
}

#[test]
fn a_probe_without_an_answer_is_stuck() {
    let probed = || Story::new(1).then(What::Probed { op: Op(0) });
    guilty(&probed().then(What::Unanswered { op: Op(0) }), Stuck, 0);
    innocent(&probed());
}

#[test]
fn a_valid_request_that_is_refused_for_good_is_a_wrong_reply() {
    let refused =
        || Story::new(1).then(What::Rejected { op: Op(0), attempt: 1, reply: ReplyId(0) });
    guilty(&refused(), FindingKind::WrongReply, 0);
    let charged_later = refused().makes(handler(0, 1));
    guilty(&charged_later, FindingKind::WrongReply, 0);
    let mismatch = reused().then(What::Invoked { op: Op(0) }).then(What::Invoked { op: Op(1) });
    innocent(&mismatch.then(What::Rejected { op: Op(1), attempt: 1, reply: ReplyId(0) }));
}

#[test]
fn more_records_than_allowed_are_unbounded() {
    let story = |records| {
        let story = Story::new(1).with(|contract| contract.records_at_most = Some(2));
        story.then(What::Remaining { records })
    };
    assert_eq!(story(3).kinds(), [(Unbounded, None)]);
    innocent(&story(2));
    innocent(&Story::new(1).then(What::Remaining { records: 1_000 }));
}

#[test]
fn the_first_clause_names_the_finding_of_an_operation() {
    let story = Story::new(2).makes(handler(1, 1)).answers(handler(1, 1), A);
    let story = story.makes(handler(1, 2)).answers(handler(1, 2), B);
    let story = story.makes(handler(0, 1)).swept(0).makes(handler(0, 2));
    let story = story.then(What::Unanswered { op: Op(0) }).then(What::Exhausted);
    let expected = [(Expired, Some(0)), (DoubleEffect, Some(1)), (Stuck, None)];
    assert_eq!(story.kinds(), expected);
}

#[test]
fn findings_of_one_kind_come_in_the_order_of_the_operations() {
    let twice = |story: Story, op| story.makes(handler(op, 1)).makes(handler(op, 2));
    let story = twice(twice(Story::new(2), 1), 0);
    assert_eq!(story.kinds(), [(DoubleEffect, Some(0)), (DoubleEffect, Some(1))]);
}

#[test]
fn a_sweep_of_a_record_that_was_taken_over_counts_for_who_took_it() {
    let taken = reused().makes(handler(0, 1)).then(What::Recorded { op: Op(0) });
    let taken = taken.wait(10).makes(handler(1, 1)).then(What::Recorded { op: Op(1) });
    guilty(&taken.swept(0).makes(handler(1, 2)), Expired, 1);
}
