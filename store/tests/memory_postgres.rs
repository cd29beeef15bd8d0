//! The PostgreSQL profile, held to PostgreSQL's documentation and isolation tests.

mod memory_script;

use memory_script::check as check_profile;
use onestroke_store::memory::Profile;

fn check(script: &str) {
    check_profile(Profile::Postgres, script);
}

// PostgreSQL documentation, INSERT, "ON CONFLICT Clause"; src/backend/access/nbtree/README,
// "unique checks": an insert that meets an uncommitted equal key waits for its transaction.

#[test]
fn a_second_insert_waits_and_fails_after_the_first_commits() {
    check(
        "A begin -> began
         A insert k=1 v=10 -> inserted
         B insert k=1 v=20 -> blocked
         A commit -> committed wakes B
         B again -> violation
         rows -> 1:10",
    );
}

#[test]
fn a_second_insert_waits_and_wins_after_the_first_rolls_back() {
    check(
        "A begin -> began
         A insert k=1 v=10 -> inserted
         B insert k=1 v=20 -> blocked
         A rollback -> rolled back wakes B
         B again -> inserted
         rows -> 1:20",
    );
}

#[test]
fn an_insert_of_a_key_whose_delete_is_open_waits_for_it() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A delete k=1 -> changed 1
         B insert k=1 v=20 -> blocked
         C insert k=1 v=30 -> blocked
         A commit -> committed wakes B C
         C again -> inserted
         B again -> violation
         rows -> 1:30",
    );
}

#[test]
fn an_insert_waits_for_an_open_update_of_the_row_in_its_way() {
    // _bt_check_unique waits for any xmax that a dirty snapshot reports, an update's too.
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A update k=1 set v=11 -> changed 1
         B claim k=1 v=20 -> blocked
         A rollback -> rolled back wakes B
         B again -> conflict",
    );
}

#[test]
fn an_insert_does_not_wait_for_a_mere_row_lock() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A lock k=1 -> 1:10
         B claim k=1 v=20 -> conflict
         B insert k=1 v=20 -> violation
         B upsert k=1 v=20 set v=20 -> blocked
         A commit -> committed wakes B
         B again -> changed 1",
    );
}

#[test]
fn a_transaction_may_delete_a_key_and_insert_it_again() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A delete k=1 -> changed 1
         A insert k=1 v=11 -> inserted
         A insert k=1 v=12 -> violation
         A rollback -> rolled back
         rows -> 1:10
         A begin -> began
         A delete k=1 -> changed 1
         A insert k=1 v=11 -> inserted
         A read k=1 -> 1:11
         B read k=1 -> 1:10
         A commit -> committed
         rows -> 1:11
         tuples -> 1",
    );
}

#[test]
fn a_rollback_frees_the_key() {
    check(
        "A begin -> began
         A insert k=1 v=10 -> inserted
         A rollback -> rolled back
         B insert k=1 v=20 -> inserted
         rows -> 1:20
         count -> 1",
    );
}

#[test]
fn null_never_conflicts_with_null() {
    // Documentation, 5.5.3 "Unique Constraints": two null values are not considered equal.
    check(
        "A insert v=1 -> inserted
         A insert v=2 -> inserted
         A claim k=1 v=3 -> inserted
         A claim k=2 v=4 -> inserted
         A upsert v=5 set v=9 -> inserted
         A read k=null -> none
         A scan k?null -> null:1 null:2 null:5
         count -> 5",
    );
}

#[test]
fn every_unique_key_is_checked() {
    check(
        "A insert k=1 o=1 v=1 -> inserted
         A insert k=2 o=1 v=2 -> violation
         A claim k=2 o=1 v=2 -> conflict
         A claim k=1 o=2 v=2 -> conflict
         A insert k=2 o=2 v=2 -> inserted
         rows -> 1/1:1 2/2:2",
    );
}

#[test]
fn an_upsert_updates_by_the_first_key_and_fails_on_another() {
    // ON CONFLICT (k) names one arbiter; other unique indexes raise their errors as ever.
    check(
        "A insert k=1 o=1 v=1 -> inserted
         A insert k=2 o=2 v=2 -> inserted
         A upsert k=1 o=9 v=5 set v=7 -> changed 1
         A upsert k=1 o=2 v=5 set v=8 -> changed 1
         A upsert k=3 o=2 v=5 set v=9 -> violation
         A upsert k=3 o=3 v=5 set v=9 -> inserted
         rows -> 1/1:8 2/2:2 3/3:5",
    );
}

// src/test/isolation/specs/insert-conflict-do-nothing.spec and insert-conflict-do-nothing-2.spec.

#[test]
fn do_nothing_waits_and_then_a_read_sees_the_winner() {
    check(
        "A begin -> began
         B begin -> began
         A claim k=1 v=10 -> inserted
         B claim k=1 v=20 -> blocked
         A commit -> committed wakes B
         B again -> conflict
         B read k=1 -> 1:10
         B commit -> committed",
    );
}

#[test]
fn do_nothing_waits_and_inserts_after_a_rollback() {
    check(
        "A begin -> began
         B begin -> began
         A claim k=1 v=10 -> inserted
         B claim k=1 v=20 -> blocked
         A rollback -> rolled back wakes B
         B again -> inserted
         B read k=1 -> 1:20
         B commit -> committed
         rows -> 1:20",
    );
}

#[test]
fn in_a_snapshot_do_nothing_fails_when_the_winner_is_not_visible() {
    check(
        "A begin snapshot -> began
         B begin snapshot -> began
         A claim k=1 v=10 -> inserted
         B claim k=1 v=20 -> blocked
         A commit -> committed wakes B
         B again -> not serializable
         B read k=1 -> aborted
         B commit -> aborted
         rows -> 1:10",
    );
}

#[test]
fn in_a_snapshot_do_nothing_is_quiet_when_the_winner_was_there_before() {
    // In the specs' first permutation the snapshot is taken after the other commit.
    check(
        "A begin snapshot -> began
         B begin snapshot -> began
         A claim k=1 v=10 -> inserted
         A commit -> committed
         B claim k=1 v=20 -> conflict
         B read k=1 -> 1:10
         B commit -> committed",
    );
}

#[test]
fn a_snapshot_never_sees_a_later_winner() {
    check(
        "B begin snapshot -> began
         B read k=1 -> none
         A claim k=1 v=10 -> inserted
         B read k=1 -> none
         B scan -> none
         B claim k=1 v=20 -> not serializable
         B rollback -> rolled back
         B read k=1 -> 1:10",
    );
}

#[test]
fn a_plain_insert_in_a_snapshot_meets_rows_that_it_cannot_see() {
    check(
        "B begin snapshot -> began
         B read k=1 -> none
         A insert k=1 v=10 -> inserted
         B insert k=1 v=20 -> violation
         B commit -> aborted",
    );
}

// src/test/isolation/specs/insert-conflict-do-update.spec, -2 and -3; 13.2.1: "INSERT with an ON
// CONFLICT DO UPDATE clause … the effects of which are not yet visible to the INSERT".

#[test]
fn an_upsert_updates_a_row_that_its_snapshot_does_not_see() {
    check(
        "A begin -> began
         B begin -> began
         A upsert k=1 v=10 set v=11 -> inserted
         B upsert k=1 v=20 set v=21 -> blocked
         A commit -> committed wakes B
         B again -> changed 1
         B read k=1 -> 1:21
         B commit -> committed
         owners -> 1:0",
    );
}

#[test]
fn an_upsert_inserts_after_the_other_rolls_back() {
    check(
        "A begin -> began
         A upsert k=1 v=10 set v=11 -> inserted
         B upsert k=1 v=20 set v=21 -> blocked
         A rollback -> rolled back wakes B
         B again -> inserted
         rows -> 1:20
         owners -> 1:1",
    );
}

#[test]
fn an_upsert_inserts_when_the_row_it_waited_for_is_gone() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A delete k=1 -> changed 1
         B upsert k=1 v=20 set v=21 -> blocked
         A commit -> committed wakes B
         B again -> inserted
         rows -> 1:20",
    );
}

#[test]
fn in_a_snapshot_an_upsert_of_a_later_row_or_version_fails() {
    check(
        "A insert k=2 v=1 -> inserted
         B begin snapshot -> began
         C begin snapshot -> began
         B scan -> 2:1
         C scan -> 2:1
         A insert k=1 v=10 -> inserted
         A update k=2 set v=2 -> changed 1
         B upsert k=1 v=20 set v=21 -> not serializable
         C upsert k=2 v=20 set v=21 -> not serializable",
    );
}

// Documentation, 13.2.1 "Read Committed Isolation Level".

#[test]
fn each_statement_of_read_committed_sees_what_was_committed_before_it() {
    check(
        "A begin -> began
         A read k=1 -> none
         B begin -> began
         B insert k=1 v=10 -> inserted
         A read k=1 -> none
         B read k=1 -> 1:10
         B commit -> committed
         A read k=1 -> 1:10",
    );
}

#[test]
fn a_waiting_update_judges_the_new_version_of_its_row() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A update k=1 set v=11 -> changed 1
         B update k=1 v=10 set v=99 -> blocked
         C update k=1 v<=11 set v=12 -> blocked
         A commit -> committed wakes B C
         B again -> changed 0
         C again -> changed 1
         rows -> 1:12",
    );
}

#[test]
fn a_waiting_update_does_not_take_rows_that_began_to_fit_meanwhile() {
    // 13.2.1: the website hits example, where a row that newly fits is not touched.
    check(
        "A insert k=1 v=9 -> inserted
         A insert k=2 v=10 -> inserted
         A begin -> began
         A update v=10 set v=11 -> changed 1
         A update v=9 set v=10 -> changed 1
         B delete v=10 -> blocked
         A commit -> committed wakes B
         B again -> changed 0
         rows -> 1:10 2:11",
    );
}

#[test]
fn a_waiting_update_skips_a_row_that_is_gone() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A delete k=1 -> changed 1
         B update k=1 set v=11 -> blocked
         A commit -> committed wakes B
         B again -> changed 0",
    );
}

#[test]
fn a_waiting_update_proceeds_after_a_rollback() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A delete k=1 -> changed 1
         B update k=1 v=10 set v=11 -> blocked
         A rollback -> rolled back wakes B
         B again -> changed 1
         rows -> 1:11",
    );
}

#[test]
fn a_blocked_statement_keeps_its_snapshot() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A update k=1 set v=2 -> changed 1
         B update v>0 set v=7 -> blocked
         C insert k=2 v=1 -> inserted
         A commit -> committed wakes B
         B again -> changed 1
         rows -> 1:7 2:1",
    );
}

#[test]
fn a_blocked_statement_that_is_given_up_leaves_no_snapshot_behind() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A update k=1 set v=2 -> changed 1
         B update k=1 set v=3 -> blocked
         B rollback -> rolled back
         A commit -> committed
         tuples -> 1
         C update k=1 set v=4 -> changed 1
         tuples -> 1",
    );
}

#[test]
fn a_lost_update_passes_in_read_committed() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         B begin -> began
         A read k=1 -> 1:10
         B read k=1 -> 1:10
         A update k=1 set v=11 -> changed 1
         B update k=1 set v=11 -> blocked
         A commit -> committed wakes B
         B again -> changed 1
         B commit -> committed
         rows -> 1:11",
    );
}

// Documentation, 13.2.2 "Repeatable Read Isolation Level".

#[test]
fn a_lost_update_is_refused_in_a_snapshot() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin snapshot -> began
         B begin snapshot -> began
         A read k=1 -> 1:10
         B read k=1 -> 1:10
         A update k=1 set v=11 -> changed 1
         B update k=1 set v=11 -> blocked
         A commit -> committed wakes B
         B again -> not serializable
         B commit -> aborted",
    );
}

#[test]
fn an_update_in_a_snapshot_proceeds_after_a_rollback() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin snapshot -> began
         B begin snapshot -> began
         A update k=1 set v=11 -> changed 1
         B update k=1 set v=12 -> blocked
         A rollback -> rolled back wakes B
         B again -> changed 1
         B commit -> committed
         rows -> 1:12",
    );
}

#[test]
fn a_snapshot_begins_with_the_first_statement() {
    check(
        "B begin snapshot -> began
         A insert k=1 v=10 -> inserted
         B read k=1 -> 1:10
         A update k=1 set v=11 -> changed 1
         A insert k=2 v=20 -> inserted
         B scan -> 1:10
         B update k=1 set v=12 -> not serializable",
    );
}

#[test]
fn a_row_deleted_since_the_snapshot_cannot_be_changed_nor_locked() {
    check(
        "A insert k=1 v=10 -> inserted
         B begin snapshot -> began
         C begin snapshot -> began
         B read k=1 -> 1:10
         C read k=1 -> 1:10
         A delete k=1 -> changed 1
         B read k=1 -> 1:10
         B delete k=1 -> not serializable
         C lock k=1 -> not serializable",
    );
}

#[test]
fn a_snapshot_shows_a_key_twice_that_was_freed_and_taken_again() {
    // Its own insert succeeds because the key is free now; the old row is still in its view.
    check(
        "A insert k=1 v=10 -> inserted
         B begin snapshot -> began
         B read k=1 -> 1:10
         A delete k=1 -> changed 1
         B insert k=1 v=20 -> inserted
         B scan k=1 -> 1:10 1:20
         B commit -> committed
         rows -> 1:20",
    );
}

#[test]
fn write_skew_passes_in_a_snapshot() {
    // 13.2.3 tells the example of the sums; at Repeatable Read both commit.
    check(
        "A insert k=1 v=10 -> inserted
         A insert k=2 v=20 -> inserted
         A begin snapshot -> began
         B begin snapshot -> began
         A scan v=10 -> 1:10
         B scan v=20 -> 2:20
         A insert k=3 v=20 -> inserted
         B insert k=4 v=10 -> inserted
         A commit -> committed
         B commit -> committed",
    );
}

// Documentation, 13.3.2 "Row-Level Locks", 13.3.4 "Deadlocks".

#[test]
fn a_locking_read_waits_and_a_plain_read_does_not() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         A lock k=1 -> 1:10
         B read k=1 -> 1:10
         B lock k=1 -> blocked
         C update k=1 set v=11 -> blocked
         A commit -> committed wakes B C
         C again -> changed 1
         B again -> 1:11",
    );
}

#[test]
fn a_locking_read_goes_on_to_the_next_row_that_fits() {
    check(
        "A insert k=1 v=1 -> inserted
         A insert k=2 v=1 -> inserted
         A begin -> began
         A update k=1 set v=2 -> changed 1
         B begin -> began
         B lock v=1 -> blocked
         A commit -> committed wakes B
         B again -> 2:1
         C update k=1 set v=3 -> changed 1
         C update k=2 set v=3 -> blocked",
    );
}

#[test]
fn a_lock_that_ended_without_a_change_refuses_nobody() {
    check(
        "A insert k=1 v=10 -> inserted
         A begin -> began
         B begin snapshot -> began
         B read k=1 -> 1:10
         A lock k=1 -> 1:10
         B update k=1 set v=11 -> blocked
         A commit -> committed wakes B
         B again -> changed 1",
    );
}

#[test]
fn two_updates_in_opposite_order_are_a_deadlock() {
    check(
        "A insert k=1 v=1 -> inserted
         A insert k=2 v=2 -> inserted
         A begin -> began
         B begin -> began
         A update k=1 set v=10 -> changed 1
         B update k=2 set v=20 -> changed 1
         A update k=2 set v=10 -> blocked
         A circle? -> none
         B update k=1 set v=20 -> blocked
         A circle? -> A B
         B circle? -> A B
         B give up -> deadlock wakes A
         B read k=1 -> aborted
         A again -> changed 1
         A commit -> committed
         B commit -> aborted
         B open? -> false
         rows -> 1:10 2:10",
    );
}

#[test]
fn a_circle_of_three_is_found_and_a_bystander_is_not_in_it() {
    check(
        "A begin -> began
         B begin -> began
         C begin -> began
         D begin -> began
         A insert k=1 -> inserted
         B insert k=2 -> inserted
         C insert k=3 -> inserted
         A insert k=2 -> blocked
         B insert k=3 -> blocked
         D insert k=1 -> blocked
         C insert k=1 -> blocked
         A circle? -> A B C
         C circle? -> A B C
         D circle? -> none
         C give up -> deadlock wakes B
         A circle? -> none
         B again -> inserted
         B commit -> committed wakes A
         A again -> violation wakes D
         D again -> inserted",
    );
}

#[test]
fn a_statement_by_itself_is_told_of_its_deadlock_and_stays_outside() {
    check(
        "A begin -> began
         A insert k=1 -> inserted
         B insert k=1 -> blocked
         B open? -> false
         B give up -> deadlock
         B insert k=2 v=2 -> inserted",
    );
}

#[test]
fn nowait_refuses_where_it_would_wait_and_aborts_the_transaction() {
    // 55P03 lock_not_available, as NOWAIT or a lock_timeout gives it.
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A update k=1 set v=2 -> changed 1
         B nowait update k=1 set v=3 -> would wait
         B begin -> began
         B insert k=2 v=2 -> inserted
         B nowait lock k=1 -> would wait
         B read k=2 -> aborted
         B commit -> aborted
         A commit -> committed
         rows -> 1:2",
    );
}

// Documentation, 3.4 "Transactions": "the transaction is in aborted state … short of a rollback".

#[test]
fn an_error_aborts_the_transaction_and_frees_its_locks() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A insert k=2 v=2 -> inserted
         B insert k=2 v=3 -> blocked
         A insert k=1 v=9 -> violation wakes B
         A read k=1 -> aborted
         A open? -> true
         B again -> inserted
         A commit -> aborted
         A open? -> false
         rows -> 1:1 2:3",
    );
}

#[test]
fn a_bug_in_a_statement_is_an_error_as_any_other() {
    check(
        "A update k=1 set k=2 -> bad statement
         A update k=1 -> bad statement
         A insert k=word -> bad value
         A read v=word -> bad value
         A upsert k=1 set v=word -> bad value
         A begin -> began
         A begin -> bad statement
         A insert k=1 -> inserted
         A insert note=7 -> bad value
         A commit -> aborted
         A commit -> bad statement
         count -> 0",
    );
}

#[test]
fn a_statement_over_many_rows_takes_none_while_it_is_blocked() {
    check(
        "A insert k=1 v=1 -> inserted
         A insert k=2 v=1 -> inserted
         A begin -> began
         A update k=2 set v=2 -> changed 1
         B delete v=1 -> blocked
         C update k=1 set v=1 -> changed 1
         A rollback -> rolled back wakes B
         B again -> changed 2
         B deleted? -> 0 0
         rows -> none",
    );
}

#[test]
fn a_second_change_in_a_transaction_is_taken_back_with_the_first() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A update k=1 set v=2 -> changed 1
         A update k=1 v=2 set v=3 -> changed 1
         A read k=1 -> 1:3
         A delete k=1 -> changed 1
         A read k=1 -> none
         B read k=1 -> 1:1
         A rollback -> rolled back
         rows -> 1:1
         count -> 1",
    );
}

#[test]
fn rows_keep_the_order_of_insertion_and_their_owner() {
    check(
        "A insert k=1 v=1 -> inserted
         B insert k=2 v=1 -> inserted
         C insert k=3 v=1 -> inserted
         B update k=1 set v=5 -> changed 1
         C scan -> 1:5 2:1 3:1
         A read v=1 -> 2:1
         owners -> 1:0 2:1 3:2
         C delete v=1 -> changed 2
         C deleted? -> 1 2
         C scan -> 1:5
         C deleted? -> none",
    );
}

// Documentation, 25.1.2 "Recovering Disk Space": versions that no transaction can see are removed.

#[test]
fn dead_tuples_go_at_once_when_no_snapshot_sees_them() {
    check(
        "A insert k=1 v=0 -> inserted
         A update k=1 set v=1 -> changed 1
         A update k=1 set v=2 -> changed 1
         tuples -> 1
         A delete k=1 -> changed 1
         tuples -> 0",
    );
}

#[test]
fn dead_tuples_stay_as_long_as_a_snapshot_sees_them() {
    check(
        "A insert k=1 v=0 -> inserted
         A insert k=2 v=0 -> inserted
         B begin snapshot -> began
         B read k=1 -> 1:0
         A update k=1 set v=1 -> changed 1
         A update k=1 set v=2 -> changed 1
         A delete k=2 -> changed 1
         tuples -> 4
         B scan -> 1:0 2:0
         count -> 1
         C begin snapshot -> began
         C read k=1 -> 1:2
         B commit -> committed
         tuples -> 1
         A update k=1 set v=3 -> changed 1
         tuples -> 2
         C rollback -> rolled back
         tuples -> 1",
    );
}
