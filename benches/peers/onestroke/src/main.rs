//! W1 on onestroke: the whole product, with points, trace, trace hash, and every check and moment on,
//! over a store that is the peers' own.
//!
//! Fault model: the scenario's, `../../../src/w1/w1.toml`.

use onestroke_benches::w1::{Tier, run, runner};
use spec::Total;
use spec::program::{self, Order};

fn main() {
    program::main(|order: &Order| {
        let mut runner = runner(if order.bug { Tier::Bug } else { Tier::Simple });
        let total = run(&mut runner, order.seeds.clone());
        let (events, violations) = (total.events, total.violations);
        Total { events, violations, trace: total.hash, counts: None }
    });
}
