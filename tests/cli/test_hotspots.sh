#!/usr/bin/env bash
# run --hotspots: prints the numbers that the analysis `hotspots` stores, with the launches of a kernel taken together.
. "$(dirname "$0")/lib.sh"

echo '{"name": "h", "traces": ["traces/bfs.wst"], "analysis": "hotspots", "gpu": "gtx480-wp", "base": {"limit.ctas": 9}}' >"$WORK/h.json"
"$W" sweep "$WORK/h.json" --db "$WORK/h.db" >/dev/null 2>&1
stored() { "$W" query "$WORK/h.db" --csv "$1" | tail -n +2 | tr -d '"'; }

# ---- JSON: a line for each object, with its values in their order
objects() { # the list
    awk -v want="\"$1\": [" '
        index($0, want) { inside = 1; next }
        inside && /^ *\],?$/ { exit }
        inside && /\}/ { print line; line = "" }
        inside && /: / { value = $0; gsub(/^[^:]*: |,$|"/, "", value); line = line (line == "" ? "" : ",") value }' <<<"$out"
}
try "$W" run traces/bfs.wst --gpu gtx480-wp --set limit.ctas=9 --hotspots 5 --json
expect "run --hotspots --json" 0
same "the instructions at which warps stand longest" \
    "$(stored "SELECT kernel, pc, opcode, source_line, sum(instructions), sum(warp_cycles), sum(data_cycles),
                      sum(barrier_cycles), sum(fetch_cycles), sum(issue_cycles) FROM h_hotspots_pc
               GROUP BY kernel, pc, opcode ORDER BY sum(warp_cycles) DESC LIMIT 5")" \
    "$(objects waits)"
same "the loads that take longest" \
    "$(stored "SELECT kernel, pc, opcode, source_line, sum(loads), sum(load_cycles), max(load_max), sum(l1_accesses), sum(l1_hits), sum(l1_merged)
               FROM h_hotspots_load GROUP BY kernel, pc, opcode ORDER BY sum(load_cycles) DESC LIMIT 5")" \
    "$(objects loads | cut -d, -f1-6,10-)"
same "percentiles in their order" "" "$(objects loads | awk -F, '$7 > $8 || $8 > $9 || $9 > $10')"
same "of all" "$(stored "SELECT sum(warp_cycles) || ',' || sum(end_cycles) || ',' || sum(load_cycles) FROM h")" \
    "$(grep -A3 '"hotspots"' <<<"$out" | awk -F': ' 'NR > 1 { gsub(/,/, "", $2); printf "%s%s", (NR > 2 ? "," : ""), $2 }')"
plain=$out
try "$W" run traces/bfs.wst --gpu gtx480-wp --set limit.ctas=9 --json
same "the rest is as without" "$out" "$(sed '/"hotspots": {/,$d' <<<"$plain" | sed '$s/,$//'; echo '}')"

# ---- text
try "$W" run traces/bfs.wst --gpu gtx480-wp --set limit.ctas=9 -k 3-4 --hotspots 3
expect "run --hotspots" 0
section=$(sed -n '/^instructions at which warps waited/,$p' <<<"$out")
has "tells of all time" "$section" "of $(stored "SELECT printf('%,d', sum(warp_cycles)) FROM h WHERE launch IN (3, 4)") warp cycles ($(stored "SELECT printf('%,d', sum(end_cycles)) FROM h WHERE launch IN (3, 4)") after"
same "three of each" 6 "$(grep -c '^bfs_' <<<"$section")"
most=$(stored "SELECT printf('%04x', pc) || ' ' || source_line || ' ' || opcode || ' ' || printf('%,d', sum(instructions))
               FROM h_hotspots_pc WHERE launch IN (3, 4) GROUP BY kernel, pc ORDER BY sum(warp_cycles) DESC LIMIT 1")
same "the first of them" "$most" "$(awk '/^bfs_/ { print $2, $3, $4, $5; exit }' <<<"$section")"
same "no line ends in a blank" "" "$(grep -n ' $' <<<"$out")"
same "nothing merges" 0 "$(grep -c merged <<<"$section")"
echo '{"name": "w", "traces": ["traces/syrk.wst"], "analysis": "hotspots", "base": {"mechanism.front": "warppool", "limit.ctas": 9}}' >"$WORK/w.json"
"$W" sweep "$WORK/w.json" --db "$WORK/h.db" >/dev/null 2>&1
try "$W" run traces/syrk.wst --set limit.ctas=9,mechanism.front=warppool --hotspots 1
has "accesses that were merged" "$out" "merged: accesses that joined earlier ones"
same "of the load" "$(stored "SELECT printf('%,d %,d', l1_accesses, l1_merged) FROM w_hotspots_load ORDER BY load_cycles DESC LIMIT 1")" \
    "$(tail -n 1 <<<"$out" | awk '{ print $(NF - 2), $NF }')"
echo '{"name": "b", "traces": ["traces/syrk.wst"], "analysis": "hotspots", "base": {"mechanism.front": "mrpb", "mrpb.bypass": "all_stalls", "l1.mshr_entries": 4, "limit.ctas": 9}}' >"$WORK/b.json"
"$W" sweep "$WORK/b.json" --db "$WORK/h.db" >/dev/null 2>&1
try "$W" run traces/syrk.wst --set limit.ctas=9,mechanism.front=mrpb,mrpb.bypass=all_stalls,l1.mshr_entries=4 --hotspots 1
same "accesses that bypass the L1 do not look it up" \
    "1 $(stored "SELECT printf('%,d', l1_accesses) FROM b_hotspots_load ORDER BY load_cycles DESC LIMIT 1")" \
    "$(stored "SELECT max(l1_bypasses) > 0 FROM b_hotspots_load") $(tail -n 1 <<<"$out" | awk '{ print $(NF - 1) }')"
try "$W" run traces/transpose.wst -k transpose_shared --set limit.ctas=1 --hotspots 99 --timeline "$WORK/t.csv"
expect "with a timeline" 0
has "both are there" "$(head -n 1 "$WORK/t.csv") $out" "instructions at which warps waited"

# ---- one pc of two source lines, as of functions that count from 0 each: the row is of neither
printf '%s\n' pc,line,address 0,3,4096 0,4,8192 8,5,4096 8,5,8192 >"$WORK/lines.csv"
"$W" import "$WORK/lines.csv" -o "$WORK/lines.wst" >/dev/null 2>&1
for analysis in instruction_mix hotspots; do
    echo '{"name": "l_'$analysis'", "traces": "'$WORK'/lines.wst", "analysis": "'$analysis'"}' >"$WORK/l.json"
    "$W" sweep "$WORK/l.json" --db "$WORK/h.db" >/dev/null 2>&1
    same "$analysis: source lines of a pc" "0,2,, 8,2,5," \
        "$(stored "SELECT pc, instructions, source_line, '' FROM l_${analysis}_${analysis}_pc ORDER BY pc" | paste -sd ' ')"
done
try "$W" run "$WORK/lines.wst" --hotspots 2
same "so does --hotspots" "0000 - 0008 5" "$(awk '$1 == "kernel" && $2 ~ /^0/ { print $2, $3 }' <<<"$out" | sort -u | paste -sd ' ')"

# ---- options that exclude each other
try "$W" run traces/bfs.wst --hotspots 3 --concurrent
expect "with --concurrent" 2 "'--hotspots' and '--concurrent' exclude each other"
try "$W" run traces/bfs.wst --hotspots 3 --with traces/nw.wst
expect "with --with" 2 "'--with' and '--hotspots' exclude each other"
try "$W" run traces/bfs.wst --hotspots none
expect "no number" 2 "option '--hotspots': expected a whole number from 1"
finished
