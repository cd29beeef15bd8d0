//! What a hunt learns from its seeds: which of them show what, which faults go with it, and from
//! which decision on it was likely.

use onestroke_scenarios::FindingKind;
use onestroke_sim::choice::{Fault, Source};
use onestroke_sim::run::{Backend, Keep, Runner, Setup};
use onestroke_sim::search::hunt::{Campaign, Control, KEPT, hunt};
use onestroke_sim::search::influence::{By, Influence};
use onestroke_sim::search::likelihood::{FUTURES, likelihood};
use std::sync::Arc;

fn setup(scenario: &str, store: &str) -> Setup {
    let scenario = Arc::new(onestroke_scenarios::find(scenario).expect("it is in the catalogue"));
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let store = stores.find(|entry| entry.name == store).expect("it is in the catalogue");
    Setup { scenario, store, backend: Backend::Memory }
}

fn campaign(setup: &Setup, seeds: u64, threads: usize) -> Campaign {
    hunt(setup, 0..seeds, threads, &Control::default())
}

fn influence(campaign: &Campaign, kind: FindingKind, fault: &str, by: By) -> Influence {
    let all = campaign.found[&kind].faults.influences(&campaign.faults);
    let one = all.into_iter().find(|one| one.fault == fault && one.by == by);
    one.unwrap_or_else(|| panic!("{fault} is told of"))
}

#[test]
fn the_lowest_seeds_of_a_kind_are_kept_whatever_the_threads() {
    let setup = setup("rainy-night", "seen-means-done");
    let one = campaign(&setup, 1_500, 1);
    assert_eq!(one, campaign(&setup, 1_500, 3));
    let mut runner = Runner::new(&setup);
    for (kind, tally) in &one.found {
        let shows = |seed: &u64| runner.seed(*seed).findings.iter().any(|one| one.kind == *kind);
        let lowest: Vec<u64> = (0..1_500).filter(shows).take(KEPT).collect();
        assert_eq!(tally.lowest, lowest, "{}", kind.name());
        assert_eq!(tally.first, lowest[0]);
    }
    assert!(one.found.values().any(|tally| tally.lowest.len() == KEPT));
}

#[test]
fn every_run_is_counted_once_with_each_fault_or_without_it() {
    let campaign = campaign(&setup("rainy-night", "no-dedup"), 600, 2);
    let found = &campaign.found[&FindingKind::DoubleEffect];
    let influences = found.faults.influences(&campaign.faults);
    assert!(influences.len() > 15, "{} faults", influences.len());
    for one in influences {
        assert_eq!(one.with.runs + one.without.runs, 600, "{}", one.fault);
        assert_eq!(one.with.found + one.without.found, found.seeds, "{}", one.fault);
    }
}

#[test]
fn crashes_and_cancels_lose_effects_and_lost_requests_do_not() {
    let campaign = campaign(&setup("rainy-night", "seen-means-done"), 2_000, 2);
    let ratio = |fault| influence(&campaign, FindingKind::LostEffect, fault, By::Drawn).ratio();
    for fault in ["crash", "cancel"] {
        assert!(ratio(fault).low > 1.2, "{fault}: {:?}", ratio(fault));
    }
    assert!(ratio("drop").low < 1.0, "drop: {:?}", ratio("drop"));
}

#[test]
fn where_one_fault_alone_does_it_it_is_never_there_without() {
    let campaign = campaign(&setup("lost-reply", "no-dedup"), 300, 1);
    let one = influence(&campaign, FindingKind::DoubleEffect, "drop-reply", By::Struck);
    assert_eq!(one.without.found, 0);
    assert!(one.ratio().low > 2.0 && one.ratio().value.is_infinite(), "{:?}", one.ratio());
    let drawn = campaign.found[&FindingKind::DoubleEffect].faults.influences(&campaign.faults);
    assert!(drawn.iter().all(|one| one.by == By::Struck), "there is no swarm in this scenario");
}

#[test]
fn a_fork_keeps_what_was_decided_and_draws_the_rest_anew() {
    let mut runner = Runner::new(&setup("rainy-night", "check-then-act"));
    let keep = Keep { variations: true, details: false };
    let mut run = |source| {
        let hash = runner.run(source, keep).hash;
        (hash, runner.decisions().to_vec())
    };
    for seed in 0..20 {
        let (hash, decisions) = run(Source::Seeded { seed, salt: 0 });
        let all = u32::try_from(decisions.len()).expect("a run is short");
        let fork = |keep, future| Source::Forked { seed, keep, future };
        assert_eq!(run(fork(all, 7)).0, hash, "all is kept");
        let half = run(fork(all / 2, 7));
        assert_eq!(half, run(fork(all / 2, 7)), "a future is a run");
        let kept = decisions.len() / 2;
        assert_eq!(half.1[..kept], decisions[..kept]);
        let hashes: std::collections::BTreeSet<u64> =
            (0..8).map(|future| run(fork(all / 2, future)).0).collect();
        assert!(hashes.len() > 4, "seed {seed}: {} different futures of 8", hashes.len());
    }
}

#[test]
fn the_jump_is_at_the_fault_that_does_it() {
    let setup = setup("rainy-night", "seen-means-done");
    let mut runner = Runner::new(&setup);
    // The customer walks off after the key was claimed: the order is never made.
    let likely = likelihood(&mut runner, 34, (FindingKind::LostEffect, None)).expect("it is lost");
    let jump = likely.jump().expect("it became likely at once");
    let strike = jump.strike.expect("a fault did it");
    assert_eq!(strike.fault, Fault::Cancel);
    assert!(jump.before.found < FUTURES / 4 && jump.after.found == FUTURES, "{jump:?}");
    assert_eq!(likely.tip, Some(*jump));
    assert_eq!(Some(likely), likelihood(&mut runner, 34, (FindingKind::LostEffect, None)));
}

#[test]
fn what_was_unlikely_at_first_tips_at_some_decision() {
    let setup = setup("rainy-night", "check-then-act");
    let mut runner = Runner::new(&setup);
    let kind = FindingKind::DoubleEffect;
    let caught = campaign(&setup, 60, 1).found[&kind].lowest.clone();
    assert!(caught.len() > 5);
    for seed in caught.into_iter().take(6) {
        let likely = likelihood(&mut runner, seed, (kind, None)).expect("it was caught");
        let unlikely = likely.start.found * 2 <= FUTURES;
        assert!(!unlikely || likely.tip.is_some(), "seed {seed}: {likely:?}");
        if let Some(tip) = likely.tip {
            assert!(tip.before.found * 2 <= FUTURES && tip.after.found * 2 > FUTURES, "{tip:?}");
        }
        assert!(likely.steps.is_sorted_by_key(|step| step.at));
    }
    let silent = (0..60).find(|seed| runner.seed(*seed).findings.is_empty()).expect("one is calm");
    assert_eq!(likelihood(&mut runner, silent, (kind, None)), None);
}
