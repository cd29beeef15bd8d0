//! What a plan says is what it means, and whatever else is in the file is explained.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::arbitrary::plans;
use super::*;
use expect_test::{Expect, expect};
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
    assert_eq!(plan.recording.expect("it is one").hash, 255);
}

/// What is said of a plan with these header lines replaced, or these faults.
fn check(from: &str, to: &str, said: &Expect) {
    let good = "onestroke plan 1\nscenario lost-reply\nstore check-then-act\nbackend memory\n\
                expect double-effect\n\ndrop reply of op-1 attempt-1\n";
    assert!(good.contains(from));
    let text = good.replace(from, to);
    let bad = Plan::read(&text, "bug.plan", NAMES).expect_err("a bad plan");
    said.assert_eq(&bad.to_string());
}

/// What is said of each of these faults.
fn said(faults: &[&str]) -> String {
    let good = "onestroke plan 1\nscenario s\nstore t\nbackend memory\nexpect nothing\n";
    let said = |fault: &&str| {
        let bad = Plan::read(&format!("{good}{fault}"), "p", NAMES).expect_err("a bad fault");
        format!("{}\n  {bad}\n", fault.replace('\n', " / "))
    };
    faults.iter().map(said).collect()
}

#[test]
fn a_bad_header_is_explained() {
    check(
        "onestroke plan 1\n",
        "",
        &expect![
            "bug.plan:1: this is no plan: its first line is not `onestroke plan 1`; write `onestroke plan 1` or `onestroke recording 1`"
        ],
    );
    check(
        "onestroke plan 1",
        "onestroke plan 2",
        &expect![[r#"bug.plan:1: version "2" is not known to this build; it reads version 1"#]],
    );
    check(
        "onestroke plan 1",
        "onestroke plna 1",
        &expect![[r#"bug.plan:1: "plna" is no sort of file; did you mean "plan"?"#]],
    );
    check(
        "store check-then-act\n",
        "",
        &expect![
            "bug.plan:4: the header ends without a line `store`; add one like `store     check-then-act`"
        ],
    );
    check(
        "store check-then-act",
        "store",
        &expect!["bug.plan:3: the line ends too early; write it like `store     check-then-act`"],
    );
    check(
        "store ",
        "sotre ",
        &expect![[r#"bug.plan:3: "sotre" is no line of a plan; did you mean "store"?"#]],
    );
    check(
        "backend memory",
        "backend memmory",
        &expect![[r#"bug.plan:4: "memmory" is no backend; did you mean "memory"?"#]],
    );
    check(
        "double-effect",
        "double_efect",
        &expect![[
            r#"bug.plan:5: "double_efect" is no kind of finding; did you mean "double-effect"?"#
        ]],
    );
    check(
        "backend memory",
        "backend memory\nbackend memory",
        &expect!["bug.plan:5: a second line `backend`; remove one of the two"],
    );
    check(
        "backend memory",
        "backend memory\nseed 42",
        &expect![
            "bug.plan:5: only a recording has a line `seed`; remove it: a plan does not depend on a seed"
        ],
    );
}

#[test]
fn bad_words_and_numbers_are_explained() {
    let said = said(&[
        "dorp reply of op-1 attempt-1",
        "drop rely of op-1 attempt-1",
        "drop reply op-1 attempt-1",
        "drop reply of op-0 attempt-1",
        "drop reply of op-16777216 attempt-1",
        "drop reply of op-1 attempt-256",
        "drop reply of op-1",
        "drop reply of op-1 attempt-1 copy-16",
        "drop reply of op-1 attempt-1 twice",
        "late 300 request of op-1 attempt-1",
        "vary op-1 attempt-1 route offset 1 tie 0",
        "drop reply of op-1 attempt-1\nstore x",
        "drop reply of op-1 attempt-1\nlate 1s reply of op-1 attempt-1",
    ]);
    expect![[r#"
        dorp reply of op-1 attempt-1
          p:6: "dorp" is no line of a plan; did you mean "drop"?
        drop rely of op-1 attempt-1
          p:6: "rely" is no message; did you mean "reply"?
        drop reply op-1 attempt-1
          p:6: "op-1" stands where "of" should; write it like `drop reply of op-1 attempt-1`
        drop reply of op-0 attempt-1
          p:6: "0" is no operation number; write a whole number from 1 to 16777215
        drop reply of op-16777216 attempt-1
          p:6: "16777216" is no operation number; write a whole number from 1 to 16777215
        drop reply of op-1 attempt-256
          p:6: "256" is no attempt number; write a whole number from 1 to 255
        drop reply of op-1
          p:6: the line ends too early; write it like `drop reply of op-1 attempt-1`
        drop reply of op-1 attempt-1 copy-16
          p:6: "16" is no copy number; write a whole number from 1 to 15
        drop reply of op-1 attempt-1 twice
          p:6: "twice" is too much; write it like `drop reply of op-1 attempt-1`
        late 300 request of op-1 attempt-1
          p:6: "300" is no span of time; write a whole number and us, ms, s, m, h or d, like 150ms
        vary op-1 attempt-1 route offset 1 tie 0
          p:6: only a recording has lines `vary`; remove it: in a plan nothing varies
        drop reply of op-1 attempt-1 / store x
          p:7: a line `store` stands below the first fault; move it above the faults
        drop reply of op-1 attempt-1 / late 1s reply of op-1 attempt-1
          p:7: line 6 is about this very place already; remove one of the two
    "#]]
    .assert_eq(&said);
}

#[test]
fn bad_sites_are_explained() {
    let said = said(&[
        "crash in op-1 attempt-1 after comit",
        "crash in op-1 attempt-1 after read orders",
        "crash in op-1 attempt-1 after read record",
        "crash in op-1 attempt-1 at commit",
        "crash in op-1 attempt-1 after commit, in flight",
        "crash in op-1 attempt-1 after commit, lokcs linger",
        "hold op-1 attempt-1 after commit for the longest",
        "hold op-1 attempt-1 before commit until 0 questions of others",
        "hold op-1 attempt-1 before commit until op-1 attempt-2 before commit",
    ]);
    expect![[r#"
        crash in op-1 attempt-1 after comit
          p:6: "comit" is no question of a store; did you mean "commit"?
        crash in op-1 attempt-1 after read orders
          p:6: "orders" is no table of this store; there is: records, effects
        crash in op-1 attempt-1 after read record
          p:6: "record" is no table of this store; did you mean "records"?
        crash in op-1 attempt-1 at commit
          p:6: "at" is no side of a question; did you mean "after"?
        crash in op-1 attempt-1 after commit, in flight
          p:6: after a question nothing of it is in flight; write `before`, or leave out `in flight`
        crash in op-1 attempt-1 after commit, lokcs linger
          p:6: "lokcs" is no sort of crash; there is: in flight, locks linger
        hold op-1 attempt-1 after commit for the longest
          p:6: a handler is held before a question, not after it; write `before`, with the question that comes next
        hold op-1 attempt-1 before commit until 0 questions of others
          p:6: "0" is no number of questions; write a whole number from 1 to 255
        hold op-1 attempt-1 before commit until op-1 attempt-2 before commit
          p:6: a hold ends after a question of another handler; write `after` in place of the second `before`
    "#]].assert_eq(&said);
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
