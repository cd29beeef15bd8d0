//! Files that are no scenarios: each gets a message, and none a panic.

#![expect(clippy::needless_raw_string_hashes, reason = "snapshots are written by expect-test")]

use expect_test::{Expect, expect};
use onestroke_scenarios::{catalogue, find, from_toml};

/// Each of these files is refused: one message a line.
fn refuses(files: &[&str], messages: &Expect) {
    let message = |text: &&str| {
        from_toml(text, "bad.toml").expect_err("the file is refused").to_string() + "\n"
    };
    messages.assert_eq(&files.iter().map(message).collect::<String>());
}

#[test]
fn a_file_that_is_no_toml() {
    refuses(
        &[
            "claim = ",
            "claim = \"a\nb\"",
            "[weather\n",
            "claim = \"a\"\nclaim = \"b\"",
            "claim = \"a\"\n[weather]\n[weather]\n",
            "\u{0}",
            "é = ü",
        ],
        &expect![[r#"
            bad.toml:1:9: this is no TOML: string values must be quoted, expected literal string
            bad.toml:2:3: this is no TOML: key with no value, expected `=`
            bad.toml:1:9: this is no TOML: unclosed table, expected `]`
            bad.toml:2:1: `claim` is there already; take one of the two out
            bad.toml:3:2: `weather` is there already; take one of the two out
            bad.toml:1:2: this is no TOML: key with no value, expected `=`
            bad.toml:1:1: this is no TOML: invalid unquoted key, expected letters, numbers, `-`, `_`
        "#]],
    );
}

#[test]
fn a_file_without_a_claim() {
    refuses(
        &["", "claim = \"  \"", "claim = 3"],
        &expect![[r#"
            bad.toml:1:1: claim: is missing; say in one sentence what the scenario shows, like `claim = "a lost reply is replayed"`
            bad.toml:1:9: claim: is empty; say in one sentence what the scenario shows, like `claim = "a lost reply is replayed"`
            bad.toml:1:9: claim: `3` is no text; write one in quotes
        "#]],
    );
}

#[test]
fn a_name_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\nname = \"Lost Reply\"",
            "claim = \"c\"\nname = \"\"",
            "claim = \"c\"\nname = \"lost--reply\"",
        ],
        &expect![[r#"
            bad.toml:2:8: name: `Lost Reply` is no name for a scenario; write words of small letters and digits, joined by `-`, like `lost-reply`
            bad.toml:2:8: name: `` is no name for a scenario; write words of small letters and digits, joined by `-`, like `lost-reply`
            bad.toml:2:8: name: `lost--reply` is no name for a scenario; write words of small letters and digits, joined by `-`, like `lost-reply`
        "#]],
    );
}

#[test]
fn a_field_that_nobody_knows() {
    refuses(
        &[
            "clam = \"c\"",
            "claim = \"c\"\n[whether]\n",
            "claim = \"c\"\n[workload]\ncliens = 2",
            "claim = \"c\"\n[client]\ntime_out = \"1s\"",
            "claim = \"c\"\n[weather]\nasteroid = \"1%\"",
            "claim = \"c\"\n[contract]\nttl = \"1h\"",
            "claim = \"c\"\n[weather]\ncrash = { rate = \"1%\", sites = [] }",
        ],
        &expect![[r#"
            bad.toml:1:1: clam: there is no such field; did you mean `claim`?
            bad.toml:2:2: whether: there is no such field; did you mean `weather`?
            bad.toml:3:1: workload.cliens: there is no such field; did you mean `clients`?
            bad.toml:3:1: client.time_out: there is no such field; did you mean `timeout`?
            bad.toml:3:1: weather.asteroid: there is no such field; choose from: swarm, horizon, most-faults, drop-request, drop-reply, duplicate-request, duplicate-reply, late-request, late-reply, late-duplicate, late, partition, partition-for, crash, in-flight, in-flight-after, restart-after, linger, linger-for, cancel, pause, pause-for, hold, hold-most, hold-for, sever, sever-after, fail-over, sweep, sweep-ahead
            bad.toml:3:1: contract.ttl: there is no such field; choose from: like, promise, window, window-from, lease, in-flight, stored, replay, mismatch, server-errors, bound, records-at-most, expires
            bad.toml:3:24: weather.crash.sites: there is no such field; choose from: rate, at
        "#]],
    );
}

#[test]
fn a_field_of_another_type() {
    refuses(
        &[
            "claim = \"c\"\nworkload = 3",
            "claim = \"c\"\nsource = \"seed\"",
            "claim = \"c\"\nsource = [\"seed\", 3]",
            "claim = \"c\"\n[workload]\nclients = \"two\"",
            "claim = \"c\"\n[workload]\nclients = -1",
            "claim = \"c\"\n[workload]\nclients = 99999999999999999999",
            "claim = \"c\"\n[client]\ntimeout = 100",
            "claim = \"c\"\n[weather]\nswarm = \"yes\"",
            "claim = \"c\"\n[weather]\nlate = \"1s\"",
            "claim = \"c\"\n[weather]\ncrash = 1979-05-27",
        ],
        &expect![[r#"
            bad.toml:2:12: workload: `3` is no section; write a section: `[workload]`
            bad.toml:2:10: source: `"seed"` is no list; write one in `[` and `]`
            bad.toml:2:19: source: `3` is no text; write one in quotes
            bad.toml:3:11: workload.clients: `"two"` is no whole number; write a whole number from 1 to 10000
            bad.toml:3:11: workload.clients: `-1` is out of bounds; write a whole number from 1 to 10000
            bad.toml:3:11: workload.clients: `99999999999999999999` is out of bounds; write a whole number from 1 to 10000
            bad.toml:3:11: client.timeout: `100` is no span of time; write a whole number and us, ms, s, m, h or d, like `"100ms"` or `"24h"`
            bad.toml:3:9: weather.swarm: `"yes"` is neither true nor false; write `true` or `false`
            bad.toml:3:8: weather.late: `"1s"` is no list; write one in `[` and `]`
            bad.toml:3:9: weather.crash: `1979-05-27` is no rate; write a percentage from `"0%"` to `"100%"`, like `"0.5%"`
        "#]],
    );
}

#[test]
fn a_span_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\n[client]\ntimeout = \"100\"",
            "claim = \"c\"\n[client]\ntimeout = \"1.5s\"",
            "claim = \"c\"\n[client]\ntimeout = \"99999999999999999999s\"",
            "claim = \"c\"\n[weather]\nlate = [\"1s\", \"soon\"]",
            "claim = \"c\"\n[cache]\nreplication-lag = \"2h\"",
            "claim = \"c\"\n[topology]\nreplica-lag = \"late\"",
            "claim = \"c\"\n[cache]\nreplication-lag = \"0ms\"\n[weather]\nfail-over = \"1%\"",
            "claim = \"c\"\n[client]\nreconnects = \"yes\"",
            "claim = \"c\"\n[client]\nrestarts-after = 1",
            "claim = \"c\"\n[client]\nrestarts-after = 1000",
        ],
        &expect![[r#"
            bad.toml:3:11: client.timeout: `100` is no span of time; write a whole number and us, ms, s, m, h or d, like `"100ms"` or `"24h"`
            bad.toml:3:11: client.timeout: `1.5s` is no span of time; write a whole number and us, ms, s, m, h or d, like `"100ms"` or `"24h"`
            bad.toml:3:11: client.timeout: `99999999999999999999s` is too long; the longest is `"1h"`
            bad.toml:3:15: weather.late: `soon` is no span of time; write a whole number and us, ms, s, m, h or d, like `"100ms"` or `"24h"`
            bad.toml:3:19: cache.replication-lag: `2h` is too long; the longest is `"1h"`
            bad.toml:3:15: topology.replica-lag: `late` is no span of time; write a whole number and us, ms, s, m, h or d, like `"100ms"` or `"24h"`
            bad.toml:3:19: cache.replication-lag: the cache fails over, and its replica has everything; set `replication-lag = "20ms"`
            bad.toml:3:14: client.reconnects: `"yes"` is neither true nor false; write `true` or `false`
            bad.toml:3:18: client.restarts-after: a client has 1 operations, and no more after that; write a smaller number, or raise `workload.operations`
            bad.toml:3:18: client.restarts-after: `1000` is out of bounds; write a whole number from 0 to 999
        "#]],
    );
}

#[test]
fn a_clock_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\n[topology]\nclock-offset = \"30s\"",
            "claim = \"c\"\n[topology]\nclock-offset = [\"30\"]",
            "claim = \"c\"\n[topology]\nclock-offset = [\"0s\", \"--5s\"]",
            "claim = \"c\"\n[topology]\nclock-offset = [\"-2h\"]",
            "claim = \"c\"\n[topology]\nclock-offset = [\"0s\", \"0s\", \"1s\"]",
            "claim = \"c\"\n[topology]\nclock-drift = [\"200\"]",
            "claim = \"c\"\n[topology]\nclock-drift = [\"100001ppm\"]",
            "claim = \"c\"\n[topology]\nclock-drift = [\"99999999999999999999ppm\"]",
            "claim = \"c\"\n[topology]\nclock-drift = [200]",
            "claim = \"c\"\n[topology]\nclock-skew = []",
        ],
        &expect![[r#"
            bad.toml:3:16: topology.clock-offset: `"30s"` is no list; write one in `[` and `]`
            bad.toml:3:17: topology.clock-offset: `30` is no offset of a clock; write a span up to an hour, with `-` for a clock that is behind, like `"30s"` or `"-250ms"`
            bad.toml:3:23: topology.clock-offset: `--5s` is no offset of a clock; write a span up to an hour, with `-` for a clock that is behind, like `"30s"` or `"-250ms"`
            bad.toml:3:17: topology.clock-offset: `-2h` is no offset of a clock; write a span up to an hour, with `-` for a clock that is behind, like `"30s"` or `"-250ms"`
            bad.toml:3:16: topology.clock-offset: has 3 entries for 2 servers; write one entry a server, or fewer
            bad.toml:3:16: topology.clock-drift: `200` is no drift of a clock; write parts per million up to 100000, with `-` for a clock that is slow, like `"200ppm"` or `"-50ppm"`
            bad.toml:3:16: topology.clock-drift: `100001ppm` is no drift of a clock; write parts per million up to 100000, with `-` for a clock that is slow, like `"200ppm"` or `"-50ppm"`
            bad.toml:3:16: topology.clock-drift: `99999999999999999999ppm` is no drift of a clock; write parts per million up to 100000, with `-` for a clock that is slow, like `"200ppm"` or `"-50ppm"`
            bad.toml:3:16: topology.clock-drift: `200` is no text; write one in quotes
            bad.toml:3:1: topology.clock-skew: there is no such field; did you mean `clock-offset`?
        "#]],
    );
}

#[test]
fn a_lease_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\n[contract]\nlease = \"0s\"",
            "claim = \"c\"\n[contract]\nlease = \"2h\"",
            "claim = \"c\"\n[contract]\nlease = \"10s\"",
            "claim = \"c\"\n[contract]\nlease = \"1s\"\nbound = \"1s\"",
        ],
        &expect![[r#"
            bad.toml:3:9: contract.lease: is zero; write a span longer than zero
            bad.toml:3:9: contract.lease: `2h` is too long; the longest is `"1h"`
            bad.toml:3:9: contract.lease: a probe must be answered within 10s, but it may have to wait for a lease of 10s, and is answered after 10884ms at the latest; shorten the lease, or lengthen `contract.bound`
            bad.toml:3:9: contract.lease: a probe must be answered within 1s, but it may have to wait for a lease of 1s, and is answered after 1884ms at the latest; shorten the lease, or lengthen `contract.bound`
        "#]],
    );
    let own = "claim = \"c\"\n[contract]\nbound = \"1s\"";
    assert!(from_toml(own, "own.toml").is_ok(), "who sets no lease need not think of it");
}

#[test]
fn a_choice_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\n[workload]\nkind = \"charges\"",
            "claim = \"c\"\n[workload]\nkeys = \"stale\"",
            "claim = \"c\"\n[workload]\npayloads = \"shuffled\"",
            "claim = \"c\"\n[topology]\nprofile = \"postgresql\"",
            "claim = \"c\"\n[contract]\nin-flight = \"reject\"",
            "claim = \"c\"\n[contract]\nserver-errors = \"none\"",
        ],
        &expect![[r#"
            bad.toml:3:8: workload.kind: `charges` is not one of the choices; did you mean `charge`?
            bad.toml:3:8: workload.keys: `stale` is not one of the choices; choose from: fresh, reused-with-other-payload, same-for-tenants, same-for-consumers, fresh-for-each-attempt, missing, same-for-two-endpoints
            bad.toml:3:12: workload.payloads: `shuffled` is not one of the choices; choose from: same, reordered, stamped
            bad.toml:3:11: topology.profile: `postgresql` is not one of the choices; did you mean `postgres`?
            bad.toml:3:13: contract.in-flight: `reject` is not one of the choices; choose from: wait, refuse, take-over, either
            bad.toml:3:17: contract.server-errors: `none` is not one of the choices; choose from: retry, never
        "#]],
    );
}

#[test]
fn a_site_that_is_none() {
    let crash = |inner: &str| format!("claim = \"c\"\n[weather]\ncrash = {inner}");
    refuses(
        &[
            &crash("{ rate = \"1%\", at = [\"after aply\"] }"),
            &crash("{ rate = \"1%\", at = [\"during apply\"] }"),
            &crash("{ rate = \"1%\", at = [\"\"] }"),
            &crash("{ rate = \"1%\", at = [] }"),
            &crash("{ rate = \"1%\", at = \"apply\" }"),
            &crash("{ at = [\"apply\"] }"),
        ],
        &expect![[r#"
            bad.toml:3:30: weather.crash.at: `after aply` is no site; did you mean `after apply`?
            bad.toml:3:30: weather.crash.at: `during apply` is no site; write `before` or `after`, and one of: begin, claim, read, scan, insert, upsert, update, delete, apply, settle, release, commit, rollback, sleep, reply, call, undo, get, put, take, count
            bad.toml:3:30: weather.crash.at: `` is no site; write `before` or `after`, and one of: begin, claim, read, scan, insert, upsert, update, delete, apply, settle, release, commit, rollback, sleep, reply, call, undo, get, put, take, count
            bad.toml:3:29: weather.crash.at: an empty list is nowhere; list sites, or leave `at` out for everywhere
            bad.toml:3:29: weather.crash.at: `"apply"` is no list; write one in `[` and `]`
            bad.toml:3:9: weather.crash.rate: is missing; say how often, like `rate = "1%"`
        "#]],
    );
}

#[test]
fn a_moment_or_a_finding_that_is_none() {
    refuses(
        &[
            "claim = \"c\"\nmoments = [\"reply-list\"]",
            "claim = \"c\"\nmoments = [\"overtaken\", \"overtaken\"]",
            "claim = \"c\"\n[expect]\nno-dedup = [\"doubleeffect\"]",
            "claim = \"c\"\n[expect]\nno-dedup = [\"torn\", \"torn\"]",
            "claim = \"c\"\n[expect]\nno-dedup = \"torn\"",
            "claim = \"c\"\nexpect = []",
        ],
        &expect![[r#"
            bad.toml:2:12: moments: `reply-list` is no moment; did you mean `reply-lost`?
            bad.toml:2:25: moments: `overtaken` is listed twice; take one out
            bad.toml:3:13: expect.no-dedup: `doubleeffect` is no kind of finding; did you mean `double-effect`?
            bad.toml:3:21: expect.no-dedup: `torn` is listed twice; take one out
            bad.toml:3:12: expect.no-dedup: `"torn"` is no list; write one in `[` and `]`
            bad.toml:2:10: expect: `[]` is no section; write a section: `[expect]`
        "#]],
    );
}

#[test]
fn a_store_that_is_none() {
    refuses(
        &["claim = \"c\"\n[expect]\nno-dedop = []", "claim = \"c\"\n[expect]\n\"No Dedup\" = []"],
        &expect![[r#"
            bad.toml:3:1: expect.no-dedop: there is no such store; did you mean `no-dedup`?
            bad.toml:3:1: expect.No Dedup: is no name for a store; write words of small letters and digits, joined by `-`
        "#]],
    );
    let own = "claim = \"c\"\n[expect]\nmy-store = []\none-transaction-2 = []";
    assert!(from_toml(own, "own.toml").is_ok(), "a file may name a store of its own");
}

#[test]
fn a_scenario_that_nobody_knows() {
    let unknown = |name| find(name).expect_err("there is none").to_string();
    expect!["no scenario is called `lost-replay`; did you mean `lost-reply`?"]
        .assert_eq(&unknown("lost-replay"));
    expect!["no scenario is called `Lost_Reply`; did you mean `lost-reply`?"]
        .assert_eq(&unknown("Lost_Reply"));
    expect!["no scenario is called `q`; `sim list scenarios` shows them all"]
        .assert_eq(&unknown("q"));
}

#[test]
fn no_mutilation_of_a_good_file_panics() {
    let good = include_str!("../catalogue/rainy-night.toml");
    let told = |text: &str| {
        if let Err(bad) = from_toml(text, "cut.toml") {
            let message = bad.to_string();
            assert!(message.starts_with("cut.toml:") && !message.contains('\n'), "{message}");
            assert!(bad.line >= 1 && bad.column >= 1, "{message}");
        }
    };
    for (end, _) in good.char_indices() {
        told(&good[..end]);
    }
    let lines: Vec<&str> = good.lines().collect();
    for junk in ["", "]", "= 1", "é", "[expect]", "a.b.c = {}", "\"\"\"", "late = [[[[", "\u{7f}"]
    {
        for at in 0..lines.len() {
            let mut cut = lines.clone();
            cut[at] = junk;
            told(&cut.join("\n"));
        }
    }
    let deep = format!("claim = {}", "[".repeat(100_000));
    told(&deep);
    assert!(catalogue().len() >= 21, "the catalogue is whole");
}

#[test]
fn a_contract_that_nobody_makes() {
    refuses(
        &[
            "claim = \"c\"\n[contract]\nlike = \"sqs-fiffo\"\n",
            "claim = \"c\"\n[contract]\nlike = \"carrier-pigeon\"\n",
            "claim = \"c\"\n[contract]\nlike = 7\n",
            "claim = \"c\"\n[contract]\nwindow-from = \"creation\"\n",
            "claim = \"c\"\n[contract]\nin-flight = \"takeover\"\n",
            "claim = \"c\"\n[contract]\nstored = 5\n",
            "claim = \"c\"\n[contract]\nstored = \"2xx\"\n",
            "claim = \"c\"\n[contract]\nreplay = \"latest\"\n",
            "claim = \"c\"\n[service]\ndeclines = \"first\"\n",
            "claim = \"c\"\n[contract]\nlike = \"sqs-fifo\"\nwindow = \"1ms\"\n",
        ],
        &expect![[r#"
            bad.toml:3:8: contract.like: no contract is called `sqs-fiffo`; did you mean `sqs-fifo`?
            bad.toml:3:8: contract.like: no contract is called `carrier-pigeon`; choose from: brandur, directory-service-data, dynamodb-client-token, iceberg-rest, ietf, nats-jetstream, paypal, powertools, qonto, sqs-fifo, square, stripe-v1, stripe-v2
            bad.toml:3:8: contract.like: `7` is no text; write one in quotes
            bad.toml:3:15: contract.window-from: `creation` is not one of the choices; did you mean `completion`?
            bad.toml:3:13: contract.in-flight: `takeover` is not one of the choices; did you mean `take-over`?
            bad.toml:3:10: contract.stored: `5` is no text; write one in quotes
            bad.toml:3:10: contract.stored: `2xx` is not one of the choices; choose from: all, success, success-and-refusals
            bad.toml:3:10: contract.replay: `latest` is not one of the choices; choose from: identical, equivalent, current
            bad.toml:3:12: service.declines: `first` is not one of the choices; choose from: nothing, every-second, at-first
            bad.toml:4:10: contract.window: records count for 1ms, but an attempt may still arrive 15084ms after the first; lengthen the window, shorten the retries or the weather, or set `contract.expires = true` if that is the claim
        "#]],
    );
}
