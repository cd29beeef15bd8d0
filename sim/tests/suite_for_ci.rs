//! What `sim suite` leaves for a CI server: a JUnit file, annotations, and plans that show it again.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.args(line.split_whitespace()).current_dir(folder).env("NO_COLOR", "1");
    command
}

fn sim(folder: &Path, line: &str) -> Output {
    command(folder, line).output().expect("sim runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it prints text")
}

/// A scenario that expects the wrong thing of two stores and a moment that never comes, and a
/// pinned plan that shows something else than it says.
fn wrong_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("ours")).expect("the folder is writable");
    let scenario = "claim = \"a lost reply is replayed\"\n\
                    moments = [\"reply-lost\", \"crash-after-effect\"]\n\n\
                    [weather]\ndrop-reply = \"30%\"\n\n\
                    [expect]\nno-dedup = []\none-transaction = [\"torn\"]\n\
                    bare-duplicate = [\"wrong-reply\"]\n";
    fs::write(folder.path().join("ours/wrong.toml"), scenario).expect("it is written");
    let plan = "onestroke plan 1\nscenario  wrong.toml\nstore     no-dedup\nbackend   memory\n\
                expect    torn\n\ndrop reply of op-1 attempt-1\n";
    fs::write(folder.path().join("ours/old.plan"), plan).expect("it is written");
    folder
}

fn junit(folder: &Path, file: &str) -> Report {
    let text = fs::read_to_string(folder.join(file)).expect("the JUnit file is there");
    Report::deserialize_from_str(&text).unwrap_or_else(|bad| panic!("{bad}:\n{text}"))
}

/// The case with this name, and what is said of its failure.
fn failed<'a>(report: &'a Report, name: &str) -> (&'a TestCase, String) {
    let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let case = cases.into_iter().find(|case| case.name.as_str() == name);
    let case = case.unwrap_or_else(|| panic!("there is a case {name}"));
    match &case.status {
        TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, description, .. } => {
            let said = description.as_ref().map(|text| text.as_str().to_owned());
            (case, said.unwrap_or_default())
        }
        other => panic!("{name} did not fail: {other:?}"),
    }
}

const FLAGS: &str = "--seeds 200 --junit suite.xml --github --save-plans left";

#[test]
fn every_failure_points_at_its_line_and_leaves_a_plan() {
    let folder = wrong_folder();
    let output = sim(folder.path(), &format!("suite ours {FLAGS}"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));

    let report = junit(folder.path(), "suite.xml");
    let names: Vec<&str> = report.test_suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["ours/wrong.toml", "pinned plans"]);
    assert_eq!(report.test_suites[0].tests, 3 + 2, "its stores and its moments");
    let (case, said) = failed(&report, "no-dedup");
    let place = |case: &TestCase| {
        let part = |name: &str| case.extra[name].as_str();
        format!("{}:{}", part("file"), part("line"))
    };
    assert_eq!(place(case), "ours/wrong.toml:8");
    let plan = "left/wrong--no-dedup--double-effect.plan";
    assert!(said.contains(&format!("plan: {plan}\n")), "{said}");
    assert!(said.ends_with(&format!("--plan {plan}")), "one line that shows it again: {said}");
    let (case, said) = failed(&report, "one-transaction");
    assert_eq!(place(case), "ours/wrong.toml:9");
    assert!(said.contains("torn never showed in 200 seeds"), "{said}");
    let (case, _) = failed(&report, "moment crash-after-effect");
    assert_eq!(place(case), "ours/wrong.toml:2");
    let (case, said) = failed(&report, "ours/old.plan");
    assert_eq!(place(case), "ours/old.plan:5");
    assert!(said.contains("plan: left/old.plan"), "{said}");
    let green = |name: &str| {
        let mut cases = report.test_suites[0].test_cases.iter();
        let case = cases.find(|case| case.name.as_str() == name).expect("it is there");
        matches!(case.status, TestCaseStatus::Success { .. })
    };
    assert!(green("bare-duplicate") && green("moment reply-lost"));

    let out = text(&output.stdout);
    let annotations: Vec<&str> = out.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), report.failures, "one each: {out}");
    let first = annotations[0];
    let head = "::error file=ours/wrong.toml,line=8,title=ours/wrong.toml / no-dedup%3A \
                double-effect::ours/wrong.toml / no-dedup: shows double-effect";
    assert!(first.starts_with(head), "{first}");
    assert!(first.contains(&format!("%0Aplan: {plan}%0A")), "{first}");
}

/// A name that was mistyped is a cell that never runs: the suite was green, and said nothing.
#[test]
fn what_names_a_store_of_another_program_is_refused_or_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let head =
        "claim = \"a lost reply is replayed\"\n\n[weather]\ndrop-reply = \"30%\"\n\n[expect]\n";
    let write = |name: &str, text: String| {
        fs::write(folder.path().join(name), text).expect("it is written");
    };
    write("both.toml", format!("{head}of-a-friend = []\none-transaction = []\n"));
    write("theirs.toml", format!("{head}of-a-friend = []\n"));
    let plan = "onestroke plan 1\nscenario  both.toml\nstore     of-a-friend\nbackend   memory\n\
                expect    torn\n\ndrop reply of op-1 attempt-1\n";
    write("theirs.plan", plan.to_owned());

    let refused = sim(folder.path(), "suite . --seeds 20");
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.starts_with("error: ./both.toml:7: no store is called `of-a-friend`"), "{said}");

    let partial = sim(folder.path(), "suite . --seeds 20 --partial --junit suite.xml");
    assert_eq!(partial.status.code(), Some(0), "{}", text(&partial.stderr));
    let out = text(&partial.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let counted = "not run: 2 cells and 1 pinned plans, whose stores this program does not have: \
                   `of-a-friend` (./both.toml:7), `of-a-friend` (./theirs.toml:7), \
                   `of-a-friend` (./theirs.plan:3)";
    assert!(out.contains(counted), "{out}");
    assert!(out.contains("20 runs in 1 cells, 0 pinned plans: 0 not as expected"), "{out}");
    let report = junit(folder.path(), "suite.xml");
    let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let skipped = |case: &&TestCase| matches!(case.status, TestCaseStatus::Skipped { .. });
    let skipped: Vec<&str> = cases.filter(skipped).map(|case| case.name.as_str()).collect();
    assert_eq!(skipped, ["of-a-friend", "of-a-friend", "./theirs.plan"]);
    let json = sim(folder.path(), "suite . --seeds 20 --partial --format json");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    let not_run = json["not_run"].as_array().expect("an array");
    assert_eq!((not_run.len(), &not_run[2]["pinned"]), (3, &true.into()));
}

#[test]
fn the_plans_that_are_left_show_it_again() {
    let folder = wrong_folder();
    sim(folder.path(), &format!("suite ours {FLAGS}"));
    let output = sim(folder.path(), "--plan left/wrong--no-dedup--double-effect.plan");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "", "it shows what it expects");
    assert!(text(&output.stdout).contains("no-dedup: double-effect"));
    let output = sim(folder.path(), "--plan left/old.plan");
    let said = text(&output.stderr);
    assert!(said.starts_with("error: left/old.plan:5: it should show `torn`"), "{said}");
    let left = fs::read_dir(folder.path().join("left")).expect("a folder").count();
    let report = junit(folder.path(), "suite.xml");
    let named = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
    let named = named.filter(|case| format!("{case:?}").contains("plan: left/")).count();
    assert_eq!(left, named, "each plan is named by one case");
}

#[test]
fn the_files_are_the_same_whatever_the_threads() {
    let folder = wrong_folder();
    let one = sim(folder.path(), &format!("suite ours {FLAGS} --threads 1"));
    let first = fs::read(folder.path().join("suite.xml")).expect("it is there");
    let two = sim(folder.path(), &format!("suite ours {FLAGS} --threads 2"));
    let second = fs::read(folder.path().join("suite.xml")).expect("it is there");
    assert_eq!(text(&first), text(&second));
    assert_eq!(text(&one.stdout), text(&two.stdout));
}

#[test]
fn json_stays_json_beside_annotations() {
    let folder = wrong_folder();
    let output = sim(folder.path(), "suite ours --seeds 50 --github --format json");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(json["ok"], false);
    let said = text(&output.stderr);
    assert!(said.lines().any(|line| line.starts_with("::error file=ours/wrong.toml,")), "{said}");
    assert!(said.contains("--seed 0 --scenario ours/wrong.toml --store no-dedup"), "{said}");
}

#[test]
fn a_suite_as_expected_leaves_a_green_file_and_no_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "suite --seeds 400 --junit suite.xml --github --save-plans left";
    let output = sim(folder.path(), line);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let report = junit(folder.path(), "suite.xml");
    assert_eq!((report.failures, report.errors), (0, 0));
    let scenarios = onestroke_scenarios::catalogue().len();
    assert_eq!(report.test_suites.len(), scenarios + 1, "the scenarios, and the pinned plans");
    let pinned = report.test_suites.last().expect("the pinned plans");
    assert_eq!(pinned.tests, onestroke_scenarios::PINNED.len());
    assert!(!text(&output.stdout).contains("::error"));
    assert_eq!(fs::read_dir(folder.path().join("left")).expect("a folder").count(), 0);
}

#[test]
fn an_interrupted_suite_is_not_green() {
    let folder = wrong_folder();
    let mut command = command(folder.path(), "suite ours --seeds 1000000000 --junit suite.xml");
    let mut child = command.stdout(Stdio::null()).spawn().expect("sim starts");
    let file = folder.path().join("suite.xml");
    let written = || fs::metadata(&file).is_ok_and(|about| about.len() > 0);
    for _ in (0..1_000).take_while(|_| !written()) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // It has not come to its end, and is not green: as a killed one would leave it.
    let report = junit(folder.path(), "suite.xml");
    assert_eq!((report.errors, report.failures), (1, 0));
    // The handler is set a moment after the file is made.
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert_eq!(child.wait().expect("sim ends").code(), Some(130));
    let report = junit(folder.path(), "suite.xml");
    assert_eq!(report.errors, 1, "{report:?}");
    let said = format!("{report:?}");
    assert!(said.contains("interrupted"), "{said}");
}

#[test]
fn the_workflow_in_the_repository_runs_the_suite_with_flags_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = root.join(".github/workflows/ci.yml");
    let workflow = fs::read_to_string(file).expect("the workflow is there");
    let line = workflow.lines().find_map(|line| line.trim().strip_prefix("suite --"));
    let line = format!("suite --{}", line.expect("it runs the suite"));
    let folder = wrong_folder();
    let output = sim(folder.path(), &format!("{line} --seeds 20 ours"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    for kept in ["suite.xml", "failing-plans"] {
        assert!(folder.path().join(kept).exists() && workflow.contains(kept), "{kept}");
    }
}
