#!/usr/bin/env bash
# The page of a database: sweeps, failures, axes, speedups, columns, runs and figures. It is complete, or not written.
. "$(dirname "$0")/lib.sh"
export WARPSWEEP_PLOTS=$PWD/plots
small_trace "$WORK/small"
"$W" import "$WORK/small" -o "$WORK/a&b.wst" >/dev/null 2>&1
cat >"$WORK/tagged.json" <<END
{"name": "tagged", "description": "1 < 2 & \"so on\"", "traces": ["$WORK/a&b.wst"], "analysis": "timed", "gpu": "gtx480-wp",
 "axes": {"zip": {"l1.ways": [4, 8], "l1.size_B": [32768, 65536]}, "sm.threads": [16, 1536]},
 "baseline": {"l1.ways": 4}, "energy": "xi"}
END
cat >"$WORK/window_reduction.json" <<END
{"name": "window_reduction", "traces": ["$WORK/a&b.wst"], "analysis": "window", "base": {}, "axes": {
 "window.size": [1, 2, 4], "window.kind": ["fifo"], "window.scope": ["sm"], "sm.scheduler": ["gto"]}}
END
try "$W" sweep "$WORK/tagged.json" --db "$WORK/r.db"
expect "a sweep of which half fails" 4
try "$W" sweep "$WORK/window_reduction.json" --db "$WORK/r.db"
expect "another" 0
before=$(cksum <"$WORK/r.db")

sed 's/1 < 2/another/; s/"gtx480-wp"/&, "base": {"l1.latency": 9}/' "$WORK/tagged.json" >"$WORK/namesake.json"
"$W" sweep "$WORK/namesake.json" --db "$WORK/namesake.db" >/dev/null 2>&1
cp "$WORK/r.db" "$WORK/both.db"
try "$W" merge "$WORK/namesake.db" --db "$WORK/both.db"
expect "another sweep of the same name" 0 "the sweeps of these names"
try "$W" report "$WORK/both.db" --no-figures -o "$WORK/both.html"
has "the description is that of the sweep which is shown" "$(cat "$WORK/both.html")" '<p>1 &lt; 2 &amp;'

# ---- without figures
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/r.html"
expect "a page" 0
same "its name" "$WORK/r.html" "$out"
page=$(cat "$WORK/r.html")
ln -s r.html "$WORK/link.html"
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/link.html"
same "through a link: it stays one" "0 r.html" "$status $(readlink "$WORK/link.html")"
has "the description, as HTML has it" "$page" '<p>1 &lt; 2 &amp; &quot;so on&quot;</p>'
has "what speedups are over" "$page" '<p>Baseline: l1.ways 4, at equal sm.threads</p>'
same "where there is a baseline" 1 "$(grep -c '<p>Baseline' <<<"$page")"
has "points" "$page" '<tr><td>tagged<td>timed<td class="number">8<td class="number">4<td class="number">4<td class="number">0'
for launch in 1 2; do
    try "$W" query "$WORK/r.db" "SELECT count(*), reason FROM point WHERE reason LIKE 'kernel $launch %'" --csv
    has "why some failed: $launch" "$page" "<tr><td class=\"number\">2<td>$(tail -1 <<<"$out" | cut -d, -f2- | tr -d '"')"
done
has "axes" "$page" '<tr><td>l1.size_B<td>32768, 65536<td>B'
has "of another sweep" "$page" '<tr><td>window.size<td>1, 2, 4<td>'
for question in "SELECT round(geomean(speedup), 4) FROM tagged_speedup WHERE l1_ways = 8" \
    "SELECT max(cycles) FROM tagged_by_kernel" "SELECT max(energy_J) FROM tagged_energy" \
    "SELECT min(remaining) FROM window_reduction_by_kernel"; do
    try "$W" query "$WORK/r.db" "$question"
    has "$question" "$page" "<td class=\"number\">$(tail -1 <<<"$out" | xargs)<"
done
has "units and meanings" "$page" '<tr><td>cycles<td>cycles<td'
same "runs, each with its sweep" 1 "$(grep -c "$WORK/tagged.json --db $WORK/r.db" <<<"$page")"
same "sweeps by name" "tagged window_reduction" "$(sed '/<h2/,$d' <<<"$page" | grep -o '^<tr><td>[a-z_]*' | cut -d'>' -f3 | xargs)"
try "$W" query "$WORK/r.db" --csv "SELECT round(geomean(speedup), 4) FROM tagged_speedup GROUP BY l1_ways, sm_threads ORDER BY 1 DESC"
same "all settings by speedup" "$(sed 1d <<<"$out" | xargs)" \
    "$(sed '1,/<h3>Speedup/d; /<.table>/,$d' <<<"$page" | sed -n 's/^<tr><td class="number">2<td class="number">\([0-9.]*\)<.*/\1/p' | xargs)"
has "where joules come from" "$page" '<p>Table of energies: xi</p>'
try "$W" query "$WORK/r.db" --csv "SELECT round(geomean(edp_ratio), 4) FROM tagged_energy GROUP BY l1_ways ORDER BY 1"
same "all settings by energy-delay product" "$(sed 1d <<<"$out" | xargs)" \
    "$(sed '1,/<h3>Energy-delay/d; /<.table>/,$d' <<<"$page" |
        sed -n 's/^<tr>\(<td[^>]*>[^<]*\)\{3\}<td class="number">\([0-9.]*\)<.*/\2/p' | xargs)"
same "those of least time, energy and both" "time energy energy x time" \
    "$(sed '1,/<h3>Settings of least/d; /<.table>/,$d' <<<"$page" | sed -n 's/^<tr><td>\([a-z ]*\)<.*/\1/p' | xargs)"
same "which the other sweep does not have" 1 "$(grep -c '<h3>Energy-delay' <<<"$page")"
same "no picture" 0 "$(grep -c '<img' "$WORK/r.html")"
for tag in table details h1 h2 h3 p; do
    same "each <$tag> is closed" "$(grep -o "<${tag}[ >]" <<<"$page" | wc -l)" "$(grep -o "</$tag>" <<<"$page" | wc -l)"
done
same "nothing changes the database" "$before" "$(cksum <"$WORK/r.db")"

sed 's/"tagged"/"half"/; s/16, 1536/1024, 1536/' "$WORK/tagged.json" >"$WORK/half.json"
try "$W" sweep "$WORK/half.json" --db "$WORK/half.db" --shard 0/2
same "what may be elsewhere is not missed" 0 "$(grep -c 'no baseline' <<<"$err")"
echo notes >"$WORK/notes.html"
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/notes.html"
expect "over a file that is no page" 2 "notes.html: expected a page to replace, found another file"
same "that stays" notes "$(cat "$WORK/notes.html")"
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/r.html"
expect "over a page" 0

try "$W" report "$WORK/half.db" --no-figures -o "$WORK/half.html"
expect "a part of a sweep" 0
computed=$("$W" query "$WORK/half.db" --csv "SELECT count(*) FROM half" | tail -1)
has "what is still to be computed" "$(cat "$WORK/half.html")" \
    "<tr><td>half<td>timed<td class=\"number\">8<td class=\"number\">$computed<td class=\"number\">0<td class=\"number\">$((8 - computed))"

# ---- odd databases
odd() { # name, SQL
    cp "$WORK/r.db" "$WORK/$1.db" && sqlite3 "$WORK/$1.db" "$2"
    try "$W" report "$WORK/$1.db" --no-figures -o "$WORK/$1.html"
    expect "$1" 0
    page=$(cat "$WORK/$1.html")
}
numbers() { printf '<td class="number">%s' "$@"; }

views=$(sqlite3 "$WORK/r.db" "SELECT replace(replace(sql, 'p.truncated AS truncated, ', ''), 'max(truncated) AS truncated, ', '') || ';'
    FROM sqlite_schema WHERE tbl_name LIKE 'window_reduction%' AND type = 'view'")
drop=$(sqlite3 "$WORK/r.db" "SELECT 'DROP VIEW ' || name || ';' FROM sqlite_schema WHERE type = 'view'")
odd older "$drop ALTER TABLE point DROP COLUMN truncated; ALTER TABLE sweep DROP COLUMN baseline; $views PRAGMA user_version = 2"
has "its points" "$page" "<tr><td>window_reduction<td>window$(numbers 6 6 0 0)"
has "without what it does not know" "$page" "<tr><td>window$(numbers 1 2 6 6 0 0)
</table>"
has "and what it measured" "$page" '<summary>Columns of the view window_reduction_by_kernel</summary>'

odd emptied "$drop DELETE FROM sweep_view; DELETE FROM sweep_point; DELETE FROM sweep"
same "a database without sweeps has no sections" 0 "$(grep -c '<h2' <<<"$page")"

odd one-view-less "DROP VIEW window_reduction_by_kernel; DROP VIEW tagged"
has "what cannot be told says why" "$page" '<p class="bad">SQL: no such table: window_reduction_by_kernel</p>'
has "in each sweep" "$page" '<p class="bad">SQL: no such table: tagged'
same "and the others are there" "3 2" "$(grep -c '<h3' <<<"$page") $(grep -c '<summary>Runs' <<<"$page")"

odd recorded "UPDATE point SET truncated = 1 WHERE id = (SELECT point FROM sweep_point JOIN sweep s ON s.id = sweep WHERE name = 'tagged'
    INTERSECT SELECT id FROM point WHERE status = 'done');
    UPDATE point SET reason = iif(id = (SELECT min(id) FROM point WHERE status = 'failed'), 'a rare one', 'one more often') WHERE status = 'failed';
    CREATE TEMP TABLE later AS SELECT * FROM run WHERE sweep = 'tagged';
    UPDATE later SET id = 99, spec = '{\"description\": \"later\"}'; INSERT INTO run SELECT * FROM later;
    DROP VIEW tagged_speedup; CREATE VIEW tagged_speedup AS SELECT 1 AS speedup WHERE 0"
cp "$WORK/r.db" "$WORK/cut.db" && sqlite3 "$WORK/cut.db" "UPDATE point SET truncated = 1 WHERE status = 'done'"
for view in tagged tagged_by_kernel tagged_speedup tagged_pareto tagged_energy; do
    try "$W" query "$WORK/cut.db" "SELECT max(truncated) FROM $view" --csv
    same "$view tells of limits" "max(truncated) 1" "$(xargs <<<"$out")"
done
has "points that limits cut" "$page" "<tr><td>timed$(numbers 1 2 8 4 4 0 1)"
same "reasons by their points" "$(numbers 3)<td>one more often $(numbers 1)<td>a rare one" "$(grep -o '<td.*\(often\|rare one\)' <<<"$page" | xargs -d '\n')"
has "the last run's description" "$page" '<p>later</p>'
same "no speedups where no baseline is done" 0 "$(grep -c '<h3>Speedup' <<<"$page")"

odd many "WITH RECURSIVE more(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM more WHERE i < 60)
    INSERT INTO point (id, kernel, analysis, version, config, status, reason)
    SELECT 1000 + i, kernel, 'timed', 1, 1000 + i, 'failed', 'reason ' || i FROM more, (SELECT kernel FROM point LIMIT 1);
    INSERT INTO sweep_point (sweep, point) SELECT s.id, p.id FROM sweep s, point p WHERE s.name = 'tagged' AND p.id > 1000 AND p.id < 1061;
    DROP VIEW tagged_speedup; CREATE VIEW tagged_speedup AS SELECT 't' AS trace, 'k' AS kernel, id - 1000 AS speedup, id AS l1_ways, 1 AS l1_size_B, 1 AS sm_threads, 1 AS launches
    FROM point WHERE id > 1000 AND id < 1061"
same "of many reasons the most frequent" 50 "$(grep -c '<td>\(reason [0-9]*\|launch 1.*\)$' <<<"$page")"
same "of many speedups the highest" "$(seq 60 -1 11 | xargs)" \
    "$(sed '1,/<h3>Speedup/d; /<.table>/,$d' <<<"$page" | sed -n 's/^<tr><td class="number">1<td class="number">\([0-9]*\).0<.*/\1/p' | xargs)"

odd partial "DROP VIEW tagged_speedup; CREATE VIEW tagged_speedup AS SELECT 't' AS trace, 'k' AS kernel, NULL AS kernel_class,
    NULL AS cost_bits, column1 AS launches, column2 AS speedup, 1 AS l1_ways, 1 AS l1_size_B, column1 AS sm_threads
    FROM (VALUES (2, 5.5), (7, 1.5))"
speedups() { sed "1,/<h3>Speedup.*by $1/d; /<.table>/,\$d" <<<"$page" | sed -n 's/<td[^>]*>/ /gp' | sed 's/<[^>]*>//g'; }
same "few launches of a kernel come last" "7 2" "$(speedups setting | awk '{ print $7 }' | xargs)"
same "and are not the best of it" "t k 7 NULL 1.5 l1.ways 1, l1.size_B 1, sm.threads 7" "$(speedups kernel | xargs)"

odd renamed "UPDATE sweep SET name = 'a\"<''&' WHERE name = 'window_reduction'; UPDATE run SET spec = 'none', argv = 'none'"
has "a name is text" "$page" '<h2 id="a&quot;&lt;'"'"'&amp;">a&quot;&lt;'"'"'&amp;</h2>'
has "in links, too" "$page" '<a href="#a&quot;&lt;'"'"'&amp;">a&quot;&lt;'"'"'&amp;</a>'
has "arguments that are none" "$page" '<p class="bad">SQL: malformed JSON</p>'
same "whose table is closed" "$(grep -c '<table>' <<<"$page")" "$(grep -c '</table>' <<<"$page")"

sed 's/"tagged"/"failed"/; s/16, 1536/16/' "$WORK/tagged.json" >"$WORK/failed.json"
try "$W" sweep "$WORK/failed.json" --db "$WORK/failed.db"
expect "a sweep of which all points fail" 4
try "$W" report "$WORK/failed.db" --no-figures -o "$WORK/failed.html"
expect "has a page" 0
same "that says why, and nothing of what it measured" "<h3><span class=\"bad\">Points that failed</span> (the 50 most frequent reasons)</h3>
<details><summary>Runs</summary>" "$(grep '<h3\|<details' "$WORK/failed.html")"

# ---- settings that fail for a kernel, and settings that gain nothing for their storage
sed -i 's/shmem = 0/shmem = 16384/' "$WORK/small/kernel-2.traceg"
"$W" import "$WORK/small" -o "$WORK/shared.wst" >/dev/null 2>&1
cat >"$WORK/ranked.json" <<END
{"name": "ranked", "traces": ["$WORK/shared.wst"], "analysis": "timed", "gpu": "gtx480-wp", "axes": {"zip": {
 "mechanism.core": ["ccws", "none", "none", "none", "none"], "sm.shared_B": [49152, 49152, 8192, 49152, 49152],
 "noc.latency": [100, 100, 4, 200, 100], "ccws.base_score": [99, 99, 99, 99, 50]}},
 "baseline": {"noc.latency": 100, "sm.shared_B": 49152}}
END
try "$W" sweep "$WORK/ranked.json" --db "$WORK/ranked.db"
expect "one of ten fails" 4
try "$W" report "$WORK/ranked.db" --no-figures -o "$WORK/ranked.html"
has "what speedups are over that the specification does not say" "$(cat "$WORK/ranked.html")" \
    '<p>Baseline: mechanism.core none, sm.shared_B 49152, noc.latency 100</p>'
rows_of() { sed -n "/<h3>$1/,/<\/table>/ s/<td[^>]*>/ /gp" "$WORK/${2:-ranked}.html" | sed 's/<[^>]*>//g; s/^ *//'; }
same "by setting: last the one that a kernel lacks, though it gains most; one of what differs in a mechanism that is off" \
    "2 mechanism.core ccws, ccws.base_score 99|2 the baseline|2 noc.latency 200|1 sm.shared_B 8192, noc.latency 4" \
    "$(rows_of 'Speedup over the baseline, by setting' | cut -d ' ' -f 1,8- | paste -sd '|')"
best=$("$W" query "$WORK/ranked.db" --csv "SELECT round(max(speedup), 4) FROM ranked_speedup WHERE kernel = 'columns'" | tail -1)
best_of() { rows_of 'Speedup over the baseline, by kernel' "$1" | sed -E 's/^([^ ]+ [^ ]+) .* ([0-9]+[.][0-9]+) /\1 \2 /' | paste -sd '|'; }
same "by kernel: the best setting, of equal ones that of least storage" \
    "shared columns $best sm.shared_B 8192, noc.latency 4|shared rows 1.0 the baseline" "$(best_of ranked)"

# MSHRs that nothing needs change nothing: they are not what a kernel runs best with.
echo '{"name": "even", "traces": ["'"$WORK/shared.wst"'"], "analysis": "timed", "gpu": "gtx480-wp",
    "axes": {"l1.mshr_entries": [512, 1024], "sm.scheduler": ["gto", "lrr"]}, "baseline": {"l1.mshr_entries": 512}}' >"$WORK/even.json"
"$W" sweep "$WORK/even.json" --db "$WORK/even.db" >/dev/null 2>&1
"$W" report "$WORK/even.db" --no-figures -o "$WORK/even.html" >/dev/null
same "by kernel: of equally good settings the baseline" \
    "shared columns 1.0 sm.scheduler gto|shared rows 1.0 sm.scheduler gto" "$(best_of even)"

same "columns of all views with rows" "ranked_by_kernel ranked_ccws_counters ranked_mechanism_cost ranked_pareto ranked_speedup" \
    "$(sed -n 's/.*<summary>Columns of the view \(.*\)<.summary>/\1/p' "$WORK/ranked.html" | xargs)"
counted=$("$W" query "$WORK/ranked.db" --csv "SELECT min(cut_cycles) || ' ' || max(cut_cycles) FROM ranked_ccws_counters" | tail -1)
same "between which values they lie" "$counted" "$(sed -n 's/^<tr><td>cut_cycles<td>SM cycles//p' "$WORK/ranked.html" |
    grep -o 'number">[0-9]*' | cut -d'>' -f2 | xargs)"
same "what each axis does: failures leave holes, and few points no surface" \
    '<p>These points do not tell: view ranked_speedup: expected' \
    "$(sed -n '/<h3>What each axis/,/<h3>/ s/\(<p>.*view ranked_speedup: expected\).*/\1/p' "$WORK/ranked.html")"
same "no table, none explained" 0 "$(grep -c 'Shares of the variance' "$WORK/ranked.html")"
has "what would leave them out is an option of another command" \
    "$(sed -n '/<h3>What each axis/,/<h3>/p' "$WORK/ranked.html")" "warpsweep effects --where"

# ---- points without a baseline
cat >"$WORK/lone.json" <<END
{"name": "lone", "traces": ["$WORK/shared.wst"], "analysis": "timed", "gpu": "gtx480-wp",
 "axes": {"noc.latency": [100, 200], "l1.latency": [40, 80]}, "where": "noc_latency = 200 OR l1_latency = 40",
 "baseline": {"noc.latency": 100}}
END
sed 's/"lone"/"none"/; s/"where": "/&noc_latency = 200 AND (/; s/ = 40"/ = 40)"/' "$WORK/lone.json" >"$WORK/none.json"
for name in lone none; do
    "$W" sweep "$WORK/$name.json" --db "$WORK/$name.db" 2>/dev/null
    "$W" report "$WORK/$name.db" --no-figures -o "$WORK/$name.html" >/dev/null
done
page=$(cat "$WORK/lone.html")
has "points without a baseline are told" "$page" \
    '<p>2 of 6 rows of lone_speedup have no baseline (their note says why) and are left out here.</p>'
same "and are no settings" "2 2" "$(sed '1,/<h3>Speedup over the baseline, by setting/d; /<.table>/,$d' <<<"$page" |
    sed -n 's/^<tr><td class="number">\([0-9]*\)<.*/\1/p' | xargs)"
has "also where all are" "$(cat "$WORK/none.html")" '<p>4 of 4 rows of none_speedup have no baseline'
same "of which there are no tables" 0 "$(grep -c '<h3>Speedup' "$WORK/none.html")"

# ---- effects of axes: from the points of a complete grid, else from a fitted surface
cat >"$WORK/grid.json" <<END
{"name": "grid", "traces": ["$WORK/shared.wst"], "analysis": "timed", "gpu": "gtx480-wp",
 "axes": {"noc.latency": [50, 100, 200, 400], "l1.latency": [10, 40, 80], "sm.scheduler": ["lrr", "gto"]},
 "baseline": {"noc.latency": 100, "l1.latency": 40, "sm.scheduler": "lrr"}}
END
sed 's/"grid"/"holes"/; s/"lrr", "gto"/"lrr", "gto", "two_level"/' "$WORK/grid.json" >"$WORK/holes.json"
for name in grid holes; do
    "$W" sweep "$WORK/$name.json" --db "$WORK/axes.db" 2>/dev/null
done
sqlite3 "$WORK/axes.db" "DELETE FROM sweep_point WHERE sweep = (SELECT id FROM sweep WHERE name = 'holes') AND point % 5 = 0"
try "$W" report "$WORK/axes.db" --no-figures -o "$WORK/axes.html"
expect "two sweeps with speedups" 0
effects_of() { # sweep, option, rows
    local rows
    rows=$("$W" effects "$WORK/axes.db" "$1_speedup" speedup $2 --csv 2>/dev/null | cut -d, -f1 | sed 1d)
    same "the axes of $1, $2" "$3" "$(wc -l <<<"$rows")"
    same "are told" "$rows" "$(sed -n "/<h2 id=\"$1\"/,/<h3>Speedup/p" "$WORK/axes.html" | sed '1,/<h3>What each axis/d' |
        sed -n 's/^<tr><td>\([^<]*\)<.*/\1/p')"
}
effects_of grid "" 7
effects_of holes --surface 7
same "what the surface has is told" 1 "$(grep -c '^<p>surface of ' "$WORK/axes.html")"

# ---- with figures
if command -v gnuplot >/dev/null; then
    try "$W" report "$WORK/r.db" -o "$WORK/f.html"
    expect "with figures" 0
    "$W" plot "$WORK/r.db" window_reduction -o "$WORK/f.svg" >/dev/null
    has "the picture that plot draws" "$(grep -o 'base64,[^"]*' "$WORK/f.html")" "base64,$(base64 -w 0 <"$WORK/f.svg")"
    wide=$(sed -n 's/^<svg.* width="\([0-9]*\)".*/\1/p; s/^ width="\([0-9]*\)".*/\1/p' "$WORK/f.svg" | head -1)
    has "twice as wide as its letters are high" "$(cat "$WORK/f.html")" "<img width=\"$((2 * wide))\""
    fitting=$("$W" plot "$WORK/r.db" 2>/dev/null | awk 'NR > 2 { print $1 }' | xargs)
    same "links to each figure" "$fitting" "$(grep -o '<a href="#figure-[^"]*">[a-z0-9_]*' "$WORK/f.html" | sed 's/.*>//' | xargs)"
    same "which is there" "$fitting" "$(grep -o '<figure id="figure-[a-z0-9_]*' "$WORK/f.html" | sed 's/.*figure-//' | xargs)"
    bars_of() { # database: what stands below and beside the bars of speedups
        "$W" report "$1" -o "$WORK/bars.html" >/dev/null
        sed -n 's/^<img.*alt="the speedup of each kernel by the settings that gain most".*base64,\([^"]*\)".*/\1/p' "$WORK/bars.html" |
            head -1 | base64 -d | sed -n 's/<[^>]*>/\n/gp' | grep -x 'columns\|rows\|geometric mean\|[a-z0-9_]*[.][A-Za-z_]* .*' | paste -sd '|'
    }
    same "the best settings, kernel by kernel; no mean over one that has all" \
        "columns|rows|mechanism.core ccws, ccws.base_score 99|noc.latency 200|sm.shared_B 8192, noc.latency 4" "$(bars_of "$WORK/ranked.db")"
    has "a mean over two" "$(bars_of "$WORK/axes.db")" "columns|rows|geometric mean|"
    same "six settings at most" 6 "$(bars_of "$WORK/axes.db" | tr '|' '\n' | grep -c '[.]')"
    has "what a picture is" "$(cat "$WORK/f.html")" "alt=\"$(sed -n '1s/^-- //p' plots/window_reduction.sql)\""
    same "for all of them" 0 "$(grep -c 'alt=""' "$WORK/f.html")"
    same "all that plot lists" "$fitting" "$(grep -o '<figcaption>[a-z0-9_]*' "$WORK/f.html" | sed 's/.*>//' | xargs)"
    printf '%s\n' "-- None of these" "SELECT '' AS panel, '' AS series, cycles AS a, cycles AS b FROM tagged_by_kernel WHERE 0" \
        >"$WORK/none.sql"
    mkdir "$WORK/figures" && cp plots/curves.gp "$WORK/figures/none.gp" && cp "$WORK/none.sql" "$WORK/figures/none.sql"
    WARPSWEEP_PLOTS=$WORK/figures try "$W" report "$WORK/r.db" -o "$WORK/n.html"
    expect "a figure without rows" 0
    has "is told in its place" "$(cat "$WORK/n.html")" 'figure none: the database holds no rows for it: no result of sweep tagged meets the conditions'
    try "$W" report "$WORK/failed.db" -o "$WORK/without.html"
    has "none for these sweeps" "$(cat "$WORK/without.html")" '<p>None draws these sweeps, but a query of your own can, by --figure'
    for name in one two; do
        printf '%s\n' "-- Query <$name>" "SELECT '' AS panel, window_kind AS series, window_size AS size, remaining FROM window_reduction_by_kernel" \
            "WHERE kernel = 'columns'" >"$WORK/$name.sql"
    done
    try "$W" report "$WORK/r.db" --figure "$WORK/two.sql" --figure "$WORK/one.sql" --figure "$WORK/two.sql" -o "$WORK/asked.html"
    expect "queries of one's own" 0
    "$W" plot "$WORK/r.db" "$WORK/two.sql" -o "$WORK/two.svg" >/dev/null
    has "as plot draws them" "$(grep -o 'alt="Query &lt;two.*base64,[^"]*' "$WORK/asked.html")" "base64,$(base64 -w 0 <"$WORK/two.svg")"
    same "before the others, in their order, and once" "$WORK/two.sql $WORK/one.sql $fitting" \
        "$(grep -o '<figcaption>[^<]*' "$WORK/asked.html" | sed 's/.*>//' | xargs)"
    same "with links to them" "$WORK/two.sql $WORK/one.sql $fitting" \
        "$(grep -o '<a href="#figure-[^"]*">[^<]*' "$WORK/asked.html" | sed 's/.*>//' | xargs)"
    same "that lead there" 1 "$(grep -c "<figure id=\"figure-$WORK/one.sql\">" "$WORK/asked.html")"
    try "$W" report "$WORK/failed.db" --figure "$WORK/one.sql" -o "$WORK/lacks.html"
    expect "one for which the database has no rows" 2 "figure $WORK/one.sql: SQL: no such table: window_reduction_by_kernel"
    try "$W" report "$WORK/r.db" --figure "$WORK/one.sql" --figure "$WORK/three.sql" -o "$WORK/lacks.html"
    expect "one that is not there" 1 "three.sql: No such file or directory"
    try "$W" report "$WORK/r.db" --figure "$WORK/one.sql" --no-figures -o "$WORK/lacks.html"
    expect "some and none" 2 "'--figure' and '--no-figures' exclude each other"
    [[ -e $WORK/lacks.html ]] && not_ok "none leaves a page" || ok "none leaves a page"
    rm "$WORK/figures/none.gp" && echo 'set nonsense' >"$WORK/figures/none.gp" &&
        sed -i 's/ WHERE 0//' "$WORK/figures/none.sql"
    WARPSWEEP_PLOTS=$WORK/figures try "$W" report "$WORK/r.db" -o "$WORK/broken.html"
    expect "a script that fails" 1 "gnuplot failed"
    printf 'do for [i = 1 : 2] {\n%s    set nonsense\n}\n' "$(printf '    x%d = 1\n' {1..200})"$'\n' >"$WORK/figures/none.gp"
    WARPSWEEP_PLOTS=$WORK/figures try "$W" report "$WORK/r.db" -o "$WORK/broken.html"
    expect "one that fails in a long loop says why" 1 "unrecognized option"
    WARPSWEEP_PLOTS=$WORK/figures try env --ignore-signal=CHLD "$W" report "$WORK/r.db" -o "$WORK/broken.html"
    expect "also where SIGCHLD is ignored" 1 "gnuplot failed"
    [[ -e $WORK/broken.html ]] && not_ok "leaves no page" || ok "leaves no page"
    try "$W" report "$WORK/axes.db" -o "$WORK/axes.html"
    expect "figures of effects" 0
    "$W" effects "$WORK/axes.db" grid_speedup speedup -o "$WORK/grid.svg" >/dev/null
    same "as effects draws them" 1 "$(grep -cF "base64,$(base64 -w 0 <"$WORK/grid.svg")" "$WORK/axes.html")"
    "$W" effects "$WORK/axes.db" holes_speedup speedup --surface -o "$WORK/holes.svg" >/dev/null 2>&1
    same "of a surface, which the title says" "0 1" "$(grep -c 'of a surface' "$WORK/grid.svg") $(grep -c 'of a surface' "$WORK/holes.svg")"
    same "with what it misses" "$(printf '%.0f' "$("$W" effects "$WORK/axes.db" holes_speedup speedup --surface --csv 2>/dev/null |
        awk -F, '$1 == "(rest)" { print 100 * $2 }')")" "$(grep -oE '<text>[^<]*' "$WORK/holes.svg" | sed 's/<text>//' | tr -s '\n ' ' ' |
        grep -oE 'which misses [0-9]+' | grep -oE '[0-9]+')"
    same "those of a surface, too" 1 "$(grep -cF "base64,$(base64 -w 0 <"$WORK/holes.svg")" "$WORK/axes.html")"
    WARPSWEEP_PLOTS=$WORK/figures try "$W" report "$WORK/axes.db" -o "$WORK/axes.html"
    expect "a folder without their script" 0
    same "is told in their place" 2 "$(grep -c 'cannot read effects.gp' "$WORK/axes.html")"
else
    skip "figures" "no gnuplot"
fi
mkdir "$WORK/bin"
try env PATH="$WORK/bin" "$W" report "$WORK/r.db" -o "$WORK/g.html"
expect "without gnuplot" 1 "--no-figures leaves them out"

# ---- what is refused
try "$W" report "$WORK/r.db"
expect "no name" 2 "expected --output FILE.html"
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/r.db"
expect "a name of another kind" 2 "expected a file name that ends in .html"
try "$W" report "$WORK/nowhere.db" --no-figures -o "$WORK/x.html"
expect "no database" 1
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/nowhere/x.html"
expect "no folder" 1 "nowhere/x.html: cannot write: No such file or directory"
if command -v gnuplot >/dev/null; then
    WARPSWEEP_PLOTS=$WORK/figures try "$W" report "$WORK/r.db" -o "$WORK/nowhere/x.html"
    expect "which is told before a figure is drawn that fails" 1 "nowhere/x.html: cannot write: No such file or directory"
fi
try bash -c 'ulimit -f 8 && exec "$@"' - "$W" report "$WORK/r.db" --no-figures -o "$WORK/cut.html"
expect "a full disk" 1 "cut.html: cannot write"
has "it says why" "$err" "File too large"
try bash -c 'ulimit -f "$1" && shift && exec "$@"' - $(($(stat -c %s "$WORK/r.html") / 1024)) "$W" report "$WORK/r.db" --no-figures -o "$WORK/cut.html"
expect "one that is full at the end of the page" 1 "cut.html: cannot write"
same "nothing half-written" "" "$(find "$WORK" -name '*.part' -o -name 'x.html' -o -name 'cut.html')"
try bash -c 'echo precious >"$1.$$.part" && exec "$2" report "$3" --no-figures -o "$1"' - "$WORK/beside.html" "$W" "$WORK/r.db"
expect "beside a file of the name that half a page would have" 0
same "which stays" precious "$(cat "$WORK"/beside.html.*.part)"
ln "$WORK/r.db" "$WORK/own.html"
try "$W" report "$WORK/r.db" --no-figures -o "$WORK/own.html"
expect "over the database, by another name" 2 "own.html: expected another file than the database"
same "which is as it was" "$before" "$(cksum <"$WORK/own.html")"
finished
