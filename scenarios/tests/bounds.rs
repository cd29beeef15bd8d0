//! Every bound that the reader checks: where it stands, and what its message says.

#![expect(clippy::needless_raw_string_hashes, reason = "snapshots are written by expect-test")]

use expect_test::{Expect, expect};
use onestroke_scenarios::from_toml;

/// A file with this claim and these lines, for each of these, is refused: one message a line.
fn refuses(files: &[&str], messages: &Expect) {
    let message = |lines: &&str| {
        let text = format!("claim = \"nothing is charged twice\"\n{lines}\n");
        from_toml(&text, "bad.toml").expect_err("the file is refused").to_string() + "\n"
    };
    messages.assert_eq(&files.iter().map(message).collect::<String>());
}

/// A file with this claim and these lines is read.
fn accepts(lines: &str) {
    let text = format!("claim = \"nothing is charged twice\"\n{lines}\n");
    from_toml(&text, "good.toml").unwrap_or_else(|bad| panic!("{bad}"));
}

#[test]
fn there_are_one_to_ten_thousand_clients() {
    accepts("workload.clients = 10_000");
    refuses(
        &["workload.clients = 0", "workload.clients = 10_001"],
        &expect![[r#"
        bad.toml:2:20: workload.clients: `0` is out of bounds; write a whole number from 1 to 10000
        bad.toml:2:20: workload.clients: `10001` is out of bounds; write a whole number from 1 to 10000
    "#]],
    );
}

#[test]
fn a_client_has_one_to_a_thousand_operations() {
    accepts("workload.operations = 1000");
    refuses(
        &["workload.operations = 0", "workload.operations = 1_001"],
        &expect![[r#"
        bad.toml:2:23: workload.operations: `0` is out of bounds; write a whole number from 1 to 1000
        bad.toml:2:23: workload.operations: `1001` is out of bounds; write a whole number from 1 to 1000
    "#]],
    );
}

#[test]
fn all_clients_together_have_at_most_a_hundred_thousand_operations() {
    accepts("workload = { clients = 1_000, operations = 100 }");
    accepts("workload = { clients = 100, operations = 1_000 }");
    refuses(
        &[
            "workload = { clients = 1_001, operations = 100 }",
            "workload = { clients = 10_000, operations = 11 }",
        ],
        &expect![[r#"
            bad.toml:2:44: workload.operations: 1001 clients with 100 operations each are 100100 operations, and a run has at most 100000; lower `clients` or `operations`
            bad.toml:2:45: workload.operations: 10000 clients with 11 operations each are 110000 operations, and a run has at most 100000; lower `clients` or `operations`
        "#]],
    );
}

#[test]
fn one_to_four_attempts_are_sent_at_once() {
    accepts("workload.at-once = 4");
    refuses(
        &["workload.at-once = 0", "workload.at-once = 5"],
        &expect![[r#"
            bad.toml:2:20: workload.at-once: `0` is out of bounds; write a whole number from 1 to 4
            bad.toml:2:20: workload.at-once: `5` is out of bounds; write a whole number from 1 to 4
        "#]],
    );
}

#[test]
fn a_key_is_reused_by_a_second_operation_and_shared_by_a_second_tenant() {
    accepts("workload = { keys = \"reused-with-other-payload\", operations = 2 }");
    accepts("workload = { keys = \"same-for-tenants\", clients = 2 }");
    accepts("workload = { keys = \"fresh-for-each-attempt\" }");
    refuses(
        &[
            "workload.keys = \"reused-with-other-payload\"",
            "workload.keys = \"same-for-two-endpoints\"",
            "workload.keys = \"same-for-tenants\"",
        ],
        &expect![[r#"
            bad.toml:2:17: workload.keys: a client with one operation has no key to reuse; set `operations = 2`
            bad.toml:2:17: workload.keys: a client with one operation has no key to reuse; set `operations = 2`
            bad.toml:2:17: workload.keys: one client is one tenant, and shares its keys with nobody; set `clients = 2`
        "#]],
    );
}

#[test]
fn what_changes_after_some_attempts_changes_before_the_last() {
    accepts("client = { attempts = 2, forgets-key-after = 1, wrong-passwords = 1 }");
    refuses(
        &[
            "client = { attempts = 2, forgets-key-after = 2 }",
            "client.new-credential-after = 32",
            "client.wrong-passwords = 5",
        ],
        &expect![[r#"
            bad.toml:2:46: client.forgets-key-after: a client sends 2 times, and no more after that; write a smaller number, or raise `attempts`
            bad.toml:2:31: client.new-credential-after: `32` is out of bounds; write a whole number from 0 to 31
            bad.toml:2:26: client.wrong-passwords: a client sends 5 times, and no more after that; write a smaller number, or raise `attempts`
        "#]],
    );
}

#[test]
fn a_client_sends_one_to_thirty_two_times() {
    accepts("client.attempts = 32");
    refuses(
        &["client.attempts = 0", "client.attempts = 33"],
        &expect![[r#"
            bad.toml:2:19: client.attempts: `0` is out of bounds; write a whole number from 1 to 32
            bad.toml:2:19: client.attempts: `33` is out of bounds; write a whole number from 1 to 32
        "#]],
    );
}

#[test]
fn a_timeout_is_longer_than_zero_and_at_most_its_limit() {
    accepts("client.timeout = \"1us\"");
    accepts("client.timeout = \"2s\"");
    refuses(
        &[
            "client.timeout = \"0ms\"",
            "client.timeout-limit = \"99ms\"",
            "client.timeout = \"61m\"",
        ],
        &expect![[r#"
            bad.toml:2:18: client.timeout: is zero; write a span longer than zero
            bad.toml:2:24: client.timeout-limit: 99ms is less than timeout, 100ms; write 100ms or more
            bad.toml:2:18: client.timeout: `61m` is too long; the longest is `"1h"`
        "#]],
    );
}

#[test]
fn a_backoff_may_be_zero_and_is_at_most_its_limit() {
    accepts("client.backoff = \"0ms\"");
    refuses(
        &["client.backoff-limit = \"19ms\""],
        &expect![[r#"
        bad.toml:2:24: client.backoff-limit: 19ms is less than backoff, 20ms; write 20ms or more
    "#]],
    );
}

#[test]
fn factors_are_one_to_a_hundred() {
    accepts("client = { timeout-factor = 1, backoff-factor = 100 }");
    refuses(
        &["client.timeout-factor = 0", "client.backoff-factor = 101"],
        &expect![[r#"
            bad.toml:2:25: client.timeout-factor: `0` is out of bounds; write a whole number from 1 to 100
            bad.toml:2:25: client.backoff-factor: `101` is out of bounds; write a whole number from 1 to 100
        "#]],
    );
}

#[test]
fn rates_are_at_most_a_hundred_percent() {
    accepts("client.jitter = \"100%\"");
    accepts("weather.drop-reply = \"0.0001%\"");
    refuses(
        &[
            "client.jitter = \"100.0001%\"",
            "weather.drop-reply = \"-1%\"",
            "weather.drop-reply = \"10\"",
            "weather.drop-reply = 0.1",
        ],
        &expect![[r#"
            bad.toml:2:17: client.jitter: `100.0001%` is no rate; write a percentage from `"0%"` to `"100%"`, like `"0.5%"`
            bad.toml:2:22: weather.drop-reply: `-1%` is no rate; write a percentage from `"0%"` to `"100%"`, like `"0.5%"`
            bad.toml:2:22: weather.drop-reply: `10` is no rate; write a percentage from `"0%"` to `"100%"`, like `"0.5%"`
            bad.toml:2:22: weather.drop-reply: `0.1` is no rate; write a percentage from `"0%"` to `"100%"`, like `"0.5%"`
        "#]],
    );
}

#[test]
fn there_are_one_to_sixteen_servers() {
    accepts("topology.servers = 16");
    refuses(
        &["topology.servers = 0", "topology.servers = 17"],
        &expect![[r#"
            bad.toml:2:20: topology.servers: `0` is out of bounds; write a whole number from 1 to 16
            bad.toml:2:20: topology.servers: `17` is out of bounds; write a whole number from 1 to 16
        "#]],
    );
}

#[test]
fn a_range_does_not_end_before_it_begins() {
    accepts("latency.network = \"2ms\"");
    accepts("latency.question = \"500us..1ms\"");
    refuses(
        &[
            "latency.network = \"3ms..1ms\"",
            "latency.question = \"1ms..2h\"",
            "latency.question = \"1ms-2ms\"",
        ],
        &expect![[r#"
            bad.toml:2:19: latency.network: ends before it begins; write the shortest and the longest span, like `"1ms..3ms"`
            bad.toml:2:20: latency.question: `1ms..2h` is too long; the longest is `"1h"`
            bad.toml:2:20: latency.question: `1ms-2ms` is no range; write the shortest and the longest span, like `"1ms..3ms"`
        "#]],
    );
}

#[test]
fn a_run_has_at_most_a_thousand_faults_in_an_hour() {
    accepts("weather = { most-faults = 0, horizon = \"1h\" }");
    refuses(
        &["weather.most-faults = 1001", "weather.horizon = \"3601s\""],
        &expect![[r#"
            bad.toml:2:23: weather.most-faults: `1001` is out of bounds; write a whole number from 0 to 1000
            bad.toml:2:19: weather.horizon: `3601s` is too long; the longest is `"1h"`
        "#]],
    );
}

#[test]
fn lateness_needs_its_classes() {
    accepts("weather = { late-reply = \"1%\", late = [\"150ms\"] }");
    refuses(
        &[
            "weather.late-request = \"1%\"",
            "weather.late-reply = \"1%\"",
            "weather = { late-duplicate = \"1%\", late = [] }",
        ],
        &expect![[r#"
            bad.toml:2:1: weather.late: messages can be late, and it is not said how late; list how late, like `late = ["150ms", "2s"]`
            bad.toml:2:1: weather.late: messages can be late, and it is not said how late; list how late, like `late = ["150ms", "2s"]`
            bad.toml:2:43: weather.late: messages can be late, and it is not said how late; list how late, like `late = ["150ms", "2s"]`
        "#]],
    );
}

#[test]
fn a_pause_needs_its_lengths() {
    accepts("weather = { pause = \"1%\", pause-for = [\"150ms\"] }");
    refuses(
        &["weather.pause = \"1%\""],
        &expect![[r#"
            bad.toml:2:1: weather.pause-for: handlers can pause, and it is not said how long; list how long, like `pause-for = ["150ms"]`
        "#]],
    );
}

#[test]
fn what_happens_to_crashes_needs_crashes() {
    accepts("weather = { crash = \"1%\", linger = \"10%\", in-flight = \"10%\" }");
    refuses(
        &["weather.linger = \"10%\"", "weather.in-flight = \"10%\""],
        &expect![[r#"
            bad.toml:2:18: weather.linger: it happens to crashes, and there are none; set `crash = "1%"`
            bad.toml:2:21: weather.in-flight: it happens to crashes, and there are none; set `crash = "1%"`
        "#]],
    );
}

#[test]
fn what_a_sweeper_clears_needs_a_sweeper() {
    accepts("contract.expires = true\nweather = { sweep = \"1%\", sweep-ahead = \"24h\" }");
    refuses(
        &["weather.sweep-ahead = \"1s\""],
        &expect![[r#"
            bad.toml:2:23: weather.sweep-ahead: the sweeper never runs; set `sweep = "10%"`
        "#]],
    );
}

#[test]
fn a_handler_is_held_before_a_question() {
    accepts("weather.hold = { rate = \"1%\", at = [\"claim\", \"before apply\"] }");
    refuses(
        &[
            "weather.hold = { rate = \"1%\", at = [\"after claim\"] }",
            "weather.hold-most = 0",
            "weather.hold-most = 256",
        ],
        &expect![[r#"
            bad.toml:2:16: weather.hold: a handler is not held after claim, only before a question; write `before claim`
            bad.toml:2:21: weather.hold-most: `0` is out of bounds; write a whole number from 1 to 255
            bad.toml:2:21: weather.hold-most: `256` is out of bounds; write a whole number from 1 to 255
        "#]],
    );
}

#[test]
fn a_window_and_a_bound_are_longer_than_zero() {
    refuses(
        &[
            "contract = { window = \"0s\", expires = true }",
            "contract.bound = \"0s\"",
            "contract.window = \"366d\"",
        ],
        &expect![[r#"
            bad.toml:2:23: contract.window: is zero; write a span longer than zero
            bad.toml:2:18: contract.bound: is zero; write a span longer than zero
            bad.toml:2:19: contract.window: `366d` is too long; the longest is `"365d"`
        "#]],
    );
}

#[test]
fn a_window_outlives_the_retries_unless_expiry_is_the_claim() {
    accepts("contract = { window = \"500ms\", expires = true }");
    refuses(
        &[
            "contract.window = \"15s\"",
            "weather = { sweep = \"1%\", sweep-ahead = \"24h\" }",
            "weather = { late-reply = \"1%\", late = [\"3d\"] }",
        ],
        &expect![[r#"
            bad.toml:2:19: contract.window: records count for 15s, but an attempt may still arrive 15084ms after the first; lengthen the window, shorten the retries or the weather, or set `contract.expires = true` if that is the claim
            bad.toml:2:41: weather.sweep-ahead: the sweeper runs 1d ahead and leaves 0s of contract.window, 1d; but an attempt may still arrive 15084ms after the first; lower `weather.sweep-ahead`, lengthen `contract.window`, or set `contract.expires = true` if that is the claim
            bad.toml:1:1: contract.window: records count for 1d, but an attempt may still arrive 259215084ms after the first; lengthen the window, shorten the retries or the weather, or set `contract.expires = true` if that is the claim
        "#]],
    );
}
