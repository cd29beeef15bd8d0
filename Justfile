# Recipes for people. What CI runs is in `.ci/run`, and only there: the recipes call it.

# List the recipes
default:
    @just --list

# All that CI runs
ci:
    .ci/run

# Tests
test:
    .ci/run test

# Format and clippy
lint:
    .ci/run lint

# Search random seeds: `just hunt --seeds 1000000 --store check-then-act`
hunt *ARGS:
    cargo run --release -- hunt {{ARGS}}

# The long campaign behind `scenarios/EXPECTATIONS.md`: 20,000 seeds a cell, and 100,000 for the right stores
campaign:
    cargo run --release -- suite --seeds 20000
    cargo run --release -- hunt --seeds 100000 --store one-transaction --store one-transaction-409 \
        --scenario lost-request --scenario lost-reply --scenario network-duplicate \
        --scenario same-instant --scenario late-duplicate --scenario partition \
        --scenario crash-between-effect-and-key --scenario crash-between-key-and-effect \
        --scenario crash-after-commit-before-reply --scenario lamp-tips-over \
        --scenario client-hangs-up --scenario server-pauses --scenario overtaking \
        --scenario reused-key --scenario two-tenants --scenario board-is-only-so-big \
        --scenario two-attempts --scenario rainy-night

# Shrinks so many findings, tries to shrink each further by brute force, and prints how they are distributed
shrinks FINDINGS="10000":
    SHRINK_FINDINGS={{FINDINGS}} cargo test -p onestroke-sim --test shrink -- --nocapture --test-threads 1

# Each public bug with the store that has it and the one that has it not, over so many seeds, as a table
bugs SEEDS="10000":
    BUGS_SEEDS={{SEEDS}} cargo test -p onestroke-sim --test bugs -- --nocapture

# Mutants of the stores: each must be killed by a scenario, or explained. Needs `cargo install cargo-mutants`, and well over an
# hour on two cores
mutants *ARGS:
    cargo mutants -p onestroke-store -f 'store/src/stores/**/*.rs' -f store/src/record.rs -E 'Default::default' \
        --test-workspace=true --baseline=skip --no-shuffle --timeout 300 \
        -C=--test=catalogue -C=--test=bugs -C=--test=suite_for_ci {{ARGS}}

# Benches, or one group of them: `just bench queue`
bench *ARGS:
    cargo bench -p onestroke-benches -- {{ARGS}}

# The same work on other simulators, beside ours, in five rounds; `just peers quick` for one short round
peers *ARGS:
    cd benches/peers && cargo run --release --locked --package peers -- {{ARGS}}

# The README's two commands, in a fresh clone
fresh:
    #!/usr/bin/env bash
    set -euo pipefail
    folder="$(mktemp -d)"
    trap 'rm -rf "$folder"' EXIT
    git clone --quiet . "$folder/onestroke"
    cd "$folder/onestroke"
    status=0
    cargo run --release -- --seed 42 --store check-then-act || status=$?
    # It catches the store, and says so with 1.
    [ "$status" = 1 ] || { echo "exit code $status, and it should be 1" >&2; exit 1; }
    cargo test --workspace
