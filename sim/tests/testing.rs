//! What a `#[test]` of another crate sees: the story, the line that runs one seed again, and what the
//! store itself said, in place.

use onestroke_sim::testing::Check;
use onestroke_store::{Ctx, Entry, Failure, Reply, Request, Store};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Applies the effect each time, and says so.
struct Talkative;

impl Store for Talkative {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        tracing::info!(amount = request.effect.amount, "about to charge");
        let receipt = ctx.db().apply(request.effect).await?;
        Ok(Reply::created(receipt))
    }
}

/// Waits for something that the world knows nothing of.
struct Impatient;

impl Store for Impatient {
    async fn handle(&self, _: &Ctx, _: &Request) -> Result<Reply, Failure> {
        std::future::pending().await
    }
}

fn complaint(check: Check) -> String {
    let caught = catch_unwind(AssertUnwindSafe(|| check.run()));
    let panic = caught.expect_err("the store is wrong, and the check must say so");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

fn talkative() -> Entry {
    Entry::new("talkative", "charges each time, and says so", || Talkative)
}

#[test]
fn a_failing_check_tells_the_story_and_how_to_run_its_seed_again() {
    let told = complaint(Check::new(talkative()).scenario("lost-reply"));
    assert!(told.starts_with("talkative breaches the contract"), "{told}");
    assert!(told.contains("client-1 paid 40 twice"), "{told}");
    assert!(told.contains("✖ EFFECT #2"), "{told}");
    let again = "SIM_SEED=";
    let test = "cargo test -p onestroke-sim a_failing_check_tells_the_story";
    assert!(told.contains(again) && told.contains(test), "{told}");
}

#[test]
fn a_store_s_own_lines_stand_in_place_in_the_timeline() {
    let told = complaint(Check::new(talkative()).scenario("lost-reply"));
    let first = told.find("about to charge").expect("the line is there");
    assert!(first < told.find("EFFECT #1").expect("the effect is there"), "{told}");
    assert!(told.contains("amount=40"), "{told}");
}

#[test]
fn a_right_store_passes_and_the_campaign_says_what_it_went_through() {
    let stores = onestroke_store::stores::catalogue().into_iter();
    let right = stores.filter(|store| store.name == "one-transaction");
    for store in right {
        let campaign = Check::new(store).seeds(300).run();
        assert_eq!(campaign.seeds, 300);
        assert!(campaign.events > 10_000, "{} events", campaign.events);
    }
}

#[test]
fn an_unknown_scenario_names_the_nearest() {
    let caught = catch_unwind(|| Check::new(talkative()).scenario("lost-replay"));
    let panic = caught.expect_err("there is no such scenario");
    let told = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(told.contains("lost-reply"), "{told}");
}

#[test]
fn a_store_that_awaits_something_else_is_named() {
    let store = Entry::new("impatient", "waits for something else", || Impatient);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let scenario = onestroke_scenarios::find("lost-reply").expect("it is in the catalogue");
        let setup = onestroke_sim::run::Setup {
            scenario: std::sync::Arc::new(scenario),
            store,
            backend: onestroke_sim::run::Backend::Memory,
        };
        onestroke_sim::run::Runner::new(&setup).seed(0);
    }));
    let panic = caught.expect_err("it cannot be answered");
    let told = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(told.contains("store impatient awaits something that is not Ctx"), "{told}");
}
