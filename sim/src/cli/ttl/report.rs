//! Level 6. `sim ttl` for machines: `docs/json.md` says what each field means.

use super::{Searched, paper};
use crate::cli::args::VERSION;
use crate::report::json::{SCHEMA, Tool};
use crate::run::Setup;
use crate::search::ttl::Bound;
use onestroke_scenarios::Term;
use onestroke_store::Span;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Report {
    schema: u32,
    tool: Tool,
    scenario: String,
    store: String,
    backend: String,
    terms: Vec<TermReport>,
    last_arrival_us: u64,
    sweep_lead_us: u64,
    window_us: u64,
    window_from: &'static str,
    smallest_safe_us: u64,
    safe: bool,
    lease_us: u64,
    longest_handling_us: u64,
    smallest_safe_lease_us: u64,
    visibility_us: u64,
    smallest_safe_visibility_us: u64,
    seeds: u64,
    windows: u64,
    runs: u64,
    complete: bool,
    breaks: Option<BreaksReport>,
    holds_us: Option<u64>,
    gap_us: Option<u64>,
    others: Vec<Other>,
}

#[derive(Serialize)]
struct TermReport {
    name: &'static str,
    span_us: u64,
    why: &'static str,
}

#[derive(Serialize)]
struct BreaksReport {
    window_us: u64,
    seed: u64,
    paragraph: String,
    plan: Vec<String>,
    arguments: String,
}

/// A lease, or a visibility time-out.
#[derive(Serialize)]
struct Other {
    bound: &'static str,
    kind: &'static str,
    tried: u64,
    runs: u64,
    complete: bool,
    breaks_us: Option<u64>,
    seed: Option<u64>,
    paragraph: Option<String>,
    plan: Option<Vec<String>>,
    arguments: Option<String>,
    holds_us: Option<u64>,
    gap_us: Option<u64>,
}

/// The report.
pub(super) fn of(setup: &Setup, all: &[Searched], seeds: u64) -> Report {
    let scenario = &setup.scenario;
    let term =
        |term: Term| TermReport { name: term.name, span_us: term.span.as_micros(), why: term.why };
    let window = &all[0];
    let attained = &window.attained;
    let breaks = attained.breaks.zip(window.story.as_ref()).map(|(breaks, story)| BreaksReport {
        window_us: breaks.span.as_micros(),
        seed: breaks.seed,
        paragraph: story.paragraph.clone(),
        plan: story.plan.clone(),
        arguments: story.arguments.clone(),
    });
    let (holds_us, gap_us) = closed(setup, window);
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        scenario: scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
        terms: paper::terms(setup).map(term).collect(),
        last_arrival_us: scenario.worst_last_arrival().as_micros(),
        sweep_lead_us: scenario.sweep_lead().as_micros(),
        window_us: scenario.contract.window.as_micros(),
        window_from: scenario.contract.window_from.name(),
        smallest_safe_us: scenario.smallest_safe_window().as_micros(),
        safe: scenario.window_outlives_retries(),
        lease_us: scenario.contract.lease.as_micros(),
        longest_handling_us: scenario.longest_handling().as_micros(),
        smallest_safe_lease_us: scenario.smallest_safe_lease().as_micros(),
        visibility_us: Bound::Visibility.said(scenario).as_micros(),
        smallest_safe_visibility_us: scenario.smallest_safe_visibility().as_micros(),
        seeds,
        windows: attained.tried,
        runs: attained.runs,
        complete: attained.complete,
        breaks,
        holds_us,
        gap_us,
        others: all[1..].iter().map(|searched| other(setup, searched)).collect(),
    }
}

fn other(setup: &Setup, searched: &Searched) -> Other {
    let Searched { bound, attained, story } = searched;
    let (holds_us, gap_us) = closed(setup, searched);
    Other {
        bound: bound.name(),
        kind: bound.breaks_as().name(),
        tried: attained.tried,
        runs: attained.runs,
        complete: attained.complete,
        breaks_us: attained.breaks.map(|breaks| breaks.span.as_micros()),
        seed: attained.breaks.map(|breaks| breaks.seed),
        paragraph: story.as_ref().map(|story| story.paragraph.clone()),
        plan: story.as_ref().map(|story| story.plan.clone()),
        arguments: story.as_ref().map(|story| story.arguments.clone()),
        holds_us,
        gap_us,
    }
}

/// Where it holds, a tick above where it breaks; and how far that is below the bound on paper.
fn closed(setup: &Setup, searched: &Searched) -> (Option<u64>, Option<u64>) {
    let Searched { bound, attained, .. } = searched;
    let holds = attained.holds.filter(|_| attained.breaks.is_some());
    let gap = |holds: Span| bound.safe(&setup.scenario).beyond(holds).as_micros();
    (holds.map(Span::as_micros), holds.map(gap))
}
