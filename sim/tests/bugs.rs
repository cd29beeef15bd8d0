//! Each public bug of `scenarios/bugs.toml`, run: the store that has it shows what its row says, soon, and
//! the store that does the same right shows nothing, in runs that passed through the danger.
//!
//! `BUGS_SEEDS=10000 cargo test -p onestroke-sim --test bugs -- --nocapture` prints the long table.

use onestroke_scenarios::{Shown, bugs, find};
use onestroke_sim::run::{Backend, Setup};
use onestroke_sim::search::hunt::{Campaign, Control, hunt};
use onestroke_store::stores;
use std::fmt::Write as _;
use std::sync::Arc;

/// Seeds a row, of each store.
fn seeds() -> u64 {
    std::env::var("BUGS_SEEDS").map_or(400, |told| told.parse().expect("BUGS_SEEDS is a number"))
}

fn campaign(scenario: &str, store: &str) -> (Campaign, u64) {
    let scenario = Arc::new(find(scenario).unwrap_or_else(|bad| panic!("{bad}")));
    let store = stores::catalogue().into_iter().find(|entry| entry.name == store);
    let store = store.unwrap_or_else(|| panic!("a bug names a store that is not there"));
    let setup = Setup { scenario: Arc::clone(&scenario), store, backend: Backend::Memory };
    let campaign = hunt(&setup, 0..seeds(), 2, &Control::default());
    let runs = |moment: &_| campaign.moments.runs.of(*moment);
    let danger = scenario.moments.iter().map(runs).max().unwrap_or(0);
    (campaign, danger)
}

#[test]
fn every_public_bug_shows_and_its_sibling_holds() {
    let mut shown_bugs = 0;
    println!(
        "| bug | scenario | store | shows | first seed | in runs | sibling | seeds | in danger |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for bug in bugs() {
        let Some(Shown { scenario, store, finding, holds, holds_in }) = &bug.shown else {
            continue;
        };
        shown_bugs += 1;
        let kind = bug.shown.as_ref().expect("it is shown").kind();
        let (faulty, _) = campaign(scenario, store);
        let tally = faulty.found.get(&kind);
        let tally = tally.unwrap_or_else(|| panic!("{}: {store} does not show {finding}", bug.id));
        let (first, runs) = (tally.first, tally.seeds);
        let mut line =
            format!("| {} | {scenario} | {store} | {finding} | {first} | {runs} |", bug.id);
        if let Some(holds) = holds {
            let (right, danger) = campaign(holds_in.as_ref().unwrap_or(scenario), holds);
            assert!(right.found.is_empty(), "{}: {holds} shows {:?}", bug.id, right.found.keys());
            assert!(danger >= seeds() / 10, "{}: {holds} was in danger {danger} times", bug.id);
            let _ = write!(line, " {holds} | {} | {danger} |", right.seeds);
        } else {
            line += " - | - | - |";
        }
        println!("{line}");
    }
    assert!(shown_bugs >= 6, "only {shown_bugs} bugs are shown");
}
