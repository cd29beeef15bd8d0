//! The timeline as a tired engineer reads it, at 80 and at 100 columns.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::stories::{overlap, storm};
use super::*;
use crate::report::sample::{NAMES, Sample, subject};
use crate::trace::{Result as Came, What};
use expect_test::{Expect, expect};
use onestroke_store::Verb;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn view(sample: &Sample, width: usize) -> View<'_> {
    View { trace: &sample.trace, names: NAMES, width, colour: false, focus: None }
}

fn check(sample: &Sample, width: usize, shown: &Expect) {
    let text = view(sample, width).render();
    assert!(text.lines().all(|line| line.width() <= width), "wider than {width}:\n{text}");
    shown.assert_eq(&text);
}

fn crash_between() -> Sample {
    Sample::new(&[(1, 40)]).crash_between()
}

#[test]
fn a_crash_between_effect_and_key_at_80() {
    check(
        &crash_between(),
        80,
        &expect![[r#"
            time      client-1         network      server-1      server-2      database
            0 ms      op-1 attempt-1 ──── 2 ms ───▶ received
            3 ms                                    look up
                                                    key-1 ────────────────────▶ no record
            4 ms                                    apply charge
                                                    40 ───────────────────────▶ EFFECT #1
            5 ms                                    ✖ CRASH
                                                    attempt-1
                                                    dies before
                                                    settle key-1
            55 ms                                   up again
            100 ms    op-1 times out
            120 ms    op-1 attempt-2 ────✖ lost
            320 ms    op-1 times out
            360 ms    op-1 attempt-3 ──── 3 ms ─────────────────▶ received
            364 ms                                                look up
                                                                  key-1 ──────▶ no record
            365 ms                                                apply charge
                                                                  40 ─────────▶ ✖ EFFECT #2
            366 ms                                                settle key-1▶ record key-1
                                                                                (201 receipt
                                                                                id-2)
                                                                                record saved
            367 ms    ✔ op-1: 201     ◀── 2 ms ───────────────────201 receipt
                                                                  id-2
        "#]],
    );
}

#[test]
fn a_crash_between_effect_and_key_at_100() {
    check(
        &crash_between(),
        100,
        &expect![[r#"
            time      client-1           network        server-1           server-2           database
            0 ms      op-1 attempt-1 ─────── 2 ms ────▶ received
            3 ms                                        look up key-1 ──────────────────────▶ no record
            4 ms                                        apply charge 40 ────────────────────▶ EFFECT #1
            5 ms                                        ✖ CRASH
                                                        attempt-1 dies
                                                        before settle
                                                        key-1
            55 ms                                       up again
            100 ms    op-1 times out
            120 ms    op-1 attempt-2 ──────✖ lost
            320 ms    op-1 times out
            360 ms    op-1 attempt-3 ─────── 3 ms ───────────────────────▶ received
            364 ms                                                         look up key-1 ───▶ no record
            365 ms                                                         apply charge 40 ─▶ ✖ EFFECT #2
            366 ms                                                         settle key-1 ────▶ record key-1 (201
                                                                                              receipt id-2)
                                                                                              record saved
            367 ms    ✔ op-1: 201       ◀─── 2 ms ─────────────────────────201 receipt id-2
        "#]],
    );
}

#[test]
fn two_copies_that_overlap_at_80() {
    check(
        &overlap(true),
        80,
        &expect![[r#"
            time      client-1          network       server-1            database
            0 ms      op-1 attempt-1 ───────────────
            0 ms      op-1 attempt-1    ─ doubled ──
                      copy-2
            2 ms                        ────────────▶ attempt-1:
                                                      received
            3 ms                        ────────────▶ attempt-1 copy-2:
                                                      received
            5 ms                                      attempt-1: begin ·
                                                      claim key-1 ──────▶ record key-1 (in
                                                                          progress)
            5 ms                                      attempt-1 copy-2:
                                                      claim key-1 ──────▶ waits for a lock
            6 ms                                      attempt-1: apply
                                                      charge 40 ────────▶ charge 40 pending
            6 ms                                      held before commit
            30 ms                                     goes on with
                                                      commit
            30 ms                                     about to commit
            31 ms                                     commit ───────────▶ EFFECT #1
                                                                          record saved
            31 ms                                     attempt-1 copy-2:
                                                      claim key-1 ──────▶ key is taken
            32 ms                           lost ✖────attempt-1: 201
                                                      receipt id-1
            33 ms     ✔ op-1: 201      ◀─── 2 ms ─────attempt-1 copy-2:
                                                      201 receipt id-1
        "#]],
    );
}

#[test]
fn two_copies_that_overlap_at_100_without_notes() {
    check(
        &overlap(false),
        100,
        &expect![[r#"
            time      client-1             network          server-1                   database
            0 ms      op-1 attempt-1 ─────────────────────
            0 ms      op-1 attempt-1       ─── doubled ───
                      copy-2
            2 ms                           ───────────────▶ attempt-1: received
            3 ms                           ───────────────▶ attempt-1 copy-2:
                                                            received
            5 ms                                            attempt-1: begin · claim ▶ done
            5 ms                                            attempt-1 copy-2: claim ─▶ waits for a lock
            6 ms                                            attempt-1: apply ────────▶ charge 40 pending
            6 ms                                            held before commit
            30 ms                                           goes on with commit
            31 ms                                           commit ──────────────────▶ EFFECT #1
                                                                                       record saved
            31 ms                                           attempt-1 copy-2: claim ─▶ key is taken
            32 ms                                 lost ✖────attempt-1: 201 receipt
                                                            id-1
            33 ms     ✔ op-1: 201         ◀──── 2 ms ───────attempt-1 copy-2: 201
                                                            receipt id-1
        "#]],
    );
}

#[test]
fn many_servers_share_a_column() {
    check(
        &storm(),
        80,
        &expect![[r#"
            time      clients           network       servers             database
            0 ms                        ✖ client-2
                                        cut off for
                                        300 ms
            0 ms      op-2 attempt-1 ─────✖ cut off
            0 ms      op-1 attempt-1 ───late 300 ms─
            1 ms                                      ✖ stands still for
                                                      300 ms server-2
            302 ms                      ────────────▶ server-2 op-1
                                                      attempt-1:
                                                      received
            304 ms                                    begin · apply
                                                      charge 40 ────────▶ charge 40 pending
            305 ms                                    ✖ cancelled before  charge 40 undone
                                                      commit              rolled back
            400 ms                      ────────────▶ server-3 op-2
                                                      attempt-1:
                                                      received
            401 ms                                    ✖ CRASH server-3
                                                      op-2 attempt-1
                                                      dies before apply
                                                      charge 25
            404 ms                                    server-3 op-2
                                                      attempt-1: apply
                                                      charge 25 (from
                                                      the dead server) ─▶ EFFECT #1 of op-2
            451 ms                                    server-1 sweep-1:
                                                      delete expired
                                                      records ──────────▶ 1 record changed
                                                                          record of op-2
                                                                          swept
            604 ms                                                        locks of op-2
                                                                          attempt-1 let go
            604 ms    op-1 gives up
            900 ms    ───────────────────────── the weather clears ─────────────────────────
            900 ms    op-1 is probed
            10900 ms  ✖ op-1: no final
                      answer
            86400 s                                                       3 records left
            86400 s   ───────────────────── ✖ stopped: too many events ─────────────────────
        "#]],
    );
    check(
        &storm(),
        100,
        &expect![[r#"
            time      clients              network          servers                    database
            0 ms                           ✖ client-2 cut
                                           off for 300 ms
            0 ms      op-2 attempt-1 ────────✖ cut off
            0 ms      op-1 attempt-1 ─────── late 300 ms ─
            1 ms                                            ✖ stands still for 300 ms
                                                            server-2
            302 ms                         ───────────────▶ server-2 op-1 attempt-1:
                                                            received
            304 ms                                          begin · apply charge 40 ─▶ charge 40 pending
            305 ms                                          ✖ cancelled before commit  charge 40 undone
                                                                                       rolled back
            400 ms                         ───────────────▶ server-3 op-2 attempt-1:
                                                            received
            401 ms                                          ✖ CRASH server-3
                                                            op-2 attempt-1 dies
                                                            before apply charge 25
            404 ms                                          server-3 op-2 attempt-1:
                                                            apply charge 25 (from the
                                                            dead server) ────────────▶ EFFECT #1 of op-2
            451 ms                                          server-1 sweep-1: delete
                                                            expired records ─────────▶ 1 record changed
                                                                                       record of op-2 swept
            604 ms                                                                     locks of op-2 attempt-1
                                                                                       let go
            604 ms    op-1 gives up
            900 ms    ─────────────────────────────────── the weather clears ───────────────────────────────────
            900 ms    op-1 is probed
            10900 ms  ✖ op-1: no final
                      answer
            86400 s                                                                    3 records left
            86400 s   ─────────────────────────────── ✖ stopped: too many events ───────────────────────────────
        "#]],
    );
}

#[test]
fn the_focus_leaves_out_what_does_not_concern_the_operation() {
    let storm = storm();
    let view = View { focus: Some(Op(1)), ..view(&storm, 100) };
    expect![[r#"
        time      client-2             network          server-3                   database
        0 ms                           ✖ client-2 cut
                                       off for 300 ms
        0 ms      op-2 attempt-1 ────────✖ cut off
        400 ms                         ───────────────▶ attempt-1: received
        401 ms                                          ✖ CRASH
                                                        attempt-1 dies before
                                                        apply charge 25
        404 ms                                          attempt-1: apply charge
                                                        25 (from the dead server)▶ EFFECT #1
        451 ms                                                                     record of op-2 swept
        604 ms                                                                     locks of attempt-1 let go
    "#]].assert_eq(&view.render());
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let sample = crash_between();
    let plain = view(&sample, 100).render();
    let coloured = View { colour: true, ..view(&sample, 100) }.render();
    assert!(coloured.contains("\u{1b}[1m\u{1b}[31m✖ EFFECT #2"), "{coloured}");
    let mut bare = String::new();
    for piece in coloured.split('\u{1b}') {
        bare.push_str(
            piece.strip_prefix('[').and_then(|p| p.split_once('m')).map_or(piece, |p| p.1),
        );
    }
    assert_eq!(bare, plain);
}

proptest! {
    #[test]
    fn no_note_breaks_the_grid(text in "\\PC{0,120}", width in 0..140_usize) {
        let mut sample = Sample::new(&[(1, 40)]);
        let first = subject(1, 1);
        sample.sent(first).at(2).starts(first, 1);
        sample.does((first, 1, Verb::Read), &text, (Came::Done, &text));
        sample.push(What::Said { subject: first }).note(&text);
        for line in view(&sample, width).render().lines() {
            prop_assert!(line.width() <= width.max(LEAST_WIDTH), "{}", line);
        }
    }
}
