//! The doctor finds what is wrong with the harness, or with a store that no harness can repeat.

use onestroke_sim::search::doctor::{Care, Health, examine};
use onestroke_sim::search::hunt::Control;
use onestroke_store::{Ctx, Entry, Failure, Reply, Request, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const CARE: Care = Care { twice: 50, ranges: 4, bound: 400, threads: 2 };

/// Counts its calls in a static, and answers by that: what no seed decides.
struct Forgetful;

static CALLS: AtomicU64 = AtomicU64::new(0);

impl Store for Forgetful {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(7) {
            return Err(Failure::Other("not today".into()));
        }
        let receipt = ctx.db().apply(request.effect).await?;
        Ok(Reply::created(receipt))
    }
}

fn examined(stores: &[Entry], care: Care) -> Health {
    let scenario = Arc::new(onestroke_scenarios::find("lost-reply").expect("it is there"));
    examine(&[scenario], stores, care, &Control::default())
}

#[test]
fn the_harness_is_sound_with_its_own_stores() {
    let health = examined(&onestroke_store::stores::catalogue(), CARE);
    assert!(health.is_sound(), "{health:?}");
    assert_eq!(health.compared, 50 * 11);
    let canary = health.planted.iter().find(|planted| planted.store == "no-dedup");
    assert!(canary.is_some_and(|planted| planted.median() > 0 && planted.missed == 0));
}

#[test]
fn a_store_that_hides_its_state_is_found_out() {
    let hidden = Entry::new("forgetful", "answers by a static of its own", || Forgetful);
    let health = examined(&[hidden], CARE);
    assert!(!health.is_sound());
    assert!(health.diverged[0].contains("lost-reply / forgetful: seed"), "{:?}", health.diverged);
}

#[test]
fn a_planted_bug_that_takes_longer_than_its_bound_is_a_fault() {
    let health = examined(&onestroke_store::stores::catalogue(), Care { bound: 1, ..CARE });
    assert!(!health.is_sound());
    assert!(health.planted.iter().any(|planted| planted.missed > 0));
}
