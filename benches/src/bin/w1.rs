//! Runs the reference workload and prints what it came to as one line of JSON.
//!
//!     w1 [simple|bug|real] [FIRST] [SEEDS]

use onestroke_benches::w1::{Tier, run, runner};

fn main() {
    let mut words = std::env::args().skip(1);
    let tier = match words.next().as_deref() {
        None | Some("simple") => Tier::Simple,
        Some("bug") => Tier::Bug,
        Some("real") => Tier::Real,
        Some(other) => {
            eprintln!("error: {other} is none of simple, bug, real");
            std::process::exit(2);
        }
    };
    let mut number = |default| words.next().map_or(default, |word| word.parse().unwrap_or(default));
    let (first, seeds): (u64, u64) = (number(0), number(1_000));
    let mut runner = runner(tier);
    let total = run(&mut runner, first..first + seeds);
    println!(
        r#"{{"seeds":{},"events":{},"entries":{},"violations":{},"bad_seeds":{},"hash":"{:016x}"}}"#,
        total.seeds, total.events, total.entries, total.violations, total.bad_seeds, total.hash
    );
}
