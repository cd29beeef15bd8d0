//! Scratch.
#![allow(missing_docs)]
use onestroke_sim::run::*;
use onestroke_sim::search::hunt::*;
use std::sync::Arc;
fn main() {
    let n: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1000);
    let only = std::env::args().nth(2);
    let backend = std::env::args().nth(3).and_then(|s| Backend::parse(&s)).unwrap_or_default();
    for scenario in onestroke_scenarios::catalogue() {
        if only.as_ref().is_some_and(|o| o != "all" && *o != scenario.name) { continue; }
        let scenario = Arc::new(scenario);
        let mut moments = onestroke_sim::moments::MomentTotals::default();
        for store in onestroke_store::stores::catalogue() {
            let setup = Setup { scenario: Arc::clone(&scenario), store: store.clone(), backend };
            let start = std::time::Instant::now();
            let campaign = hunt(&setup, 0..n, 2, &Control::default());
            let secs = start.elapsed().as_secs_f64();
            moments.add(&campaign.moments);
            let found: Vec<_> = campaign.found.keys().copied().collect();
            let mut expect = scenario.expect.get(store.name).cloned().unwrap_or_default();
            expect.sort();
            let ok = if found == expect { "ok  " } else { "DIFF" };
            println!("{ok} {:34} {:28} {:?} expected {:?} | {:.2} M ev/s {:.0} ev/run", scenario.name, store.name, campaign.found.iter().map(|(k, t)| format!("{k} {}@{}", t.seeds, t.first)).collect::<Vec<_>>(), expect, campaign.events as f64 / secs / 1e6, campaign.events as f64 / n as f64);
        }
        for m in &scenario.moments { println!("     moment {m}: runs {} occ {}", moments.runs.of(*m), moments.occurrences.of(*m)); }
    }
}
