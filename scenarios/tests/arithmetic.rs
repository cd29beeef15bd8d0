//! The arithmetic of time, names that can be read back, and the defaults.

use onestroke_scenarios::{
    Client, Contract, FindingKind, Moment, Rate, Replay, Scenario, Side, Sites, Weather, contracts,
    from_toml,
};
use onestroke_store::{Span, Time, Verb};

fn scenario(lines: &str) -> Scenario {
    let text = format!("claim = \"nothing is charged twice\"\n{lines}");
    from_toml(&text, "here/one.toml").unwrap_or_else(|bad| panic!("{bad}"))
}

#[test]
fn a_claim_is_enough() {
    let one = scenario("");
    assert_eq!(one.name, "one");
    assert_eq!(one.client, Client::default());
    assert_eq!(one.weather, Weather::default());
    assert_eq!(one.contract.window, Span::from_secs(86_400));
    assert!(one.moments.is_empty() && one.expect.is_empty());
}

#[test]
fn the_schedule_counts_timeouts_and_the_longest_back_off() {
    // 100 + 30, 200 + 60, 400 + 120, 800 + 240; after the fifth sending there is none.
    assert_eq!(scenario("").schedule(), Span::from_millis(1_950));
    assert_eq!(scenario("client.attempts = 1").schedule(), Span::ZERO);
    let limits = "client = { attempts = 32, timeout-factor = 100, backoff-factor = 100 }";
    // 100 + 30 once, then 800 + 750 thirty times.
    assert_eq!(scenario(limits).schedule(), Span::from_millis(130 + 30 * 1_550));
}

#[test]
fn the_last_arrival_counts_only_the_weather_there_is() {
    let calm = scenario("").worst_last_arrival();
    // Schedule, two ways through the network, 64 questions, the fault horizon, the probes' bound.
    assert_eq!(calm, Span::from_millis(1_950 + 6 + 128 + 3_000 + 10_000));
    let unused = scenario("weather = { late = [\"1h\"], pause-for = [\"1h\"] }");
    assert_eq!(unused.worst_last_arrival(), calm);
    let late = scenario("weather = { late-reply = \"1%\", late = [\"2s\", \"1s\"] }");
    assert_eq!(late.worst_last_arrival(), calm + Span::from_secs(2));
    let held = scenario("weather.hold = \"1%\"");
    assert_eq!(held.worst_last_arrival(), calm + Span::from_secs(12));
    let cut = scenario("weather.partition = \"1%\"");
    assert_eq!(cut.worst_last_arrival(), calm + Span::from_millis(300));
    let second = scenario("workload.operations = 2");
    assert_eq!(second.worst_last_arrival(), calm + Span::from_millis(1_950 + 800));
    let at_once = scenario("workload = { operations = 2, order = \"concurrent\" }");
    assert_eq!(at_once.worst_last_arrival(), calm);
}

#[test]
fn a_window_that_is_as_long_as_the_last_arrival_is_too_short() {
    let window = |micros: u64| {
        let line = format!("contract = {{ window = \"{micros}us\", expires = true }}");
        scenario(&line).window_outlives_retries()
    };
    let last = scenario("").worst_last_arrival().as_micros();
    assert!(!window(last));
    assert!(window(last + 1));
}

#[test]
fn the_smallest_safe_window_is_exact() {
    let base = "weather = { sweep = \"1%\", sweep-ahead = \"2s\" }\n";
    let with = |micros: u64| {
        scenario(&format!("{base}contract = {{ window = \"{micros}us\", expires = true }}"))
    };
    let safe = with(1).smallest_safe_window().as_micros();
    assert!(with(safe).window_outlives_retries());
    assert!(!with(safe - 1).window_outlives_retries());
    let terms = with(1).last_arrival_terms();
    let sum: u64 = terms.iter().map(|term| term.span.as_micros()).sum();
    assert_eq!(safe, sum + 2_000_000 + 1);
}

#[test]
fn clocks_that_are_apart_take_from_the_window() {
    let calm = scenario("").worst_last_arrival();
    assert_eq!(scenario("topology.clock-offset = [\"0ms\"]").worst_last_arrival(), calm);
    let apart = scenario("topology.clock-offset = [\"-10s\", \"30s\"]");
    assert_eq!(apart.worst_last_arrival(), calm + Span::from_secs(40));
    assert_eq!(apart.skew(), Span::from_secs(40));
    assert_eq!(apart.judged_contract().window, Span::from_secs(86_400 - 40));
    // Others are true: one clock that is ahead is apart from them.
    let ahead = scenario("topology.clock-offset = [\"30s\"]");
    assert_eq!(ahead.skew(), Span::from_secs(30));
    // 250 ppm of twice the worst arrival, and the rounding of two readings.
    let drifts = scenario("topology.clock-drift = [\"200ppm\", \"-50ppm\"]");
    let parts = calm.as_micros() * 2 * 250 / 1_000_000;
    assert_eq!(drifts.skew(), Span::from_micros(parts + 2));
}

#[test]
fn a_clock_is_never_below_zero_and_its_spans_are_its_own() {
    let lines = "topology = { clock-offset = [\"-30s\", \"5s\"], clock-drift = [\"100000ppm\"] }";
    let clocks = scenario(lines).topology.clocks;
    let read = |server, secs| clocks.read(server, Time::ZERO + Span::from_secs(secs));
    assert_eq!(read(0, 0), Time::ZERO);
    assert_eq!(read(1, 0), Time::ZERO + Span::from_secs(35));
    assert_eq!(read(0, 10), Time::ZERO + Span::from_secs(11));
    // A server that the file does not name is true, and as late as all others.
    assert_eq!(read(2, 10), Time::ZERO + Span::from_secs(40));
    assert_eq!(clocks.true_span(0, Span::from_secs(11)), Span::from_secs(10));
    assert_eq!(clocks.true_span(1, Span::from_secs(11)), Span::from_secs(11));
    assert!(clocks.drifts() && !scenario("").topology.clocks.drifts());
}

#[test]
fn a_safe_lease_outlives_the_longest_handling() {
    // 64 questions of 2 ms, and one tick.
    let calm = scenario("");
    assert_eq!(calm.smallest_safe_lease(), Span::from_micros(128_001));
    assert!(calm.contract.lease > calm.smallest_safe_lease(), "the usual lease is safe in calm");
    // Twelve pauses of 600 ms more, and a clock that is 30 s ahead.
    let bad = scenario(
        "weather = { pause = \"1%\", pause-for = [\"600ms\"] }\n\
         topology.clock-offset = [\"30s\"]",
    );
    assert_eq!(bad.longest_handling(), Span::from_millis(128 + 12 * 600));
    assert_eq!(bad.smallest_safe_lease(), Span::from_micros(128_001 + 7_200_000 + 30_000_000));
}

#[test]
fn the_last_sweep_waits_for_the_slowest_clock() {
    let one = scenario("topology.clock-offset = [\"0s\", \"-7s\"]");
    assert_eq!(one.last_sweep_after(), Span::from_secs(86_400 + 7 + 7));
    assert_eq!(scenario("").last_sweep_after(), Span::from_secs(86_400));
}

#[test]
fn the_largest_scenario_does_not_overflow() {
    let one = scenario(
        "workload.operations = 1000\nweather = { late-reply = \"1%\", late = [\"365d\"], \
         most-faults = 1000, pause = \"1%\", pause-for = [\"1h\"], horizon = \"1h\" }\n\
         client = { attempts = 32, timeout = \"1h\", backoff = \"1h\" }\n\
         contract = { bound = \"1h\", expires = true }\n\
         topology = { clock-offset = [\"1h\", \"-1h\"], clock-drift = [\"100000ppm\"] }",
    );
    assert!(one.worst_last_arrival() < Span::from_micros(u64::MAX));
    assert!(one.last_sweep_after() < Span::from_micros(u64::MAX));
}

#[test]
fn names_read_back() {
    for kind in FindingKind::ALL {
        assert_eq!(FindingKind::parse(kind.name()), Some(kind));
    }
    for moment in Moment::ALL {
        assert_eq!(Moment::parse(moment.name()), Some(moment));
    }
    assert!(FindingKind::ALL.is_sorted(), "the first that fits names the finding");
    for side in Side::ALL {
        for verb in Verb::ALL {
            let sites = Sites::parse(&format!("{side} {verb}")).expect("it is a site");
            assert_eq!(sites, Sites::of(side, verb));
            assert!(Sites::EVERYWHERE.contains(side, verb) && !Sites::NOWHERE.contains(side, verb));
        }
    }
}

#[test]
fn a_bare_verb_is_both_of_its_sides() {
    let sites = Sites::parse("commit").expect("it is a site");
    assert!(
        sites.contains(Side::Before, Verb::Commit) && sites.contains(Side::After, Verb::Commit)
    );
    assert!(!sites.contains(Side::After, Verb::Apply));
}

#[test]
fn a_hold_is_before_a_question_only() {
    let hold = scenario("weather.hold = \"1%\"").weather.hold;
    assert_eq!(hold.at, Sites::on(Side::Before));
    let hold = scenario("weather.hold = { rate = \"1%\", at = [\"claim\"] }").weather.hold;
    assert_eq!(hold.at, Sites::of(Side::Before, Verb::Claim));
}

#[test]
fn rates_are_whole_parts_per_million() {
    let rate = |text: &str| scenario(&format!("client.jitter = \"{text}\"")).client.jitter;
    assert_eq!(rate("0.5%").ppm(), 5_000);
    assert_eq!(rate("100%"), Rate::ALWAYS);
    assert_eq!(rate("12.3456%").ppm(), 123_456);
    assert_eq!(rate("12.34%").to_string(), "12.34%");
    assert_eq!(rate("7%").to_string(), "7%");
}

#[test]
fn a_contract_is_that_of_the_system_it_names_but_for_what_it_says() {
    let contract = |text: &str| {
        let text = format!("claim = \"c\"\n[contract]\n{text}\n");
        from_toml(&text, "mine.toml").unwrap_or_else(|bad| panic!("{bad}")).contract
    };
    let named = contracts();
    assert!(named.len() >= 9, "only {} contracts have a name", named.len());
    for (name, about, expected) in named {
        assert!(about.len() > 20, "{name} says what it is");
        let expires = "expires = true";
        let like = contract(&format!("like = \"{name}\"\n{expires}"));
        assert_eq!(like, Contract { expires: true, ..expected }, "{name}");
    }
    let longer = contract("like = \"sqs-fifo\"\nwindow = \"7h\"");
    assert_eq!((longer.window, longer.replay), (Span::from_secs(7 * 3_600), Replay::Equivalent));
}
