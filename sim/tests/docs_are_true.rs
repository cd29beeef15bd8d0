//! Every output block in the docs is what the program prints now; `...` stands for lines left out.

use std::path::Path;
use std::process::Command;

/// The command lines of a page's `console` blocks, each with the output that the page shows.
fn blocks(page: &str) -> Vec<(Vec<String>, String)> {
    let mut blocks = Vec::new();
    let fenced = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    for block in fenced {
        let (first, output) = block.split_once('\n').expect("a block has a command and an output");
        let command = first.strip_prefix("$ cargo run --release -- ");
        let command = command.unwrap_or_else(|| panic!("`{first}` is no command of this program"));
        let args = command.split_whitespace().map(str::to_owned).collect();
        blocks.push((args, output.to_owned()));
    }
    blocks
}

fn output(args: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    let output = command.args(args).env("COLUMNS", "100").env("NO_COLOR", "1").output();
    let output = output.expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn every_output_block_is_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut checked = 0;
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/performance.md",
        "docs/plans.md",
        "docs/scenarios.md",
    ] {
        let text = std::fs::read_to_string(root.join(page)).expect("the page is there");
        for (args, shown) in blocks(&text) {
            snapbox::assert_data_eq!(output(&args), snapbox::Data::text(shown));
            checked += 1;
        }
    }
    assert!(checked >= 1, "the README shows what the program prints");
}

#[test]
fn the_plan_in_the_readme_shows_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("README.md")).expect("the page is there");
    let plan = text.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let plan = plan.expect("the README shows a plan");
    let folder = tempfile::tempdir().expect("a folder of its own");
    let file = folder.path().join("bug.plan");
    std::fs::write(&file, plan).expect("the plan is written");
    let args = ["--plan".to_owned(), file.display().to_string()];
    assert!(output(&args).contains("check-then-act: double-effect"), "{}", output(&args));
}
