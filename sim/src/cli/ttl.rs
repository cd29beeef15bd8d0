//! Level 6. `sim ttl`: do keys outlive the retries, on paper and in the world?

use super::Exit;
use super::args::{Format, Ttl, VERSION};
use super::bad::{self, Bad};
use super::campaign;
use super::hunt::{grouped, pretty, to_line};
use super::screen::{BAD, GOOD, HEAD, Screen};
use crate::plan::strike_line;
use crate::report::explain::explain;
use crate::report::json::{SCHEMA, Tool};
use crate::run::{Keep, Runner, Setup};
use crate::search::shrink::shrink;
use crate::search::ttl::{Attained, Breaks, attain, with_window};
use onestroke_scenarios::{FindingKind, WindowFrom};
use onestroke_store::{Entry, Span};
use serde::Serialize;
use std::fmt::Write as _;

/// The family of stores whose claims are leases.
const LEASES: &str = "leases";

/// What breaks at the longest window that does.
struct Story {
    paragraph: String,
    plan: Vec<String>,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Ttl, screen: &Screen) -> Result<Exit, Bad> {
    let store = bad::store(stores, &args.store)?.clone();
    let scenario = bad::scenario(&args.scenario)?;
    let backend = bad::backend_for(&args.backend, [&scenario])?;
    let setup = Setup { scenario, store, backend };
    let threads = campaign::threads(args.threads);
    let mut attained = None;
    let stopped = campaign::stoppable(None, |control| {
        attained = Some(attain(&setup, &(0..args.seeds), threads, control));
    });
    let attained = attained.expect("the search returns");
    let story = attained.breaks.map(|breaks| story(&setup, breaks)).transpose()?;
    let report = report(&setup, (&attained, story.as_ref()), args.seeds);
    match screen.format {
        Format::Human => screen.print(&human(&setup, (&attained, story.as_ref()), args, screen)),
        Format::Json => screen.print(&pretty(&report)),
        Format::Jsonl => screen.print(&(to_line(&report) + "\n")),
    }
    Ok(if stopped { Exit::Interrupted } else { Exit::Fine })
}

/// The shortest story of the lowest seed that breaks.
fn story(setup: &Setup, breaks: Breaks) -> Result<Story, Bad> {
    let mut runner = Runner::new(&with_window(setup, breaks.window));
    let found = shrink(&mut runner, breaks.seed, FindingKind::Expired)?;
    runner.replay(&found.plan, Keep { details: true, variations: false });
    let names = runner.names();
    let paragraph = explain(runner.trace(), &found.finding, names).paragraph;
    let size = found.plan.size.lines().map(|(key, number)| format!("{key} {number}"));
    let mut plan: Vec<String> = size.collect();
    plan.extend(found.plan.strikes.iter().map(|strike| strike_line(*strike, names)));
    Ok(Story { paragraph, plan })
}

fn human(
    setup: &Setup,
    (attained, story): (&Attained, Option<&Story>),
    args: &Ttl,
    screen: &Screen,
) -> String {
    let scenario = &setup.scenario;
    let head = |text: &str| screen.paint(HEAD, text);
    let mut text = format!("{}\n", head(&format!("{}, on paper", scenario.name)));
    let mut row = |name: &str, span: Span, why: &str| {
        let _ = writeln!(text, "  {name:18} {:>14}  {why}", span.to_string());
    };
    for term in scenario.last_arrival_terms() {
        row(term.name, term.span, term.why);
    }
    row("last arrival", scenario.worst_last_arrival(), "all of that, after the first sending");
    row("sweeper's lead", scenario.sweep_lead(), "so much earlier records are swept");
    let from = match scenario.contract.window_from {
        WindowFrom::FirstSight => "what the contract says, from first sight",
        WindowFrom::Completion => "what the contract says, from completion",
        WindowFrom::LastHit => "what the contract says, from the last hit",
    };
    row("window", scenario.contract.window, from);
    row("smallest safe TTL", scenario.smallest_safe_window(), "and it is longer by a tick (1 us)");
    let safe = scenario.window_outlives_retries();
    let (name, margin) = margin(setup);
    row(
        name,
        margin,
        if safe {
            "the window outlives the retries"
        } else {
            "an attempt may come after its record"
        },
    );
    if setup.store.family == LEASES {
        let handling = "the slowest questions, and every fault as the longest standstill";
        row("longest handling", scenario.longest_handling(), handling);
        row("lease", scenario.contract.lease, "what the contract says");
        let (name, span, why) = lease_margin(setup);
        row(name, span, why);
    }
    let title = format!("\n{} in {}, in the world", setup.store.name, scenario.name);
    let _ = writeln!(text, "{}", head(&title));
    let _ = writeln!(text, "{}", screen.wrap(&world(setup, attained, args.seeds), "  "));
    if let (Some(story), Some(breaks)) = (story, attained.breaks) {
        let title = format!("expired, at a window of {}:", breaks.window);
        let _ = writeln!(text, "\n{}", screen.paint(BAD, &title));
        let _ = writeln!(text, "{}", screen.wrap(&story.paragraph, "  "));
        for line in &story.plan {
            let _ = writeln!(text, "    {line}");
        }
    } else if attained.complete {
        let _ = writeln!(text, "{}", screen.paint(GOOD, "  nothing expired"));
    }
    text
}

/// By how much the lease outlives the longest handling on paper, or does not.
fn lease_margin(setup: &Setup) -> (&'static str, Span, &'static str) {
    let (lease, safe) = (setup.scenario.contract.lease, setup.scenario.smallest_safe_lease());
    if lease >= safe {
        ("lease margin", lease.beyond(safe), "the lease outlives the handler")
    } else {
        let why = "a handler may still work when another has taken over";
        ("lease shortfall", safe.beyond(lease), why)
    }
}

/// By how much the window outlives the retries on paper, or does not.
fn margin(setup: &Setup) -> (&'static str, Span) {
    let window = setup.scenario.contract.window;
    let safe = setup.scenario.smallest_safe_window();
    if window >= safe {
        ("margin", window.beyond(safe))
    } else {
        ("shortfall", safe.beyond(window))
    }
}

fn world(setup: &Setup, attained: &Attained, seeds: u64) -> String {
    let tried = format!(
        "{} windows were tried with {} seeds each, {} runs.",
        attained.windows,
        grouped(seeds),
        grouped(attained.runs)
    );
    let cut = if attained.complete { "" } else { " Interrupted: the bounds are not closed." };
    let told = match (attained.breaks, attained.holds) {
        (Some(breaks), Some(holds)) => format!(
            "No `expired` in {} runs at {holds}; the longest window that broke is {}, under seed {}. \
             The bound on paper is {} longer, and was not attained; other seeds may come nearer.",
            grouped(seeds),
            breaks.window,
            breaks.seed,
            setup.scenario.smallest_safe_window().beyond(holds)
        ),
        (Some(breaks), None) => {
            format!("It broke at {} under seed {}.", breaks.window, breaks.seed)
        }
        _ => "No window that was tried showed `expired`.".to_owned(),
    };
    format!("{told} {tried}{cut}")
}

#[derive(Serialize)]
struct Report {
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
    seeds: u64,
    windows: u64,
    runs: u64,
    complete: bool,
    breaks: Option<BreaksReport>,
    holds_us: Option<u64>,
    gap_us: Option<u64>,
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
}

fn report(setup: &Setup, (attained, story): (&Attained, Option<&Story>), seeds: u64) -> Report {
    let scenario = &setup.scenario;
    let term = |term: &onestroke_scenarios::Term| TermReport {
        name: term.name,
        span_us: term.span.as_micros(),
        why: term.why,
    };
    let breaks = attained.breaks.zip(story).map(|(breaks, story)| BreaksReport {
        window_us: breaks.window.as_micros(),
        seed: breaks.seed,
        paragraph: story.paragraph.clone(),
        plan: story.plan.clone(),
    });
    let holds = attained.holds.filter(|_| breaks.is_some());
    let smallest = scenario.smallest_safe_window();
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        scenario: scenario.name.clone(),
        store: setup.store.name.to_owned(),
        backend: setup.backend.name().to_owned(),
        terms: scenario.last_arrival_terms().iter().map(term).collect(),
        last_arrival_us: scenario.worst_last_arrival().as_micros(),
        sweep_lead_us: scenario.sweep_lead().as_micros(),
        window_us: scenario.contract.window.as_micros(),
        window_from: scenario.contract.window_from.name(),
        smallest_safe_us: smallest.as_micros(),
        safe: scenario.window_outlives_retries(),
        lease_us: scenario.contract.lease.as_micros(),
        longest_handling_us: scenario.longest_handling().as_micros(),
        smallest_safe_lease_us: scenario.smallest_safe_lease().as_micros(),
        seeds,
        windows: attained.windows,
        runs: attained.runs,
        complete: attained.complete,
        breaks,
        holds_us: holds.map(Span::as_micros),
        gap_us: holds.map(|holds| smallest.beyond(holds).as_micros()),
    }
}
