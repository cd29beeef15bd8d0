//! Level 6. From which decision on a finding was likely, for people and for machines.

use super::influence::rounded;
use super::screen::{BAD, DIM, HEAD, Screen};
use crate::check::Finding;
use crate::plan::strike_line;
use crate::point::{Names, Place};
use crate::run::Runner;
use crate::search::interval::{Interval, Share};
use crate::search::likelihood::{FUTURES, Likelihood, Step, likelihood};
use serde::Serialize;
use std::fmt::Write as _;

/// Shares of futures that end as the run did, for machines.
#[derive(Serialize)]
pub(super) struct LikelihoodReport {
    seed: u64,
    op: Option<String>,
    futures: u64,
    start: ShareReport,
    steps: Vec<StepReport>,
    /// Index of the step that made it likelier than any other; null without one.
    jump: Option<usize>,
    /// The decision from which on it was likelier than not; null if it was so from the beginning.
    tip: Option<StepReport>,
}

#[derive(Serialize)]
struct StepReport {
    at_us: u64,
    text: String,
    strikes: bool,
    before: ShareReport,
    after: ShareReport,
}

#[derive(Serialize)]
struct ShareReport {
    found: u64,
    low: f64,
    high: f64,
}

/// Tries other futures of a run, and says what for machines.
pub(super) fn report(
    runner: &mut Runner,
    seed: u64,
    finding: &Finding,
) -> Option<LikelihoodReport> {
    let likelihood = likelihood(runner, seed, (finding.kind, finding.op))?;
    let names = runner.names();
    let step = |step: &Step| StepReport {
        at_us: step.at.as_micros(),
        text: text_of(step, names),
        strikes: step.strike.is_some(),
        before: share(step.before),
        after: share(step.after),
    };
    let jump = likelihood.jump();
    Some(LikelihoodReport {
        seed,
        op: likelihood.finding.op.map(|op| op.to_string()),
        futures: FUTURES,
        start: share(likelihood.start),
        steps: likelihood.steps.iter().map(step).collect(),
        jump: likelihood.steps.iter().position(|step| Some(step) == jump),
        tip: likelihood.tip.as_ref().map(step),
    })
}

fn share(share: Share) -> ShareReport {
    let Interval { low, high, .. } = share.interval();
    ShareReport { found: share.found, low: rounded(low), high: rounded(high) }
}

/// Tries other futures of a run, and says what in a table.
pub(super) fn human(runner: &mut Runner, seed: u64, finding: &Finding, screen: &Screen) -> String {
    let Some(likelihood) = likelihood(runner, seed, (finding.kind, finding.op)) else {
        return String::new();
    };
    let names = runner.names();
    let head = screen.wrap(&head(&likelihood, seed), "");
    let mut text = format!("\n{}\n", screen.paint(HEAD, &head));
    let rows: Vec<&Step> = likelihood.steps.iter().filter(|step| step.jumps()).collect();
    text += &table(&rows, likelihood.jump(), names, screen);
    let told = summary(&likelihood, names);
    let _ = writeln!(text, "{}", screen.wrap(&told, ""));
    let all_jump = likelihood.steps.iter().all(Step::jumps);
    let rest = if all_jump { "" } else { "What else struck changed little. " };
    let rest = format!("{rest}In brackets: 95% intervals.");
    let _ = writeln!(text, "{}", screen.paint(DIM, &screen.wrap(&rest, "")));
    text
}

fn head(likelihood: &Likelihood, seed: u64) -> String {
    let kind = likelihood.finding.kind.name();
    let whose = likelihood.finding.op.map_or_else(String::new, |op| format!(" of {op}"));
    format!(
        "How likely was {kind}{whose} under seed {seed}? With the seed's workload and kinds of fault, \
         {} of {FUTURES} runs end so. Then decision by decision, all before it kept, and {FUTURES} other futures from there:",
        percent(likelihood.start)
    )
}

/// The biggest jump, and from when on it was likelier than not.
fn summary(likelihood: &Likelihood, names: Names<'_>) -> String {
    let jump = match likelihood.jump() {
        None => "No single decision made it much likelier.".to_owned(),
        Some(jump) => format!(
            "The biggest jump, at {}: {}. Of the futures {} ended so before it, and {} after it.",
            jump.at,
            text_of(jump, names),
            percent(jump.before),
            percent(jump.after)
        ),
    };
    let tip = match (&likelihood.tip, likelihood.jump()) {
        (None, _) => " It was likelier than not from the beginning.".to_owned(),
        (Some(tip), Some(jump)) if tip == jump => String::new(),
        (Some(tip), _) => format!(
            " It was likelier than not from {} on: {} before, and {} after `{}`.",
            tip.at,
            percent(tip.before),
            percent(tip.after),
            text_of(tip, names)
        ),
    };
    jump + &tip
}

/// When, what, and how likely before and after it; what does not fit is wrapped in its column.
fn table(rows: &[&Step], jump: Option<&Step>, names: Names<'_>, screen: &Screen) -> String {
    const NUMBERS: usize = 36;
    let mut text = String::new();
    let time = rows.iter().map(|step| step.at.to_string().len()).max().unwrap_or(0);
    let most = screen.width.min(100).saturating_sub(time + NUMBERS).max(20);
    let whats: Vec<String> = rows.iter().map(|step| text_of(step, names)).collect();
    let widest = whats.iter().map(|what| what.len().min(most)).max().unwrap_or(0);
    for (step, what) in rows.iter().zip(&whats) {
        let mut lines = textwrap::wrap(what, widest).into_iter();
        let first = lines.next().unwrap_or_default();
        let mark = if Some(*step) == jump { screen.paint(BAD, "> ") } else { "  ".to_owned() };
        let (at, before, after) = (step.at.to_string(), percent(step.before), percent(step.after));
        let _ = writeln!(text, "{mark}{at:<time$}  {first:<widest$}  {before:>13} -> {after}");
        for line in lines {
            let _ = writeln!(text, "{}{line}", " ".repeat(time + 4));
        }
    }
    text
}

fn text_of(step: &Step, names: Names<'_>) -> String {
    if let Some(strike) = step.strike {
        return strike_line(strike, names);
    }
    let subject = step.point.subject();
    match step.point.place() {
        Place::Route => format!("the server that is chosen for {subject}"),
        Place::Backoff => format!("how long the client waits after {subject}"),
        Place::Travel | Place::Before => {
            format!("no fault, and this timing, at {}", names.point(step.point))
        }
        _ => format!("no fault at {}", names.point(step.point)),
    }
}

/// `71% (64-77)`.
fn percent(share: Share) -> String {
    let Interval { low, value, high } = share.interval();
    format!("{:.0}% ({:.0}-{:.0})", value * 100.0, low * 100.0, high * 100.0)
}
