//! Random scenarios, for the property tests: any workload, client, topology, weather and window.

use onestroke_scenarios::{
    Cache, Client, Clock, Clocks, Contract, Fault, Keys, Latency, Order, Profile, Range, Rate,
    Scenario, Service, Side, Sites, Topology, Weather, Worker, Workload, WorkloadKind,
};
use onestroke_store::{Span, Verb};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;

/// A runner of so many cases, the same on every machine and day: a failure is one of this commit.
/// With `PROPTEST_CASES` in the environment it runs as many other ones.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return TestRunner::new(config);
    }
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config { cases, ..config }, rng)
}

/// How long records count, against the retries.
#[derive(Clone, Copy, Debug)]
enum Window {
    /// Far longer than any retry.
    Long,
    /// By the least that can be told: one microsecond.
    JustEnough,
    /// So many parts of a thousand of the clients' schedule.
    Short(u64),
}

fn rates() -> impl Strategy<Value = Rate> {
    prop_oneof![
        3 => Just(Rate::NEVER),
        3 => (0..100_000_u32).prop_map(Rate::from_ppm),
        1 => (0..=1_000_000_u32).prop_map(Rate::from_ppm),
    ]
}

fn millis(range: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = Span> {
    range.prop_map(Span::from_millis)
}

fn ranges(most: u64) -> impl Strategy<Value = Range> {
    (0..=most, 0..=most).prop_map(|(one, two)| Range {
        least: Span::from_micros(one.min(two)),
        most: Span::from_micros(one.max(two)),
    })
}

fn sites() -> impl Strategy<Value = Sites> {
    let side = prop::sample::select(Side::ALL.to_vec());
    let some = prop::collection::vec((side, prop::sample::select(Verb::ALL.to_vec())), 1..4);
    let union = |all: Vec<(Side, Verb)>| {
        all.into_iter()
            .fold(Sites::NOWHERE, |sites, (side, verb)| sites.with(Sites::of(side, verb)))
    };
    prop_oneof![Just(Sites::EVERYWHERE), some.prop_map(union)]
}

fn faults() -> impl Strategy<Value = Fault> {
    let rare = prop_oneof![Just(Rate::NEVER), (0..60_000_u32).prop_map(Rate::from_ppm), rates()];
    (rare, sites()).prop_map(|(rate, at)| Fault { rate, at })
}

fn workloads() -> impl Strategy<Value = Workload> {
    use WorkloadKind::{Charge, Order as Orders, SetStatus};
    let kind = prop::sample::select(vec![Charge, Orders, SetStatus]);
    let order = prop::sample::select(vec![Order::Sequential, Order::Concurrent]);
    // Keys that are fresh for each attempt are left out: with them no store can be right.
    let all = vec![Keys::Fresh, Keys::ReusedWithOtherPayload, Keys::SameForTenants];
    let keys = prop::sample::select(all);
    (kind, 1..=3_u16, 1..=3_u16, order, keys, 1..=3_u8).prop_map(
        |(kind, clients, operations, order, keys, at_once)| Workload {
            kind,
            clients: if keys == Keys::SameForTenants { clients.max(2) } else { clients },
            operations: if keys == Keys::ReusedWithOtherPayload {
                operations.max(2)
            } else {
                operations
            },
            order,
            keys,
            at_once,
            ..Workload::default()
        },
    )
}

fn clients() -> impl Strategy<Value = Client> {
    let timeouts = (millis(1..=600), 1..=3_u32, millis(0..=800));
    let backoffs = (millis(0..=200), 1..=3_u32, millis(0..=500));
    (timeouts, backoffs, (0..=100_u32).prop_map(Rate::percent), 1..=8_u8).prop_map(
        |(
            (timeout, timeout_factor, more),
            (backoff, backoff_factor, further),
            jitter,
            attempts,
        )| {
            Client {
                timeout,
                timeout_factor,
                timeout_limit: timeout + more,
                backoff,
                backoff_factor,
                backoff_limit: backoff + further,
                jitter,
                attempts,
                ..Client::default()
            }
        },
    )
}

fn weathers() -> impl Strategy<Value = Weather> {
    let bounds = (any::<bool>(), millis(50..=4_000), 0..=20_u16);
    let messages = prop::collection::vec(rates(), 9);
    let classes = || prop::collection::vec(millis(1..=3_000), 1..4);
    let partition = millis(1..=60_000);
    let servers = (millis(0..=20), millis(1..=300), millis(0..=600));
    let handlers = (faults(), faults(), faults(), faults(), faults());
    let hold = (1..=10_u8, millis(1..=1_500));
    let ahead = prop_oneof![Just(Span::ZERO), millis(0..=5_000)];
    (bounds, messages, (classes(), classes()), partition, servers, handlers, hold, ahead).prop_map(
        |(bounds, rates, (late, pause_for), partition_for, servers, handlers, hold, ahead)| {
            let (swarm, horizon, most_faults) = bounds;
            let (in_flight_after, restart_after, linger_for) = servers;
            let (crash, cancel, pause, held, sever) = handlers;
            Weather {
                swarm,
                horizon,
                most_faults,
                drop_request: rates[0],
                drop_reply: rates[1],
                duplicate_request: rates[2],
                duplicate_reply: rates[3],
                late_request: rates[4],
                late_reply: rates[5],
                late_duplicate: rates[6],
                late,
                partition: rates[7],
                partition_for,
                crash,
                in_flight: rates[8],
                in_flight_after,
                restart_after,
                linger: rates[0].max(rates[8]),
                linger_for,
                cancel,
                pause,
                pause_for,
                hold: Fault { rate: held.rate, at: held.at.only(Side::Before) },
                hold_most: hold.0,
                hold_for: hold.1,
                sever,
                sever_after: in_flight_after,
                fail_over: Fault { rate: rates[0], at: Sites::EVERYWHERE },
                sweep: rates[1].max(rates[7]),
                sweep_ahead: ahead,
            }
        },
    )
}

/// Clocks that are mostly true, and sometimes off by seconds, or fast, or slow.
fn clocks() -> impl Strategy<Value = Clocks> {
    let offset = prop_oneof![Just(0), -3_000_000..=3_000_000_i64];
    let drift = prop_oneof![Just(0), -20_000..=20_000_i32];
    let clock = (offset, drift).prop_map(|(offset_us, drift_ppm)| Clock { offset_us, drift_ppm });
    let clocks = prop::collection::vec(clock, 0..=4);
    prop_oneof![2 => Just(vec![]), 1 => clocks].prop_map(Clocks)
}

/// Scenarios that the loader would accept.
pub(crate) fn scenarios() -> impl Strategy<Value = Scenario> {
    let window = prop_oneof![
        1 => Just(Window::Long),
        2 => Just(Window::JustEnough),
        2 => (1..=700_u64).prop_map(Window::Short),
    ];
    let profile = prop::sample::select(vec![Profile::Postgres, Profile::Sqlite]);
    let topology = (1..=4_u8, profile, clocks()).prop_map(|(servers, profile, mut clocks)| {
        clocks.0.truncate(usize::from(servers));
        Topology { servers, profile, replica_lag: Span::ZERO, clocks }
    });
    let latency = (ranges(80_000), ranges(60_000))
        .prop_map(|(network, question)| Latency { network, question });
    let contract = (millis(8_000..=20_000), prop::option::of(Just(0)), millis(1..=3_000));
    (workloads(), clients(), topology, latency, weathers(), contract, window).prop_map(
        |(
            workload,
            client,
            topology,
            latency,
            weather,
            (bound, records_at_most, lease),
            window,
        )| {
            let contract = Contract { bound, records_at_most, lease, ..Contract::default() };
            let mut scenario = Scenario {
                name: "random".into(),
                claim: "a right store is right".into(),
                source: vec![],
                workload,
                client,
                topology,
                service: Service::default(),
                cache: Cache::default(),
                worker: Worker::default(),
                latency,
                weather,
                contract,
                moments: vec![],
                expect: BTreeMap::new(),
            };
            let spent = scenario.client.longest_backoff_after(255) + scenario.slowest_answer();
            // Who comes again before a handler can be done takes its lease from it, for ever.
            let handling = scenario.latency.question.most.times(24);
            scenario.contract.lease = (lease + handling).min(bound.beyond(spent));
            assert!(scenario.contract.lease > handling, "no lease fits into the bound");
            with_window(scenario, window)
        },
    )
}

fn with_window(mut scenario: Scenario, window: Window) -> Scenario {
    let ahead =
        if scenario.weather.sweep.is_never() { Span::ZERO } else { scenario.weather.sweep_ahead };
    let worst = scenario.worst_last_arrival();
    let schedule = scenario.schedule().as_micros().max(1_000);
    let contract = &mut scenario.contract;
    contract.window = match window {
        Window::Long => worst.times(10) + ahead,
        Window::JustEnough => worst + ahead + Span::from_micros(1),
        Window::Short(parts) => Span::from_micros(schedule * parts / 1_000 + 1),
    };
    contract.expires = matches!(window, Window::Short(_));
    scenario
}
