//! Reads a scenario from TOML: typed, strict, and never silent about a field that it does not know.
//!
//! The reader walks the document itself, because each complaint names file, line, column, field,
//! what is wrong and what would be right. Imports the scenario's types; one section a file.

mod choices;
mod clocks;
mod document;
mod expect;
mod named;
mod places;
mod section;
mod units;
mod weather;

pub use named::contracts;

use crate::bad::{BadScenario, shortened};
use crate::contract::Contract;
use crate::rate::Rate;
use crate::scenario::{Cache, Latency, Scenario, Service, Worker};
use crate::workload::{CLIENTS_MOST, Client, Keys, OPERATIONS_MOST, Workload};
use document::Document;
use onestroke_store::Span;
pub use places::Places;
use section::Section;
use toml::de::DeTable;

/// Reads a scenario. `file` is what complaints call the file; its stem is the scenario's name
/// unless the file gives one.
pub fn from_toml(text: &str, file: &str) -> Result<Scenario, BadScenario> {
    let document = Document { file, text };
    let table = DeTable::parse(text).map_err(|error| document.syntax(&error))?;
    let top = Section::top(document, table.get_ref(), &TOP)?;
    let scenario = Scenario {
        name: name(&top)?,
        claim: claim(&top)?,
        source: top.texts("source")?,
        workload: workload(&top.section("workload", &WORKLOAD)?)?,
        client: client(&top.section("client", &CLIENT)?)?,
        topology: clocks::read(&top.section("topology", &clocks::FIELDS)?)?,
        service: service(&top.section("service", &SERVICE)?)?,
        cache: cache(&top.section("cache", &CACHE)?)?,
        worker: worker(&top.section("worker", &WORKER)?)?,
        latency: latency(&top.section("latency", &LATENCY)?)?,
        weather: weather::read(&top.section("weather", &weather::FIELDS)?)?,
        contract: contract(&top.section("contract", &CONTRACT)?)?,
        moments: expect::moments(&top)?,
        expect: expect::findings(&top)?,
    };
    check_fail_over(&scenario, &top)?;
    check_restart(&scenario, &top)?;
    check_window(&scenario, &top)?;
    check_bound(&scenario, &top)?;
    check_lease(&scenario, &top)?;
    Ok(scenario)
}

const TOP: [&str; 14] = [
    "name", "claim", "source", "workload", "client", "topology", "service", "cache", "worker",
    "latency", "weather", "contract", "moments", "expect",
];
const WORKLOAD: [&str; 7] =
    ["kind", "clients", "operations", "order", "keys", "payloads", "at-once"];
const CLIENT: [&str; 13] = [
    "timeout",
    "timeout-factor",
    "timeout-limit",
    "backoff",
    "backoff-factor",
    "backoff-limit",
    "jitter",
    "attempts",
    "forgets-key-after",
    "new-credential-after",
    "wrong-passwords",
    "restarts-after",
    "reconnects",
];
const SERVICE: [&str; 3] = ["keys", "declines", "latency"];
const CACHE: [&str; 1] = ["replication-lag"];
const WORKER: [&str; 2] = ["turns", "every"];
const LATENCY: [&str; 2] = ["network", "question"];
const CONTRACT: [&str; 13] = [
    "like",
    "promise",
    "window",
    "window-from",
    "lease",
    "in-flight",
    "stored",
    "replay",
    "mismatch",
    "server-errors",
    "bound",
    "records-at-most",
    "expires",
];

/// A bound of an hour, for spans that a person waits for.
const HOUR: Span = Span::from_secs(3_600);
/// The longest span of a scenario: sums of such spans never overflow.
const YEAR: Span = Span::from_secs(365 * 24 * 3_600);

fn name(top: &Section<'_>) -> Result<String, BadScenario> {
    let stem = top.document.stem();
    let name = top.text("name")?.unwrap_or(stem);
    let fix = || "write words of small letters and digits, joined by `-`, like `lost-reply`";
    top.check(!top.has("name") || is_kebab(&name), "name", || {
        (format!("`{}` is no name for a scenario", shortened(&name)), fix().into())
    })?;
    Ok(name)
}

fn claim(top: &Section<'_>) -> Result<String, BadScenario> {
    let claim = top.text("claim")?.unwrap_or_default();
    let fix = "say in one sentence what the scenario shows, like `claim = \"a lost reply is \
               replayed\"`";
    let problem = if top.has("claim") { "is empty" } else { "is missing" };
    top.check(!claim.trim().is_empty(), "claim", || (problem.into(), fix.into()))?;
    Ok(claim)
}

fn workload(section: &Section<'_>) -> Result<Workload, BadScenario> {
    let usual = Workload::default();
    let workload = Workload {
        kind: section.choice("kind", usual.kind)?,
        clients: section.number("clients", usual.clients, 1..=u64::from(CLIENTS_MOST))?,
        operations: section.number("operations", usual.operations, 1..=1_000)?,
        order: section.choice("order", usual.order)?,
        keys: section.choice("keys", usual.keys)?,
        payloads: section.choice("payloads", usual.payloads)?,
        at_once: section.number("at-once", usual.at_once, 1..=4)?,
    };
    let at = if section.has("operations") { "operations" } else { "clients" };
    section.check(workload.all() <= OPERATIONS_MOST, at, || {
        let Workload { clients, operations, .. } = workload;
        let problem = format!(
            "{clients} clients with {operations} operations each are {} operations, and a run has at \
             most {OPERATIONS_MOST}",
            workload.all()
        );
        (problem, "lower `clients` or `operations`".into())
    })?;
    let reuses = !workload.keys.needs_two_operations() || workload.operations >= 2;
    section.check(reuses, "keys", || {
        ("a client with one operation has no key to reuse".into(), "set `operations = 2`".into())
    })?;
    let shares = workload.keys != Keys::SameForConsumers || workload.clients >= 2;
    section.check(shares, "keys", || {
        (
            "one client is one consumer, and shares its messages with nobody".into(),
            "set `clients = 2`".into(),
        )
    })?;
    let shares = workload.keys != Keys::SameForTenants || workload.clients >= 2;
    section.check(shares, "keys", || {
        (
            "one client is one tenant, and shares its keys with nobody".into(),
            "set `clients = 2`".into(),
        )
    })?;
    Ok(workload)
}

fn client(section: &Section<'_>) -> Result<Client, BadScenario> {
    let usual = Client::default();
    let timeout = section.span("timeout", usual.timeout, HOUR)?;
    let backoff = section.span("backoff", usual.backoff, HOUR)?;
    let client = Client {
        timeout,
        timeout_factor: section.number("timeout-factor", usual.timeout_factor, 1..=100)?,
        timeout_limit: section.span("timeout-limit", usual.timeout_limit.max(timeout), HOUR)?,
        backoff,
        backoff_factor: section.number("backoff-factor", usual.backoff_factor, 1..=100)?,
        backoff_limit: section.span("backoff-limit", usual.backoff_limit.max(backoff), HOUR)?,
        jitter: section.rate("jitter", usual.jitter)?,
        attempts: section.number("attempts", usual.attempts, 1..=32)?,
        forgets_key_after: section.number("forgets-key-after", 0, 0..=31)?,
        new_credential_after: section.number("new-credential-after", 0, 0..=31)?,
        wrong_passwords: section.number("wrong-passwords", 0, 0..=31)?,
        restarts_after: section.number("restarts-after", 0, 0..=999)?,
        reconnects: section.flag("reconnects", usual.reconnects)?,
    };
    for (name, after) in [
        ("forgets-key-after", client.forgets_key_after),
        ("new-credential-after", client.new_credential_after),
        ("wrong-passwords", client.wrong_passwords),
    ] {
        section.check(after < client.attempts, name, || {
            let problem =
                format!("a client sends {} times, and no more after that", client.attempts);
            (problem, "write a smaller number, or raise `attempts`".into())
        })?;
    }
    section.not_zero("timeout", client.timeout)?;
    section.at_least("timeout-limit", client.timeout_limit, ("timeout", client.timeout))?;
    section.at_least("backoff-limit", client.backoff_limit, ("backoff", client.backoff))?;
    Ok(client)
}

fn service(section: &Section<'_>) -> Result<Service, BadScenario> {
    let usual = Service::default();
    Ok(Service {
        keys: section.flag("keys", usual.keys)?,
        declines: section.choice("declines", usual.declines)?,
        latency: section.range("latency", usual.latency, HOUR)?,
    })
}

fn cache(section: &Section<'_>) -> Result<Cache, BadScenario> {
    let usual = Cache::default();
    Ok(Cache { replication_lag: section.span("replication-lag", usual.replication_lag, HOUR)? })
}

/// A cache whose replica has everything loses nothing.
fn check_fail_over(scenario: &Scenario, top: &Section<'_>) -> Result<(), BadScenario> {
    let section = top.section("cache", &CACHE)?;
    let loses = scenario.cache.replication_lag > Span::ZERO;
    section.check(loses || scenario.weather.fail_over.rate.is_never(), "replication-lag", || {
        let problem = "the cache fails over, and its replica has everything";
        (problem.into(), "set `replication-lag = \"20ms\"`".into())
    })
}

fn worker(section: &Section<'_>) -> Result<Worker, BadScenario> {
    let usual = Worker::default();
    let worker = Worker {
        turns: section.number("turns", usual.turns, 0..=100)?,
        every: section.span("every", usual.every, HOUR)?,
    };
    section.not_zero("every", worker.every)?;
    section.check(worker.turns > 0 || !section.has("every"), "every", || {
        ("there are no turns".into(), "say how many, like `turns = 20`".into())
    })?;
    Ok(worker)
}

fn latency(section: &Section<'_>) -> Result<Latency, BadScenario> {
    let usual = Latency::default();
    Ok(Latency {
        network: section.range("network", usual.network, HOUR)?,
        question: section.range("question", usual.question, HOUR)?,
    })
}

fn contract(section: &Section<'_>) -> Result<Contract, BadScenario> {
    contract_over(section, named::base(section)?)
}

/// A contract that is this one where the section does not say otherwise.
fn contract_over(section: &Section<'_>, usual: Contract) -> Result<Contract, BadScenario> {
    let contract = Contract {
        promise: section.choice("promise", usual.promise)?,
        window: section.span("window", usual.window, YEAR)?,
        window_from: section.choice("window-from", usual.window_from)?,
        lease: section.span("lease", usual.lease, HOUR)?,
        in_flight: section.choice("in-flight", usual.in_flight)?,
        stored: section.choice("stored", usual.stored)?,
        replay: section.choice("replay", usual.replay)?,
        mismatch: section.choice("mismatch", usual.mismatch)?,
        server_errors: section.choice("server-errors", usual.server_errors)?,
        bound: section.span("bound", usual.bound, HOUR)?,
        records_at_most: records_at_most(section)?,
        expires: section.flag("expires", usual.expires)?,
    };
    section.not_zero("window", contract.window)?;
    section.not_zero("lease", contract.lease)?;
    section.not_zero("bound", contract.bound)?;
    Ok(contract)
}

fn records_at_most(section: &Section<'_>) -> Result<Option<u64>, BadScenario> {
    let most = section.number("records-at-most", 0, 0..=u64::from(u32::MAX))?;
    Ok(section.has("records-at-most").then_some(most))
}

/// Who is restarted after its last operation sends no more, and nobody sees its next epoch.
fn check_restart(scenario: &Scenario, top: &Section<'_>) -> Result<(), BadScenario> {
    let section = top.section("client", &CLIENT)?;
    let (after, operations) = (scenario.client.restarts_after, scenario.workload.operations);
    section.check(after < operations || after == 0, "restarts-after", || {
        let problem = format!("a client has {operations} operations, and no more after that");
        (problem, "write a smaller number, or raise `workload.operations`".into())
    })
}

/// Otherwise every right store would be found guilty of what its operator did.
fn check_window(scenario: &Scenario, top: &Section<'_>) -> Result<(), BadScenario> {
    if scenario.contract.expires || scenario.window_outlives_retries() {
        return Ok(());
    }
    let window = scenario.contract.window;
    let last = scenario.worst_last_arrival();
    let late = format!("an attempt may still arrive {} after the first", units::show(last));
    let unless = "or set `contract.expires = true` if that is the claim";
    // Who sets the sweeper ahead need not have set the window.
    if window > last {
        let problem = format!(
            "the sweeper runs {} ahead and leaves {} of contract.window, {}; but {late}",
            units::show(scenario.weather.sweep_ahead),
            units::show(scenario.shortest_life()),
            units::show(window),
        );
        let fix = format!("lower `weather.sweep-ahead`, lengthen `contract.window`, {unless}");
        let weather = top.section("weather", &weather::FIELDS)?;
        return weather.check(false, "sweep-ahead", || (problem, fix));
    }
    let problem = format!("records count for {}, but {late}", units::show(window));
    let fix = format!("lengthen the window, shorten the retries or the weather, {unless}");
    top.section("contract", &CONTRACT)?.check(false, "window", || (problem, fix))
}

/// Otherwise every right store would be found stuck: no answer can be there in time.
fn check_bound(scenario: &Scenario, top: &Section<'_>) -> Result<(), BadScenario> {
    let (bound, slowest) = (scenario.contract.bound, scenario.slowest_answer());
    let problem = format!(
        "a probe must be answered within {}, but in calm weather an answer may take {}",
        units::show(bound),
        units::show(slowest)
    );
    let fix = "lengthen the bound, or shorten `latency.network` or `latency.question`".to_owned();
    top.section("contract", &CONTRACT)?.check(bound >= slowest, "bound", || (problem, fix))
}

/// Otherwise every right store with leases would be found stuck: the lease of a dead server is still
/// running when the probe must have its answer.
fn check_lease(scenario: &Scenario, top: &Section<'_>) -> Result<(), BadScenario> {
    let section = top.section("contract", &CONTRACT)?;
    let (bound, lease) = (scenario.contract.bound, scenario.contract.lease);
    let needed = scenario.bound_for(lease);
    section.check(!section.has("lease") || bound >= needed, "lease", || {
        let problem = format!(
            "a probe must be answered within {}, but it may have to wait for a lease of {}, and \
             is answered after {} at the latest",
            units::show(bound),
            units::show(lease),
            units::show(needed)
        );
        (problem, "shorten the lease, or lengthen `contract.bound`".into())
    })
}

/// Words of small letters and digits, joined by single dashes.
fn is_kebab(name: &str) -> bool {
    let small = |word: &str| {
        !word.is_empty() && word.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit())
    };
    name.split('-').all(small)
}

/// Rates that make the loader ask for the list beside them.
fn any(rates: &[Rate]) -> bool {
    rates.iter().any(|rate| !rate.is_never())
}
