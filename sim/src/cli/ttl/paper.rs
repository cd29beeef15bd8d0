//! Level 6. `sim ttl` on paper: each span that can be too short, and what it is set against, term by term.

use crate::run::Setup;
use crate::search::ttl::Bound;
use onestroke_scenarios::{Term, WindowFrom};
use onestroke_store::Span;

/// The family of stores whose claims are leases.
pub(super) const LEASES: &str = "leases";
/// The family of stores that a queue delivers to.
pub(super) const QUEUES: &str = "queues";

/// What the worst last arrival of a request is composed of; of a message, where a queue is the client: it
/// delivers again after its visibility time-out, and whoever redrives its dead letters is the probe.
pub(super) fn terms(setup: &Setup) -> impl Iterator<Item = Term> {
    let queue = setup.store.family == QUEUES;
    setup.scenario.last_arrival_terms().into_iter().map(move |term| match term.name {
        "schedule" if queue => Term {
            name: "redelivery",
            why: "all deliveries, each after the visibility time-out and a back-off",
            ..term
        },
        "probes" if queue => Term {
            name: "redrive",
            why: "an operator redrives the dead letter after the weather, up to the bound",
            ..term
        },
        _ => term,
    })
}

/// All lines: the window against the retries, and what the store's family goes by.
pub(super) fn rows(setup: &Setup) -> Vec<Term> {
    let scenario = &setup.scenario;
    let row = |name, span, why| Term { name, span, why };
    let from = match scenario.contract.window_from {
        WindowFrom::FirstSight => "what the contract says, from first sight",
        WindowFrom::Completion => "what the contract says, from completion",
        WindowFrom::LastHit => "what the contract says, from the last hit",
    };
    let longer = "and it is longer by a tick (1 us)";
    let mut rows: Vec<Term> = terms(setup).collect();
    let last = scenario.worst_last_arrival();
    rows.push(row("last arrival", last, "all of that, after the first sending"));
    rows.push(row("sweeper's lead", scenario.sweep_lead(), "so much earlier records are swept"));
    rows.push(row("window", scenario.contract.window, from));
    rows.push(row("smallest safe TTL", scenario.smallest_safe_window(), longer));
    let outlives = ("the window outlives the retries", "an attempt may come after its record");
    rows.push(margin(setup, Bound::Window, ("margin", "shortfall"), outlives));
    let handling = scenario.longest_handling();
    let slowest = "the slowest questions, and every fault as the longest standstill";
    match setup.store.family {
        LEASES => {
            rows.push(row("longest handling", handling, slowest));
            rows.push(row("skew", scenario.skew(), "how far the servers' clocks are apart"));
            rows.push(row("lease", scenario.contract.lease, "what the contract says"));
            rows.push(row("smallest safe lease", scenario.smallest_safe_lease(), longer));
            let names = ("lease margin", "lease shortfall");
            let outlives = (
                "the lease outlives the handler",
                "a handler may still work when another has taken over",
            );
            rows.push(margin(setup, Bound::Lease, names, outlives));
        }
        QUEUES => {
            let delivery = scenario.latency.network.most + scenario.weather.longest_lateness();
            rows.push(row("delivery", delivery, "one way, and the latest class of late messages"));
            rows.push(row("longest processing", handling, slowest));
            let visible = "the time-out after which the queue delivers again";
            rows.push(row("visibility", scenario.client.timeout, visible));
            let safe = scenario.smallest_safe_visibility();
            rows.push(row("safe visibility", safe, "the smallest: longer by a tick (1 us)"));
            let names = ("visibility margin", "visibility short");
            let outlives = (
                "nobody gets a message that another still has",
                "a second worker may get what the first still has",
            );
            rows.push(margin(setup, Bound::Visibility, names, outlives));
        }
        _ => {}
    }
    rows
}

/// By how much a span is long enough on paper, or is not.
fn margin(
    setup: &Setup,
    bound: Bound,
    (enough, short): (&'static str, &'static str),
    (why_enough, why_short): (&'static str, &'static str),
) -> Term {
    let (said, safe): (Span, Span) = (bound.said(&setup.scenario), bound.safe(&setup.scenario));
    if said >= safe {
        Term { name: enough, span: said.beyond(safe), why: why_enough }
    } else {
        Term { name: short, span: safe.beyond(said), why: why_short }
    }
}
