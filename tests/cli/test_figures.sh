#!/usr/bin/env bash
# Each figure of plots/ draws the results of the sweep that it names; here these have few kernels, cut to one CTA.
. "$(dirname "$0")/lib.sh"
command -v gnuplot >/dev/null || skip_all "figures" "no gnuplot"
mkdir "$WORK/traces"
ln -s "$PWD"/traces/*.wst "$PWD"/traces/{graphs,columns}/*.wst "$WORK/traces"
export WARPSWEEP_PLOTS=$PWD/plots

# few SPEC: prints the specification with two programs only, and limited to the first CTA of each launch.
few() {
    local traces='["traces/transpose.wst", "traces/pagerank-road.wst"]'
    grep -q traces/columns "$1" && traces='["traces/transpose.wst", "traces/transpose_columns.wst"]'
    tr '\n' ' ' <"$1" | sed -E 's/"kernels": *(\[[^]]*\]|"[^"]*"),//
        s|"(traces\|with)": *(\[[^]]*\]\|"[^"]*")|"\1": '"$traces"'|g
        /"base"/! s/"analysis":/"base": {}, &/
        s/"base": *\{/&"limit.ctas": 1, /; s/, *\}/}/'
}

for spec in $(grep -oh 'sweeps/[a-z0-9_-]*[.]json' plots/*.sql | sort -u); do
    few "$spec" >"$WORK/few.json"
    kernels=(--kernels 1-2)
    grep -q '"with"' "$spec" && kernels=() # a pair needs launches of both programs
    try env -C "$WORK" "$PWD/warpsweep" sweep few.json --db few.db "${kernels[@]}"
    expect "$spec" 0
done
same "each query names the sweep" "" "$(grep -L 'sweeps/[a-z0-9_-]*[.]json' plots/*.sql)"
same "means are over what has all bars; one names what it leaves out" plots/uniform.sql \
    "$(grep -l '\(geomean\|avg\)([a-z_]*)' plots/*.sql | xargs grep -L 'JOIN whole USING')"
same "what is called a geometric mean is one" "" "$(grep "'geometric mean'.*avg(" plots/*.sql)"
same "a kernel has one name in all of a figure, also where bars of it are missing" "" \
    "$(grep -l 'same_name AS (PARTITION BY [a-z.]*kernel,' plots/*.sql)"
mixed=
for query in plots/*.sql; do
    figure=$(basename "$query" .sql)
    try ./warpsweep plot "$WORK/few.db" "$figure" -o "$WORK/$figure.svg"
    expect "$figure" 0
    [[ $err == *"does not tell axes of sweep"* || $err == *"expected one row for each bar"* ]] && mixed+="$err"
done
same "each query tells all axes of its sweep apart" "" "$mixed"
same "of four graphs that only the last has is above its name, not where the fourth would be" 2 \
    "$(grep -c "polygon fill = 'rgb( *0, *0, *0)'" "$WORK/reorder_unit.svg")"
bars=()
for script in $(grep -l 'mechanism_bars[.]gp"' plots/*.gp); do bars+=("$WORK/$(basename "$script" .gp).svg"); done
same "names of bars are on the page, and not upon each other or the panel's" "" "$(awk -F '[(,)"]' '
    FNR == 1 { width = end = 0 }
    /width="/ && !width { width = $2 }
    /font-size="(6.50|7.50)"/ { x = $3; at = $4; panel = /size="7.50/; next }
    at && gsub(/[[:blank:]]*<[^>]*>/, "") {
        right = x + (panel ? 3.9 : 3.4) * length($0)
        if (!panel && (x < end || right > width)) print FILENAME ": " $0
        end = right + 7 # the square before a name
    }
    { at = 0 }' "${bars[@]}")"

# ---- bars are named as those of their panel, also where a database lacks panels, or has more of them
try ./warpsweep plot "$WORK/few.db" ilp_gpus -w "gpu_clusters = 30" -o "$WORK/second.svg"
same "the second panel alone" "0 GPU-I GPU-H" "$status $(grep -oE '>GPU-[IH][^<]*<' "$WORK/second.svg" | tr -d '<>' | xargs)"
cp plots/mrpb_final.gp "$WORK/fifth.gp"
echo "SELECT column1 AS panel, 's' AS series, 1 AS bar, 2 AS y FROM (VALUES ('a'), ('b'), ('c'), ('d'), ('e'))" >"$WORK/fifth.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/fifth.sql" -o "$WORK/fifth.svg"
same "a fifth panel" "0 5" "$status $(grep -c '>both<' "$WORK/fifth.svg")"
same "panels have the names of the queries" "" "$(for script in $(grep -l 'named\[' plots/*.gp); do
    grep -oE 'named\[.*' "$script" | sed 's/; *choices.*//' | grep -oE '"[^"]*"' | tr -d '"' | while read -r panel; do
        grep -qF "'$panel'" "${script%.gp}.sql" || echo "$script: $panel"
    done
done)"

# ---- a sweep of the name that a figure asks for, but with an axis more, or with another name
cat >"$WORK/more.json" <<END
{"name": "warp_time", "traces": "$PWD/traces/transpose.wst", "kernels": "1", "analysis": "hotspots", "gpu": "gtx480",
 "base": {"limit.ctas": 1}, "axes": {"zip": {"l1.size_B": [16384, 32768], "l1.ways": [4, 8]}}}
END
try ./warpsweep sweep "$WORK/more.json" --db "$WORK/more.db"
expect "an axis more" 0
try ./warpsweep plot "$WORK/more.db" warp_waits -o "$WORK/more.svg"
expect "a figure that does not know it" 0 "its query does not tell axes of sweep warp_time apart: l1.size_B (2 values), l1.ways (2 values); choose one value of each (plot --where)"
sed '2i -- Not an axis: all_l1_size_B, l1_ways2.' plots/warp_waits.sql >"$WORK/words.sql"
cp plots/warp_waits.gp "$WORK/words.gp"
try ./warpsweep plot "$WORK/more.db" "$WORK/words.sql" -o "$WORK/more.svg"
has "nor is one that is part of a longer word" "$err" "sweep warp_time apart: l1.size_B (2 values), l1.ways (2 values); "
try ./warpsweep report "$WORK/more.db" -o "$WORK/more.html"
has "the report says so, too" "$(cat "$WORK/more.html")" "warp_waits<br>figure warp_waits: its query does not tell axes of sweep warp_time apart: l1.size_B (2 values)"
cat >"$WORK/less.json" <<END
{"name": "window_reduction", "traces": "$PWD/traces/transpose.wst", "kernels": "1", "analysis": "window",
 "base": {"limit.ctas": 1}, "axes": {"window.size": [1, 2], "window.scope": ["sm", "warp"], "sm.scheduler": ["gto"]}}
END
try ./warpsweep sweep "$WORK/less.json" --db "$WORK/more.db"
try ./warpsweep plot "$WORK/more.db" window_reduction -o "$WORK/less.svg"
expect "an axis less" 2 "no such column: window_kind"
has "it can have another name" "$err" "; it draws what 'warpsweep sweep sweeps/window_reduction.json --db DB' stores, and a sweep with fewer axes under another name, which computes nothing anew: --sweep NAME"
less=$err
try ./warpsweep plot "$WORK/more.db" window_reduction --sweep window_reduction -w "kernel LIKE 't%'" -o "$WORK/less.svg"
same "its own is none" "$less" "$err"
sed 's/window_reduction/less/' "$WORK/less.json" >"$WORK/other.json"
try ./warpsweep sweep "$WORK/other.json" --db "$WORK/more.db"
has "under another name nothing is computed anew" "$out" "computed: 0, already stored: 4, failed: 0"
try ./warpsweep plot "$WORK/more.db" window_reduction --sweep less -o "$WORK/less.svg"
expect "and it is drawn" 0 "less in place of window_reduction"
cat >"$WORK/two.json" <<END
{"name": "warppool_swl", "traces": "$PWD/traces/graphs/bfs_push-[rk]*.wst", "kernels": "1", "analysis": "timed",
 "base": {"limit.ctas": 1, "sm.scheduler": "swl"},
 "axes": {"core.swl_warps": [4, 48], "mechanism.front": ["none", "warppool"]}}
END
try ./warpsweep sweep "$WORK/two.json" --db "$WORK/more.db"
try ./warpsweep plot "$WORK/more.db" warppool_swl -o "$WORK/two.svg"
expect "kernels of one name" 0
same "which their traces tell apart" "bfs_push-kron: bfs_expand, bfs_push-road: bfs_expand, geometric mean" \
    "$(./warpsweep query "$WORK/more.db" --csv --file plots/warppool_swl.sql | awk -F, 'NR > 1 && !seen[$2]++ { printf "%s%s", sep, $2; sep = ", " }')"
echo "SELECT '' AS panel, kernel AS series, 1 AS bar, max(cycles) AS cycles FROM warppool_swl_by_kernel GROUP BY trace" >"$WORK/one.sql"
cp plots/warppool_swl.gp "$WORK/one.gp"
try ./warpsweep plot "$WORK/more.db" "$WORK/one.sql" -o "$WORK/one.svg"
expect "or not" 2 "expected one row for each bar, found 2 for one of series 'bfs_expand' in panel ''"
same "whose bars would lie over each other, are not drawn" "" "$(ls "$WORK"/one.svg 2>/dev/null)"
sed -i 's/"warp_time"/"other"/' "$WORK/more.json"
try ./warpsweep sweep "$WORK/more.json" --db "$WORK/other.db"
try ./warpsweep plot "$WORK/other.db" warp_waits -o "$WORK/other.svg"
expect "a sweep none of whose axes it names" 2 "it has the views of other"
cat >"$WORK/half.json" <<END
{"name": "half", "traces": "$PWD/traces/graphs/bfs_push-road.wst", "kernels": "1", "analysis": "timed", "base": {"limit.ctas": 1},
 "axes": {"mechanism.front": ["none", "warppool"], "l1.mshr_entries": [16, 32]}, "baseline": {"l1.mshr_entries": 32}}
END
try ./warpsweep sweep "$WORK/half.json" --db "$WORK/other.db"
try ./warpsweep plot "$WORK/other.db" speedup -o "$WORK/other.svg"
expect "one with an axis that it does not name" 2 "'warpsweep plot DB speedup --sweep half -o FILE.svg' reads its sweep half instead, but does not tell all of its axes apart"
try ./warpsweep plot "$WORK/other.db" speedup --sweep half -o "$WORK/other.svg"
expect "which is so" 2 "axes of sweep half apart: l1.mshr_entries (2 values)"
has "so bars would lie over each other" "$err" "found 2 for one of series 'bfs_expand' in panel 'IPC'"
try ./warpsweep plot "$WORK/other.db" speedup --sweep half -w 'l1_mshr_entries = 32' -o "$WORK/other.svg"
same "rows of one of its values have no other" "0 0" "$status $(grep -c 'apart' <<<"$err")"
has "the title says which" "$(sed -n 's/<[^>]*>//gp' "$WORK/other.svg")" "where l1_mshr_entries = 32, half in place of memory_mechanisms"
has "the messages, whose its labels are" "$err" "half in place of memory_mechanisms, for which its labels and other text are written"
echo "SELECT mechanism_front, max(l1_mshr_entries) AS entries FROM half_by_kernel GROUP BY 1" >"$WORK/rows.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" --where "mechanism_front = 'none'" -o "$WORK/rows.svg"
same "without another sweep, too" "0 none" "$status $(grep -ohE '>(none|warppool)<' "$WORK/rows.svg" | tr -d '<>' | xargs)"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" -w "mechanism_front <> ''" -o "$WORK/two''.svg"
expect "apostrophes in a row" 0
has "the title has them" "$(sed -n 's/<[^>]*>//gp' "$WORK/two''.svg")" "where mechanism_front &lt;> ''"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" -w "mechanism_frnt = 'none'" -o "$WORK/rows.svg"
expect "a condition on no column" 2 "where: SQL line 1 at 'mechanism_frnt = 'none'': no such column: mechanism_frnt; did you mean"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" -w "speedup > 1" -o "$WORK/rows.svg"
expect "one on a column of another view" 2 "no such column: speedup"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" -w "cycles < 0" -o "$WORK/rows.svg"
expect "one that no row meets" 2 "where: no row of half_by_kernel meets this condition"
sed 's/half_by_kernel/main.&/' "$WORK/rows.sql" >"$WORK/past.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/past.sql" -w "mechanism_front = 'none'" -o "$WORK/past.svg"
expect "a query that reads all rows whatever the condition" 2 "where: expected a query that does not call views main.NAME, as such have all rows, found one of sweep half"
echo "SELECT status AS series, count(*) AS points FROM point GROUP BY 1" >"$WORK/past.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/past.sql" -w "mechanism_front = 'none'" -o "$WORK/past.svg"
expect "one of a table" 2 "where: expected a query that reads a sweep's view, of which rows can be left out, found none"
same "nothing is drawn of either" "" "$(compgen -G "$WORK/past*.svg")"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" -w "1) UNION SELECT (1" -o "$WORK/rows.svg"
expect "what is no condition" 2 "where: SQL line 1"
echo "SELECT mechanism_front, avg(cycles) AS cycles FROM half_by_kernel WHERE launches = 1 GROUP BY 1" >"$WORK/mean.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/mean.sql" -w "kernel <> ''" -o "$WORK/rows.svg"
expect "a condition that leaves several values of an axis" 0 "axes of sweep half apart: l1.mshr_entries (2 values); "
try ./warpsweep plot "$WORK/other.db" "$WORK/mean.sql" -w "launches = 1 AND l1_mshr_entries = 32" -o "$WORK/rows.svg"
same "one, also by columns of its view alone" "0 " "$status $err"
sed 's/launches = 1/launches > 1/' "$WORK/mean.sql" >"$WORK/none.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/none.sql" -w "mechanism_front = 'none'" -o "$WORK/rows.svg"
expect "no row of both conditions" 2 "the database holds no rows for it: no result of sweep half meets the conditions of its query"
cp "$WORK/other.db" "$WORK/unfinished.db"
sqlite3 "$WORK/unfinished.db" "PRAGMA foreign_keys = OFF; INSERT INTO sweep_point SELECT id, 1, NULL FROM sweep"
try ./warpsweep plot "$WORK/unfinished.db" "$WORK/rows.sql" -w "mechanism_front = 'none'" -o "$WORK/rows.svg"
same "of sweeps that lack points it is told of its own" "0 half: only 4 of 5 points are there; the sweep is not finished" "$status $err"
all="(SELECT count(*) FROM half_by_kernel) = 4 AND (SELECT max(l1_size_B) FROM other) > 0"
try ./warpsweep plot "$WORK/unfinished.db" "$WORK/mean.sql" -w "l1_mshr_entries = 32 AND $all" -o "$WORK/rows.svg"
same "a condition asks whole views, of any sweep, and these are told of" "0 half: only 4 of 5 points are there; the sweep is not finished
other: only 2 of 3 points are there; the sweep is not finished" "$status $err"
sed -i 's/"half"/"whole"/; s/"l1.mshr_entries": \[16, 32\]/"sm.scheduler": ["gto", "lrr"]/; s/"l1.mshr_entries": 32/"sm.scheduler": "gto"/' "$WORK/half.json"
try ./warpsweep sweep "$WORK/half.json" --db "$WORK/other.db"
try ./warpsweep plot "$WORK/other.db" speedup -o "$WORK/other.svg"
has "one that it fits comes first" "$err" "draws its sweep whole instead"
same "without a but" 0 "$(grep -c 'but does not' <<<"$err")"
sed -i 's/"whole"/"off"/; s/"axes": {/&"gpu": ["gtx480-wp"], /' "$WORK/half.json"
try ./warpsweep sweep "$WORK/half.json" --db "$WORK/other.db"
try ./warpsweep plot "$WORK/other.db" mrpb_final -o "$WORK/other.svg"
expect "no other mechanism is drawn as one that is off" 2 "first; it has the views of half, off, other, whole"
echo "SELECT kernel, mrpb_bypass AS series, cycles FROM mrpb_by_kernel" >"$WORK/bypass.sql"
try ./warpsweep plot "$WORK/other.db" pareto --sweep half -o "$WORK/other.svg"
expect "a parameter of no mechanism is, though it has no effect" 0 "half in place of all_mechanisms"
try ./warpsweep plot "$WORK/other.db" "$WORK/bypass.sql" --sweep whole -o "$WORK/other.svg"
expect "nor if one asks for it" 2 "sweep whole has no view that does for mrpb_by_kernel: SQL line 1"
has "as its parameters say nothing" "$err" "no such column: mrpb_bypass"
echo "SELECT DISTINCT kernel || cycles AS row, cycles FROM half_by_kernel WHERE l1_mshr_entries > 16" >"$WORK/rows.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" --sweep whole -o "$WORK/rows.svg"
expect "another sweep than the one that is there" 0 "whole in place of half"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" --sweep half -o "$WORK/rows.svg"
same "the sweep that it is of" "0 0" "$status $(grep -c 'in place of' <<<"$err")"
echo "SELECT mechanism_front || ' ' || count(*) AS row, max(cycles) AS cycles FROM half_by_kernel GROUP BY mechanism_front" >"$WORK/count.sql"
rows_where() { # sweep, condition: the names of the rows
    try ./warpsweep plot "$WORK/other.db" "$WORK/count.sql" --sweep "$1" -w "$2" -o "$WORK/rows.svg"
    echo "$status $(grep -ohE '>(none|warppool) [0-9]' "$WORK/rows.svg" | tr -d '>' | xargs)"
}
same "a condition that views of both meet" "0 none 2" "$(rows_where whole "mechanism_front = 'none'")"
same "also of the sweep that it is of" "0 none 1 warppool 1" "$(rows_where half "l1_mshr_entries = 16")"
same "it asks views of the database by their names" "0 none 2" \
    "$(rows_where whole "mechanism_front = (SELECT min(mechanism_front) FROM half_by_kernel WHERE l1_mshr_entries = 16)")"
sed -i 's/half_by_kernel/absent_by_kernel/' "$WORK/count.sql"
same "or those that the figure has in place of others" "0 none 2" \
    "$(rows_where whole "mechanism_front = (SELECT min(mechanism_front) FROM absent_by_kernel WHERE sm_scheduler = 'lrr')")"
echo "SELECT DISTINCT mechanism_front AS row, launch FROM half" >"$WORK/points.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/points.sql" --sweep whole -w "launches = 1" -o "$WORK/rows.svg"
expect "a condition on what its first view lacks" 2 "no such column: launches"
echo "SELECT kernel || cycles AS row, cycles FROM half_by_kernel UNION SELECT kernel, 1 FROM whole_by_kernel" >"$WORK/rows.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" --sweep off -o "$WORK/rows.svg"
expect "one of two" 2 "expected a query of one sweep to draw off in place of it, found one that reads half, whole"
sed -i 's/"off"/"gpus"/; s/\["gtx480-wp"\]/["c2050-16k", "c2050-48k"]/' "$WORK/half.json"
try ./warpsweep sweep "$WORK/half.json" --db "$WORK/other.db"
echo "SELECT kernel || cycles AS row, l1_size_B FROM half_by_kernel" >"$WORK/rows.sql"
try ./warpsweep plot "$WORK/other.db" "$WORK/rows.sql" --sweep gpus -o "$WORK/rows.svg"
expect "a parameter in which the GPUs differ has no value of its own" 2 "no such column: l1_size_B"
try ./warpsweep effects "$WORK/other.db" whole_by_kernel cycles -o "$WORK/effects.svg"
same "one kernel has no intervals" "0 0" "$status $(grep -c 'intervals' "$WORK/effects.svg")"

# ---- a sweep of larger values than the project's: the axis goes as far as they do
larger() { # figure, number on its axis, analysis, the sweep's "base" and "axes"
    cat >"$WORK/larger.json" <<END
{"name": "$(grep -oh 'sweeps/[a-z0-9_-]*[.]json' "plots/$1.sql" | xargs sed -n 's/.*"name": *"\([^"]*\)".*/\1/p' | head -n 1)",
 "traces": "$PWD/traces/histogram.wst", "kernels": "1", "analysis": "$3", "base": {"limit.ctas": 1, $4}, "axes": {$5}}
END
    try ./warpsweep sweep "$WORK/larger.json" --db "$WORK/larger.db"
    try ./warpsweep plot "$WORK/larger.db" "$1" -o "$WORK/larger.svg"
    expect "$1 of larger values" 0
    has "$1 has room for them" "$(cat "$WORK/larger.svg")" ">$2<"
}
larger window_reduction 65536 window '"gpu.clusters": 4' \
    '"window.size": [0, 1, 65536], "window.scope": ["sm", "cta"], "window.kind": ["fifo", "sliding"], "sm.scheduler": ["gto", "lrr"]'
larger lru_capacity 64Mi stack_distance '"stack_distance.sets": 1, "coalesce.line_B": 64' \
    '"stack_distance.ways": [8, 2097152], "stack_distance.level": ["sm", "cta"]'
has "of smaller lines" "$(cat "$WORK/larger.svg")" ">capacity of the cache (B; blocks of 64 B)<"
larger locality_heat 1Mi locality '"locality.stream": "lane_accesses"' \
    '"locality.window": {"log2": [1048576, 4194304]}, "locality.neighbourhood_B": [65536, 131072]'
larger locality_surface 4Mi locality '"locality.stream": "lane_accesses"' \
    '"locality.window": {"log2": [1048576, 4194304]}, "locality.neighbourhood_B": [65536, 131072]'

# ---- a curve with several rows for one x
echo "SELECT 'p' AS panel, 's' AS series, column1 AS x, column2 AS y FROM (VALUES (1, 2), (0.5, 1), (3, 4), (1, 7), (10, 1))" >"$WORK/twice.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/twice.sql" -o "$WORK/twice.svg"
expect "two rows for one x" 0 "2 rows for one x, of series 's' in panel 'p'"
sed -i 's/, (1, 7)//' "$WORK/twice.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/twice.sql" -o "$WORK/twice.svg"
same "one row for each" "" "$err"

# ---- how a query says that its curves are drawn
curves() { # head, rows of a panel, a series, x and y: draws them; prints the numbers at the axes, y first
    { printf -- '--\n%s\n' "$1" && echo "SELECT column1 AS panel, column2 AS series, column3 AS x, column4 AS y FROM (VALUES $2)"; } >"$WORK/head.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/head.sql" -o "$WORK/head.svg"
    echo "$(grep -oE '>[[:blank:]]*-?[0-9.]+<' "$WORK/head.svg" | tr -d '<> \t' | xargs)$err"
}
along() { # head, x ..: the same of one panel in which all y are 1
    local rows=
    for x in "${@:2}"; do rows+=", ('', 's', $x, 1)"; done
    curves "$1" "${rows#, }" | sed 's/^0 0.5 1 //'
}
same "x: numbers in a row" "2 4 6 8 10 12 14" "$(along '' {1..15})"
same "rates" "0 0.2 0.4 0.6 0.8 1" "$(along '' 0.01 0.02 0.1 0.5 1)"
same "rates that are powers of two" "0 0.2 0.4 0.6 0.8 1" "$(along '' 0 0.25 0.5 1)"
same "powers of two" "1 2 4 8" "$(along '' 1 2 4 8)"
same "with a place for 0" "0 1 2 4 8" "$(along '' 0 1 2 4 8)"
same "sizes that are none" "10 20 50 100 200" "$(along '' 12 24 48 96 192)"
same "below 0" "-10 0 10 20 30" "$(along '' -16 1 2 4 32)"
same "x: linear" "1 2 3 4 5 6 7 8" "$(along '-- x: linear' 1 2 4 8)"
same "with 0 at 0" "0 1 2 3 4 5 6 7 8" "$(along '-- x: linear' 0 1 2 4 8)"
same "x: log" "1 2 5 10" "$(along '-- x: log' {1..15})"
same "rates" "0.01 0.02 0.05 0.1 0.2 0.5 1" "$(along '-- x: log' 0.01 0.02 0.1 0.5 1)"
same "a place for 0 beside other numbers" "0 10 100 1000" "$(along '-- x: log' 0 6 48 1920)"
same "a short one: equal steps" "300 350 400 450" "$(along '-- x: log' 300 350 480)"
same "of fractions" "3 3.5 4 4.5" "$(along '-- x: log' 3 4.5)"
same "of a thousandth" "1000 1000.5 1001" "$(along '-- x: log' 1000 1001)"
same "one value" 300 "$(along '-- x: log' 300)"
same "0 alone" 0 "$(along '-- x: log' 0)"
curves '-- x: log' "('', 's', -3, 4)" >"$WORK/said"
expect "less than 0" 2 "head.sql: column x: expected no values below 0 with '-- x: log', found -3"
far="('a', 's', 1, 1), ('a', 's', 2, 2), ('b', 's', 1, 100), ('b', 's', 2, 90)"
near="('a', 's', 1, 100), ('a', 's', 2, 90), ('b', 's', 1, 50), ('b', 's', 2, 40)"
same "y: free" "0 50 100 1 2 0 20 40 60 1 2" "$(curves '-- y: free' "$near")"
same "shared" "0 50 100 1 2 1 2" "$(curves '-- y: shared' "$far")"
same "by itself, as panels differ" "0 0.5 1 1.5 2 1 2 0 50 100 1 2" "$(curves '' "$far")"
drawn_lines() { grep -c "<path.*d='M[^Z]*L[^Z]*'.*/>" "$WORK/head.svg"; }
curves '' "('', 's', 1, 1), ('', 's', 2, 2), ('', 's', 2, 3)" >"$WORK/said"
has "two rows for one x" "$(cat "$WORK/said")" "add up with GROUP BY, or draw points (-- style: points)"
lines=$(drawn_lines)
same "as points: no words" "0 1 2 3 1 2" "$(curves '-- style: points' "('', 's', 1, 1), ('', 's', 2, 2), ('', 's', 2, 3)")"
same "and no line, nor one in the legend" 2 $((lines - $(drawn_lines)))
same "all points" 4 "$(sed '1,/<.defs>/d' "$WORK/head.svg" | grep -c "use xlink:href='#gpPt")"
printf '%s\n' "-- Bars" "-- style: points" >"$WORK/bars.sql" && echo "SELECT 'a' AS kernel, 1 AS x" >>"$WORK/bars.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/bars.sql" -o "$WORK/head.svg"
expect "bars as points" 2 "bars.sql: '-- style: points' is of curves: expected the columns panel, series, and two numbers"
sed -i 2s/points/dots/ "$WORK/bars.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/bars.sql" -o "$WORK/head.svg"
expect "a style that is none" 2 "bars.sql: expected '-- style: lines' or '-- style: points', found 'dots' there"

# ---- the figure of contention after MRPB has the L1s of MRPB's GPUs
l1_of() { ./warpsweep help "$1" | awk '$1 == "l1.size_B" || $1 == "l1.ways" { l1[$1] = $2 }
    END { print l1["l1.size_B"] "," l1["l1.ways"] }'; }
same "MRPB's L1s" "$(l1_of c2050-16k && l1_of c2050-48k)" "$(./warpsweep query "$WORK/few.db" --csv "
    SELECT DISTINCT size_B, contention_ways FROM l1_contention_by_kernel ORDER BY 1" | tail -n +2)"

sms_of() { ./warpsweep help c2050-16k | awk '$1 == "gpu.clusters" { sms = $2 } $1 == "sm.scheduler" { gsub(/"/, ""); scheduler = $2 }
    END { print sms "," scheduler }'; }
same "MRPB's SMs" "$(sms_of)" "$(./warpsweep query "$WORK/few.db" --csv "
    SELECT DISTINCT gpu_clusters, sm_scheduler FROM contention_config" | tail -n +2)"

# ---- a title that its page cannot hold is broken into lines, and the page grows by them
mkdir "$WORK/titled"
cp plots/*.gp "$WORK/titled"
words=$(printf 'of_a_title %.0s' {1..25})
page_h() { sed -n 's/.* height="\([0-9]*\)".*/\1/p' "$1" | head -n 1; }
kept=
for query in plots/*.sql; do
    figure=$(basename "$query" .sql)
    sed "1s/\$/ $words/" "$query" >"$WORK/titled/$figure.sql"
    WARPSWEEP_PLOTS=$WORK/titled ./warpsweep plot "$WORK/few.db" "$figure" -o "$WORK/titled/$figure.svg" >/dev/null
    lines=$(grep -c '<text>.*of_a_title' "$WORK/titled/$figure.svg")
    ((lines > 2 && $(page_h "$WORK/titled/$figure.svg") > $(page_h "$WORK/$figure.svg") + 10)) || kept+=" $figure"
done
same "pages grow" "" "$kept"
same "nor does its last line reach the highest number below it" "apart" "$(awk '
    match($0, /translate[(][0-9.]+,[0-9.]+/) { split(substr($0, RSTART, RLENGTH), at, ",") }
    /<text>.*of_a_title/ { last = at[2] } />[ \t]*100</ && !number { number = at[2] }
    END { print (number - 5.1 > last + 2 ? "apart" : number " and " last) }' "$WORK/titled/rtru.svg")"
# The widths of the letters of DejaVu Sans, from the blank on, in thousandths of its size.
letters="318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838
    838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611 685
    390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592
    592 525 636 337 636 838"
cut_off() { # pattern, pages: their titles of that pattern that run out of them
    awk -v letters="${letters//$'\n'/ }" -v pattern="$1" -F '[<>]' '
        BEGIN { split(letters, thousandths, " "); for (i = 1; i < 96; i++) em[sprintf("%c", 31 + i)] = thousandths[i] / 1000 }
        FNR == 1 { page = 0 } /width="/ && !page { split($0, word, "\""); page = word[2] / 72 }
        $2 == "text" && $3 ~ pattern {
            right = 0.12
            for (i = 1; i <= length($3); i++) right += 8.5 / 72 * em[substr($3, i, 1)]
            if (right > page) print FILENAME ": " $3 }' "${@:2}"
}
same "no title is wider than its page" "" "$(cut_off of_a_title "$WORK"/titled/*.svg)"
echo "SELECT 'p' AS panel, 's' AS series, column1 AS x, column1 AS y FROM (VALUES (1), (3))" >"$WORK/untitled.sql"
{ echo "-- A title" && cat "$WORK/untitled.sql"; } >"$WORK/entitled.sql"
for query in untitled entitled; do ./warpsweep plot "$WORK/few.db" "$WORK/$query.sql" -o "$WORK/$query.svg" >/dev/null; done
{ echo "-- $(printf 'word %.0s' {1..24})" && cat "$WORK/untitled.sql"; } >"$WORK/lines.sql"
./warpsweep plot "$WORK/few.db" "$WORK/lines.sql" -o "$WORK/lines.svg" >/dev/null
same "no word is alone on its line" "12 12" "$(grep -o '<text>word[a-z ]*' "$WORK/lines.svg" | awk '{ print NF }' | xargs)"
wide_title() { # a title that one line held if its letters were as wide as those of prose: its lines
    { echo "-- $1" && cat "$WORK/untitled.sql"; } >"$WORK/wide.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/wide.sql" -o "$WORK/wide.svg" >/dev/null
    cut_off "${1:0:4}" "$WORK/wide.svg"
    grep -c "<text>.*${1:0:4}" "$WORK/wide.svg"
}
same "of a condition" 2 "$(wide_title "$(printf "mechanism_front='none' and %.0s" {1..4})")"
same "in capitals" 2 "$(wide_title "$(printf 'CYCLES = 4000 AND %.0s' {1..6})")"
same "of one word" 2 "$(wide_title "$(printf 'M%.0s' {1..100})")"
same "without a title there is no room for one" 14 \
    "$(($(page_h "$WORK/entitled.svg") - $(page_h "$WORK/untitled.svg")))"

# ---- a page is as wide as the kernels need
width() { grep -om 1 '^ width="[0-9]*"' "$1"; }
same "few kernels: a column" ' width="244"' "$(width "$WORK/instruction_mix.svg")"
cp plots/instruction_mix.gp "$WORK/many.gp"
echo "WITH RECURSIVE kernel(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM kernel WHERE i < 30)
    SELECT '' AS panel, 'a_kernel_of_a_long_name_' || i AS series, 10 AS a, 20 AS b, 30 AS c, 40 AS d, 0 AS e, 0 AS f,
           50 AS g, 50 AS h FROM kernel" >"$WORK/many.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/many.sql" -o "$WORK/many.svg"
expect "thirty" 0
same "many: two columns" ' width="504"' "$(width "$WORK/many.svg")"
has "names that would be cut stand upright" "$(grep -B 2 'a_kernel_of_a_long_name_1<' "$WORK/many.svg")" 'rotate(-90'

# ---- bars go on over further pages, all to one scale; panels of curves are whole, beside their legend
drawn() { # pages of a figure: for each, the kernels that it names, and the number of tics that are 800
    for page in "$@"; do
        echo "$(grep -oE '>k[0-9]{3}<' "$page" | sort -u | sed -n '1p; $p' | tr -d '<>' | xargs) $(grep -oE '>[ ]*800<' "$page" | wc -l)"
    done
}
hundred="WITH RECURSIVE kernel(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM kernel WHERE i < 115)"
gone=
for script in bars instruction_mix l1_contention l1_what_ifs load_latency mapping_patterns request_funnel rtru spatial uniform warp_waits; do
    cp "plots/$script.gp" "$WORK/hundred.gp"
    echo "$hundred SELECT 'p' AS panel, printf('k%03d', i) AS bar, 10 AS a, 20 AS b, 30 AS c, 4 AS d, 4 AS e, 60 AS f, 70 AS g, 80 AS h FROM kernel" >"$WORK/hundred.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/$script.svg"
    [[ "$status $(drawn "$WORK/$script"{,-2,-3}.svg | xargs)" == "0 k001 k039 0 k040 k078 0 k079 k115 0" ]] || gone+=" $script"
    grep -q 'page 3 of 3' "$WORK/$script-3.svg" || gone+=" $script-3"
done
for script in mechanism_bars icl_bars energy_breakdown reorder_time; do
    { echo 'axis = "time"; forms = "one"; legend = "one"' && cat "plots/$script.gp"; } >"$WORK/hundred.gp"
    echo "$hundred SELECT 'p' AS panel, printf('k%03d', i) AS series, 1 AS bar, 2 AS a, 3 AS b, 4 AS c, 5 AS d, 6 AS e, 7 AS f FROM kernel" >"$WORK/hundred.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/$script.svg"
    [[ "$status $(drawn "$WORK/$script"{,-2,-3}.svg | xargs)" == "0 k001 k039 0 k040 k078 0 k079 k115 0" ]] || gone+=" $script"
    grep -q 'page 3 of 3' "$WORK/$script-3.svg" || gone+=" $script-3"
done
same "all kernels of all bars" "" "$gone"
cp plots/spatial.gp "$WORK/ctas.gp"
cat >"$WORK/ctas.sql" <<'END'
SELECT 'registers' AS panel, column1 AS bar, column2 AS percent, 8 AS ctas, 0 AS limits FROM (VALUES ('tall', 16), ('low', 8))
END
./warpsweep plot "$WORK/few.db" "$WORK/ctas.sql" -o "$WORK/ctas.svg" >/dev/null
same "lines between CTAs leave something of a bar: the low one has none" 7 \
    "$(grep -c "<path stroke='rgb(255, 255, 255)'" "$WORK/ctas.svg")"
whole=
for script in $(grep -l '/kernels[.]gp"' plots/*.gp); do
    [[ $script == plots/bars.gp ]] || grep -q ' AS bar,' "${script%.gp}.sql" || whole+=" $script"
done
same "queries of bars say so" "" "$whole"
paged=
for script in $(grep -l 'label 1 title\|/kernels[.]gp\|/locality_page[.]gp' plots/*.gp); do
    grep -q 'page %d of %d\|/kernels[.]gp' "$script" || paged+=" $script"
done
same "each numbers its pages" "" "$paged"
for script in rtru_gantt reorder_design timeline; do
    cp "plots/$script.gp" "$WORK/hundred.gp"
    echo "$hundred SELECT printf('k%03d', i % 30) AS panel, 's' AS series, i AS a, i + 1 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g FROM kernel" >"$WORK/hundred.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/$script.svg"
    has "$script numbers its pages" "$(cat "$WORK/$script.svg")" "page 1 of 3"
done
cp plots/rtru_gantt.gp "$WORK/hundred.gp"
echo "$hundred SELECT 'a kernel whose name is longer than a panel is wide, ' || i || ' of hundred' AS panel, 's' AS series,
      i AS warp, 0 AS b, 8 AS e, 9 AS longest, 30 + i AS launch, i AS cta, 0.125 AS rtru FROM kernel WHERE i < 4" >"$WORK/hundred.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/hundred.svg"
same "a name is shortened, but not which CTA it is" "CTA 1: launch 31 CTA 2: launch 32 CTA 3: launch 33" \
    "$(sed -nE 's/.*a ..*[.][.].*, (launch 3[123]), (CTA [123]): RTRU 12.5 %<.*/\2: \1/p' "$WORK/hundred.svg" | xargs)"
rm "$WORK/hundred.gp"
echo "$hundred SELECT printf('k%03d', i) AS kernel, 6 * i AS cycles FROM kernel" >"$WORK/hundred.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/hundred.svg"
same "one scale on all pages" "k001 k039 1 k040 k078 1 k079 k115 1" "$(drawn "$WORK"/hundred{,-2,-3}.svg | xargs)"
cp plots/l1_sizes.gp "$WORK/hundred.gp"
echo "$hundred SELECT (i - 1) * 15 / 115 AS panel, printf('k%03d', i) AS series, size, 0.1 * i AS miss, 0.7 * i AS absent
      FROM kernel, (SELECT column1 AS size FROM (VALUES (8), (16))) ORDER BY i" >"$WORK/hundred.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/hundred.svg"
same "panels of eight curves or seven" "k001 k062 0 k063 k115 0" "$(drawn "$WORK"/hundred{,-2}.svg | xargs)"
rm "$WORK/hundred.gp"
echo "$hundred SELECT '' AS panel, i AS series, 1 AS x, i AS y FROM kernel" >"$WORK/hundred.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/hundred.sql" -o "$WORK/hundred.svg"
expect "too many curves" 2 "found 115 in panel '': choose some with WHERE, or spread them over more panels by the column panel"

# ---- panels that are to be compared have one scale
cp plots/l1_contention.gp "$WORK/scale.gp"
echo "SELECT column1 AS panel, 'k' AS series, 0 AS a, column2 AS b, 0 AS c, 0 AS d, column2 AS e, NULL AS f
      FROM (VALUES ('16 KB', 1200), ('48 KB', 90))" >"$WORK/scale.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/scale.sql" -o "$WORK/scale.svg"
expect "two L1s" 0
same "one scale" 2 "$(grep -o '>[ ]*1000<' "$WORK/scale.svg" | wc -l)"
tics() { # figure whose script draws, the values of two panels: the numbers at their axes
    cp "plots/$1.gp" "$WORK/scale.gp"
    echo "SELECT column1 AS panel, 'a' AS series, 1 AS x, column2 AS y FROM (VALUES ('c', $2), ('d', $3))" >"$WORK/scale.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/scale.sql" -o "$WORK/scale.svg" >/dev/null &&
        grep -oE '>[[:blank:]]*[0-9.]+[kMG]?<' "$WORK/scale.svg" | tr -d '<> \t' | xargs
}
same "bars" "0 5 10 15 20 25 0 5 10 15 20 25" "$(tics mrpb_what_ifs 27 11)"
same "bars of different quantities" "0 1 2 3 4 5 6 7 0 0.2 0.4 0.6 0.8 1" "$(tics speedup 7.5 1.1)"
same "curves, at the left alone" "0 0.5 1 1 1" "$(tics curves 0.9 0.25)"
same "each its own where one would be flat" "0 500M 1G 1.5G 2G 1 0 200 400 600 1" "$(tics curves 1.9e9 500)"

# ---- effects of axes: ratios on a logarithmic scale, which says so and marks 1
ratios() { # lowest and highest bound: the numbers at the axis of the left one of two panels
    cp plots/effects.gp "$WORK/ratios.gp"
    echo "SELECT column1 AS panel, '' AS series, 1 AS place, 1 AS ratio, $1 AS low, $2 AS high, 1 AS ordered, 'v' AS label
          FROM (VALUES ('c'), ('d'))" >"$WORK/ratios.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/ratios.sql" -o "$WORK/ratios.svg" >/dev/null &&
        grep -oE '>[[:blank:]]*[0-9.e+]+<' "$WORK/ratios.svg" | tr -d '<> \t' | xargs
}
same "1, 2 and 5 times powers of ten" "0.5 1 2 5 10 20" "$(ratios 0.45 21)"
has "it says so" "$(cat "$WORK/ratios.svg")" "lowest (log)<"
same "a line at 1 in each panel" 2 "$(grep -c "<path stroke='rgb(  0,   0,   0)'" "$WORK/ratios.svg")"
same "equal steps" "0.9 1 1.1 1.2 1.3" "$(ratios 0.9 1.3)"
same "more than one where the highest is twice the lowest" "1 1.5" "$(ratios 0.74 1.6)"
same "one value" "1" "$(ratios 1 1)"
same "powers of ten" "1 10 100 1000 10000 100000" "$(ratios 1 100000)"
same "some of them" "1 100 10000 1e+06 1e+08 1e+10 1e+12 1e+14" "$(ratios 1 1e14)"

# ---- which numbers are written along x
along_x() { # rows of x: those named at the axis, of one panel whose y are 0.5 at most
    echo "SELECT '' AS panel, '' AS series, column1 AS x, 0.3 AS y FROM (VALUES $1)" >"$WORK/along.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/along.sql" -o "$WORK/along.svg" >/dev/null &&
        grep -oE '>[[:blank:]]*[0-9.]+([kMG]|[KMG]i)?<' "$WORK/along.svg" | tr -d '<> \t' | grep -vE '^0([.][0-9]+)?$' | xargs
}
same "no axis calls these K" "" "$(grep -lE '"[0-9%d]+[KM]"' plots/*.gp)"
same "two sizes" "16Ki 32Ki" "$(along_x '(16384), (32768)')"
same "another between them" "20k 30k" "$(along_x '(16384), (24576), (32768)' | grep -oE '20k.*30k' | sed 's/ .* / /')"
same "a wide range" "1 2 5 10" "$(along_x '(1), (3), (5), (9)' | cut -d' ' -f1-4)"
same "a wide range of cycles" "10k 20k 50k 100k" "$(along_x '(10000), (20000), (30000), (100000)')"
same "many decades" "1 100 10k 1M" "$(along_x '(0.7), (30), (45000), (1234567), (123456789)' | grep -o '^1 .*1M')"
same "0 beside powers of two" "1 4 16 64 256 1Ki 4Ki" "$(along_x '(0), (1), (256), (4096)')"
same "it has its number" 2 "$(grep -cE '>[[:blank:]]*0<' "$WORK/along.svg")"
same "0 beside other numbers" "50 100 150 200 250 300" "$(along_x '(0), (1), (300)')"
same "none but one" "16.384k" "$(along_x '(16384)')"
same "a small one" "16" "$(along_x '(16)')"
same "half millions" "500k 1M 1.5M 2M" "$(along_x '(500000), (1000000), (2000000)')"
same "numbers that begin alike" "10.2k 10.4k 10.6k 10.8k 11k" "$(along_x '(10200), (11000)')"
same "numbers that begin much alike" "2.0002M 2.0004M 2.0006M 2.0008M" "$(along_x '(2000100), (2000900)')"
same "many powers" "1Ki 16Ki 256Ki 4Mi 64Mi 1Gi" "$(along_x '(1024), (2147483648)')"
echo "SELECT 'p' || column1 AS panel, '' AS series, column2 AS x, 1 AS y FROM (VALUES (1, 1100), (1, 220000), (2, 1100), (3, 1100))" >"$WORK/along.sql"
./warpsweep plot "$WORK/few.db" "$WORK/along.sql" -o "$WORK/along.svg" >/dev/null
same "the last one is on the page" "100k 100k 100k" "$(awk '/ width="/ && !width { split($0, size, "\""); width = size[2] }
    match($0, /translate[(][0-9.]+/) { x = substr($0, RSTART + 10, RLENGTH - 10) }
    />[ \t]*100k</ && x + 9 < width { print "100k" }' "$WORK/along.svg" | xargs)"

# ---- legends: names of any length are whole and on the page
in_legend() { # names begin with "entry": those whose place is above the foot of the page
    awk -F'[(,)"]' '/viewBox/ { split($0, box, "viewBox=\""); split(box[2], size, /[ "]/); height = size[4] }
        /translate/ { y = $4 } /<text>.*entry/ { inside += y < height } END { print inside + 0 }' "$1"
}
cut=
for length in 6 18 26 36 48; do
    for entries in 2 4 7; do
        echo "WITH RECURSIVE e(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM e WHERE i < $entries)
            SELECT 'a' AS panel, substr('entry' || i || hex(zeroblob(30)), 1, $length) AS series, column1 AS x, i AS y
            FROM e, (VALUES (1), (3))" >"$WORK/legend.sql"
        ./warpsweep plot "$WORK/few.db" "$WORK/legend.sql" -o "$WORK/legend.svg" >/dev/null
        [[ $(in_legend "$WORK/legend.svg") == "$entries" ]] || cut+=" $entries of $length"
        { printf "SELECT 'a' AS kernel" && for ((i = 1; i <= entries; i++)); do
            printf ', 1 AS "%.*s"' "$length" "entry$i$(printf '%060d' 0)"
        done; } >"$WORK/legend.sql"
        ./warpsweep plot "$WORK/few.db" "$WORK/legend.sql" -o "$WORK/legend.svg" >/dev/null
        [[ $(in_legend "$WORK/legend.svg") == "$entries" ]] || cut+=" $entries bars of $length"
    done
done
cp plots/*.gp "$WORK/traces" # where no figure's query is, and those that load others find them
for entries in 2 15 16 31 48; do
    echo "WITH RECURSIVE e(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM e WHERE i < $entries)
        SELECT 'a' AS panel, 'entry' || i AS series, 1024 * i AS x, i AS y, 1 AS z FROM e" >"$WORK/traces/pareto.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/traces/pareto.sql" -o "$WORK/legend.svg" >/dev/null
    [[ $(in_legend "$WORK/legend.svg") == "$entries" ]] || cut+=" $entries mechanisms"
done
same "none is cut" "" "$cut"
kinds_of_points() { # SVG
    grep -oE "<use xlink:href='#gpPt[0-9]+' [^>]* color='[^']*'" "$1" | sed -E "s/.*(#gpPt[0-9]+)'.*color=/\1 /" | sort -u | wc -l
}
same "each of 48 mechanisms has a point of its own" 48 "$(kinds_of_points "$WORK/legend.svg")"
printf '%s\n' "-- Points" "-- style: points" "WITH RECURSIVE e(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM e WHERE i < 64)
    SELECT 'a' AS panel, 'entry' || i AS series, i AS x, i AS y FROM e" >"$WORK/points.sql"
./warpsweep plot "$WORK/few.db" "$WORK/points.sql" -o "$WORK/points.svg" >/dev/null
same "so has each of 64 series without lines" 64 "$(kinds_of_points "$WORK/points.svg")"

# ---- gain and cost: each panel has its scale, in which points do not lie on an edge
echo "SELECT column1 AS panel, 's' AS series, 24576 AS x, column2 AS y, 1 AS z
      FROM (VALUES ('flat', 1), ('flat', 0.999), ('steep', 0.5), ('steep', 3))" >"$WORK/traces/pareto.sql"
./warpsweep plot "$WORK/few.db" "$WORK/traces/pareto.sql" -o "$WORK/pareto.svg" >/dev/null
same "a flat one has 5 % around 1" "0.96 0.98 1 1.02 1.04 0 1 2 4 8 16 0.5 1 1.5 2 2.5 3 0 1 2 4 8 16" \
    "$(grep -oE '>[[:blank:]]*[0-9.]+<' "$WORK/pareto.svg" | tr -d '<> \t' | xargs)"

# ---- names and numbers stay within their panel
for sign in 1 -1; do
    echo "WITH panels(name) AS (VALUES ('vectorized_elementwise_kernel_of_floats'), ('a_third_kernel'), ('spmv'),
               ('vectorized_elementwise_kernel_of_halves'))
        SELECT name AS panel, '' AS series, column1 AS x, $sign * 20000000 * column1 AS cycles
        FROM panels, (VALUES (1), (3))" >"$WORK/long.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/long.sql" -o "$WORK/long$sign.svg"
    expect "cycles times $sign" 0
done
for words in of_floats of_halves spmv 60M; do
    has "curves: $words" "$(cat "$WORK/long1.svg")" "$words<"
done
has "a long name is cut" "$(cat "$WORK/long1.svg")" '>vectorized_el..el_of_floats<'
has "curves below zero" "$(cat "$WORK/long-1.svg")" ">-60M<"
for y in 'a' 'a long name of what is measured, in words' 'as_long_a_name_as_that_one_but_without_a_blank'; do
    echo "SELECT column1 AS panel, '' AS series, column2 AS x, column2 AS \"$y\"
        FROM (VALUES ('p', 1), ('q', 2), ('r', 3), ('s', 4))" >"$WORK/beside.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/beside.sql" -o "$WORK/beside.svg" >/dev/null
    grep -oE '<text>[a-z_,. ]{3,}' "$WORK/beside.svg" | sed 's/<text>//'
done >"$WORK/beside"
same "a long name beside them is on two lines, or cut where it has no blank" "a long name of what
is measured, in words
as_long_a_name..ithout_a_blank" "$(cat "$WORK/beside")"

# ---- all scopes of a window
echo '{"name": "scopes", "traces": "traces/transpose.wst", "analysis": "window", "base": {"sm.scheduler": "gto"},
    "axes": {"window.size": [1, 8], "window.scope": ["warp", "cta", "sm", "cluster"], "window.kind": ["fifo", "sliding"]}}' >"$WORK/scopes.json"
./warpsweep sweep "$WORK/scopes.json" --db "$WORK/scopes.db" >/dev/null 2>&1
try ./warpsweep plot "$WORK/scopes.db" window_reduction --sweep scopes -o "$WORK/scopes.svg"
same "a colour for each, two lines of each colour" "0, 0, 0;0, 114, 178;0, 158, 115;230, 159, 0" \
    "$(grep -oE 'stroke="rgb[^"]*' "$WORK/scopes.svg" | grep -v 216 | sed 's/.*(//; s/)//; s/  */ /g; s/^ //' | sort -u | paste -sd ';')"

bars_of() { # name of 20 kernels: the height of a page of slanted names
    cp plots/mrpb_what_ifs.gp "$WORK/height.gp"
    echo "WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 29) SELECT 'p' AS panel, '$1' || i AS series, 1 AS x, 1 AS y FROM n" >"$WORK/height.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/height.sql" -o "$WORK/height.svg" >/dev/null && page_h "$WORK/height.svg"
}
same "short names leave no blank below them" 73 "$(($(bars_of "$(printf 'k%.0s' {1..20})") - $(bars_of "$(printf 'k%.0s' {1..6})")))"

long=$(printf 'a_%%_name_%.0s' {1..27})
tall=
for script in bars instruction_mix mechanism_bars icl_bars; do
    { echo 'axis = "time"; forms = "one"; legend = "one"' && cat "plots/$script.gp"; } >"$WORK/named.gp"
    echo "SELECT 'p' AS panel, column1 AS bar, 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h
          FROM (VALUES ('${long}one'), ('${long}two'), ('short'))" >"$WORK/named.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/named.sql" -o "$WORK/named.svg"
    (($(page_h "$WORK/named.svg") < 500)) || tall+=" $script"
    [[ $(grep -oE '>(a_%_name_)+.*[.][.].*(one|two)<' "$WORK/named.svg" | wc -l) == 2 ]] || tall+=" $script: $err"
done
same "bars: names longer than a page are cut" "" "$tall"

# ---- names that differ in what would be cut
library="tile(name) AS (VALUES ('128x128x32_stage4'), ('64x64x64_stage4'), ('64x64x64_stage3')), kernel(name) AS (
    SELECT 'sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize' || name || '_warpsize2x2x1_tensor16x8x16_kernel' FROM tile
    UNION ALL SELECT 'sm80_' || name || '_and_the_rest_of_a_long_name_as_of_a_template_' || n || '_of_other_arguments_kernel'
    FROM tile, (VALUES ('one'), ('two')) AS of(n))"
library=${library/AS of(n)/} library=${library/|| n ||/|| column1 ||}
named() { # script, with its 8 numbers: the names in its figure, each behind the number of times
    { echo 'axis = "time"; forms = "one"; legend = "one"' && cat "plots/$1.gp"; } >"$WORK/named.gp"
    echo "WITH $library SELECT ${2:-'p' AS panel, name AS bar}, 1 AS a, 2 AS b${3-, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h} FROM kernel" >"$WORK/named.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/named.sql" -o "$WORK/named.svg"
    grep -oE '>sm8[^<]*<' "$WORK/named.svg" | sort | uniq -c | awk '{ print $1 }' | xargs
}
for script in mechanism_bars icl_bars energy_breakdown reorder_time reorder_unit bars instruction_mix; do
    same "$script: each has another name" "1 1 1 1 1 1 1 1 1" "$(named $script)"
    same "$script: none is as it was" "" "$(grep -oE '>sm8[^<]{45,}<' "$WORK/named.svg")"
done
same "panels, too" "1 1 1 1 1 1 1 1 1" "$(named window_panels "name AS panel, 's' AS series" "")"
has "and what they differ in" "$(cat "$WORK/named.svg")" "sm8..tilesize128x128"
same "timeline's panels are cut" "1 1 1 1 1 1 1 1 1" "$(named timeline "name || name || name || name AS panel, 's' AS series")"
same "none of them is wider than the page" "" "$(grep -oE '>sm8[^<]{110,}<' "$WORK/named.svg")"
same "legends, too" "1 1 1 1 1 1 1 1 1" "$(named curves "'' AS panel, name || name || name || name AS series" "")"
same "none of them, either" "" "$(grep -oE '>sm8[^<]{110,}<' "$WORK/named.svg")"
rm "$WORK/named.gp"
echo "SELECT 'a' AS name, 1 AS \"$(printf 'a number with a long name, %.0s' {1..9})\", 2 AS b" >"$WORK/named.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/named.sql" -o "$WORK/named.svg"
has "the legend of bars" "$(grep -oE '>a number with[^<]{10,50}<' "$WORK/named.svg")" ".."
echo "SELECT 'MMMMMMWWWWWWMMMMMMWWWWWWMMMMMMWWWWWWMMMMMMWWWWWW' AS panel, 's' AS series, 1 AS x, 1 AS y UNION ALL SELECT 'b', 's', 2, 1
      UNION ALL SELECT 'c', 's', 2, 1" >"$WORK/named.sql"
./warpsweep plot "$WORK/few.db" "$WORK/named.sql" -o "$WORK/named.svg" >/dev/null
same "wide letters take more room" "" "$(grep -oE '>MM[^<]{20,}<' "$WORK/named.svg")"

# ---- characters that no font has are ? in pictures that gnuplot draws itself
lettered() { # name: the pages of a query that has it as title, panel, series, column and label
    { echo "-- $1" && echo "SELECT '$1' AS panel, '$1' AS series, column1 AS \"$1\", column1 AS y FROM (VALUES (1), (2))"; } >"$WORK/letters.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/letters.sql" -o "$WORK/$2" >/dev/null
}
if command -v fc-list >/dev/null && ! fc-list -q :charset=13000; then
    lettered $'na\u00efve \u03ba \U00013000' odd.png
    lettered $'na\u00efve \u03ba ?' plain.png
    same "a hieroglyph" "" "$(cmp "$WORK/odd.png" "$WORK/plain.png" 2>&1)"
    lettered $'na\u00efve \U00013000' odd.svg
    has "SVG keeps it" "$(cat "$WORK/odd.svg")" $'na\u00efve \U00013000'
fi

# ---- values that are not known
mkdir "$WORK/unknown"
cp plots/*.gp "$WORK/unknown"
nothing_known() { # figure, its first number or NULL
    { head -n 1 "plots/$1.sql" && echo "SELECT 'p' AS panel, 's' AS series, $2 AS a, NULL AS b, NULL AS c"; } >"$WORK/unknown/$1.sql"
    try env WARPSWEEP_PLOTS="$WORK/unknown" ./warpsweep plot "$WORK/few.db" "$1" -o "$WORK/none.svg"
    expect "$1 of $2 and NULL alone" 2 "figure $1: expected rows with numbers, found NULL, or infinity, in all of them"
}
for figure in speedup pareto timeline request_funnel; do
    nothing_known $figure NULL
    nothing_known $figure 1
done
half_known() { # script: a panel of which nothing is known, above one of 1.5 and 7
    cp "plots/$1.gp" "$WORK/half.gp"
    echo "SELECT column1 AS panel, 's' AS series, column2 AS x, column3 AS y, 0 AS z
          FROM (VALUES ('a', 1, NULL), ('a', 2, NULL), ('b', 1, 1.5), ('b', 2, 7))" >"$WORK/half.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/half.sql" -o "$WORK/half.svg"
    expect "$1: a panel of NULL" 0
    has "$1: the other has its scale" "$(tr -d ' ' <"$WORK/half.svg")" ">$2<"
}
half_known speedup 7
half_known pareto 7
half_known curves 6
said() { # script, and rows of a panel, a series, and two numbers: what is said of empty panels and bars
    cp "plots/$1.gp" "$WORK/said.gp"
    echo "SELECT column1 AS panel, column2 AS ${3:-series}, column3 AS x, column4 AS y${4-} FROM (VALUES $2)" >"$WORK/said.sql"
    rm -f "$WORK/said.svg"
    ./warpsweep plot "$WORK/few.db" "$WORK/said.sql" -o "$WORK/said.svg" >/dev/null
    grep -oE '>(no data|all [^<]*|0)<' "$WORK/said.svg" | tr -d '<>' | xargs
}
for script in curves window_panels; do
    same "$script: no data" "no data" "$(said $script "('a', 's', 1, 2), ('a', 's', 2, 3), ('b', 's', 1, NULL)" | grep -o 'no data')"
done
same "lru_capacity: no data" "no data" "$(said lru_capacity "('a', 's', 1, 2), ('b', 's', 1, NULL)" series ", 128 AS z" | grep -o 'no data')"
for script in locality_heat locality_surface; do
    same "$script: no data" "no data" "$(said $script "('a', 's', 0, 0), ('a', 's', 1, 1), ('a', 's', 2, 2), ('b', 's', 0, NULL)" series ", column4 / 2.0 AS z")"
done
same "bars: 0 beside that of the axis, and no data" "0 0 0 no data" "$(said bars "('a', 's', 0, 2), ('a', 't', NULL, 3), ('b', 's', NULL, NULL)" bar)"
same "mechanism_bars: 0, and no data" "0 no data" "$(said speedup "('a', 's', 1, 0), ('a', 's', 2, NULL), ('b', 's', 1, NULL)")"
same "shares of 0" "all 0 no data" "$(said l1_what_ifs "('a', 's', 0, 0), ('a', 't', NULL, 0), ('b', 's', NULL, NULL)" bar)"
same "and of next to 0" "all below 1 % no data" "$(said icl_windows "('a', 's', 1, 4), ('b', 's', 1, NULL)" series ", 0 * column4 AS a, 0.1 + 0 * column4 AS b, 0 * column4 AS c, 0 * column4 AS d")"
same "of two parts of a panel" "all 0 no data" "$(said uniform "('a', 's', 0, 0)" bar ", 0 AS a, 0 AS b, NULL AS c, NULL AS d, NULL AS e, NULL AS f")"

broken() { # script: how a curve is drawn of which the third of five numbers is not known, and the points in it and its legend
    cp "plots/$1.gp" "$WORK/broken.gp"
    echo "SELECT '' AS panel, 's' AS series, column1 AS x, column2 AS y, column2 AS z
          FROM (VALUES (1, 1), (2, 2), (4, NULL), (8, 3), (16, 4))" >"$WORK/broken.sql"
    ./warpsweep plot "$WORK/few.db" "$WORK/broken.sql" -o "$WORK/broken.svg" >/dev/null
    sed '1,/<.defs>/d' "$WORK/broken.svg" >"$WORK/drawn.svg"
    grep -oE "d='[ML0-9., ]+" "$WORK/drawn.svg" | tr -cd 'ML\n' | grep '^....$' | tr '\n' ' '
    grep -o "use xlink:href='#gpPt" "$WORK/drawn.svg" | wc -l
}
for script in curves window_panels; do
    same "$script: a line breaks where nothing is known" "MLML 5" "$(broken $script)"
done
same "lru_capacity, too" "MLML" "$(broken lru_capacity | cut -d ' ' -f 1)"
echo "SELECT '' AS panel, 's' AS series, column1 AS x, column2 AS y FROM (VALUES (1, 1), (2, 9e999), (9e999, 1), (3, 700))" >"$WORK/inf.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/inf.sql" -o "$WORK/inf.svg"
has "infinity is left out" "$(tr -d ' ' <"$WORK/inf.svg")" ">800<"
echo "SELECT 'k' AS k, 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h, 9 AS i" >"$WORK/nine.sql"
try ./warpsweep plot "$WORK/few.db" "$WORK/nine.sql" -o "$WORK/nine.svg"
has "a ninth bar is no first one" "$(cat "$WORK/nine.svg")" "fill-opacity = '0.5"

# ---- a picture that is cut short, as on a full disk: gnuplot reports no error; the script fits
cut_short() { # KiB, command
    (trap '' XFSZ && ulimit -f "$1" && exec "${@:2}")
}
echo "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
      SELECT 'panel ' || i AS panel, 'series' AS series, i AS x, i AS y FROM n" >"$WORK/twelve.sql"
for ending in svg png; do
    try cut_short 20 ./warpsweep plot "$WORK/few.db" "$WORK/twelve.sql" -o "$WORK/cut.$ending"
    expect "$ending" 1 "cut.$ending: cannot write"
done
same "nothing is left of it" "" "$(cd "$WORK" && ls cut.*)"

# ---- queries of one's own, as plots/README.md shows them
mkdir "$WORK/copy"
ln -s "$PWD"/{warpsweep,sweeps,plots} "$WORK/traces" "$WORK/copy"
awk '/^```/ { inside = /^```sh/; next } inside' plots/README.md >"$WORK/block.sh"
try env -C "$WORK/copy" bash -eu "$WORK/block.sh"
expect "its commands" 0
for words in 'What a larger L1 brings' 'L1 size (B)' kmeans; do
    has "curves: $words" "$(cat "$WORK/copy/my/miss.svg")" ">$words<"
done
for words in 'What a hit is worth' 'L1 hit rate' kmeans; do
    has "points: $words" "$(cat "$WORK/copy/my/rate.svg")" ">$words<"
done
names=
for text in "A title" "axis: two numbers"; do
    echo "-- A title
-- $text
SELECT 'a' AS kernel, 1 AS one, 2 AS two" >"$WORK/bars.sql"
    try ./warpsweep plot "$WORK/few.db" "$WORK/bars.sql" -o "$WORK/bars.svg"
    expect "bars of several numbers: $text" 0
    names+=$(grep -c "its axis has no name: a line '-- axis: TEXT'" <<<"$err")
done
same "one whose axis has no name is told so" 10 "$names"
for words in 'A larger L1' 'instructions per cycle' '16 KB' '64 KB' spmv; do
    has "bars: $words" "$(cat "$WORK/copy/my/ipc.svg")" ">$words<"
done
finished
