//! P1: a seed is a run. Twice the same command, on one thread and on two, gives the same bytes.

use std::process::{Command, Output};

fn sim(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.args(args.split(' ')).env_remove("COLUMNS").env_remove("RUST_LOG");
    let output = command.output().expect("sim runs");
    let code = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(code, Some(0 | 1)), "sim {args}: exit {code:?}\n{said}");
    assert!(output.stdout.len() > 200, "sim {args}: says little");
    output
}

/// All of these commands print the same.
fn agree(commands: &[&str]) {
    let first = sim(commands[0]);
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).expect("UTF-8");
    for other in &commands[1..] {
        let next = sim(other);
        assert_eq!(next.status.code(), first.status.code(), "{} and {other}", commands[0]);
        let (one, two) = (text(&first), text(&next));
        let parts = one.lines().zip(two.lines()).find(|(one, two)| one != two);
        assert!(one == two, "{} and {other} part at {parts:?}", commands[0]);
    }
}

#[test]
fn a_hunt_prints_the_same_bytes_whatever_the_threads() {
    let one = "hunt --seeds 700 --format json --threads 1";
    let two = "hunt --seeds 700 --format json --threads 2";
    agree(&[one, two, two, one]);
}

#[test]
fn a_hunt_for_people_prints_the_same_bytes_whatever_the_threads() {
    let one = "hunt --seeds 300..900 --scenario overtaking --scenario lost-reply --threads 1";
    let two = "hunt --seeds 300..900 --scenario overtaking --scenario lost-reply --threads 2";
    agree(&[one, two, two]);
}

#[test]
fn what_is_likely_prints_the_same_bytes_whatever_the_threads() {
    let one = "hunt --seeds 300 --store seen-means-done --likelihood --threads 1";
    let two = "hunt --seeds 300 --store seen-means-done --likelihood --threads 2";
    agree(&[one, two]);
    agree(&[&format!("{one} --format json"), &format!("{two} --format json")]);
    agree(&["--seed 42 --store check-then-act --likelihood --format json"; 2]);
}

#[test]
fn the_suite_prints_the_same_bytes_whatever_the_threads() {
    let one = "suite --seeds 60 --format json --threads 1";
    let two = "suite --seeds 60 --format json --threads 2";
    agree(&[one, two, two]);
    agree(&["suite --seeds 40 --threads 1", "suite --seeds 40 --threads 2"]);
}

#[test]
fn a_seed_prints_the_same_bytes_each_time() {
    agree(&["--seed 42 --format json"; 3]);
    agree(&["--seed 42 --format jsonl"; 2]);
    agree(&["--seed 42"; 2]);
    agree(&["--seed 42 --store check-then-act"; 2]);
}

#[test]
fn real_sqlite_prints_the_same_bytes_each_time() {
    let one = "hunt --seeds 60 --backend sqlite --format json --threads 1";
    let two = "hunt --seeds 60 --backend sqlite --format json --threads 2";
    agree(&[one, one, two]);
    agree(&["--seed 42 --backend sqlite --format json"; 2]);
}
