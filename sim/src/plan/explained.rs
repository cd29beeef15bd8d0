//! Whatever is wrong with a plan is explained.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::*;
use expect_test::{Expect, expect};
use onestroke_store::Table;
use onestroke_store::effects::EFFECTS;
use onestroke_store::record::RECORDS;

static TABLES: [&Table; 2] = [&RECORDS, &EFFECTS];
const NAMES: Names<'static> = Names { tables: &TABLES };

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
        &expect!["bug.plan:1: version `2` is not known to this build; it reads version 1"],
    );
    check(
        "onestroke plan 1",
        "onestroke plna 1",
        &expect!["bug.plan:1: `plna` is no sort of file; did you mean `plan`?"],
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
        &expect!["bug.plan:3: `sotre` begins no line of a plan; did you mean `store`?"],
    );
    check(
        "backend memory",
        "backend memmory",
        &expect!["bug.plan:4: `memmory` is no backend; did you mean `memory`?"],
    );
    check(
        "double-effect",
        "double_efect",
        &expect!["bug.plan:5: `double_efect` is no kind of finding; did you mean `double-effect`?"],
    );
    check(
        "backend memory",
        "backend memory\nbackend memory",
        &expect!["bug.plan:5: a second line `backend`; remove one of the two"],
    );
    check(
        "backend memory",
        "backend memory\nhash 00000000000000ff",
        &expect![
            "bug.plan:5: only a recording has a line `hash`; remove it, or make it a recording: `onestroke recording 1`"
        ],
    );
}

#[test]
fn a_bad_size_is_explained() {
    let size = |line: &str, said: &Expect| {
        check("backend memory", &format!("backend memory\n{line}"), said);
    };
    size(
        "clients 0",
        &expect!["bug.plan:5: `0` is no number of clients; write a whole number from 1 to 65535"],
    );
    size(
        "operations many",
        &expect![
            "bug.plan:5: `many` is no number of operations; write a whole number from 1 to 65535"
        ],
    );
    size(
        "attempts 256",
        &expect!["bug.plan:5: `256` is no number of attempts; write a whole number from 1 to 255"],
    );
    size("at-once", &expect!["bug.plan:5: the line ends too early; write it like `at-once   1`"]);
    size(
        "clients 1\nclients 1",
        &expect!["bug.plan:6: a second line `clients`; remove one of the two"],
    );
    size(
        "client 1",
        &expect!["bug.plan:5: `client` begins no line of a plan; did you mean `clients`?"],
    );
    let recording = "onestroke recording 1\nscenario s\nstore t\nbackend memory\nclients 1\n";
    let bad = Plan::read(recording, "bug.recording", NAMES).expect_err("a bad recording");
    expect!["bug.recording:5: only a plan has a line `clients`: a recording holds a whole run; remove it"].assert_eq(&bad.to_string());
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
        "vary op-1 attempt-1 rout offset 1 tie 0",
        "drop reply of op-1 attempt-1\nstore x",
        "drop reply of op-1 attempt-1\nlate 1s reply of op-1 attempt-1",
    ]);
    expect![[r#"
        dorp reply of op-1 attempt-1
          p:6: `dorp` begins no line of a plan; did you mean `drop`?
        drop rely of op-1 attempt-1
          p:6: `rely` is no message; did you mean `reply`?
        drop reply op-1 attempt-1
          p:6: `op-1` stands where `of` should; write it like `drop reply of op-1 attempt-1`
        drop reply of op-0 attempt-1
          p:6: `0` is no operation number; write a whole number from 1 to 16777215
        drop reply of op-16777216 attempt-1
          p:6: `16777216` is no operation number; write a whole number from 1 to 16777215
        drop reply of op-1 attempt-256
          p:6: `256` is no attempt number; write a whole number from 1 to 255
        drop reply of op-1
          p:6: the line ends too early; write it like `drop reply of op-1 attempt-1`
        drop reply of op-1 attempt-1 copy-16
          p:6: `16` is no copy number; write a whole number from 1 to 15
        drop reply of op-1 attempt-1 twice
          p:6: `twice` is too much; write it like `drop reply of op-1 attempt-1`
        late 300 request of op-1 attempt-1
          p:6: `300` is no span of time; write a whole number and us, ms, s, m, h or d, like `150ms`
        vary op-1 attempt-1 rout offset 1 tie 0
          p:6: `rout` is no place that varies; did you mean `route`?
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
          p:6: `comit` is no question of a store; did you mean `commit`?
        crash in op-1 attempt-1 after read orders
          p:6: `orders` is no table of this store; choose from: records, effects
        crash in op-1 attempt-1 after read record
          p:6: `record` is no table of this store; did you mean `records`?
        crash in op-1 attempt-1 at commit
          p:6: `at` is no side of a question; choose from: before, after
        crash in op-1 attempt-1 after commit, in flight
          p:6: after a question nothing of it is in flight; write `before`, or leave out `in flight`
        crash in op-1 attempt-1 after commit, lokcs linger
          p:6: `lokcs` is no sort of crash; choose from: in flight, locks linger
        hold op-1 attempt-1 after commit for the longest
          p:6: a handler is held before a question, not after it; write `before`, with the question that comes next
        hold op-1 attempt-1 before commit until 0 questions of others
          p:6: `0` is no number of questions; write a whole number from 1 to 255
        hold op-1 attempt-1 before commit until op-1 attempt-2 before commit
          p:6: a hold ends after a question of another handler; write `after` in place of the second `before`
    "#]].assert_eq(&said);
}
