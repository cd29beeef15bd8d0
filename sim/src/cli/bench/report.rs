//! Level 6. `sim bench` for machines: sums and whole numbers, from which the figures for people follow.

use super::Benched;
use crate::cli::args::VERSION;
use crate::report::json::{SCHEMA, Tool};
use crate::search::cost::{Cost, Spread};
use crate::time::Span;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// What was measured.
#[derive(Serialize)]
pub(super) struct Report {
    schema: u32,
    tool: Tool,
    scenario: String,
    backend: &'static str,
    seeds: u64,
    complete: bool,
    stores: Vec<StoreReport>,
    crowds: Vec<CrowdReport>,
}

/// One store under the scenario's weather.
#[derive(Serialize)]
struct StoreReport {
    store: &'static str,
    family: &'static str,
    cost: CostReport,
    /// Nanoseconds of this machine; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ns: Option<u64>,
}

/// One store in one crowd.
#[derive(Serialize)]
struct CrowdReport {
    backend: &'static str,
    clients: u16,
    store: &'static str,
    cost: CostReport,
}

#[derive(Serialize)]
struct CostReport {
    runs: u64,
    wrong_runs: u64,
    findings: BTreeMap<&'static str, u64>,
    events: u64,
    operations: u64,
    answered: u64,
    attempts: u64,
    refusals: u64,
    requests: u64,
    questions: u64,
    background_questions: u64,
    calls: u64,
    waits: u64,
    waited_us: u64,
    cut_off: u64,
    in_vain: u64,
    records_left: u64,
    records_at_peak: u64,
    latency_us: SpreadReport,
    kept_us: SpreadReport,
}

#[derive(Serialize)]
struct SpreadReport {
    count: u64,
    p50: Option<u64>,
    p99: Option<u64>,
    p999: Option<u64>,
    max: Option<u64>,
}

pub(super) fn report(benched: &Benched) -> Report {
    let stores = benched.stores.iter().map(|measured| StoreReport {
        store: measured.store.name,
        family: measured.store.family,
        cost: of_cost(&measured.cost),
        wall_ns: measured.wall.map(nanos),
    });
    let crowds = benched.crowds.iter().flat_map(|crowds| {
        crowds.stores.iter().flat_map(|(store, costs)| {
            crowds.clients.iter().zip(costs).map(|(clients, cost)| CrowdReport {
                backend: crowds.backend.name(),
                clients: *clients,
                store: store.name,
                cost: of_cost(cost),
            })
        })
    });
    Report {
        schema: SCHEMA,
        tool: Tool::this(VERSION),
        scenario: benched.scenario.name.clone(),
        backend: benched.backend.name(),
        seeds: benched.seeds,
        complete: !benched.interrupted,
        stores: stores.collect(),
        crowds: crowds.collect(),
    }
}

fn nanos(wall: Duration) -> u64 {
    u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX)
}

fn of_cost(cost: &Cost) -> CostReport {
    CostReport {
        runs: cost.runs,
        wrong_runs: cost.wrong,
        findings: cost.findings.iter().map(|(kind, runs)| (kind.name(), *runs)).collect(),
        events: cost.events,
        operations: cost.operations,
        answered: cost.answered,
        attempts: cost.attempts,
        refusals: cost.refusals,
        requests: cost.requests,
        questions: cost.questions,
        background_questions: cost.background,
        calls: cost.calls,
        waits: cost.waits,
        waited_us: cost.waited.as_micros(),
        cut_off: cost.cut_off,
        in_vain: cost.in_vain,
        records_left: cost.records,
        records_at_peak: cost.records_at_peak,
        latency_us: of_spread(&cost.latency),
        kept_us: of_spread(&cost.kept),
    }
}

fn of_spread(spread: &Spread) -> SpreadReport {
    let at = |permille| spread.permille(permille).map(Span::as_micros);
    SpreadReport {
        count: spread.count(),
        p50: at(500),
        p99: at(990),
        p999: at(999),
        max: at(1_000),
    }
}
