//! What a plan says is what it means, and nothing that is read panics.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::arbitrary::plans;
use super::*;
use expect_test::expect;
use onestroke_store::Table;
use onestroke_store::effects::EFFECTS;
use onestroke_store::record::RECORDS;
use proptest::prelude::*;

static TABLES: [&Table; 2] = [&RECORDS, &EFFECTS];
const NAMES: Names<'static> = Names { tables: &TABLES };

const EVERY_FAULT: &str = "\
onestroke plan 1
scenario  server-pauses
store     check-then-act
backend   memory
expect    double-effect

late 300ms request of op-1 attempt-1
crash in op-1 attempt-1 before commit, in flight, locks linger
pause 150ms in op-1 attempt-1 before begin
duplicate request of op-1 attempt-1
crash in op-1 attempt-1 after read records #2
drop reply of op-1 attempt-1
cancel op-1 attempt-1 after apply
late 1s request of op-1 attempt-1 copy-2
partition client of op-1 attempt-2
hold op-1 attempt-2 before claim until 3 questions of others
hold op-1 attempt-2 before apply until op-1 attempt-1 after commit
hold op-1 attempt-2 before read records #2 for the longest
drop reply of op-1 attempt-2 echo-2
sweep before op-1 attempt-3
crash in sweep-1 before delete records, locks linger
";

fn sorted(text: &str) -> String {
    Plan::read(text, "bug.plan", NAMES).unwrap_or_else(|bad| panic!("{bad}")).write(NAMES)
}

#[test]
fn a_plan_is_sorted_by_what_it_hits_and_then_stays_as_it_is() {
    let once = sorted(EVERY_FAULT);
    expect![[r#"
        onestroke plan 1
        scenario  server-pauses
        store     check-then-act
        backend   memory
        expect    double-effect

        pause 150ms in op-1 attempt-1 before begin
        duplicate request of op-1 attempt-1
        late 300ms request of op-1 attempt-1
        drop reply of op-1 attempt-1
        crash in op-1 attempt-1 after read records #2
        cancel op-1 attempt-1 after apply
        crash in op-1 attempt-1 before commit, in flight, locks linger
        late 1s request of op-1 attempt-1 copy-2
        partition client of op-1 attempt-2
        drop reply of op-1 attempt-2 echo-2
        hold op-1 attempt-2 before claim until 3 questions of others
        hold op-1 attempt-2 before read records #2 for the longest
        hold op-1 attempt-2 before apply until op-1 attempt-1 after commit
        sweep before op-1 attempt-3
        crash in sweep-1 before delete records, locks linger
    "#]]
    .assert_eq(&once);
    assert_eq!(sorted(&once), once);
}

#[test]
fn comments_blank_lines_and_odd_spaces_mean_nothing() {
    let text = "\u{feff}# found on a rainy night\r\n\r\n onestroke   plan 1 # version\r\n\
                store one-transaction\n\tscenario  lost-reply\nexpect nothing\n# why\nbackend sqlite\n\
                drop reply of op-1 attempt-1 copy-1   # the story\n";
    expect![[r#"
        onestroke plan 1
        scenario  lost-reply
        store     one-transaction
        backend   sqlite
        expect    nothing

        drop reply of op-1 attempt-1
    "#]]
    .assert_eq(&sorted(text));
}

#[test]
fn a_recording_brings_its_seed_and_its_variations_to_the_source() {
    let text = "onestroke recording 1\nscenario s\nstore t\nbackend memory\nexpect nothing\nseed 42\n\
                hash 00000000000000ff\ndrop request of op-1 attempt-1\n\
                vary op-1 attempt-1 backoff offset 812 tie 3\n";
    let plan = Plan::read(text, "r", NAMES).expect("a good recording");
    let Source::Planned { strikes, variations, workload } = plan.source() else { panic!() };
    assert_eq!((strikes.len(), variations.len(), workload), (1, 1, Some(42)));
    assert_eq!(plan.hash, Some(255));
}

#[test]
fn a_plan_that_needs_its_timing_holds_seed_and_variations_and_no_hash() {
    let text = "onestroke plan 1\nscenario s\nstore t\nbackend memory\nexpect nothing\nseed 42\n\
                vary op-1 attempt-1 backoff offset 812 tie 3\ndrop request of op-1 attempt-1\n";
    let plan = Plan::read(text, "p", NAMES).expect("a good plan");
    let Source::Planned { strikes, variations, workload } = plan.source() else { panic!() };
    assert_eq!((strikes.len(), variations.len(), workload), (1, 1, Some(42)));
    assert!(!plan.is_recording());
    expect![[r#"
        onestroke plan 1
        scenario  s
        store     t
        backend   memory
        expect    nothing
        seed      42

        drop request of op-1 attempt-1

        vary op-1 attempt-1 backoff offset 812 tie 3
    "#]]
    .assert_eq(&plan.write(NAMES));
}

#[test]
fn a_plan_says_where_its_workload_is_smaller() {
    let text = "onestroke plan 1\nscenario s\nstore t\nbackend memory\nexpect nothing\n\
                at-once 1\nattempts 2 # the retry\nclients 3\noperations 1\n";
    let plan = Plan::read(text, "p", NAMES).expect("a good plan");
    let size = Size { clients: Some(3), operations: Some(1), attempts: Some(2), at_once: Some(1) };
    assert_eq!(plan.size, size);
    expect![[r#"
        onestroke plan 1
        scenario   s
        store      t
        backend    memory
        expect     nothing
        clients    3
        operations 1
        attempts   2
        at-once    1
    "#]]
    .assert_eq(&plan.write(NAMES));
    assert_eq!(plan.body(NAMES), ["clients 3", "operations 1", "attempts 2", "at-once 1"]);
    let words = "3 clients, 1 operation each, 2 attempts at most, 1 at once";
    assert_eq!(plan.size.words(), words);
}

#[test]
fn a_plan_takes_away_from_its_scenario_and_adds_nothing() {
    let scenario = onestroke_scenarios::catalogue().pop().expect("there are some");
    assert_eq!(Size::FULL.of(&scenario), scenario);
    assert_eq!(Size::FULL.beyond(&scenario), None);
    let attempts = scenario.client.attempts;
    let size = Size { attempts: Some(attempts + 1), ..Size::FULL };
    assert_eq!(size.beyond(&scenario), Some(("attempts", u16::from(attempts))));
    let size = Size { clients: Some(1), attempts: Some(2), ..Size::FULL };
    let smaller = size.of(&scenario);
    assert_eq!((smaller.workload.clients, smaller.client.attempts), (1, 2));
    assert_eq!(Size::between(&smaller, &scenario), size);
}

proptest! {
    #[test]
    fn every_plan_is_read_back_as_it_was_written(plan in plans()) {
        let text = plan.write(NAMES);
        prop_assert_eq!(Plan::read(&text, "p", NAMES), Ok(plan), "{}", text);
    }

    #[test]
    fn nothing_that_is_read_panics(text in any::<String>(), body in "(\\PC| |\n){0,80}") {
        let _ = Plan::read(&text, "p", NAMES);
        let _ = Plan::read(&format!("{EVERY_FAULT}{body}"), "p", NAMES);
    }

    #[test]
    fn no_mutated_plan_panics(
        plan in plans(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, "\\PC{0,3}"), 1..6),
    ) {
        let mut text: Vec<char> = plan.write(NAMES).chars().collect();
        for (at, length, by) in cuts {
            let start = at.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, by.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(bad) = Plan::read(&text, "p", NAMES) {
            prop_assert!(!bad.problem.is_empty() && !bad.fix.is_empty() && bad.line > 0);
        }
    }
}
