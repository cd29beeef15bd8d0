//! Level 6. `sim ttl`: do keys outlive the retries, leases the work, and a queue's patience its workers; on
//! paper and in the world?

mod paper;
mod report;

use super::Exit;
use super::args::{Format, Otherwise, Ttl};
use super::bad::{self, Bad};
use super::campaign;
use super::hunt::{grouped, pretty, to_line};
use super::screen::{BAD, GOOD, HEAD, Screen};
use super::story::{Origin, again, arguments};
use crate::plan::strike_line;
use crate::report::explain::explain;
use crate::run::{Runner, Setup};
use crate::search::shrink::shrink;
use crate::search::ttl::{Attained, Bound, Breaks, attain, with};
use onestroke_store::Entry;
use std::fmt::Write as _;

/// One span, searched in the world.
struct Searched {
    bound: Bound,
    attained: Attained,
    story: Option<Story>,
}

/// What breaks at the longest span that does.
struct Story {
    paragraph: String,
    plan: Vec<String>,
    /// What is printed to show it again.
    again: String,
    /// The arguments that run its seed again.
    arguments: String,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], args: &Ttl, screen: &Screen) -> Result<Exit, Bad> {
    let store = bad::store(stores, &args.store)?.clone();
    let scenario = bad::scenario(&args.scenario)?;
    let backend = bad::backend_for(&args.backend, [&scenario])?;
    let setup = Setup { scenario, store, backend };
    let threads = campaign::threads(args.threads);
    let bounds = bounds_of(&setup.store);
    let mut attained = vec![];
    let stopped = campaign::stoppable(None, |control| {
        let search = |bound: &Bound| attain(&setup, *bound, &(0..args.seeds), threads, control);
        attained = bounds.iter().map(search).collect();
    });
    let mut all = vec![];
    for (bound, attained) in bounds.into_iter().zip(attained) {
        let story =
            attained.breaks.map(|breaks| story(&setup, (bound, breaks), screen)).transpose()?;
        all.push(Searched { bound, attained, story });
    }
    match screen.format {
        Format::Human => screen.print(&human(&setup, &all, args, screen)),
        Format::Json => screen.print(&pretty(&report::of(&setup, &all, args.seeds))),
        Format::Jsonl => screen.print(&(to_line(&report::of(&setup, &all, args.seeds)) + "\n")),
    }
    Ok(if stopped { Exit::Interrupted } else { Exit::Fine })
}

/// The spans that matter to a store: the window, and what its family goes by.
fn bounds_of(store: &Entry) -> Vec<Bound> {
    match store.family {
        paper::LEASES => vec![Bound::Window, Bound::Lease],
        paper::QUEUES => vec![Bound::Window, Bound::Visibility],
        _ => vec![Bound::Window],
    }
}

/// The shortest story of the lowest seed that breaks.
fn story(setup: &Setup, (bound, breaks): (Bound, Breaks), screen: &Screen) -> Result<Story, Bad> {
    let mut runner = Runner::new(&with(setup, bound, breaks.span));
    let found = shrink(&mut runner, breaks.seed, bound.breaks_as())?;
    let finding = found.with_details(&mut runner);
    let names = runner.names();
    let paragraph = explain(runner.trace(), &finding, names).paragraph;
    let size = found.plan.size.lines().map(|(key, number)| format!("{key} {number}"));
    let mut plan: Vec<String> = size.collect();
    plan.extend(found.plan.strikes.iter().map(|strike| strike_line(*strike, names)));
    let more = Otherwise::one(bound, breaks.span).arguments();
    let listed = Origin::With(Box::new(Origin::Listed), more.clone());
    let seeded = Origin::With(Box::new(Origin::Seed(breaks.seed)), more);
    let again = again((&found.plan, &listed), names, screen);
    Ok(Story { paragraph, plan, again, arguments: arguments(&found.plan, &seeded) })
}

fn human(setup: &Setup, all: &[Searched], args: &Ttl, screen: &Screen) -> String {
    let scenario = &setup.scenario;
    let head = |text: &str| screen.paint(HEAD, text);
    let mut text = format!("{}\n", head(&format!("{}, on paper", scenario.name)));
    for row in paper::rows(setup) {
        let _ = writeln!(text, "  {:18} {:>14}  {}", row.name, row.span.to_string(), row.why);
    }
    let title = format!("\n{} in {}, in the world", setup.store.name, scenario.name);
    let _ = writeln!(text, "{}", head(&title));
    for searched in all {
        let Searched { bound, attained, story } = searched;
        let told = world(setup, searched, args.seeds);
        let _ = writeln!(text, "{}", screen.wrap(&told, "  "));
        if let (Some(story), Some(breaks)) = (story, attained.breaks) {
            let (kind, name) = (bound.breaks_as(), bound.name());
            let title = format!("{kind}, at a {name} of {}:", breaks.span);
            let _ = writeln!(text, "\n{}", screen.paint(BAD, &title));
            let _ = writeln!(text, "{}", screen.wrap(&story.paragraph, "  "));
            for line in &story.plan {
                let _ = writeln!(text, "    {line}");
            }
            let _ = writeln!(text, "{}", story.again);
        } else if attained.complete {
            let none = format!("  nothing shows, whatever the {}", bound.name());
            let _ = writeln!(text, "{}", screen.paint(GOOD, &none));
        }
    }
    text
}

fn world(setup: &Setup, searched: &Searched, seeds: u64) -> String {
    let Searched { bound, attained, .. } = searched;
    let (name, kind) = (bound.name(), bound.breaks_as());
    let tried = format!(
        "It was tried with {} lengths, and {} seeds each, {} runs.",
        attained.tried,
        grouped(seeds),
        grouped(attained.runs)
    );
    let cut = if attained.complete { "" } else { " Interrupted: the bounds are not closed." };
    let told = match (attained.breaks, attained.holds) {
        (Some(breaks), Some(holds)) => format!(
            "The {name}: no `{kind}` in {} runs at {holds}; the longest {name} that broke is {}, under \
             seed {}. The bound on paper is {} longer, and was not attained; other seeds may come \
             nearer.",
            grouped(seeds),
            breaks.span,
            breaks.seed,
            bound.safe(&setup.scenario).beyond(holds)
        ),
        (Some(breaks), None) => format!(
            "The {name}: it broke at {} under seed {}, which is long enough on paper: not for want of \
             time.",
            breaks.span, breaks.seed
        ),
        _ => format!("The {name}: none that was tried showed `{kind}`."),
    };
    format!("{told} {tried}{cut}")
}
