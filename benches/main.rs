//! How fast a seed is, and what it is made of: one group a file, from the whole run down to its parts.
//!
//! Run them with `just bench`, or one group with `just bench queue`. They say how fast this machine
//! is today and decide nothing.

mod checks;
mod choice;
mod memory;
mod question;
mod queue;
mod search;
mod seed;
mod stores;
mod trace;
mod w1;

use criterion::Criterion;
use std::time::Duration;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30)
        .configure_from_args();
    w1::bench(&mut criterion);
    seed::bench(&mut criterion);
    search::bench(&mut criterion);
    question::bench(&mut criterion);
    trace::bench(&mut criterion);
    choice::bench(&mut criterion);
    queue::bench(&mut criterion);
    memory::bench(&mut criterion);
    checks::bench(&mut criterion);
    stores::bench(&mut criterion);
    criterion.final_summary();
}

/// A runner of `one-transaction` on a rainy night, as most hunts run it.
fn rainy_night() -> onestroke_sim::run::Runner {
    use onestroke_sim::run::{Backend, Runner, Setup};
    let scenario = onestroke_scenarios::find("rainy-night").expect("it is in the catalogue");
    let store = onestroke_store::stores::catalogue()
        .into_iter()
        .find(|store| store.name == "one-transaction")
        .expect("it is in the catalogue");
    Runner::new(&Setup { scenario: scenario.into(), store, backend: Backend::Memory })
}
