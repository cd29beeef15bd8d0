//! Level 6. `sim compare` for machines: sums and whole numbers, from which the figures for people follow.

use super::{Compared, SMALL};
use crate::cli::args::VERSION;
use crate::report::json::{SCHEMA, Tool};
use crate::run::Setup;
use crate::search::cost::Cost;
use crate::search::exhaust::Exhausted;
use crate::time::Span;
use serde::Serialize;

/// What was compared.
#[derive(Serialize)]
pub(super) struct Report {
    schema: u32,
    tool: Tool,
    seeds: u64,
    complete: bool,
    cells: Vec<CellReport>,
    costs: Vec<CostsReport>,
    survived: SurvivedReport,
}

/// One store in one scenario.
#[derive(Serialize)]
struct CellReport {
    scenario: String,
    store: String,
    seeds: u64,
    found: Vec<FoundReport>,
}

#[derive(Serialize)]
struct FoundReport {
    kind: &'static str,
    /// Whether the scenario expects it; nothing when it does not speak of this store.
    expected: Option<bool>,
    seeds: u64,
    first_seed: u64,
}

/// What one store costs.
#[derive(Serialize)]
struct CostsReport {
    family: &'static str,
    scenario: String,
    store: &'static str,
    weather: CostReport,
    calm: CostReport,
}

#[derive(Serialize)]
struct CostReport {
    runs: u64,
    operations: u64,
    answered: u64,
    attempts: u64,
    refusals: u64,
    requests: u64,
    questions: u64,
    background_questions: u64,
    calls: u64,
    records_left: u64,
    latency_p50_us: Option<u64>,
    latency_p99_us: Option<u64>,
}

/// Every placement of a few faults.
#[derive(Serialize)]
struct SurvivedReport {
    scenario: &'static str,
    faults: usize,
    overtakings: usize,
    stores: Vec<StoreReport>,
}

#[derive(Serialize)]
struct StoreReport {
    store: &'static str,
    survives: Option<usize>,
    runs: u64,
    complete: bool,
    kinds: Vec<&'static str>,
}

pub(super) fn report(compared: &Compared) -> Report {
    let stores = compared.survived.iter().map(|(setup, result)| of_search(setup, result));
    let costs = compared.costs.iter().flat_map(|family| {
        family.stores.iter().map(|costs| CostsReport {
            family: family.family,
            scenario: family.scenario.name.clone(),
            store: costs.store,
            weather: of_cost(&costs.weather),
            calm: of_cost(&costs.calm),
        })
    });
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        seeds: compared.seeds,
        complete: !compared.ran.interrupted,
        cells: cells(compared),
        costs: costs.collect(),
        survived: SurvivedReport {
            scenario: SMALL,
            faults: compared.depth.faults,
            overtakings: compared.depth.overtakings,
            stores: stores.collect(),
        },
    }
}

fn cells(compared: &Compared) -> Vec<CellReport> {
    let mut cells = Vec::new();
    for cell in &compared.ran.cells {
        let expected = cell.expected();
        let found = cell.campaign.found.iter().map(|(kind, tally)| FoundReport {
            kind: kind.name(),
            expected: expected.map(|kinds| kinds.contains(kind)),
            seeds: tally.seeds,
            first_seed: tally.first,
        });
        cells.push(CellReport {
            scenario: cell.setup.scenario.name.clone(),
            store: cell.setup.store.name.to_owned(),
            seeds: cell.campaign.seeds,
            found: found.collect(),
        });
    }
    cells
}

fn of_cost(cost: &Cost) -> CostReport {
    CostReport {
        runs: cost.runs,
        operations: cost.operations,
        answered: cost.answered,
        attempts: cost.attempts,
        refusals: cost.refusals,
        requests: cost.requests,
        questions: cost.questions,
        background_questions: cost.background,
        calls: cost.calls,
        records_left: cost.records,
        latency_p50_us: cost.latency.percentile(50).map(Span::as_micros),
        latency_p99_us: cost.latency.percentile(99).map(Span::as_micros),
    }
}

fn of_search(setup: &Setup, result: &Exhausted) -> StoreReport {
    let mut kinds: Vec<&'static str> =
        result.minimal.iter().map(|minimal| minimal.kind.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    StoreReport {
        store: setup.store.name,
        survives: result.survives(),
        runs: result.runs(),
        complete: result.levels.iter().all(|level| level.complete),
        kinds,
    }
}
