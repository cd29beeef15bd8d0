//! Level 6. A campaign for machines.

use crate::cli::args::VERSION;
use crate::cli::campaign::{Cell, Order, Ran};
use crate::cli::influence::{self, InfluenceReport};
use crate::cli::likelihood::{self, LikelihoodReport};
use crate::cli::story::{Origin, arguments};
use crate::report::explain::explain;
use crate::report::json::{FindingReport, SCHEMA, Tool, hex};
use crate::run::Runner;
use crate::search::stories::{Stories, Story};
use onestroke_scenarios::FindingKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// A campaign for machines.
#[derive(Serialize)]
pub(in crate::cli) struct CampaignReport {
    schema: u32,
    tool: Tool,
    first_seed: u64,
    complete: bool,
    pub(in crate::cli) cells: Vec<CellReport>,
}

/// A cell for machines.
#[derive(Serialize)]
pub(in crate::cli) struct CellReport {
    scenario: String,
    store: String,
    backend: String,
    seeds: u64,
    events: u64,
    digest: String,
    expected: Option<Vec<String>>,
    found: Vec<FoundReport>,
    /// By moment: in how many runs it occurred.
    moments: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct FoundReport {
    seeds: u64,
    first_seed: u64,
    arguments: String,
    plan_hash: String,
    #[serde(flatten)]
    finding: FindingReport,
    /// How many of the runs were shrunk.
    shrunk: u64,
    stories: Vec<StoryReport>,
    influences: Vec<InfluenceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    likelihood: Option<LikelihoodReport>,
}

/// Findings that share a plan.
#[derive(Serialize)]
struct StoryReport {
    seeds: u64,
    first_seed: u64,
    plan: Vec<String>,
}

/// The whole campaign for machines; with how likely each finding was, if that is asked for.
pub(in crate::cli) fn campaign(ran: &Ran, order: &Order, likely: bool) -> CampaignReport {
    CampaignReport {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        first_seed: order.seeds.start,
        complete: !ran.interrupted && !ran.out_of_time,
        cells: ran.cells.iter().map(|cell| of_cell(cell, likely)).collect(),
    }
}

fn of_cell(cell: &Cell, likely: bool) -> CellReport {
    let names = |kinds: &[FindingKind]| kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let mut runner = Runner::new(&cell.setup);
    let found = cell.found.iter().map(|stories| of_kind(cell, stories, &mut runner, likely));
    let moments = cell.campaign.moments.runs.iter();
    CellReport {
        scenario: cell.setup.scenario.name.clone(),
        store: cell.setup.store.name.to_owned(),
        backend: cell.setup.backend.name().to_owned(),
        seeds: cell.campaign.seeds,
        events: cell.campaign.events,
        digest: hex(cell.campaign.digest),
        expected: cell.expected().map(names),
        found: found.collect(),
        moments: moments.map(|(moment, runs)| (moment.name().to_owned(), runs)).collect(),
    }
}

fn of_kind(cell: &Cell, stories: &Stories, runner: &mut Runner, likely: bool) -> FoundReport {
    let Story { seed, found, .. } = stories.shortest();
    let finding = found.with_details(runner);
    let told = explain(runner.trace(), &finding, runner.names());
    let plan = found.plan.body(runner.names());
    let tally = &cell.campaign.found[&stories.kind];
    let story = |story: &Story| StoryReport {
        seeds: story.seeds,
        first_seed: story.seed,
        plan: story.found.plan.body(runner.names()),
    };
    let all = stories.all.iter().map(story).collect();
    let likelihood = if likely { likelihood::report(runner, *seed, &found.finding) } else { None };
    FoundReport {
        seeds: tally.seeds,
        first_seed: tally.first,
        arguments: arguments(&found.plan, &Origin::Seed(*seed)),
        plan_hash: hex(found.hash),
        finding: FindingReport::new(&found.finding, told, plan)
            .labelled(&found.labels, runner.names()),
        shrunk: stories.shrunk,
        stories: all,
        influences: influence::report(cell, stories.kind),
        likelihood,
    }
}
