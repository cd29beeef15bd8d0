//! Level 6. The story of a finding: what went wrong in words, the timeline, the faults that matter,
//! and the line that shows it again.

use super::args::VERSION;
use super::screen::{BAD, DIM, HEAD, Screen, program};
use crate::choice::{Fault, Strike};
use crate::plan::{Plan, Size, strike_line};
use crate::point::Names;
use crate::report::explain::explain;
use crate::report::timeline::View;
use crate::run::Runner;
use crate::search::shrink::Found;
use crate::trace::Server;
use onestroke_scenarios::{Clocks, FindingKind};
use onestroke_store::Span;
use std::fmt::Write as _;

/// How a finding was come by, as arguments of this program.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// `--seed N --scenario S …`
    Seed(u64),
    /// `--plan FILE`
    Plan(String),
    /// A `#[test]` that ran this seed.
    Test(u64),
    /// A search whose plan is shown in full, to be pasted into `--plan -`.
    Listed,
    /// One of these, with more arguments.
    With(Box<Self>, String),
}

/// Tells the story of what was found: runs its plan once more, with details.
pub(crate) fn tell(runner: &mut Runner, found: &Found, origin: &Origin, screen: &Screen) -> String {
    let finding = found.with_details(runner);
    let names = runner.names();
    let trace = runner.trace();
    let kind = found.finding.kind;
    let mut text = String::new();
    let store = &found.plan.store;
    let title = format!("{store}: {}", kind.name());
    let _ = writeln!(text, "{}", screen.paint(BAD, &title));
    let told = explain(trace, &finding, names);
    let clocks = clocks(&runner.setup().scenario.topology.clocks);
    let paragraph = format!("{}{clocks}", told.paragraph);
    let _ = writeln!(text, "{}\n", screen.wrap(&paragraph, "  "));
    let view =
        View { trace, names, width: screen.width, colour: screen.colour, focus: found.finding.op };
    text += &view.render();
    let lines = lines(found, names);
    text += &faults(&lines, found, screen);
    text += &besides(&found.plan);
    text += &again((&found.plan, origin), names, screen);
    text
}

/// Which servers' clocks are not true, in sentences.
fn clocks(clocks: &Clocks) -> String {
    let mut text = String::new();
    for (server, clock) in (0..u8::MAX).map(Server).zip(&clocks.0) {
        let off = Span::from_micros(clock.offset_us.unsigned_abs());
        if clock.offset_us != 0 {
            let side = if clock.offset_us > 0 { "ahead" } else { "behind" };
            let _ = write!(text, " The clock of {server} is {off} {side}.");
        }
        if clock.drift_ppm != 0 {
            let pace = if clock.drift_ppm > 0 { "fast" } else { "slow" };
            let ppm = clock.drift_ppm.unsigned_abs();
            let _ = write!(text, " The clock of {server} is {ppm} ppm too {pace}.");
        }
    }
    text
}

/// The faults as a plan names them, with a remark where one is needed: on one that hit another
/// operation's handler, and on magnitudes.
fn lines(found: &Found, names: Names<'_>) -> Vec<String> {
    let mut strikes = found.plan.strikes.clone();
    strikes.sort_unstable();
    let told = |strike: Strike| {
        let line = strike_line(strike, names);
        let remarks: Vec<String> =
            elsewhere(found, strike).into_iter().chain(magnitude(found, strike)).collect();
        if remarks.is_empty() { line } else { format!("{line}   ({})", remarks.join("; ")) }
    };
    strikes.into_iter().map(told).collect()
}

fn elsewhere(found: &Found, strike: Strike) -> Option<String> {
    let whole_server = matches!(strike.fault, Fault::Crash { .. } | Fault::Pause(_));
    let op = found.finding.op.filter(|op| whole_server && *op != strike.point.subject().op)?;
    Some(format!("and with it all that runs on the same server, {op} too"))
}

fn magnitude(found: &Found, strike: Strike) -> Option<String> {
    let (_, label) = found.labels.iter().find(|(labelled, _)| *labelled == strike)?;
    label.remark()
}

fn faults(lines: &[String], found: &Found, screen: &Screen) -> String {
    let mut text = String::from("\n");
    let heading = match (lines.len(), found.struck) {
        (0, _) => "No fault is needed for it: it happens in calm weather.".to_owned(),
        (1, 1) => "The one fault that struck:".to_owned(),
        (some, all) if !found.minimal && some == all => format!("The {all} faults that struck:"),
        (some, all) if !found.minimal => {
            format!("{some} faults of {all} that struck; not all of them may be needed:")
        }
        (1, struck) => format!("The one fault that matters, of {struck} that struck:"),
        (some, all) if some == all => format!("The {all} faults that struck all matter:"),
        (some, all) => format!("The {some} faults that matter, of {all} that struck:"),
    };
    let _ = writeln!(text, "{}", screen.paint(HEAD, &heading));
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// What a plan has besides its faults.
fn besides(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.size != Size::FULL {
        let _ = writeln!(text, "Enough of the workload: {}.", plan.size.words());
    }
    if !plan.is_recording() && !plan.variations.is_empty() {
        let (choices, need) = match plan.variations.len() {
            1 => ("1 harmless choice".to_owned(), "is"),
            many => (format!("{many} harmless choices"), "are"),
        };
        let _ = writeln!(text, "Its timing matters: {choices} of the seed {need} in the plan too.");
    }
    text
}

/// The line that shows a finding again.
pub(super) fn again((plan, origin): (&Plan, &Origin), names: Names<'_>, screen: &Screen) -> String {
    let command = match origin {
        Origin::Test(seed) => test_command(*seed),
        Origin::Listed => return pasted((plan, ""), names, screen),
        Origin::With(origin, more) if matches!(**origin, Origin::Listed) => {
            return pasted((plan, more), names, screen);
        }
        _ => format!("{} {}", program(), arguments(plan, origin)),
    };
    format!(
        "\n{} {command}\n{}\n",
        screen.paint(HEAD, "See it again:"),
        screen.paint(DIM, &format!("onestroke {VERSION}")),
    )
}

/// The arguments that show a finding again.
pub(crate) fn arguments(plan: &Plan, origin: &Origin) -> String {
    let backend = match plan.backend.as_str() {
        "memory" => String::new(),
        other => format!(" --backend {other}"),
    };
    match origin {
        Origin::Seed(seed) => format!(
            "--seed {seed} --scenario {} --store {}{backend}",
            quoted(&plan.scenario),
            plan.store
        ),
        Origin::Plan(file) => format!("--plan {}", quoted(file)),
        Origin::Test(seed) => format!("--seed {seed}"),
        Origin::Listed => "--plan -".to_owned(),
        Origin::With(origin, more) => format!("{}{more}", arguments(plan, origin)),
    }
}

/// The whole plan as one shell command.
fn pasted((plan, more): (&Plan, &str), names: Names<'_>, screen: &Screen) -> String {
    let lines = plan.write(names);
    let body = lines.trim_end();
    format!(
        "\n{}\n{} --plan -{more} <<'PLAN'\n{body}\nPLAN\n{}\n",
        screen.paint(HEAD, "See it again:"),
        program(),
        screen.paint(DIM, &format!("onestroke {VERSION}")),
    )
}

/// How to run the present test with one seed only: the test harness names its threads after tests.
fn test_command(seed: u64) -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").unwrap_or_default();
    // Cargo tells a test process which package it tests.
    let package = std::env::var("CARGO_PKG_NAME")
        .map_or_else(|_| String::new(), |name| format!("-p {name} "));
    format!("{}={seed} cargo test {package}{test}", crate::testing::SEED).trim_end().to_owned()
}

/// A kind of finding with a remark whether it was expected.
pub(crate) fn verdict(
    kinds: &[FindingKind],
    expected: Option<&[FindingKind]>,
    screen: &Screen,
) -> String {
    use super::screen::GOOD;
    let names = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    let as_expected = expected.is_some_and(|all| kinds.iter().all(|kind| all.contains(kind)));
    match (kinds.is_empty(), expected) {
        (true, Some(all)) if !all.is_empty() => {
            let all = all.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
            let others = if screen.width < 100 {
                String::new()
            } else {
                format!(" (other seeds show {all})")
            };
            screen.paint(DIM, &format!("nothing under this seed{others}"))
        }
        (true, _) => screen.paint(GOOD, "nothing found"),
        (false, Some(_)) if as_expected => {
            format!("{}  {}", screen.paint(BAD, &names), screen.paint(DIM, "(as expected)"))
        }
        (false, Some(_)) => format!("{}  (not expected)", screen.paint(BAD, &names)),
        (false, None) => screen.paint(BAD, &names),
    }
}

/// A word of a shell command.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+".contains(c);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
