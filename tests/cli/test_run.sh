#!/usr/bin/env bash
# run: GPUs, settings, the report, JSON.
. "$(dirname "$0")/lib.sh"
small_trace "$WORK/small"
"$W" import "$WORK/small/kernelslist.g" -o "$WORK/s.wst" 2>/dev/null

number() { # path in the JSON of $out: a small reader of our own output: "l1.hits" of the first launch
    awk -v want="$1" '
        /"kernels": \[/ { inside = 1 }
        inside && /"(l1|l2|noc|dram)": \{/ { gsub(/[": {]/, ""); group = $0 "."; next }
        inside && /^ *\},?$/ { group = "" }
        inside && match($0, /"[a-z0-9_]+": /) {
            name = $0; gsub(/^ *"|".*$/, "", name)
            if (group name == want) { value = $0; gsub(/^.*: |,$/, "", value); print value; exit }
        }' <<<"$out"
}

# ---- the report
try "$W" run "$WORK/s.wst"
expect "run on the default GPU" 0
has "it names the launches" "$out" "columns"
has "it adds them up" "$out" "total"
has "it shows what became of the accesses" "$out" "pending hit"
has "and the DRAM" "$out" "DRAM bursts: "
has "the launches, too, say what of DRAM is counted" "$out" "L2 hit %  DRAM bursts  row hit %"
has "the unit of an L1 access" "$out" "L1 accesses (lines, parts for narrow data): "
same "nothing goes past the L1" "" "$(grep 'past the L1' <<<"$out")"
same "no line ends in a blank" "" "$(grep -n ' $' <<<"$out")"
plain=$out
try "$W" run "$WORK/s.wst"
same "twice the same" "$plain" "$out"
try "$W" run traces/histogram.wst -k 1 -g accelsim-rtx3070s
has "another unit" "$out" "L1 accesses (sectors): "
has "atomics are none" "$out" "bypassing the L1, in addition: "
explained=$("$W" help run | awk -v RS= 'NR > 3' | sed -n 's/^  \([A-Za-z.]\)/\1/p') # label, counters
try "$W" run traces/transpose.wst -g gtx480-wp --set limit.ctas=32
labels=$(sed -nE 's/^  ([A-Za-z][A-Za-z, ]*[a-z]) +[0-9,]+ +[0-9.]+ %.*/\1/p' <<<"$out" | sort -u)
same "there are rows of all kinds" "LSU full|MSHRs full|hit|issued" "$(grep -x 'issued\|LSU full\|hit\|MSHRs full' <<<"$labels" | paste -sd '|')"
same "help has each row of the report" "" "$(sed 's/  .*//' <<<"$explained" | sort | comm -13 - <(echo "$labels"))"
unknown=
for name in $(grep -oE '[a-z0-9]+(_[a-z0-9]+)+' <<<"$explained" | grep -vx to_sm); do
    "$W" help "$name" >/dev/null 2>&1 || unknown+=" $name"
done
same "and explains the counters that it shows" "" "$unknown"

# ---- JSON: `columns` has 4 warps with 32 lines to load and 1 to store each; `rows` reads 1 or 2 lines per warp.
try "$W" run "$WORK/s.wst" --gpu accelsim-gtx480s --json
expect "run --json" 0
same "warp instructions" 16 "$(number warp_instructions)"
same "thread instructions" $((4 * (3 * 32 + 8))) "$(number thread_instructions)"
same "L1 accesses are lines" $((4 * 32 + 4)) "$(number l1.accesses)"
same "they add up" $((4 * 32 + 4)) $(($(number l1.hits) + $(number l1.pending_hits) + $(number l1.misses) + $(number l1.sector_misses)))
same "so do those of the L2" "$(number l2.accesses)" $(($(number l2.hits) + $(number l2.pending_hits) + $(number l2.misses) + $(number l2.sector_misses)))
for name in cycles ipc l1.reservation_fails l2.reservation_fails noc.packets_to_memory noc.packets_to_sm dram.reads dram.writes; do
    [[ -n $(number $name) ]] && ok "JSON has $name" || not_ok "JSON has $name" "$out"
done
has "the whole configuration is in it" "$out" '"gpu.clusters": 4'
has "the GPU is named" "$out" '"gpu": "accelsim-gtx480s"'
lines=$(number l1.accesses)
try "$W" run "$WORK/s.wst" --gpu accelsim-gtx480s --set l1.access=sector --json
same "sectors of the same loads" "$lines" "$(number l1.accesses)"
try "$W" run "$WORK/s.wst" -g accelsim-gtx480s -k rows --json
has "one launch" "$out" '"short_name": "rows"'
same "only that one" 1 "$(grep -c '"short_name"' <<<"$out")"
# `rows`, per CTA: its warps load 1 + 2 lines and store 1 + 1. In sectors, they load 4 + 5 and store 1 + 1.
same "its lines" 10 "$(number l1.accesses)"
try "$W" run "$WORK/s.wst" -g accelsim-rtx3070s -k rows --json
same "its sectors" 22 "$(number l1.accesses)"
same "the launch latency is in the cycles" 1 $(($(number cycles) > 5000))

# ---- what counters mean: each is in the help
unknown=
for name in $(awk '/"total": \{/ { inside = 1; next }
                   !inside { next }
                   /\{/ { group = $1 "_"; gsub(/[":]/, "", group); next }
                   /\}/ { group = ""; next }
                   { name = $1; gsub(/[":]/, "", name); print group name }' <<<"$out" | grep -v reservation_fails); do
    "$W" help timed | grep -q "^  $name " || unknown+=" $name"
done
same "each is in 'help timed'" "" "$unknown"

# ---- settings that change nothing
try "$W" run "$WORK/s.wst" --set mrpb.entries=4,l1.mshr_entries=16
expect "a parameter of a mechanism that is off" 0 \
    "--set mrpb.entries changes nothing: the mechanism mrpb is off; --set mechanism.front=mrpb turns it on"
try "$W" run "$WORK/s.wst" --set mrpb.entries=4,mechanism.front=mrpb
same "of one that is on" "" "$err"
try "$W" run "$WORK/s.wst" --set mechanism.partition=reorder,reorder.index_pc=0x999,reorder.access_pc=0x998
has "a mechanism without work says so" "$out" "It did nothing in these launches; 'warpsweep help reorder' says what it works on."
try "$W" run "$WORK/s.wst" --set mechanism.front=mrpb
same "one with work does not" 0 "$(grep -c "It did nothing" <<<"$out")"
try "$W" run "$WORK/s.wst" --set gpu=v100
expect "a GPU as a parameter" 2 "--set: expected a parameter, found 'gpu'; --gpu v100 chooses a GPU"
try "$W" run "$WORK/s.wst" --set dram.clock_ratio=0.000001
expect "a number as it was written" 2 "found 1e-6"
try env WARPSWEEP_GPUS="$WORK" "$W" run "$WORK/s.wst" --gpu v100
expect "no GPU at all" 2 "no GPU is called 'v100': there is none in $WORK"
try "$W" run "$WORK/s.wst" --kernels 2-5
expect "launches beyond the last" 0 "--kernels 2-5: $WORK/s.wst has no launch after 2"
try "$W" run "$WORK/s.wst" --set core.swl_warps=4
expect "a parameter of another scheduler" 0 "--set core.swl_warps changes nothing: sm.scheduler is not swl"
try "$W" run "$WORK/s.wst" --set core.swl_warps=4,sm.scheduler=swl
same "of the one that is chosen" "" "$err"
try "$W" run "$WORK/s.wst" --set mechanism.front=mrpb,mrpb.signature=none,mrpb.drain=round_robin
expect "a parameter of a part of a mechanism that is off" 0 "--set mrpb.drain changes nothing: mrpb.signature is none"
try "$W" run "$WORK/s.wst" --set core.register_banks=4
expect "a parameter of what there is none of" 0 "--set core.register_banks changes nothing: core.collectors is 0"
try "$W" run "$WORK/s.wst" --set core.perfect_memory=true,noc.latency=9,l2.size_B=131072,l2.partition=random,dram.channels=4
same "parameters of a memory that answers at once" "0 --set noc.latency changes nothing: core.perfect_memory is true
--set l2.size_B counts for energy and area alone: core.perfect_memory is true
--set l2.partition changes nothing unless it is refused: core.perfect_memory is true" "$status $err"
try "$W" run "$WORK/s.wst" --gpu accelsim-rtx3070 --set l1.size_B=65536
expect "the size of an L1 that has its share of an array" 0 \
    "--set l1.size_B gives the number of sets, not the capacity: l1.unified_B is not 0"
try "$W" run "$WORK/s.wst" --gpu accelsim-rtx3070
same "a GPU's own settings are not the user's" "" "$err"
sweep_of() { # the mechanism that is not WarpPool; that of warppool.queues changes nothing there, but repeats no result
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed",
           "axes": {"warppool.queues": [8], "mrpb.latency": [1], "mrpb.entries": [4, 8], "mechanism.front": ["'"$1"'", "warppool"]}}' >"$WORK/$1.json"
    try "$W" sweep "$WORK/$1.json" --db "$WORK/$1.db"
}
sweep_of none
expect "an axis that no point heeds" 0 "s: \$.axes['mrpb.entries'] changes nothing: no point has the mechanism mrpb"
sweep_of mrpb
same "that some points heed" "" "$(grep 'changes nothing' <<<"$err")"
has "and which points have the results of others" "$err" \
    "s: 1 of 4 combinations differ from others only in axes that change nothing there (mrpb.entries)"
same "they have" "cycles
1" "$("$W" query "$WORK/mrpb.db" --csv "SELECT max(n) AS cycles FROM (SELECT count(DISTINCT cycles) AS n FROM s
    WHERE mechanism_front = 'warppool' GROUP BY launch)")"
try "$W" sweep "$WORK/mrpb.json" --dry-run
has "they share a replay" "$(tr -s ' ' <<<"$out")" "passes 3
.. points, up to 4"
sed -i "s/\"axes\"/\"where\": \"mechanism_front = 'mrpb' OR mrpb_entries = 8\", &/" "$WORK/mrpb.json"
try "$W" sweep "$WORK/mrpb.json" --dry-run
same "where leaves them out" "" "$(grep 'change nothing' <<<"$err")"
echo '{"name": "own", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "kernels": "1", "base": {"core.simd_width": 16},
       "axes": {"core.fp_collectors": [0, 4]}}' >"$WORK/own.json"
try "$W" sweep "$WORK/own.json" --db "$WORK/own.db"
expect "a value that is refused" 4 "expected 0 with core.sub_cores"
same "does not count as a repetition" 0 "$(grep -c 'share replays' <<<"$err")"
same "shares no replay with one that changes nothing, either" "0 done|4 failed" "$("$W" query "$WORK/own.db" --csv "SELECT
    core_fp_collectors || ' ' || status AS one FROM point p JOIN timed_config c ON c.id = p.config ORDER BY 1" | tail -n +2 | paste -sd '|')"
# Of the points, which take about as long as each other, each sixth has the same mechanisms.
echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "axes": {"l2.latency": {"range": [100, 119]},
       "mechanism.fetch": ["none", "coarse"], "mechanism.front": ["none", "mrpb", "warppool"]}}' >"$WORK/rows.json"
try "$W" sweep "$WORK/rows.json" --dry-run
about() { sed -n "s/^$1 *about //p" <<<"$out" | tr -d ,; }
rows=$(about rows)
"$W" sweep "$WORK/rows.json" --db "$WORK/rows.db" >/dev/null 2>&1
near() { echo "$1 $2" | awk '{ print ($1 / $2 > 0.7 && $1 / $2 < 1.4) ? "near" : $1 " to " $2 }'; }
same "a dry run tells about how many rows there will be" near "$(near "$rows" "$("$W" query "$WORK/rows.db" --csv "SELECT
    (SELECT count(*) FROM timed) + (SELECT count(*) FROM mechanism_cost) + (SELECT count(*) FROM coarse_counters) +
    (SELECT count(*) FROM mrpb_counters) + (SELECT count(*) FROM warppool_counters)" | tail -1)")"
try "$W" sweep "$WORK/rows.json" --db "$WORK/rows.db" --dry-run
has "where all is stored, the database does not grow" "$(tr -s ' ' <<<"$out")" "database bytes 0"
sed -i 's/100, 119/100, 100/' "$WORK/rows.json"
try "$W" sweep "$WORK/rows.json" --dry-run
"$W" sweep "$WORK/rows.json" --db "$WORK/few.db" >/dev/null 2>&1
same "a new one is larger than its points" near "$(near "$(about "database bytes")" "$(stat -c %s "$WORK/few.db")")"
swl_sweep() { # scheduler beside gto
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed",
           "axes": {"core.swl_warps": [4, 8], "sm.scheduler": ["'"$1"'", "gto"]}}' >"$WORK/$1.json"
    try "$W" sweep "$WORK/$1.json" --db "$WORK/$1.db"
}
swl_sweep lrr
expect "an axis of another scheduler" 0 "s: \$.axes['core.swl_warps'] changes nothing: no point has sm.scheduler swl"
swl_sweep swl
same "of one that some points have" "" "$(grep 'changes nothing' <<<"$err")"
sizes_of() { # GPUs
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "base": {"l1.index": "linear"},
           "axes": {"gpu": '"$1"', "l1.size_B": [16384, 32768]}}' >"$WORK/sizes.json"
    try "$W" sweep "$WORK/sizes.json" --dry-run
}
sizes_of '["gtx480-wp", "v100"]'
expect "an axis that means another thing on one GPU" 0 \
    "s: \$.axes['l1.size_B'] gives the number of sets, not the capacity, in 2 of 4 combinations: those with l1.unified_B other than 0"
sizes_of '["v100"]'
expect "on all GPUs" 0 "s: \$.axes['l1.size_B'] gives the number of sets, not the capacity: no point has l1.unified_B 0"
sizes_of '["gtx480-wp"]'
same "on none" "" "$(grep 'number of sets' <<<"$err")"
axis_of() { # analysis and fidelity, axis
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": '"$1"', "axes": {"'"$2"'": [1, 2]}}' >"$WORK/axis.json"
    try "$W" sweep "$WORK/axis.json" --dry-run
}
for analysis in funnel icl; do
    axis_of '"'$analysis'", "fidelity": "timed"' $analysis.ways
    expect "the L1s of $analysis beside those of a timed replay" 0 \
        "s: \$.axes['$analysis.ways'] changes nothing: in this fidelity the parameters of l1 count instead"
    axis_of '"'$analysis'"' $analysis.ways
    same "of $analysis in order" "" "$(grep 'changes nothing' <<<"$err")"
done
axis_of '"spatial"' gpu.clusters
expect "clusters, where nothing is replayed" 0 \
    "s: \$.axes['gpu.clusters'] changes nothing: the analysis spatial needs no replay"
axis_of '"spatial"' sm.ctas
same "what an SM may hold" "" "$(grep 'changes nothing' <<<"$err")"

# ---- a baseline that nothing is compared with
baseline_of() { # analysis, condition
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "'"$1"'", "axes": {"gpu.clusters": [1, 2]},
           "baseline": {"gpu.clusters": 1}, "where": "'"$2"'"}' >"$WORK/baseline.json"
    try "$W" sweep "$WORK/baseline.json" --dry-run
}
baseline_of window 1
expect "a baseline where points are not compared" 0 \
    "s: \$.baseline changes nothing: the analysis window does not compare points"
baseline_of timed "gpu_clusters > 1"
expect "a baseline that is no point" 0 "s: no point is the baseline that others are compared with, so that s_speedup"
has "it says what to do" "$err" "expected one that \$.axes, \$.where and \$.sampling keep"
baseline_of timed 1
same "a baseline that is one" "" "$err"

# ---- a clock that energies do not go by
energies_of() { # GPUs
    echo '{"name": "s", "traces": ["'"$WORK"'/s.wst"], "analysis": "timed", "energy": "xi", "axes": {"gpu": ['"$1"']}}' >"$WORK/clock.json"
    try "$W" sweep "$WORK/clock.json" --dry-run
}
energies_of '"gtx480-wp", "v100"'
expect "a GPU of another clock" 0 "s: seconds and joules go by the clock of \$.energy, 1400 MHz, but dram.core_MHz is another in 1 of 2 combinations, such as 1132 MHz"
energies_of '"gtx480-wp"'
same "one that names no clock" "" "$err"

# ---- settings that matter only to launches that run at the same time
try "$W" run "$WORK/s.wst" --set core.first_launch_sms=4
expect "SMs of its own for the only launch" 0 \
    "--set core.first_launch_sms changes nothing: core.concurrent_launches is 1, and one program runs"
try "$W" run "$WORK/s.wst" --set core.first_launch_sms=4 --concurrent
same "for the first of several, of which a trace of one stream has none" \
    "--concurrent changes nothing: all launches of $WORK/s.wst are of one stream" "$err"
try "$W" run "$WORK/s.wst" --set core.first_launch_sms=4 --with "$WORK/s.wst"
same "for the first program" "" "$err"
try "$W" run "$WORK/s.wst" --set core.loop_programs=false,core.concurrent_launches=2
expect "a second program that there is none of" 0 "--set core.loop_programs changes nothing: one program runs"
together_sweep() { # further keys
    echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "base": {"core.first_launch_sms": 4},
           "derived": {"core.loop_programs": "l1_ways > 4"}, "axes": {"l1.ways": [4, 8]}'"${1:-}"'}' >"$WORK/t.json"
    try "$W" sweep "$WORK/t.json" --db "$WORK/t.db" --dry-run
}
together_sweep
expect "a base that no point heeds" 0 "s: \$.base['core.first_launch_sms'] changes nothing:\
 all points have core.concurrent_launches 1, and no program runs beside another (\"with\")"
expect "nor what is derived" 0 \
    "s: \$.derived['core.loop_programs'] changes nothing: no program runs beside another (\"with\")"
together_sweep ', "with": "'"$WORK"'/s.wst"'
same "with a second program" "" "$(grep 'changes nothing' <<<"$err")"

# ---- of many reasons why points fail, twenty are reported
echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "axes": {"l1.size_B": {"range": [16384, 16407]}}}' >"$WORK/odd.json"
try "$W" sweep "$WORK/odd.json" --db "$WORK/odd.db" --dry-run
same "and how many points have others" "20 would fail: 6 points for further reasons (of stored points: results/failures.sql)" \
    "$(grep -c 'would fail: 2 points: l1.size_B: expected a multiple' <<<"$err") $(grep further <<<"$err")"
same "passes are those that compute something, and points those that they compute" "48 46 1 2" "$(awk '/^to compute|would fail|^passes|points, / { print $NF }' <<<"$out" | xargs)"

# ---- limits: `columns` has two CTAs
try "$W" run "$WORK/s.wst" -k columns --set limit.ctas=1
expect "a limit" 0
has "the launch is marked" "$out" "launch 1 is truncated by limits: 1 of its 2 CTAs ran"
try "$W" run "$WORK/s.wst" -k columns --set limit.ctas=1 --json
same "its CTAs in JSON" 1 "$(number ctas)"
has "and marked" "$out" '"truncated": true'
try "$W" run "$WORK/s.wst" -k columns --set limit.ctas=2 --json
has "nothing is cut" "$out" '"truncated": false'

# ---- settings
try "$W" run "$WORK/s.wst" --set l1.size_B=32768,l1.ways=8 --set sm.scheduler=lrr -s dram.clock_ratio=1.5 --json
expect "several settings" 0
for text in '"l1.size_B": 32768' '"l1.ways": 8' '"sm.scheduler": "lrr"' '"dram.clock_ratio": 1.5'; do
    has "set: $text" "$out" "$text"
done
try "$W" run "$WORK/s.wst" --gpu gtx480-wp --set l1.size_B=16384 --json
has "a setting comes after the GPU" "$out" '"l1.size_B": 16384'
try "$W" run "$WORK/s.wst" --set l1.sise_B=1
expect "an unknown parameter" 2 'did you mean "l1.size_B"?'
try "$W" run "$WORK/s.wst" --set coalesce.line_B=64
expect "one of another fidelity" 2 "found \"coalesce.line_B\"; 'warpsweep help coalesce.line_B' tells which others have it"
try "$W" run "$WORK/s.wst" --set l1.size_B
expect "a setting without a value" 2 "--set: expected NAME=VALUE, found 'l1.size_B'"
try "$W" run "$WORK/s.wst" --set " l1.size_B = , l1.ways=2"
expect "one of blanks" 2 "--set: expected NAME=VALUE, found 'l1.size_B='"
try "$W" run "$WORK/s.wst" --json --set " l1.size_B = 32768 , warppool.queues = 2"
expect "blanks around names and values" 0 "--set warppool.queues changes nothing: "
has "are no part of them" "$out" '"l1.size_B": 32768,'
try "$W" run "$WORK/s.wst" --set l1.size_B=large
expect "a value of another type" 2 "--set l1.size_B"
"$W" run "$WORK/s.wst" --set l1.mshr_entries=0x1a --json >"$WORK/hex.json"
"$W" run "$WORK/s.wst" --set l1.mshr_entries=26 --json >"$WORK/decimal.json"
same "a value in hexadecimal" "$(cat "$WORK/decimal.json")" "$(cat "$WORK/hex.json")"
try "$W" run "$WORK/s.wst" --set l1.mshr_entries=0x1g
expect "a hexadecimal number with another letter" 2 'found "0x1g"'
try "$W" run "$WORK/s.wst" --set l1.mshr_entries=0
expect "no MSHRs" 2 "l1.mshr_entries"
try "$W" run "$WORK/s.wst" --set l1.size_B=10000
expect "a size that cannot be" 2 "l1.size_B: expected a multiple"
try "$W" run "$WORK/s.wst" --set sm.warps=1,sm.schedulers=1
expect "a CTA that does not fit" 3 "raise sm.warps"
same "nothing is printed" "" "$out"

# ---- GPUs
try "$W" run "$WORK/s.wst" --gpu accelsim-gtx480x
expect "an unknown GPU" 2 "no GPU is called 'accelsim-gtx480x': did you mean"
echo '{"like": "gtx480"}' >"$WORK/mine.json"
try env -C "$WORK" "$W" run s.wst --gpu mine
expect "a file's name without its ending" 2 "no GPU is called 'mine': did you mean the file 'mine.json'?"
try "$W" help gtx480-wp
has "help of a GPU has its values with their sources" "$out" "WP tab. 2: 64 sets, 4-way"
has "and those of what it is like" "$out" "[accelsim-gtx480]"
same "each parameter once" "" "$(awk 'NR > 1 { print $1 }' <<<"$out" | sort | uniq -d)"
same "with the value that counts" 32768 "$(awk '$1 == "l1.size_B" { print $2 }' <<<"$out")"
same "as it was given" 1.319999 "$(awk '$1 == "dram.clock_ratio" { print $2 }' <<<"$out")"
try "$W" list
has "list names the GPUs" "$out" "clustered-60sm"
try env WARPSWEEP_GPUS="$WORK/nowhere" "$W" list
expect "no folder of GPUs" 1 "nowhere"
printf '{"name": "mine", "summary": "s", "parameters": {"l1.ways": {"value": 2, "source": "a guess"}}}\n' >"$WORK/mine.json"
try "$W" run "$WORK/s.wst" --gpu "$WORK/mine.json" --set l1.size_B=10000
expect "a setting that does not fit it" 2 "l1.size_B: expected a multiple"
sed 's/"mine"/"ours"/; s/"l1.ways": {"value": 2/"l1.size_B": {"value": 10000/' "$WORK/mine.json" >"$WORK/ours.json"
try "$W" run "$WORK/s.wst" --gpu "$WORK/ours.json" --set l1.index=linear
expect "a file whose values do not fit, whatever is set" 3 "l1.size_B: expected a multiple"
try "$W" run "$WORK/s.wst" --gpu "$WORK/mine.json" --json --set l1.index=linear
expect "a GPU of one's own" 0
has "its value" "$out" '"l1.ways": 2'

printf '{"name": "like", "summary": "s", "like": "gtx480-wp", "parameters": {"core.int_latency": {"value": 9, "source": "a guess"}}}\n' >"$WORK/like.json"
try "$W" run "$WORK/s.wst" --gpu "$WORK/like.json" --json
expect "that is like one of the installation" 0
has "which has this value" "$out" '"l1.mshr_entries": 32'
has "and it another" "$out" '"core.int_latency": 9'
echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "axes": {"gpu": ["'"$WORK"'/like.json", "gtx480-wp"]}}' >"$WORK/gpus.json"
try "$W" sweep "$WORK/gpus.json" --db "$WORK/gpus.db"
expect "in a sweep" 0
sed 's/"timed"/"window"/' "$WORK/gpus.json" >"$WORK/alike.json"
try "$W" sweep "$WORK/alike.json" --db "$WORK/alike.db"
has "where they are alike, it says so" "$out" "stored once, under the others' names"
has "and names them" "$err" "s: GPU gtx480-wp equals $WORK/like.json in all that the analysis window reads, at 1 combination: stored once, as $WORK/like.json"
try "$W" query "$WORK/alike.db" "SELECT DISTINCT gpu FROM s" --csv
same "and that name is" "gpu
$WORK/like.json" "$out"

bad() { # name, words of the message, text of the file
    printf '%s\n' "$3" >"$WORK/bad.json"
    try "$W" run "$WORK/s.wst" --gpu "$WORK/bad.json"
    expect "$1" 3 "$2"
}
bad "no JSON" "bad.json:2:" '{"name"'
bad "another name" '$.name: expected "bad"' '{"name": "b", "summary": "s", "parameters": {}}'
bad "no summary" '$.summary' '{"name": "bad", "parameters": {}}'
bad "an unknown key" 'found "paramters"' '{"name": "bad", "summary": "s", "paramters": {}}'
bad "a value without source" "parameters['l1.ways']: expected" '{"name": "bad", "summary": "s", "parameters": {"l1.ways": {"value": 2}}}'
bad "an unknown parameter of a GPU" "did you mean \"l1.ways\"?" '{"name": "bad", "summary": "s", "parameters": {"l1.wayz": {"value": 2, "source": "x"}}}'
bad "a value out of bounds" "parameters['l1.ways'].value" '{"name": "bad", "summary": "s", "parameters": {"l1.ways": {"value": 0, "source": "x"}}}'
echo '{"name": "back", "summary": "s", "like": "bad", "parameters": {}}' >"$WORK/back.json"
bad "like each other" "back.json: \$.like: expected a preset that is not like this one in turn, found a circle: \"bad\" like \"back\" like \"bad\"" '{"name": "bad", "summary": "s", "like": "back", "parameters": {}}'
bad "like itself" "expected another preset, of its folder or of $WARPSWEEP_GPUS, found \"bad\": a preset cannot be like itself" '{"name": "bad", "summary": "s", "like": "bad", "parameters": {}}'
bad "like nothing" "bad.json: \$.like: expected another preset, of its folder or of $WARPSWEEP_GPUS, found \"nothing\"" '{"name": "bad", "summary": "s", "like": "nothing", "parameters": {}}'

bad "like one misspelt" 'found "gtx480wp"; did you mean "gtx480-wp"?' '{"name": "bad", "summary": "s", "like": "gtx480wp", "parameters": {}}'
mkdir "$WORK/gpus"
ln -s nowhere.json "$WORK/gpus/gone.json"
WARPSWEEP_GPUS=$WORK/gpus try "$W" run "$WORK/s.wst" --gpu gone
expect "a GPU whose file leads nowhere" 1 "gone.json: cannot be read: No such file or directory at the end of this link"
"$W" help run | sed -n '/{"name": "wide"/,$p' >"$WORK/wide.json"
try "$W" run "$WORK/s.wst" --gpu "$WORK/wide.json"
expect "a GPU as the help writes it" 0
try "$W" run "$WORK/s.wst" --gpu "$WORK/wide"
expect "without its ending" 1 "wide: cannot be read: No such file or directory; did you mean '$WORK/wide.json'?"
sed 's/wide"/odd"/; s/l1.mshr_entries/l1.size_B/; s/128/33000/' "$WORK/wide.json" >"$WORK/odd.json"
try "$W" run "$WORK/s.wst" --gpu "$WORK/odd.json"
expect "one whose values do not fit each other" 3 "run: $WORK/odd.json: l1.size_B: expected a multiple"
echo '{"name": "s", "traces": "'"$WORK"'/s.wst", "analysis": "timed", "gpu": "mygpu.json"}' >"$WORK/mine.json"
try "$W" sweep "$WORK/mine.json" --db "$WORK/mine.db"
expect "a specification's GPU that is not where it is looked for" 1 \
    "\$.gpu: mygpu.json: cannot be read: No such file or directory; it is looked for in the current directory"
sed -i 's/"gpu".*/"energy": ".\/joules.json"}/' "$WORK/mine.json"
try "$W" sweep "$WORK/mine.json" --db "$WORK/mine.db"
expect "its table of energies" 1 "joules.json: cannot be read: No such file or directory; it is looked for in the current"

# ---- the timeline
try "$W" run "$WORK/s.wst" --timeline "$WORK/time.csv" --period 100 --json
expect "a timeline" 0
same "its columns are explained" "launch,kernel,$("$W" help timeline_period | sed '1,/^results/d' |
    grep -o '^  [a-zA-Z0-9_]*' | xargs | tr ' ' ,)" "$(head -1 "$WORK/time.csv")"
cat >"$WORK/time.json" <<END
{"name": "over_time", "traces": ["$WORK/s.wst"], "analysis": "timeline", "base": {"timeline.period": 100}}
END
"$W" sweep "$WORK/time.json" --db "$WORK/time.db" >/dev/null 2>&1
same "its rows are those of a sweep" "$(cat "$WORK/time.csv")" \
    "$("$W" query "$WORK/time.db" --csv "SELECT $(head -1 "$WORK/time.csv") FROM over_time_timeline_period ORDER BY launch, period")"
total() { # column: the sum over all periods of all launches
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { sum += $at } END { print sum }' \
        "$WORK/time.csv"
}
of_total() { sed -n '/"total"/,$p' <<<"$out" | grep -m1 "\"$1\"" | grep -o '[0-9]*'; }
same "the periods' cycles add up" "$(of_total cycles)" "$(total cycles)"
same "their instructions, too" "$(of_total warp_instructions)" "$(total warp_instructions)"
same "a period is as long as it was asked to be" "" "$(awk -F, 'NR > 1 && $5 > 100' "$WORK/time.csv")"
plot_timeline() { # file
    try env WARPSWEEP_PLOTS="$PWD/plots" "$W" plot "$1" -o "$WORK/${2:-time.svg}"
}
if command -v gnuplot >/dev/null; then
    plot_timeline "$WORK/time.csv"
    expect "the timeline as a figure" 0
    env WARPSWEEP_PLOTS="$PWD/plots" "$W" plot "$WORK/time.db" timeline -o "$WORK/swept.svg" >/dev/null
    same "is that of a sweep" "" "$(diff <(sed 's/s: //' "$WORK/swept.svg") "$WORK/time.svg" | head -3)"
    sed $'1s/^/\xef\xbb\xbf/' "$WORK/time.csv" >"$WORK/marked.csv"
    plot_timeline "$WORK/marked.csv" marked.svg
    expect "the timeline as some editors save it" 0
    same "is the same figure" "" "$(diff "$WORK/time.svg" "$WORK/marked.svg" | head -3)"
else
    skip "the timeline as a figure" "no gnuplot"
fi
refused() { # what is wrong, words that tell it, edit of the timeline by sed
    sed "$3" "$WORK/time.csv" >"$WORK/damaged.csv"
    plot_timeline "$WORK/damaged.csv"
    expect "a timeline $1" 2 "damaged.csv$2"
    has "that says what it should be" "$err" "; 'warpsweep plot' draws a CSV file as 'warpsweep run --timeline' writes it"
}
refused "of other columns" ":1: column 3: expected period, found 'time'" '1 s/period/time/'
refused "with a column too few" ":1: column 27: expected dram_bursts_per_cycle, found ''" '1 s/,[^,]*$//'
refused "with a row that is too short" ":2: column 27: expected dram_bursts_per_cycle, found ''" '2 s/,[^,]*$//'
refused "with a row that is too long" ":3: column 28: expected no further column, found '7'" '3 s/$/,7/'
refused "with a text for a number" ":2: cannot store TEXT value in INTEGER column period.cycles" '2 s/100/x/2'
refused "without a number" ":2: column 4: expected cycle, found ''" '2 s/,100,100,/,,,/'
refused "of no time" ":3: expected a period of 1 cycle or more, found launch 1, period 2, cycle 200, cycles 0 and sm_cycles" '3 s/,200,100,/,200,0,/'
refused "with a row twice" ":4: expected launches and their periods in order, found launch 1, period 2, cycle 200" 3p
refused "with a negative period" ":2: expected launches and their periods in order, found launch 1, period -1, " '2 s/,1,100,/,-1,100,/'
refused "that goes back" ":3: expected a period that begins where the last ends, or later, found launch 1, period 2, cycle 150" '3 s/,200,/,150,/'
refused "without rows" ": expected rows of a timeline, found none" '1!d'
plot_timeline "$WORK/time.csv" time.txt
expect "a picture of another kind" 2 "expected a file name that ends in .svg, .png or .pdf"
try "$W" plot "$WORK/time.csv"
expect "without a picture" 2 "time.csv: expected -o FILE beside a timeline, and nothing else"
try "$W" plot "$WORK/time.csv" timeline -o "$WORK/time.svg"
expect "with a figure" 2 "time.csv: expected -o FILE beside a timeline, and nothing else"
plot_timeline "$WORK/nowhere.csv"
expect "a timeline that is not there" 1 "nowhere.csv: No such file or directory"
cp "$WORK/s.wst" "$WORK/slip.wst"
try "$W" run "$WORK/slip.wst" --timeline "$WORK/slip.wst"
expect "a timeline onto the trace" 2 "slip.wst: expected a timeline to replace, found another file"
cmp -s "$WORK/s.wst" "$WORK/slip.wst" && ok "which stays" || not_ok "which stays"
try "$W" run "$WORK/s.wst" --timeline "$WORK/nowhere/time.csv"
expect "a timeline that cannot be written" 1 "nowhere/time.csv"
cp "$WORK/time.csv" "$WORK/kept.csv"
ln -s time.csv "$WORK/link.csv"
try "$W" run "$WORK/s.wst" --timeline "$WORK/link.csv" --set core.deadlock_cycles=1
expect "a run that fails" 3 "deadlock"
cmp -s "$WORK/kept.csv" "$WORK/time.csv" && ok "leaves a timeline as it was" || not_ok "leaves a timeline as it was"
try bash -c 'ulimit -f 1 && exec "$@"' - "$W" run "$WORK/s.wst" --timeline "$WORK/cut.csv" --period 1
expect "a timeline on a full disk" 1 "cut.csv: cannot be written: File too large"
same "nothing is left of it" "" "$(cd "$WORK" && ls -d cut.csv* ./*.part 2>/dev/null)"
try "$W" run "$WORK/s.wst" --timeline "$WORK/link.csv" --period 1000
same "a link stays one" "launch,kernel,period time.csv" "$(head -1 "$WORK/time.csv" | cut -d, -f1-3) $(readlink "$WORK/link.csv")"
mkfifo "$WORK/pipe.csv"
"$W" run "$WORK/s.wst" --timeline "$WORK/pipe.csv" --period 1000 >/dev/null &
same "and a pipe a pipe" "$(cat "$WORK/time.csv")" "$(cat "$WORK/pipe.csv")"
wait
try "$W" run "$WORK/s.wst" --timeline "$WORK/time.csv" --period 0
expect "a period of no cycles" 2 "--period"
try "$W" run "$WORK/s.wst" --period 100
expect "a period of no timeline" 2 "'--period' needs '--timeline FILE.csv'"

# ---- launches and files
second() { sed -n '/"index": 2,/,/"total"/p' <<<"$out"; }
try "$W" run "$WORK/s.wst" --json
of_second=$(second | grep -E '"(cycles|hits|misses|reads)"' | head -6)
try "$W" run "$WORK/s.wst" --json -k 2 --timeline "$WORK/time.csv"
same "a launch finds the L2 as those before it left it" "$of_second" "$(second | grep -E '"(cycles|hits|misses|reads)"' | head -6)"
same "with its counts" 6 "$(wc -l <<<"$of_second")"
same "it alone is reported" "0 2" "$(grep -c '"index": 1,' <<<"$out") $(tail -n +2 "$WORK/time.csv" | cut -d, -f1 | sort -u)"
cp -r "$WORK/small" "$WORK/large"
sed -i 's/^-shmem = .*/-shmem = 1000000/' "$WORK/large/kernel-2.traceg"
"$W" import "$WORK/large/kernelslist.g" -o "$WORK/large.wst" 2>/dev/null
try "$W" run "$WORK/large.wst" -k 2
expect "a launch that does not fit" 3 "a CTA needs 1000000 shared_B"
try "$W" run "$WORK/large.wst" -k 1
expect "those behind the last chosen one do not run" 0
try "$W" run "$WORK/s.wst" -k nothing
expect "no launch of that name" 2 "--kernels nothing selects none of the 2 launches of $WORK/s.wst; 'warpsweep info' names them"
try "$W" run "$WORK/nothing.wst"
expect "no trace" 1 "nothing.wst"

# ---- launches of different streams
cp -r "$WORK/small" "$WORK/streams"
sed -i 's/^-cuda stream id = .*/-cuda stream id = 7/' "$(ls "$WORK"/streams/*.traceg | tail -1)"
"$W" import "$WORK/streams/kernelslist.g" -o "$WORK/streams.wst" 2>/dev/null
try "$W" run "$WORK/streams.wst" --concurrent
expect "launches of different streams at the same time" 0
has "the report tells them apart" "$out" "launches 1 to 2 ran at the same time"
same "nothing is said of their streams" "" "$err"
one=$("$W" run "$WORK/streams.wst" --json | grep '"warp_instructions"' | tail -1)
try "$W" run "$WORK/streams.wst" --concurrent --json
same "they execute what they execute one after another" "$one" "$(grep '"warp_instructions"' <<<"$out" | tail -1)"
same "and are told apart" 2 "$(sed -n '/"together"/,/\]/p' <<<"$out" | grep -c '"l1_accesses"')"
at_once() { # settings
    "$W" run "$WORK/streams.wst" --concurrent --json "$@" | grep -o '"core.concurrent_launches": [0-9]*'
}
same "as many as there may be" '"core.concurrent_launches": 128' "$(at_once --set core.concurrent_launches=1)"
same "or as many as a setting says" '"core.concurrent_launches": 4' "$(at_once --set core.concurrent_launches=4)"
try "$W" run "$WORK/streams.wst" --concurrent --timeline "$WORK/time.csv"
same "the timeline's rows are of both, as the table's" "1,columns +1" "$(tail -n +2 "$WORK/time.csv" | cut -d, -f1,2 | sort -u)"
has "whose name is" "$out" "columns +1 "
at_once_sweep() { # trace
    echo '{"name": "s", "traces": ["'"$WORK/$1"'.wst"], "analysis": "timed", "axes": {"core.concurrent_launches": [1, 4]}}' >"$WORK/at_once.json"
    try "$W" sweep "$WORK/at_once.json" --dry-run
}
at_once_sweep s
expect "a sweep of launches of one stream" 0 "s: core.concurrent_launches changes nothing: all launches of a trace are of one stream"
at_once_sweep streams
same "of several" "" "$err"
if command -v gnuplot >/dev/null; then
    try "$W" run "$WORK/s.wst" --timeline "$WORK/late.csv" --period 40 --set core.launch_cycles=8000
    plot_timeline "$WORK/late.csv"
    same "a picture begins where the launch's warps do" "8000" "$(grep -oE '<text>[0-9]{4,}<' "$WORK/time.svg" | head -1 | tr -dc 0-9)"
fi
spec() { # analysis
    printf '{"name": "streams", "traces": ["%s"], "analysis": "%s", "fidelity": "timed", "base": {"core.concurrent_launches": 2}}' \
        "$WORK/streams.wst" "$1" >"$WORK/streams.json"
}
spec timed
try "$W" sweep "$WORK/streams.json" --db "$WORK/streams.db"
expect "a sweep of them" 0
same "its rows say so: own instructions, nobody's L2" "2|1|1" "$(sqlite3 "$WORK/streams.db" \
    "SELECT min(together), sum(warp_instructions) = (SELECT max(warp_instructions) FROM timed_together), min(l2_accesses IS NULL AND note <> '') FROM timed")"
cat >"$WORK/watts.json" <<'END'
{"name": "watts", "summary": "s", "clock_Hz": {"value": 1e9, "source": "s"}, "components": {
  "board": {"static_W": {"value": 1, "per": "GPU", "source": "s"}},
  "queues": {"events": {"mrpb_counters.queued": {"J": 1e-9, "source": "s"}}}}}
END
cat >"$WORK/energy.json" <<END
{"name": "e", "traces": ["$WORK/streams.wst"], "analysis": "timed", "energy": "$WORK/watts.json",
 "axes": {"core.concurrent_launches": [1, 2], "mechanism.front": ["none", "mrpb"]}}
END
try "$W" sweep "$WORK/energy.json" --db "$WORK/energy.db"
expect "a sweep with energies" 0
same "one by one they have energies of their own, at the same time they have none" \
    "1|4|4|4|4|
2|4|0|0|0|of launches that ran at the same time, the energy of each is unknown" "$(sqlite3 "$WORK/energy.db" \
    "SELECT core_concurrent_launches, count(*), count(seconds), count(queues_J), count(energy_J), min(note) FROM e_energy GROUP BY 1")"
spec icl
try "$W" sweep "$WORK/streams.json" --db "$WORK/streams.db"
expect "an analysis that follows one launch" 4 "core.concurrent_launches: analysis icl follows one launch at a time"

# ---- two programs
try "$W" run "$WORK/s.wst" --with "$WORK/streams.wst"
expect "two programs at the same time" 0
has "the report names them" "$out" "s.wst + "
has "and weighs them" "$out" "weighted speedup "
has "by finished runs, too" "$out" "STP "
try "$W" run traces/reduction.wst --with traces/transpose.wst --json
printf '%s' "$out" >"$WORK/with.json"
# IPC together over IPC alone, and cycles of finished runs against the cycles alone (Eyerman, Eeckhout: STP, ANTT)
same "what they measure, by its definition" "1|1|1|1" "$(sqlite3 :memory: "
    WITH file(j) AS (SELECT readfile('$WORK/with.json')), p(ratio, slower) AS (
        SELECT (p.value ->> '$.together.warp_instructions') * 1.0 / (p.value ->> '$.together.cycles') /
               ((p.value ->> '$.alone.warp_instructions') * 1.0 / (p.value ->> '$.alone.cycles')),
               (p.value ->> '$.run_cycles') * 1.0 / (p.value ->> '$.alone.cycles')
        FROM file, json_each(j, '$.programs') p)
    SELECT abs(j ->> '$.weighted_speedup' - sum(ratio)) < 1e-9, abs(j ->> '$.stp' - sum(1 / slower)) < 1e-9,
           abs(j ->> '$.antt' - avg(slower)) < 1e-9, max(slower) > 1.01 FROM file, p")"
try "$W" run "$WORK/s.wst" --with "$WORK/s.wst" --set core.loop_programs=false --json
expect "a program beside itself, as JSON" 0
same "each executes what it executes alone" 4 "$(grep -c '"warp_instructions": 32,' <<<"$out")"
same "both have run once" 2 "$(grep -c '"runs": 1,' <<<"$out")"
try "$W" run "$WORK/s.wst" --with "$WORK/s.wst" --kernels 1
expect "all launches of both" 2 "'--with' and '--kernels' exclude each other"
try "$W" run "$WORK/s.wst" --with "$WORK/nowhere.wst"
expect "no second trace" 1 "nowhere.wst: cannot open"
try "$W" run "$WORK/s.wst" --with "$WORK/s.wst" --set mechanism.dispatch=warpman
expect "a mechanism for one program" 3 "expected one program with mechanism."

# ---- mechanisms
try "$W" run "$WORK/s.wst" --set mechanism.front=mrpb,mechanism.cluster=icc
expect "mechanisms that are on" 0
has "what they counted, and what it means" "$(xargs -d '\n' <<<"$out" | tr -s ' ')" \
    "stall cycles 0 SM cycles 0.0 % of all. SM cycles in which an access of the load/store unit waits because its queue is full"
same "no name as in SQL" "" "$(sed -n '/prioritization/,$p' <<<"$out" | grep -o '[a-z]*_[a-z_]*')"
has "what they cost" "$out" "24,576 bits of queues per SM"
has "each of them" "$out" "2,016 bits of merge table per cluster"
same "no queues of a mechanism that takes accesses" 0 "$(grep -c 'those in the queues of' <<<"$out")"
try "$W" run traces/spmv.wst --set mechanism.front=warppool,limit.ctas=16
has "whose queues hold them" "$out" "those in the queues of warppool (below) keep no scheduler waiting: 'LSU full' is without them"
all=$(awk '/^ +total/ { gsub(",", ""); print $2 * 15 }' <<<"$out") # SM cycles
waits=$(sed -n 's/^  map table cycles *\([0-9,]*\)  SM cycles .*/\1/p' <<<"$out" | tr -d ,)
has "cycles that something holds a mechanism up, as a share" "$(grep "^  map table cycles" <<<"$out")" \
    "SM cycles $(awk "BEGIN { printf \"%8.1f\", 100 * $waits / $all }") % of all."
try "$W" run "$WORK/s.wst" --set mechanism.front=warppool --json
has "in JSON" "$out" '"warppool": {'
has "with their cost" "$out" '"structure": "thread map table"'
try "$W" run "$WORK/s.wst" --json
same "off, there is nothing of them" 0 "$(grep -c '"mechanisms"' <<<"$out")"
try "$W" run "$WORK/s.wst" --set mechanism.front=icc
expect "one that does not own the slot" 2 'expected one of "none", "mrpb", "warppool", found "icc"'
try "$W" help mrpb
has "help explains a mechanism" "$out" "mrpb.latency"
finished
