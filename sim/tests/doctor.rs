//! The doctor finds what is wrong with the harness, or with a store that no harness can repeat.

use onestroke_sim::search::doctor::{Care, Health, Planted, bounds, examine};
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

/// Every planted bug of the catalogue has a recorded bound, and is caught within it. With
/// `UPDATE_EXPECT=1` the bounds are recorded anew: four times what is needed, rounded up.
#[test]
fn every_planted_bug_is_caught_within_its_recorded_bound() {
    let scenarios: Vec<_> = onestroke_scenarios::catalogue().into_iter().map(Arc::new).collect();
    let care = Care { twice: 1, ranges: 20, bound: 1000, threads: 1 };
    let stores = onestroke_store::stores::catalogue();
    let health = examine(&scenarios, &stores, care, &Control::default());
    assert!(health.planted.len() >= 90, "only {} bugs are planted", health.planted.len());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let record = |planted: &Planted| {
            let most = planted.seeds.last().copied().unwrap_or(0);
            let bound = (4 * most).next_power_of_two().max(16);
            (planted.scenario.clone(), planted.store, planted.kind, bound)
        };
        let all: Vec<_> = health.planted.iter().map(record).collect();
        let text = bounds::text(all.iter().map(|(a, b, c, d)| (a.as_str(), *b, *c, *d)));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/search/doctor/bounds.txt");
        std::fs::write(path, text).expect("the sources can be written");
        return;
    }
    for planted in &health.planted {
        let Planted { scenario, store, kind, .. } = planted;
        let bound = bounds::of(scenario, store, *kind);
        assert!(bound.is_some(), "{scenario} {store} {}: no bound is recorded", kind.name());
        assert_eq!(planted.missed, 0, "{planted:?}");
    }
    assert!(health.is_sound(), "{:?}", health.diverged);
}
