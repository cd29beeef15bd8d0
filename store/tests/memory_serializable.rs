//! The serializable level of the PostgreSQL profile.
//!
//! Documentation, 13.2.3 "Serializable Isolation Level"; `src/backend/storage/lmgr/README-SSI`;
//! src/test/isolation specs simple-write-skew, receipt-report, read-write-unique, project-manager.

mod memory_script;

use memory_script::check as check_profile;
use onestroke_store::memory::Profile;

fn check(script: &str) {
    check_profile(Profile::Postgres, script);
}

#[test]
fn write_skew_is_refused() {
    // The example of 13.2.3: each sums one class and inserts into the other.
    check(
        "A insert k=1 v=10 -> inserted
         A insert k=2 v=20 -> inserted
         A begin serializable -> began
         B begin serializable -> began
         A scan v=10 -> 1:10
         B scan v=20 -> 2:20
         A insert k=3 v=20 -> inserted
         B insert k=4 v=10 -> inserted
         A commit -> committed
         B commit -> not serializable
         B open? -> false
         count -> 3",
    );
}

#[test]
fn write_skew_by_updates_is_refused_at_the_next_statement() {
    // simple-write-skew.spec
    check(
        "A insert k=1 v=1 -> inserted
         A insert k=2 v=2 -> inserted
         A begin serializable -> began
         B begin serializable -> began
         A update v=1 set v=2 -> changed 1
         B update v=2 set v=1 -> changed 1
         A commit -> committed
         B read k=1 -> not serializable
         B commit -> aborted
         rows -> 1:2 2:2",
    );
}

#[test]
fn check_then_insert_without_a_unique_key_is_refused() {
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A read v=7 -> none
         B read v=7 -> none
         A insert v=7 -> inserted
         B insert v=7 -> inserted
         A commit -> committed
         B commit -> not serializable
         count -> 1",
    );
}

#[test]
fn check_then_insert_passes_in_a_snapshot() {
    check(
        "A begin snapshot -> began
         B begin snapshot -> began
         A read v=7 -> none
         B read v=7 -> none
         A insert v=7 -> inserted
         B insert v=7 -> inserted
         A commit -> committed
         B commit -> committed
         count -> 2",
    );
}

#[test]
fn check_then_insert_one_after_the_other_is_fine() {
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A read v=7 -> none
         A insert v=7 -> inserted
         A commit -> committed
         B read v=7 -> null:7
         B commit -> committed",
    );
}

#[test]
fn a_read_only_report_cannot_see_an_impossible_order() {
    // receipt-report.spec: B takes a receipt for the old date; A closes the date; C reports the
    // old date without B's receipt. B missed A's write, C missed B's, and A was first: B is the
    // pivot.
    check(
        "D insert k=1 v=100 -> inserted
         B begin serializable -> began
         B read k=1 -> 1:100
         A begin serializable -> began
         A update k=1 set v=101 -> changed 1
         A commit -> committed
         C begin serializable -> began
         C read k=1 -> 1:101
         C scan v=7 -> none
         C commit -> committed
         B insert k=2 v=7 -> not serializable",
    );
}

#[test]
fn a_report_that_comes_last_is_refused_itself() {
    check(
        "D insert k=1 v=100 -> inserted
         B begin serializable -> began
         B read k=1 -> 1:100
         A begin serializable -> began
         A update k=1 set v=101 -> changed 1
         A commit -> committed
         C begin serializable -> began
         C read k=1 -> 1:101
         B insert k=2 v=7 -> inserted
         B commit -> committed
         C scan v=7 -> not serializable",
    );
}

#[test]
fn a_unique_violation_that_the_reads_would_have_excluded_is_a_serialization_failure() {
    // read-write-unique.spec, first permutation
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A read k=42 -> none
         B read k=42 -> none
         A insert k=42 -> inserted
         B insert k=42 -> blocked
         A commit -> committed wakes B
         B again -> not serializable
         B commit -> aborted",
    );
}

#[test]
fn a_unique_violation_of_a_row_that_was_seen_stays_one() {
    // read-write-unique.spec, second permutation
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A read k=42 -> none
         A insert k=42 v=1 -> inserted
         A commit -> committed
         B read k=42 -> 42:1
         B insert k=42 v=2 -> violation
         B commit -> aborted",
    );
}

#[test]
fn a_blind_insert_of_a_taken_key_is_a_unique_violation() {
    // 13.2.3: violations by overlapping transactions are still possible without an earlier check.
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A insert k=42 -> inserted
         B insert k=42 -> blocked
         A commit -> committed wakes B
         B again -> violation",
    );
}

#[test]
fn a_key_found_taken_counts_as_read() {
    check(
        "D insert k=1 v=1 -> inserted
         A begin serializable -> began
         B begin serializable -> began
         A claim k=1 v=2 -> conflict
         B read k=2 -> none
         B delete k=1 -> changed 1
         A insert k=2 v=2 -> inserted
         B commit -> committed
         A commit -> not serializable",
    );
}

#[test]
fn a_key_given_back_since_the_snapshot_is_not_taken() {
    check(
        "D insert k=1 v=1 -> inserted
         A begin serializable -> began
         A read k=1 -> 1:1
         D delete k=1 -> changed 1
         A insert k=1 v=2 -> not serializable",
    );
}

#[test]
fn a_second_change_of_a_row_is_seen_by_those_who_read_what_it_becomes() {
    check(
        "D insert k=1 v=0 -> inserted
         A begin serializable -> began
         B begin serializable -> began
         A scan v=2 -> none
         B read k=9 -> none
         B update k=1 set v=1 -> changed 1
         B update k=1 set v=2 -> changed 1
         A insert k=9 -> inserted
         B commit -> committed
         A commit -> not serializable",
    );
}

#[test]
fn what_rolls_back_refuses_nobody() {
    check(
        "A begin serializable -> began
         B begin serializable -> began
         A read v=7 -> none
         B read v=7 -> none
         A insert v=7 -> inserted
         B insert v=7 -> inserted
         A rollback -> rolled back
         B commit -> committed
         count -> 1",
    );
}

#[test]
fn transactions_of_lower_levels_are_not_watched() {
    check(
        "A begin serializable -> began
         B begin snapshot -> began
         A read v=7 -> none
         B read v=7 -> none
         A insert v=7 -> inserted
         B insert v=7 -> inserted
         A commit -> committed
         B commit -> committed",
    );
}

#[test]
fn one_missed_write_alone_is_an_order() {
    check(
        "D insert k=1 v=1 -> inserted
         A begin serializable -> began
         B begin serializable -> began
         A read k=1 -> 1:1
         B update k=1 set v=2 -> changed 1
         B commit -> committed
         A read k=1 -> 1:1
         A insert k=2 v=2 -> inserted
         A commit -> committed",
    );
}
