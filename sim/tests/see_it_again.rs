//! What a finding ends with can be pasted, also for a scenario of one's own, whatever its file is called.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What follows the line.
const VERSION: &str = concat!("\nonestroke ", env!("CARGO_PKG_VERSION"));

const SCENARIO: &str = r#"
claim = "one order and one resend, done once"

[client]
attempts = 2

[weather]
duplicate-request = "20%"
drop-reply = "20%"
"#;

/// Runs the shell's line in the folder, with the binary in the place of `cargo run`.
fn pasted(folder: &Path, line: &str) -> Output {
    let line = line.replace("cargo run --release --", env!("CARGO_BIN_EXE_sim"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    shell.output().expect("sh runs")
}

#[test]
fn the_last_line_of_a_finding_shows_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("my worlds")).expect("the folder is writable");
    for name in ["mine.toml", "my worlds/rain, at 'night'.toml"] {
        std::fs::write(folder.path().join(name), SCENARIO).expect("the folder is writable");
        for command in ["hunt --seeds 200", "exhaust --faults 1"] {
            let mut sim = Command::new(env!("CARGO_BIN_EXE_sim"));
            sim.args(command.split(' ')).args(["--store", "check-then-act", "--scenario", name]);
            let told = sim.current_dir(folder.path()).env("NO_COLOR", "1").output();
            let told = told.expect("sim runs");
            assert_eq!(told.status.code(), Some(1), "{told:?}");
            let text = String::from_utf8(told.stdout).expect("UTF-8");
            let (_, again) = text.split_once("See it again:").expect("there is a finding");
            let (again, _) = again.split_once(VERSION).expect("the version follows");
            let shown = pasted(folder.path(), again.trim());
            let text = String::from_utf8_lossy(&shown.stdout);
            assert_eq!(shown.status.code(), Some(1), "{command} {name}: {again}\n{shown:?}");
            assert!(text.contains("check-then-act: double-effect"), "{again}\n{text}");
        }
    }
}
