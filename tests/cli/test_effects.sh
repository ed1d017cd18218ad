#!/usr/bin/env bash
# Effects of axes on sweeps that leave out combinations which repeat others: as from all combinations, or it is said why
# not.
. "$(dirname "$0")/lib.sh"

# sweep NAME AXES [WHERE]: runs a sweep of two traces into e.db.
sweep() {
    cat >"$WORK/$1.json" <<END
{"name": "$1", "traces": ["traces/atax.wst", "traces/spmv.wst"], "analysis": "timed", "gpu": "gtx480-wp",
 "base": {"limit.ctas": 6}, "axes": {$2}, "where": "${3:-1}", "baseline": {"mechanism.front": "none"}}
END
    try "$W" sweep "$WORK/$1.json" --db "$WORK/e.db"
    ((status == 0)) || not_ok "sweep $1" "$err"
}

# alike NAME WHOLE PART OPTION..: effects of the sweep PART are those of the sweep WHOLE.
alike() {
    local name=$1 whole=$2 part=$3
    shift 3
    try "$W" effects "$WORK/e.db" "${part}_speedup" speedup "$@"
    same "$name" "$("$W" effects "$WORK/e.db" "${whole}_speedup" speedup ${VALUES:-} 2>/dev/null)" "$out"
}

sizes='"l1.size_B": [16384, 32768]' front='"mechanism.front": ["none", "mrpb"]' entries='"mrpb.entries": [2, 4, 8, 16]'
sweep whole "$sizes, $front, $entries"
has "the sweep says what repeats" "$err" "6 of 16 combinations differ from others only in axes that change nothing there (mrpb.entries)"
sweep pruned "$sizes, $front, $entries" "mechanism_front = 'mrpb' OR mrpb_entries = 2"
filled="filled in, points that differ from others only in axes that change nothing there (mrpb.entries): "
alike "a sweep without these has the same effects" whole pruned
expect "it says how many points it filled in" 0 "${filled}18"
same "the mechanism's share is not that of its parameter" "mechanism.front mrpb" "$(grep -o '^mechanism.front  .* mrpb ' <<<"$out" | awk '{ print $1, $NF }')"
alike "no surface is fitted to them" whole pruned --surface
expect "it says why" 0 "no surface is fitted: with these, all combinations are known"
has "and how many points it filled in" "$err" "${filled}18"
VALUES=--values alike "the same means of values" whole pruned --values
try "$W" effects "$WORK/e.db" whole_speedup speedup
same "nothing is filled in where all is there" "" "$err"
"$W" report "$WORK/e.db" --no-figures -o "$WORK/page.html" >/dev/null
has "the page says so, too" "$(sed -n '/<h2 id="pruned"/,$p' "$WORK/page.html")" "<p>${filled}18</p>"

# ---- of several mechanisms, and only what is there
both='"mechanism.fetch": ["none", "coarse"], "mechanism.front": ["none", "mrpb"], "mrpb.entries": [2, 8], "coarse.lines": [2, 4]'
sweep two_whole "$both"
sweep two "$both" "(mechanism_front = 'mrpb' OR mrpb_entries = 2) AND (mechanism_fetch = 'coarse' OR coarse_lines = 2)"
alike "parameters of two mechanisms" two_whole two
expect "are filled in" 0 "change nothing there (mrpb.entries, coarse.lines): "
try "$W" effects "$WORK/e.db" pruned_speedup speedup \
    --where "kernel NOT LIKE 'atax%' OR mechanism_front = 'mrpb' OR l1_size_B > 16384"
expect "a kernel of which nothing tells lacks points" 0 "left out, kernels that lack some of the 16 combinations: 2"
try "$W" effects "$WORK/e.db" pruned_speedup 'speedup * mrpb_entries'
expect "a metric that names the parameter differs by it" 2 "expected kernels with all 16 combinations of the axes' values, found none"
try "$W" effects "$WORK/e.db" pruned_speedup speedup --surface \
    --where "l1_size_B > 16384 OR mrpb_entries <> 8"
expect "a surface is told to mistake it" 0 "axes that have one value wherever they change nothing: mrpb.entries; "
has "it is fitted to the points that there are" "$err" "fitted to 9 points of each kernel"

# ---- other values that come with the parameter's are other settings
sweep zipped "$front, \"zip\": {\"mrpb.entries\": [2, 4, 8], \"l1.latency\": [20, 40, 80]}" "mechanism_front = 'mrpb' OR mrpb_entries = 2"
try "$W" effects "$WORK/e.db" zipped_by_kernel cycles
expect "no point is filled in from one with another latency" 2 "expected kernels with all 6 combinations"
sweep idle "$front, \"zip\": {\"mrpb.entries\": [2, 4, 8], \"mrpb.latency\": [3, 4, 5]}" "mechanism_front = 'mrpb' OR mrpb_entries = 2"
try "$W" effects "$WORK/e.db" idle_by_kernel cycles
expect "but from one that differs in another idle parameter" 0 "$filled"

# ---- GPUs are an axis, too; what would matter beside another program is not idle
cat >"$WORK/gpus.json" <<END
{"name": "gpus", "traces": "traces/atax.wst", "analysis": "timed", "base": {"limit.ctas": 6}, "axes": {
 "gpu": ["gtx480-wp", "c2050-16k"], $front, $entries}, "where": "mechanism_front = 'mrpb' OR mrpb_entries = 2"}
END
try "$W" sweep "$WORK/gpus.json" --db "$WORK/e.db"
try "$W" effects "$WORK/e.db" gpus_by_kernel cycles
expect "points of each GPU are filled in" 0 "${filled}12"
sweep looped "\"mechanism.front\": [\"none\"], $sizes, \"core.loop_programs\": [false, true]" "l1_size_B = 16384 OR core_loop_programs"
try "$W" effects "$WORK/e.db" looped_by_kernel cycles
expect "nothing is filled in that would matter to two programs" 2 "expected kernels with all 4 combinations"

# ---- several points that tell of the same one, as they should, alike
sweep told "$sizes, $front, $entries" "mechanism_front = 'mrpb' OR mrpb_entries < 8"
try "$W" effects "$WORK/e.db" told_by_kernel cycles
expect "two points tell of each" 0 "${filled}12"
cp "$WORK/e.db" "$WORK/unlike.db"
sqlite3 "$WORK/unlike.db" "UPDATE timed SET cycles = cycles + 1000 WHERE point IN (SELECT p.id FROM point p
    JOIN timed_config c ON c.id = p.config WHERE c.mechanism_front = 'none' AND c.mrpb_entries = 4)"
try "$W" effects "$WORK/unlike.db" told_by_kernel cycles
expect "nothing is filled in where they do not agree" 2 "expected kernels with all 16 combinations"

# ---- a database without the sweep's configurations
cp "$WORK/e.db" "$WORK/old.db"
sqlite3 "$WORK/old.db" "CREATE TABLE kept AS SELECT * FROM pruned_speedup; DROP VIEW pruned_speedup;
    CREATE VIEW pruned_speedup AS SELECT * FROM kept; DELETE FROM sweep_point WHERE sweep = (SELECT id FROM sweep WHERE name = 'pruned')"
try "$W" effects "$WORK/old.db" pruned_speedup speedup
expect "says what is missing" 2 "expected kernels with all 16 combinations"
sqlite3 "$WORK/old.db" "DROP TABLE timed_config"
try "$W" effects "$WORK/old.db" pruned_speedup speedup
expect "without their table, too" 2 "expected kernels with all 16 combinations"
finished
