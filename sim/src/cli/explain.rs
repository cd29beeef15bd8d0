//! Level 6. `sim explain NAME`: a kind of finding, a store, a scenario, a fault or a moment in depth.

use super::Exit;
use super::bad::Bad;
use super::list::FAULTS;
use super::screen::{HEAD, Screen};
use crate::report::kinds::kind_in_depth;
use onestroke_scenarios::{FindingKind, Moment, Scenario};
use onestroke_store::Entry;
use std::fmt::Write as _;

/// Other words for the same, as people look them up.
const ALIASES: [(&str, &str); 4] = [
    ("overtake", "hold"),
    ("expire", "record-expires"),
    ("swept", "sweep"),
    ("double-charge", "double-effect"),
];

/// Runs the command.
pub(super) fn run(stores: &[Entry], name: &str, screen: &Screen) -> Result<Exit, Bad> {
    let name = ALIASES.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    let text = if let Some(kind) = FindingKind::ALL.iter().find(|kind| kind.name() == name) {
        finding(*kind, screen)
    } else if let Some(store) = stores.iter().find(|store| store.name == name) {
        self::store(store, screen)
    } else if let Ok(scenario) = onestroke_scenarios::find(name) {
        self::scenario(&scenario, screen)
    } else if let Some((_, fault)) = FAULTS.iter().find(|(fault, _)| *fault == name) {
        format!("{}\n{}\n", screen.paint(HEAD, name), screen.wrap(fault, "  "))
    } else if let Some(moment) = Moment::ALL.iter().find(|moment| moment.name() == name) {
        format!("{}\n{}\n", screen.paint(HEAD, name), screen.wrap(moment.summary(), "  "))
    } else {
        let scenarios = onestroke_scenarios::catalogue();
        let mut names: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
        names.extend(stores.iter().map(|store| store.name));
        names.extend(scenarios.iter().map(|scenario| scenario.name.as_str()));
        names.extend(FAULTS.iter().map(|(fault, _)| *fault));
        names.extend(Moment::ALL.iter().map(|moment| moment.name()));
        return Err(Bad::unknown("finding, store, scenario, fault or moment", name, &names));
    };
    screen.print(&text);
    Ok(Exit::Fine)
}

fn finding(kind: FindingKind, screen: &Screen) -> String {
    let mut text = format!("{}\n", screen.paint(HEAD, kind.name()));
    for paragraph in kind_in_depth(kind).split("\n\n") {
        let _ = writeln!(text, "{}\n", screen.wrap(paragraph, "  "));
    }
    let shows = |scenario: &Scenario| {
        let stores = scenario.expect.iter().filter(|(_, kinds)| kinds.contains(&kind));
        let stores: Vec<&str> = stores.map(|(store, _)| store.as_str()).collect();
        (!stores.is_empty()).then(|| format!("  {:34} {}", scenario.name, stores.join(", ")))
    };
    let _ = writeln!(text, "{}", screen.paint(HEAD, "Shown by"));
    for line in onestroke_scenarios::catalogue().iter().filter_map(shows) {
        text += &wrapped_row(&line, screen);
    }
    text
}

fn store(store: &Entry, screen: &Screen) -> String {
    let mut text = format!("{}\n", screen.paint(HEAD, store.name));
    let _ = writeln!(text, "{}\n", screen.wrap(store.summary, "  "));
    let _ = writeln!(text, "{}", screen.paint(HEAD, "Expected to show"));
    let mut holds = Vec::new();
    for scenario in onestroke_scenarios::catalogue() {
        match scenario.expect.get(store.name).map(Vec::as_slice) {
            Some([]) => holds.push(scenario.name),
            Some(kinds) => {
                let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                let _ = writeln!(text, "  {:34} {}", scenario.name, kinds.join(", "));
            }
            None => {}
        }
    }
    if !holds.is_empty() {
        let _ = writeln!(text, "\n{}", screen.paint(HEAD, "Expected to hold in"));
        let _ = writeln!(text, "{}", screen.wrap(&holds.join(", "), "  "));
    }
    text
}

fn scenario(scenario: &Scenario, screen: &Screen) -> String {
    let mut text = format!("{}\n", screen.paint(HEAD, &scenario.name));
    let _ = writeln!(text, "{}\n", screen.wrap(&scenario.claim, "  "));
    for source in &scenario.source {
        let _ = writeln!(text, "{}", screen.wrap(&format!("source: {source}"), "  "));
    }
    let moments: Vec<&str> = scenario.moments.iter().map(|moment| moment.name()).collect();
    let _ = writeln!(text, "{}", screen.wrap(&format!("must occur: {}", moments.join(", ")), "  "));
    let paper = format!(
        "a record lives {}; on paper, a handler can still begin {} after the first sending",
        scenario.shortest_life(),
        scenario.worst_last_arrival()
    );
    let _ = writeln!(text, "{}\n", screen.wrap(&paper, "  "));
    let _ = writeln!(text, "{}", screen.paint(HEAD, "What each store is expected to show"));
    for (store, kinds) in &scenario.expect {
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let kinds = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
        let _ = writeln!(text, "  {store:30} {kinds}");
    }
    text
}

fn wrapped_row(line: &str, screen: &Screen) -> String {
    let options = textwrap::Options::new(screen.width.min(100))
        .subsequent_indent("                                     ");
    textwrap::fill(line, options) + "\n"
}
