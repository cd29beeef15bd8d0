//! Whatever is wrong with what the user gives: a message that says where, what and what would be
//! right, on stderr; exit code 2; and no panic. All messages stand in `bad_inputs.txt`.

use expect_test::expect_file;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

const CLAIM: &str = "claim = \"nothing is charged twice\"\n";

const PLAN: &str = "onestroke plan 1\nscenario  lost-reply\nstore     check-then-act\n\
                    backend   memory\nexpect    double-effect\n\n";

const RECORDING: &str = "onestroke recording 1\nscenario  lost-reply\nstore     check-then-act\n\
                         backend   memory\nexpect    nothing\nseed      42\n\
                         hash      00000000000000ff\n";

/// What a bad input ends with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Nothing was run.
    Usage = 2,
    /// It ran, and is not what the file says.
    Found = 1,
}

/// A table of bad inputs, and what is said of each.
struct Table {
    folder: tempfile::TempDir,
    said: String,
    rows: usize,
}

impl Table {
    fn heading(&mut self, text: &str) {
        let _ = writeln!(self.said, "# {text}\n");
    }

    fn flags(&mut self, line: &str) {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        self.row(line, &args, "", Ends::Usage);
    }

    fn row(&mut self, line: &str, args: &[OsString], stdin: &str, ends: Ends) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
        command.args(args).current_dir(self.folder.path());
        command.env_remove("RUST_LOG").env_remove("COLUMNS").env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("sim starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        // A program that does not read its input closes it.
        let _ = pipe.write_all(stdin.as_bytes());
        drop(pipe);
        let output = child.wait_with_output().expect("sim ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert!(!stderr.contains("panicked"), "sim {line}:\n{stderr}");
        assert_eq!(code, Some(ends as i32), "sim {line}:\n{stderr}");
        assert!(!stderr.trim().is_empty(), "sim {line} says nothing");
        if ends == Ends::Usage {
            assert_eq!(String::from_utf8_lossy(&output.stdout), "", "sim {line}");
        }
        let here = self.folder.path().to_string_lossy().into_owned();
        assert!(!stderr.contains(&here), "sim {line} names the folder of this run:\n{stderr}");
        let _ = writeln!(self.said, "$ sim {line}\n[exit {}]\n{stderr}", ends as i32);
        self.rows += 1;
    }

    fn file(&mut self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.path().join(name), content).expect("the folder is writable");
    }

    /// A scenario with these lines below its claim.
    fn scenario(&mut self, name: &str, lines: &str) {
        self.scenario_text(name, format!("{CLAIM}{lines}\n"));
    }

    fn scenario_text(&mut self, name: &str, content: impl AsRef<[u8]>) {
        self.file(name, content);
        self.flags(&format!("--seed 1 --scenario {name}"));
    }

    /// A plan with these faults.
    fn plan(&mut self, name: &str, faults: &str) {
        self.plan_text(name, format!("{PLAN}{faults}\n"), Ends::Usage);
    }

    fn plan_text(&mut self, name: &str, content: impl AsRef<[u8]>, ends: Ends) {
        self.file(name, content);
        let args = ["--plan", name].map(OsString::from);
        self.row(&format!("--plan {name}"), &args, "", ends);
    }
}

#[test]
fn whatever_is_wrong_is_explained_and_nothing_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = Table { folder, said: String::new(), rows: 0 };
    flags(&mut table);
    names(&mut table);
    files(&mut table);
    kept_searches(&mut table);
    scenario_syntax(&mut table);
    scenario_fields(&mut table);
    plan_headers(&mut table);
    plan_faults(&mut table);
    plans_that_run(&mut table);
    assert!(table.rows >= 40, "only {} rows", table.rows);
    println!("{} bad inputs", table.rows);
    expect_file!["bad_inputs.txt"].assert_eq(&table.said);
}

fn flags(table: &mut Table) {
    table.heading("Flags and numbers");
    table.flags("");
    table.flags("--seed");
    table.flags("--seed=-1");
    for value in ["-1", "18446744073709551616", "4.2", "0x2a"] {
        table.flags(&format!("--seed {value}"));
    }
    table.flags("--sead 42");
    table.flags("--seed 1 --seed 2");
    table.flags("--seed 42 --plan bug.plan");
    table.flags("--seed 42 hunt");
    table.flags("--seed 42 --format yaml");
    table.flags("--seed 42 --record all.recording");
    table.flags("--seed 42 --save-plan bug.plan");
    table.flags("--record all.recording");
    table.flags("--store one-transaction --save-plan bug.plan");
    table.flags("--plan bug.plan --record all.recording");
    table.flags("--plan bug.plan --likelihood");
    table.flags("--store one-transaction");
    table.flags("--seed 42 --window soon");
    table.flags("--seed 42 --window 0s");
    table.flags("--seed 42 --lease 366d");
    table.flags("--seed 42 --visibility 1.5s");
    table.flags("ttl --window 1s");
    table.flags("--seed 0 --store one-transaction --save-plan bug.plan");
    table.flags("--seed 42 extra");
    table.flags("--seed 42 check-then-act");
    table.flags("--store check-then-act hunt");
    for value in ["5..5", "9..5", "0", "..", "-5", "1e6", "18446744073709551615"] {
        table.flags(&format!("hunt --seeds {value}"));
    }
    for value in ["0", "100000", "two"] {
        table.flags(&format!("hunt --threads {value}"));
    }
    for value in ["60", "0s", "5days"] {
        table.flags(&format!("hunt --time {value}"));
    }
    table.flags("hunt --seed 42");
    table.flags("compare --seeds 0");
    table.flags("compare --faults 9");
    table.flags("suite --seeds 0");
    table.flags("suite --seeds -5");
    let args = [OsString::from("--store"), OsStr::from_bytes(b"check\xff").to_owned()];
    table.row("--store check\\xff", &args, "", Ends::Usage);
}

fn names(table: &mut Table) {
    table.heading("Names");
    table.flags("hnut --seeds 100");
    table.flags("--seed 42 --store check-then-acct");
    table.flags("--seed 42 --store redis");
    let empty = ["--seed", "42", "--store", ""].map(OsString::from);
    table.row("--seed 42 --store ''", &empty, "", Ends::Usage);
    table.flags("--seed 42 --scenario rainy_nite");
    table.flags("--seed 42 --scenario sunshine");
    table.flags("--seed 42 --backend memori");
    table.flags("--seed 42 --backend mysql");
    table.flags("hunt --store one-transaction --store one-transacton");
    table.flags("hunt --scenario lost-replies");
    table.flags("hunt --backend postgres");
    table.flags("diff one-transaction");
    table.flags("diff one-transaction no-dedup");
    table.flags("diff one-transaction no-deddup --seed 1");
    table.flags("diff one-transaction missing.plan");
    table.flags("diff missing.plan missing.plan --seed 1");
    table.flags("diff missing.plan missing.plan");
    table.file("a.plan", format!("{PLAN}drop reply of op-1 attempt-1\n"));
    table.file("b.plan", PLAN.replace("lost-reply", "overtaking"));
    table.flags("diff a.plan b.plan");
    table.flags("compare --store one-transacton");
    table.flags("compare --scenario lost-replies");
    table.flags("list sotres");
    table.flags("explain");
    table.flags("explain duoble-effect");
    table.flags("explain quantum-foam");
    let long = ["explain".into(), "x".repeat(300).into()];
    table.row("explain xxx… (300 of them)", &long, "", Ends::Usage);
}

fn files(table: &mut Table) {
    table.heading("Files that cannot be read or written");
    fs::create_dir(table.folder.path().join("folder")).expect("the folder is writable");
    fs::create_dir(table.folder.path().join("folder.toml")).expect("the folder is writable");
    table.file("latin1.toml", b"claim = \"caf\xe9\"\n");
    table.file("latin1.plan", b"onestroke plan 1 # caf\xe9\n");
    table.file("plain", "");
    let paths = "missing.toml folder.toml folder/ plain/inside.toml latin1.toml ./lost-reply";
    for path in paths.split(' ') {
        table.flags(&format!("--seed 42 --scenario {path}"));
    }
    table.flags("--plan missing.plan");
    table.flags("--plan folder");
    table.flags("--plan latin1.plan");
    table.flags("--plan plain");
    table.flags("--plan -");
    table.flags("--seed 42 --store one-transaction --record folder");
    table.flags("--seed 42 --store one-transaction --record missing/all.recording");
    table.flags("hunt --seeds 10 --store no-dedup --save-plans plain");
    table.flags("suite missing");
    table.flags("suite folder");
    table.flags("suite plain");
    table.file("nobody.toml", format!("{CLAIM}\n[expect]\nof-somebody-else = []\n"));
    table.flags("suite nobody.toml");
    table.flags("suite --partial nobody.toml");
    let typo = format!("{CLAIM}\n[expect]\nno-dedup = []\none-transactoin = []\n");
    table.file("typo.toml", typo);
    table.flags("suite typo.toml");
    table.flags("suite --junit folder");
    table.flags("suite --junit missing/suite.xml");
    table.flags("suite --save-plans plain");
    table.flags("suite --save-plans plain/inside --github");
    let garbage = ["--plan", "-"].map(OsString::from);
    table.row("--plan - < garbage", &garbage, "\u{0}\u{1}garbage\n", Ends::Usage);
}

fn kept_searches(table: &mut Table) {
    table.heading("Kept searches");
    let line = "exhaust --faults 1 --store one-transaction --resume kept.json";
    table.file("kept.json", "[{\"store\": \"one-transaction\"}]");
    table.flags(line);
    table.file("kept.json", "not JSON");
    table.flags(line);
    table.file("kept.json", b"\xff\xfe");
    table.flags(line);
    table.flags("exhaust --faults 1 --store one-transaction --resume .");
}

fn scenario_syntax(table: &mut Table) {
    table.heading("Scenario files that are no TOML, or lack something");
    table.scenario_text("empty.toml", "");
    table.scenario_text("zero.toml", "\u{0}");
    table.scenario_text("unclosed.toml", format!("{CLAIM}[weather\n"));
    table.scenario_text("deep.toml", format!("claim = {}\n", "[".repeat(100_000)));
    table.scenario_text("twice.toml", format!("{CLAIM}{CLAIM}"));
    table.scenario_text("blank-claim.toml", "claim = \" \"\n");
    table.scenario("bad-name.toml", "name = \"Lost Reply\"");
}

fn scenario_fields(table: &mut Table) {
    table.heading("Scenario files with a wrong field");
    table.scenario("unknown-field.toml", "[weather]\ndrop-replies = \"10%\"");
    table.scenario("unknown-section.toml", "[wether]\nswarm = true");
    table.scenario("wrong-type.toml", "[weather]\nswarm = \"yes\"");
    table.scenario("number-for-text.toml", "[client]\ntimeout = 100");
    table.scenario("text-for-number.toml", "[workload]\nclients = \"2\"");
    table.scenario("section-is-text.toml", "weather = \"rain\"");
    table.scenario("rate-over-100.toml", "[weather]\ndrop-reply = \"101%\"");
    table.scenario("rate-bare.toml", "[weather]\ndrop-reply = 0.1");
    table.scenario("rate-negative.toml", "[weather]\ndrop-reply = \"-1%\"");
    table.scenario("no-clients.toml", "[workload]\nclients = 0");
    table.scenario("huge-number.toml", "[workload]\nclients = 99999999999999999999999");
    table.scenario("float.toml", "[workload]\nclients = 1.5");
    table.scenario("no-unit.toml", "[contract]\nwindow = \"100\"");
    table.scenario("huge-span.toml", "[contract]\nwindow = \"99999999999999999999h\"");
    table.scenario("long-span.toml", "[contract]\nwindow = \"1000d\"");
    table.scenario("backwards.toml", "[latency]\nnetwork = \"3ms..1ms\"");
    table.scenario("no-classes.toml", "[weather]\nlate-reply = \"10%\"");
    table.scenario("bad-site.toml", "[weather]\ncrash = { rate = \"1%\", at = [\"after comit\"] }");
    table.scenario("bad-choice.toml", "[workload]\nkind = \"chrage\"");
    table.scenario_text("bad-moment.toml", format!("moments = [\"reply-lots\"]\n{CLAIM}"));
    table.scenario("bad-kind.toml", "[expect]\nno-dedup = [\"double-efect\"]");
    table.scenario("bad-store.toml", "[expect]\nno-dedpu = []");
    table.scenario("short-window.toml", "[contract]\nwindow = \"2s\"");
    table.scenario("early-sweep.toml", "[weather]\nsweep = \"10%\"\nsweep-ahead = \"24h\"");
    table.scenario("one-key.toml", "[workload]\nkeys = \"reused-with-other-payload\"");
}

fn plan_headers(table: &mut Table) {
    table.heading("Plan files with a wrong head");
    let fault = "drop reply of op-1 attempt-1\n";
    let with = |from: &str, to: &str| format!("{}{fault}", PLAN.replace(from, to));
    table.plan_text("no-head.plan", fault, Ends::Usage);
    table.plan_text("future.plan", with("plan 1", "plan 2"), Ends::Usage);
    let future = RECORDING.replace("recording 1", "recording 7");
    table.plan_text("future.recording", future, Ends::Usage);
    table.plan_text("no-store.plan", with("store     check-then-act\n", ""), Ends::Usage);
    table.plan_text("bad-store.plan", with("check-then-act", "chek-then-act"), Ends::Usage);
    table.plan_text("bad-scenario.plan", with("lost-reply", "lost-replay"), Ends::Usage);
    table.plan_text("no-scenario.plan", with("lost-reply", "gone.toml"), Ends::Usage);
    table.plan_text("bad-backend.plan", with("   memory", "   memmory"), Ends::Usage);
    table.plan_text("bad-expect.plan", with("double-effect", "double-charge"), Ends::Usage);
    table.plan_text("hash.plan", with("\n\n", "\nhash 00000000000000ff\n\n"), Ends::Usage);
    table.plan_text("bad-seed.plan", with("\n\n", "\nseed 4.2\n\n"), Ends::Usage);
    table.plan_text("no-client.plan", with("\n\n", "\nclients 0\n\n"), Ends::Usage);
    let sized = RECORDING.replace("seed ", "clients 1\nseed ");
    table.plan_text("sized.recording", sized, Ends::Usage);
    let no_hash = RECORDING.replace("hash      00000000000000ff\n", "");
    table.plan_text("no-hash.recording", no_hash, Ends::Usage);
    let bad_seed = RECORDING.replace("  42", "  -42");
    table.plan_text("bad-seed.recording", bad_seed, Ends::Usage);
}

fn plan_faults(table: &mut Table) {
    table.heading("Plan files with a wrong fault");
    table.plan("unknown-verb.plan", "dorp reply of op-1 attempt-1");
    table.plan("not-a-verb.plan", "explode server-1");
    table.plan("op-0.plan", "drop reply of op-0 attempt-1");
    table.plan("huge-op.plan", "drop reply of op-99999999999999999999 attempt-1");
    table.plan("attempt-0.plan", "drop reply of op-1 attempt-0");
    table.plan("unknown-table.plan", "crash in op-1 attempt-1 after read recrods");
    table.plan("no-table.plan", "crash in op-1 attempt-1 after read");
    table.plan("bad-question.plan", "crash in op-1 attempt-1 after comit");
    table.plan("flying-after.plan", "crash in op-1 attempt-1 after commit, in flight");
    table.plan("no-unit.plan", "late 300 request of op-1 attempt-1");
    table.plan("too-much.plan", "drop reply of op-1 attempt-1 please");
    table.plan("hold-after.plan", "hold op-1 attempt-1 after commit for the longest");
    table.plan("twice.plan", "drop reply of op-1 attempt-1\nlate 1s reply of op-1 attempt-1");
    table.plan("vary.plan", "vary op-1 attempt-1 backof offset 812 tie 3");
    table.plan("head-below.plan", "drop reply of op-1 attempt-1\nstore no-dedup");
    let long = format!("drop {}", "reply ".repeat(20_000));
    table.plan("long.plan", &long);
}

fn plans_that_run(table: &mut Table) {
    table.heading("Plan files that do not fit their scenario, or do not show what they say");
    let plan = |faults: &str| format!("{PLAN}{faults}\n");
    let never = plan("drop reply of op-9 attempt-1");
    table.plan_text("no-such-op.plan", never, Ends::Usage);
    let sized = |line: &str| PLAN.replace("\n\n", &format!("\n{line}\n\n"));
    for line in ["clients 99", "operations 99", "attempts 99", "at-once 99"] {
        let file = format!("more-{}.plan", line.replace(' ', "-"));
        table.plan_text(&file, sized(line), Ends::Usage);
    }
    let rainy = sized("clients 1\noperations 1").replace("lost-reply", "rainy-night");
    let cut = format!("{rainy}drop reply of op-2 attempt-1\n");
    table.plan_text("cut-off-op.plan", cut, Ends::Usage);
    let claim = plan("crash in op-1 attempt-1 after claim");
    table.plan_text("never-asked.plan", claim, Ends::Found);
    table.plan_text("shows-nothing.plan", plan("drop reply of op-1 attempt-1"), Ends::Found);
    let hash = format!("{RECORDING}\ndrop reply of op-1 attempt-1\n");
    table.plan_text("other-hash.recording", hash, Ends::Found);
    let shown = RECORDING.replace("nothing", "double-effect");
    let shown = format!("{shown}\npause 600ms in op-1 attempt-1 before apply\n");
    table.plan_text("other-hash-same-finding.recording", shown, Ends::Found);
}
