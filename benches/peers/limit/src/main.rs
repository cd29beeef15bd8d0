//! W1 as somebody would write it who needs nothing else: one loop over plain events, handlers as state
//! machines, no allocation, memory kept from seed to seed. It bounds what a simulator can reach.
//!
//! It hashes its trace, as all do, and it has the fault model of all: see `../../README.md`.

mod client;
mod queue;
mod server;
mod sim;
mod weather;

use sim::Sim;
use spec::program::{self, Order};

fn main() {
    program::main(|order: &Order| {
        let mut sim = Sim::new(order.bug);
        order.each(|seed, _| sim.run(seed))
    });
}
