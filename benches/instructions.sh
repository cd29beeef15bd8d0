#!/usr/bin/env bash
# Counts the instructions that an event of the reference workload takes, and holds them to a bound.
#
#   benches/instructions.sh target/release/w1
#
# What the program does before its first seed is taken off: two runs, one of 20 seeds and one of 120. The
# bounds are in `benches/instructions.txt`, a line a tier. More than the bound fails; so does a twentieth less:
# then the bound is to be lowered, or the next regression hides below it.
set -euo pipefail
program="$1"
bounds="$(dirname "$0")/instructions.txt"

# Prints the instructions and the events of so many seeds.
count() {
    local log
    log="$(mktemp)"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" 0 "$2" 2> "$log" |
        sed 's/.*"events":\([0-9]*\).*/\1/'
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$log"
    rm "$log"
}

status=0
while read -r tier bound; do
    [[ "$tier" != "#"* && -n "$tier" ]] || continue
    mapfile -t few < <(count "$tier" 20)
    mapfile -t many < <(count "$tier" 120)
    [ "${#few[@]}" = 2 ] && [ "${#many[@]}" = 2 ] || { echo "error: valgrind counted nothing" >&2; exit 3; }
    each=$(((many[1] - few[1]) / (many[0] - few[0])))
    if [ "$each" -gt "$bound" ]; then
        echo "$tier: $each instructions an event, and the bound is $bound"
        status=3
    elif [ "$each" -lt $((bound * 19 / 20)) ]; then
        echo "$tier: $each instructions an event; lower the bound of $bound in $bounds"
        status=3
    else
        echo "$tier: $each instructions an event, at most $bound"
    fi
done < "$bounds"
exit "$status"
