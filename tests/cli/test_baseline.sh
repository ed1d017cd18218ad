#!/usr/bin/env bash
# Points and their baselines, where parameters are derived: cycles are launch_cycles and a constant.
. "$(dirname "$0")/lib.sh"

speedups() { # name, axes and derived parameters
    echo '{"name": "s", "traces": "traces/transpose.wst", "kernels": "1", "analysis": "timed", "gpu": "gtx480-wp",
        "base": {"limit.ctas": 2}, '"$2"'}' >"$WORK/$1.json"
    try "$W" sweep "$WORK/$1.json" --db "$WORK/$1.db"
    rows=$("$W" query "$WORK/$1.db" --csv "SELECT count(*), count(speedup), sum(speedup = 1 AND mechanism_front = 'none'),
        sum(abs(baseline_cycles - cycles) < 500) FROM s_speedup" | tail -1)
}

front='"axes": {"mechanism.front": ["none", "mrpb"], "mrpb.entries": [2, 4, 8]}'
speedups entries "$front"
expect "what is derived from nothing is compared with any baseline" 0 "over mechanism.front none; all 6 rows"
same "so that all baselines are alike" 6,6,3,6 "$rows"
try "$W" sweep "$WORK/entries.json" --db "$WORK/part.db" --shard 0/2
same "a part, whose baselines may be in another one, is not told of" 0 "$(grep -c 'over mechanism' <<<"$err")"

speedups alone '"axes": {"mechanism.front": ["none"]}'
expect "a baseline alone is its own" 0 "s_speedup: over mechanism.front none; all 1 rows have a baseline"

speedups derived "$front"', "derived": {"core.launch_cycles": "1000 * mrpb_entries"}'
expect "what follows from an axis that is not compared is compared" 0 "at equal core.launch_cycles; all 6 rows have a baseline"
same "each with the baseline that has its value" 6,6,3,6 "$rows"

speedups twice "$front"', "derived": {"mrpb.latency": "mrpb_entries", "core.launch_cycles": "1000 * mrpb_latency"}'
expect "also over another one, which itself is idle" 0 "at equal core.launch_cycles; all 6 rows have a baseline"
same "with the right baseline" 6,6,3,6 "$rows"

speedups pruned "$front"', "derived": {"core.launch_cycles": "1000 * mrpb_entries"},
    "where": "mechanism_front = '"'mrpb'"' OR mrpb_entries = 2"'
expect "a point whose baseline is left out is told of" 0 "2 of 4 rows have no baseline"
same "and has none" 4,2,1,2 "$rows"

speedups ways '"axes": {"mechanism.front": ["none", "mrpb"], "l1.size_B": [16384, 32768]},
    "derived": {"l1.ways": "l1_size_B / 4096"}'
expect "what follows from axes that are compared need not be named" 0 "at equal l1.size_B; all 4 rows have a baseline"
same "and all are compared" 4,4,2 "${rows%,*}"
finished
