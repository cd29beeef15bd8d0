//! The SQLite profile, held to SQLite's source (`memdb.c`, `btree.c`, `pager.c`) and to its pages
//! "File Locking And Concurrency In SQLite Version 3" (lockingv3) and "Isolation In SQLite".

mod memory_script;

use memory_script::check as check_profile;
use onestroke_store::memory::Profile;

fn check(script: &str) {
    check_profile(Profile::Sqlite, script);
}

// memdb.c, memdbLock, SQLITE_LOCK_SHARED: busy while nWrLock is set.

#[test]
fn a_writer_excludes_new_readers() {
    check(
        "A begin -> began
         A insert k=1 v=1 -> inserted
         B read k=1 -> blocked
         C nowait read k=1 -> busy
         A read k=1 -> 1:1
         A commit -> committed wakes B
         B again -> 1:1",
    );
}

#[test]
fn a_writer_excludes_other_writers_until_it_rolls_back() {
    check(
        "A begin -> began
         A insert k=1 v=1 -> inserted
         B insert k=1 v=2 -> blocked
         C begin -> began
         C insert k=1 v=3 -> blocked
         A rollback -> rolled back wakes B C
         B again -> inserted
         C again -> violation
         C open? -> true
         C commit -> committed
         rows -> 1:2",
    );
}

// lang_transaction.html: BEGIN is DEFERRED; it takes no lock until the database is first accessed.

#[test]
fn begin_takes_no_lock() {
    check(
        "A begin serializable -> began
         B insert k=1 v=1 -> inserted
         A read k=1 -> 1:1
         A commit -> committed",
    );
}

#[test]
fn a_failed_write_still_holds_reserved_in_a_transaction() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A insert k=1 v=2 -> violation
         B read k=1 -> blocked
         A commit -> committed wakes B
         B again -> 1:1",
    );
}

// btree.c, sqlite3BtreeBeginTrans: the busy handler is invoked only while inTransaction is
// TRANS_NONE.

#[test]
fn a_reader_that_wants_to_be_a_second_writer_is_busy_at_once() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         B begin -> began
         A read k=1 -> 1:1
         B read k=1 -> 1:1
         A update k=1 set v=2 -> changed 1
         B update k=1 set v=3 -> busy
         B open? -> true
         B read k=1 -> 1:1
         A commit -> blocked
         B rollback -> rolled back wakes A
         A again -> committed
         rows -> 1:2",
    );
}

#[test]
fn a_reader_may_become_the_first_writer_while_others_read() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A begin -> began
         A read k=1 -> 1:1
         A update k=1 set v=2 -> changed 1
         A read k=1 -> 1:2
         B read k=1 -> 1:1
         B commit -> committed
         A commit -> committed
         rows -> 1:2",
    );
}

// pager.c, pager_wait_on_lock(EXCLUSIVE) at the commit; memdbLock: busy while nRdLock > 1.

#[test]
fn a_commit_waits_for_readers() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A begin -> began
         A update k=1 set v=2 -> changed 1
         A commit -> blocked
         A open? -> true
         A circle? -> none
         B read k=1 -> 1:1
         C read k=1 -> blocked
         B commit -> committed wakes A
         A again -> committed wakes C
         C again -> 1:2",
    );
}

#[test]
fn a_commit_that_is_given_up_stays_open_and_can_be_asked_again() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A begin -> began
         A update k=1 set v=2 -> changed 1
         A commit -> blocked
         A give up -> busy
         A open? -> true
         A read k=1 -> 1:2
         B rollback -> rolled back
         A commit -> committed
         rows -> 1:2",
    );
}

#[test]
fn a_statement_by_itself_waits_for_readers_and_holds_nothing_meanwhile() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A delete k=1 -> blocked
         A deleted? -> none
         C nowait delete k=1 -> busy
         C read k=1 -> 1:1
         D begin -> began
         D read k=1 -> 1:1
         B commit -> committed
         D commit -> committed wakes A
         A again -> changed 1
         A deleted? -> 0
         count -> 0",
    );
}

// vdbeaux.c, vdbeCommit: sqlite3PagerExclusiveLock for every write transaction, changed or not.

#[test]
fn a_write_that_changes_nothing_waits_for_readers_too() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A claim k=1 v=2 -> blocked
         A give up -> busy
         A update k=7 set v=2 -> blocked
         A give up -> busy
         A begin -> began
         A delete k=7 -> changed 0
         C read k=1 -> blocked
         A commit -> blocked
         B commit -> committed wakes A
         A again -> committed wakes C
         C again -> 1:1",
    );
}

#[test]
fn a_refused_write_does_not_wait_for_readers() {
    check(
        "A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> 1:1
         A insert k=1 v=2 -> violation
         C read k=1 -> 1:1",
    );
}

// "Isolation In SQLite": a constraint error undoes its statement; the transaction stays open
// (lang_conflict.html, ABORT).

#[test]
fn a_constraint_error_fails_the_statement_only() {
    check(
        "A begin -> began
         A insert k=1 v=1 -> inserted
         A insert k=1 v=2 -> violation
         A insert k=word -> bad value
         A insert k=2 v=2 -> inserted
         A read k=2 -> 2:2
         A commit -> committed
         rows -> 1:1 2:2",
    );
}

#[test]
fn a_blocked_session_that_gives_up_is_busy_and_its_transaction_stays() {
    check(
        "A begin -> began
         A insert k=1 v=1 -> inserted
         B begin -> began
         B read k=1 -> blocked
         B give up -> busy
         B open? -> true
         A commit -> committed
         B read k=1 -> 1:1
         B commit -> committed",
    );
}

#[test]
fn a_locking_read_is_a_plain_read() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A lock k=1 -> 1:1
         B begin -> began
         B lock k=1 -> 1:1
         B commit -> committed
         A commit -> committed",
    );
}

#[test]
fn a_reader_holds_shared_to_the_end_of_its_transaction_only() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A read k=1 -> 1:1
         A commit -> committed
         B insert k=2 v=2 -> inserted
         A read k=2 -> 2:2
         B update k=1 set v=9 -> changed 1
         rows -> 1:9 2:2",
    );
}

// lang_upsert.html: DO UPDATE applies to the constraint it names; nulls are distinct in unique
// keys.

#[test]
fn an_upsert_updates_by_the_first_key_and_nulls_are_distinct() {
    check(
        "A upsert k=1 o=1 v=1 set v=5 -> inserted
         A upsert k=1 o=9 v=1 set v=5 -> changed 1
         A upsert k=2 o=1 v=1 set v=5 -> violation
         A insert v=1 -> inserted
         A insert v=1 -> inserted
         rows -> 1/1:5 null:1 null:1",
    );
}

#[test]
fn a_transaction_is_taken_back_as_a_whole() {
    check(
        "A insert k=1 v=1 -> inserted
         A begin -> began
         A begin -> bad statement
         A update k=1 set v=2 -> changed 1
         A delete k=1 -> changed 1
         A insert k=1 v=3 -> inserted
         A rollback -> rolled back
         A commit -> bad statement
         rows -> 1:1
         tuples -> 1",
    );
}

#[test]
fn a_session_that_vanishes_frees_its_locks() {
    check(
        "A begin -> began
         A insert k=1 v=1 -> inserted
         B insert k=2 v=2 -> blocked
         A rollback -> rolled back wakes B
         A rollback -> rolled back
         B again -> inserted
         rows -> 2:2",
    );
}
