#!/usr/bin/env bash
# sweep, query, plot: from a specification to a figure, and what can go wrong on the way.
. "$(dirname "$0")/lib.sh"
root=$PWD
export WARPSWEEP_PLOTS=$root/plots
small_trace "$WORK/small"
"$W" import "$WORK/small" -o "$WORK/small.wst" 2>/dev/null
cd "$WORK" || exit 1
spec() { # name, text behind the analysis
    echo '{"name": "'"$1"'", "traces": ["small.wst"], "analysis": "window"'"$2"'}' >"$1.json"
}
spec window_reduction ', "axes": {"window.size": [0, {"log2": [1, 64]}], "window.kind": ["fifo", "sliding"],
    "window.scope": ["warp", "cta", "sm"], "sm.scheduler": ["lrr", "gto"]}'

# ---- sweep
try "$W" sweep window_reduction.json --db r.db --dry-run
expect "a dry run" 0
has "it counts the points" "$(tr -s ' ' <<<"$out")" "to compute 192"
same "it writes nothing" "" "$(ls r.db* 2>/dev/null)"
before=$(ls -A)
try "$W" sweep window_reduction.json --dry-run
expect "a dry run without a database" 0
has "it counts the points, too" "$(tr -s ' ' <<<"$out")" "to compute 192"
same "it makes no file" "$before" "$(ls -A)"
same "all combinations are meant" "" "$(grep -E "axes|where|sampled" <<<"$out")"
spec few ', "axes": {"window.size": [1, 2, 4, 8]}, "where": "window_size > 1", "sampling": {"method": "random", "points": 2}'
try "$W" sweep few.json --dry-run
has "what is left out is counted" "$(tr -s ' ' <<<"$out")" "launches 2
of the axes 4
- not in 'where' 1
- not sampled 1
combinations 2
points 4
"
axes=$(printf ', "%s": {"range": [1, 1000]}' limit.{ctas,warp_instructions} order.load_delay_issues sm.{threads,registers,shared_B})
echo '{"name": "huge", "traces": "'"$root"'/traces/nw.wst", "analysis": "window", "sampling": {"method": "random", "points": 1}, "axes": {'"${axes#, }}}" >huge.json
try "$W" sweep huge.json --dry-run
has "more points than can be counted" "$(tr -s ' ' <<<"$out")" "not sampled 999,999,999,999,999,999"
rm few.json huge.json
try "$W" sweep window_reduction.json --db r.db -j 2
expect "a sweep" 0
has "it says what it did" "$out" "r.db: combinations: 96, launches: 2, points: 192, computed: 192, already stored: 0, failed: 0"
has "its progress goes to the messages" "$err" "192/192"
try "$W" query r.db --csv "SELECT column_name FROM metric WHERE table_name = 'kernel' AND kind = 'counter' AND unit = ''"
same "every counter of a launch has its unit" "" "$(tail -n +2 <<<"$out")"
try "$W" sweep window_reduction.json --db r.db
has "the same command finds all stored" "$out" "computed: 0, already stored: 192"
try "$W" query r.db --csv "SELECT trace, kernel, count(*), sum(launches), sum(requests) > 0 FROM window_reduction_by_kernel GROUP BY 1, 2"
same "launches of one name are added up" "small,columns,96,96,1
small,rows,96,96,1" "$(tail -n +2 <<<"$out")"
try "$W" sweep window_reduction.json --db r.db --kernels rows
has "--kernels instead of the specification's" "$out" "points: 96, computed: 0, already stored: 96"
has "what the views no longer show is told" "$err" "its views show 96 points now; 96 that they showed before are stored, but not"
try "$W" query r.db --csv "SELECT DISTINCT kernel FROM window_reduction"
same "the view shows what was asked for last" "rows" "$(tail -n +2 <<<"$out")"
cp small.wst 'odd[1].wst'
sed 's/small.wst/odd[1].wst/' window_reduction.json >odd.json
try "$W" sweep odd.json --db odd.db
expect "a file that is called as a pattern is" 0
has "it is the one that is meant" "$("$W" query odd.db --csv "SELECT name FROM trace")" "odd[1]"
cp small.wst odd1.wst # which the pattern would match
try "$W" sweep odd.json --db odd1.db
has "also beside one that matches" "$("$W" query odd1.db --csv "SELECT name FROM trace")" "odd[1]"
rm odd*
for db in :memory: file:z.db; do
    try "$W" sweep window_reduction.json --db "$db"
    expect "a database called $db" 0 ""
    try "$W" query "$db" --csv "SELECT count(*) FROM point"
    same "it is a file" "count(*)
192" "$out"
    try "$W" merge "./$db" --db m.db
    expect "it is merged" 0
    try "$W" merge "$db" --db m.db
    expect "by its name, too" 0
    rm -f -- "$db" m.db
done
spec s ', "axes": {"window.size": [1, 2]}'
spec s_by_kernel ', "axes": {"window.size": [1, 2]}'
"$W" sweep s.json --db s.db >/dev/null 2>&1
try "$W" sweep s_by_kernel.json --db s.db
expect "a sweep that is refused as it begins" 3
same "leaves a plain file" "1 1" "$(od -An -j 18 -N 2 -t u1 s.db | xargs)"
rm s.db s*.json
cp small.wst twin.wst
sed 's/"small.wst"/"small.wst", "twin.wst", ".\/*l.wst", "small.wst"/' window_reduction.json >twins.json
try "$W" sweep twins.json --db r.db
same "a second file with the same content is told" \
    "window_reduction: twin.wst has the content of small.wst by its digest, so it is left out" "$(grep 'twin' <<<"$err")"
poke() { printf x | dd of="$1" bs=1 seek=200 conv=notrunc status=none; } # in the first block
cp small.wst eaten.wst
poke eaten.wst
cp eaten.wst gnawed.wst
copies() { # traces, as JSON: their sweep, of which $err is without its progress
    echo '{"name": "copies", "traces": '"$1"', "analysis": "window"}' >copies.json
    rm -f copies.db
    try "$W" sweep copies.json --db copies.db
    err=$(grep -v 'points, ' <<<"$err")
}
damage="damaged block 1 at byte 160 (its checksum does not match)"
copies '["eaten.wst", "gnawed.wst", "twin.wst", "small.wst"]'
same "of copies, one that is not damaged is taken" "copies: gnawed.wst has the content of eaten.wst by its digest, so it is left out
copies: eaten.wst: $damage; twin.wst, which has its digest, is taken instead
copies: small.wst has the content of twin.wst by its digest, so it is left out 0" "$err $status"
same "by its name" "twin 2" "$("$W" query copies.db --csv "SELECT trace, count(*) FROM copies GROUP BY 1" | tail -1 | tr , ' ')"
copies '["eaten.wst", "gnawed.wst"]'
expect "without one, points fail" 4 "eaten.wst: $damage"
copies '["small.wst", "eaten.wst"]'
same "a damaged one that comes later is in nobody's way" \
    "copies: eaten.wst has the content of small.wst by its digest, so it is left out 0" "$err $status"
for analysis in window timed; do # a timed launch that cannot run is in the way of those behind it
    cp eaten.wst mended.wst
    echo '{"name": "mended", "traces": "mended.wst", "analysis": "'$analysis'"}' >mended.json
    rm -f mended.db
    try "$W" sweep mended.json --db mended.db
    expect "$analysis: a damaged trace" 4 "mended.wst: $damage"
    try "$W" sweep mended.json --dry-run
    has "a dry run says why it cannot estimate" "$out" "a sample failed  "
    has "with the reason" "$(grep 'a sample' <<<"$out")" "mended.wst: $damage"
    try "$W" sweep mended.json --db mended.db
    has "its points fail again" "$out" "computed: 0, already stored: 0, failed: 2"
    same "with the reason" 0 "$(grep -c 'earlier run' <<<"$err")"
    cp small.wst mended.wst
    try "$W" sweep mended.json --db mended.db
    expect "once the file is whole, the same command" 0
    has "computes them" "$out" "computed: 2, already stored: 0, failed: 0"
done
cp r.db renamed.db
sed 's/"small.wst"/"twin.wst"/; s/window_reduction/twin/' window_reduction.json >renamed.json
try "$W" sweep renamed.json --db renamed.db
same "nor is a trace renamed in other sweeps without a word" \
    "renamed.db: the trace small, which is the same, is called twin from now on, in the views of earlier sweeps, too" \
    "$(grep 'from now on' <<<"$err")"
try "$W" sweep renamed.json --db renamed.db
same "which is told once" "" "$(grep 'from now on' <<<"$err")"
mkdir other
"$W" import "$WORK/small" --kernels 1 -o other/small.wst 2>/dev/null
sed 's/"small.wst"/"*\/small.wst", "small.wst"/' window_reduction.json >names.json
try "$W" sweep names.json --db never.db
expect "another trace of the same name, which views would add up" 3 \
    "names.json: \$.traces[1]: expected traces of different names, found small.wst beside other/small.wst: rename one"
echo '{"name": "fails", "traces": "small.wst", "analysis": "timed", "base": {"core.deadlock_cycles": 1}}' >fails.json
try "$W" sweep fails.json --db f.db
same "what fails in this run is told with its reason" 0 "$(grep -c 'earlier run' <<<"$err")"
try "$W" sweep fails.json --db f.db
expect "what failed before" 4 "2 of the points failed in an earlier run: --retry-failed computes them again"
echo '{"name": "fails", "traces": "small.wst", "analysis": "timed", "axes": {"core.deadlock_cycles": [1, 99999], "l1.size_B": [16384, 16385]}}' >fails.json
"$W" sweep fails.json --db f.db >/dev/null 2>&1
try "$W" sweep fails.json --db f.db
expect "what can only fail again is not recommended" 4 "2 of the points failed in an earlier run: --retry-failed computes them again"
has "but counted" "$out" "failed: 6"
echo '{"name": "refused", "traces": "small.wst", "analysis": "timed", "axes": {"l1.size_B": [16384, 16385]}}' >refused.json
"$W" sweep refused.json --db refused.db >/dev/null 2>&1
try "$W" sweep refused.json --db refused.db
expect "what can only fail again" 4
same "without the hint" 0 "$(grep -c retry-failed <<<"$err")"
echo '{"name": "late", "traces": "'"$root"'/traces/lud.wst", "analysis": "timed", "kernels": "30,40", "axes": {"mrpb.entries": [4, 8, 16]}}' >late.json
try "$W" sweep late.json --db late.db --time-limit 0.005
expect "launches that take too long" 4
has "fail" "$out" "failed: 6"
same "points of the first one each say so; later launches may say that it was late" \
    "30: exceeded the time limit of 0.005 s: 3" \
    "$("$W" query late.db --csv "SELECT kernel.launch || ': ' || reason || ': ' || count(*) AS late FROM point JOIN kernel ON kernel.id = point.kernel
    WHERE launch = 30 GROUP BY reason" | tail -n +2)"
spec chosen ', "kernels": "^c", "base": {"window.size": 3}'
try "$W" sweep chosen.json --db k.db -k 2
has "another launch than the specification's" "$out" "points: 1, computed: 1"
try "$W" query k.db --csv "SELECT kernel FROM chosen"
same "it is that one" "rows" "$(tail -n +2 <<<"$out")"
try "$W" sweep chosen.json --db k.db -k 3-4
expect "none of them" 2 "chosen.json: --kernels: expected to select some of the 2 launches in 1 trace, found none; 'warpsweep info' names them"
try "$W" sweep chosen.json --db k.db -k '('
expect "no pattern" 2 "--kernels: expected launch numbers or a regular expression, found '('"
try "$W" sweep window_reduction.json --db r.db
has "without it, all again" "$out" "points: 192, computed: 0, already stored: 192"
try "$W" sweep nowhere.json --db r.db
expect "a specification that is not there" 1 "nowhere.json"
spec typo ', "axes": {"window.siez": [1]}'
try "$W" sweep typo.json --db r.db
expect "an unknown parameter" 3 "window.size"
has "it has a JSON path" "$err" '$.axes'
try "$W" sweep window_reduction.json --db r.db -j 0
expect "no workers" 2 "option '--jobs': expected a whole number from 1 to 1024, found '0'"
try "$W" sweep window_reduction.json --db r.db -j 1.5
expect "half a worker" 2 "whole number"
try "$W" sweep window_reduction.json
expect "no database" 2 "expected --db FILE, found nothing"
try "$W" help sweep
has "which a plan can do without" "$out" "usage: warpsweep sweep SPEC.json (--db FILE | --dry-run) "

# ---- sweeps in parts
for i in 0 1 2; do
    try "$W" sweep window_reduction.json --db "part$i.db" --shard "$i/3"
    expect "part $i of 3" 0
    has "it says that there are others" "$out" ", of other shards: "
done
try "$W" sweep window_reduction.json --db part2.db --shard 0/3 --dry-run
has "another part is not there" "$(tr -s ' ' <<<"$out")" "of other shards "
try "$W" merge part0.db part2.db --db all.db
expect "a merge" 0
has "it says what each part has" "$out" "part2.db: points: "
try "$W" merge part1.db part0.db --db all.db
has "a part that is there adds nothing" "$(grep part0 <<<"$out")" ", added: 0"
mapfile -t many < <(yes part1.db | head -n "$(sanitized && echo 100 || echo 1000)")
try "$W" merge "${many[@]}" --db all.db
expect "as many parts as an array of jobs makes" 0
try "$W" sweep window_reduction.json --db all.db
has "together they are the sweep" "$out" "points: 192, computed: 0, already stored: 192, failed: 0"
everything="SELECT * FROM window_reduction ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9"
same "with the same results" "$("$W" query r.db --csv "$everything")" "$("$W" query all.db --csv "$everything")"
for wrong in 3/3 -1/3 1/0 1 1/2x ' 1/2' 1//2 a/b 0/999999999999; do
    try "$W" sweep window_reduction.json --db never.db --shard "$wrong"
    expect "part $wrong" 2 "option '--shard': expected I/N, I from 0 to N - 1 and N up to 100000, found '$wrong'"
done
try "$W" merge part0.db window_reduction.json --db never.db
expect "what is no database" 1 "window_reduction.json: expected a results database, found a file that is not SQLite's"
same "nothing is written then" "" "$(ls never.db* 2>/dev/null)"
"$W" merge part0.db part1.db --db full.db >/dev/full 2>err
status=$? err=$(cat err)
expect "a merge that cannot tell what it did" 1 "cannot write to standard output: No space left on device"
try "$W" merge part1.db --db full.db
has "it has merged them all" "$out" ", added: 0"
try "$W" merge all.db --db all.db
expect "into itself" 2 "all.db: expected another database than the one that it is merged into"
(
    export SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=1 WARPSWEEP=$W
    "$root/sweeps/slurm.sh" window_reduction.json parts 3 && "$root/sweeps/slurm.sh" window_reduction.json parts 3
) >slurm.log 2>&1
same "a task of an array computes its part once" "$(ls -1 parts) $(sed -n 's/.*computed: \([^,]*\),.*/\1/p' slurm.log | tr '\n' ' ')" \
    "part1.db $("$W" query part1.db --csv 'SELECT count(*) FROM point' | tail -1) 0 "

# ---- a copy without its write-ahead log
mkdir copied
cp r.db growing.db
sqlite3 growing.db "PRAGMA journal_mode = WAL" "INSERT INTO run SELECT NULL, 'z', argv, spec_path, spec, jobs, version,
    revision, compiler, libraries, host, pid, started, NULL, NULL, NULL, NULL FROM run LIMIT 1" ".shell cp growing.db* copied" >/dev/null
try "$W" query copied/growing.db "SELECT max(sweep) FROM run" --csv
same "with it, all is there" "max(sweep) z" "$(xargs <<<"$out$err")"
rm copied/*-*
lost="copied/growing.db: its last results may be missing, which cannot be told: a sweep that was killed, or still runs, keeps them in copied/growing.db-wal"
for try in once again; do
    try "$W" query copied/growing.db "SELECT max(sweep) FROM run" --csv
    expect "without it, the last run is missing, and a query says so $try" 0 "$lost"
    same "so it is" "max(sweep) window_reduction" "$(xargs <<<"$out")"
done
try "$W" effects copied/growing.db window_reduction_by_kernel remaining
expect "so do effects" 0 "$lost"
try "$W" report copied/growing.db -o copied.html --no-figures
expect "a report" 0 "$lost"
try "$W" plot copied/growing.db
expect "a list of figures" 0 "$lost"
try "$W" merge copied/growing.db --db merged.db
expect "and a merge" 0 "$lost"
try "$W" query merged.db "SELECT 1"
same "what was merged is whole" "" "$err"

# ---- traces whose kernels have the same names, and a trace that is made again under its name
sed -i 's/-nregs = 8/-nregs = 9/' "$WORK"/small/kernel-*.traceg
"$W" import "$WORK/small" -o again.wst 2>/dev/null
sed 's/"small.wst"/&, "again.wst"/' window_reduction.json >twice.json
"$W" sweep twice.json --db twice.db >/dev/null 2>&1
try "$W" query twice.db --csv --file "$root/results/window_needed.sql"
same "the smallest window of each trace's kernel" "again small" "$(cut -d, -f1 <<<"$out" | sed 1d | sort -u | xargs)"
sed '/"traces"/,/],/c "traces": "made.wst",' "$root/sweeps/ilp_gpus.json" >ilp_gpus.json
for trace in small again; do
    cp "$trace.wst" made.wst
    "$W" sweep ilp_gpus.json --db made.db >/dev/null 2>&1
    try "$W" query made.db --csv --file "$root/sweeps/ilp_steering.sql"
    same "kernels of the trace that the sweep has: $trace" "made 1 made 1" "$(sed 1d <<<"$out" | cut -d, -f1,4 | tr , ' ' | xargs)"
done

# ---- effects
try "$W" effects r.db window_reduction_by_kernel remaining --csv
expect "effects" 0
same "a row for each axis, pair, and the rest" "axis window.kind window.scope" \
    "$(cut -d, -f1 <<<"$out" | grep -v ' x \|rest\|sched\|size' | sort | tr '\n' ' ' | sed 's/ $//')"
same "shares add up" "1.000" "$(awk -F, 'NR > 1 { sum += $2 } END { printf "%.3f", sum }' <<<"$out")"
try "$W" effects r.db window_reduction_by_kernel remaining --where "sm_scheduler = 'gto'" --json
expect "of a part" 0 "left out, axes of one value: sm.scheduler"
try "$W" effects r.db window_reduction_by_kernel remaining --values --csv
expect "the values of each axis" 0
same "a row for each, in their order" \
    "window.scope,cta window.scope,sm window.scope,warp sm.scheduler,gto sm.scheduler,lrr" \
    "$(grep -o '^\(window.scope\|sm.scheduler\),[a-z]*' <<<"$out" | sort -s -t, -k1,1r | xargs)"
try "$W" effects r.db window_reduction remainin
expect "a column that is not there" 2 "no such column: remainin; did you mean 'remaining'?"

# ---- query
ask="SELECT kernel, window_size, remaining FROM window_reduction WHERE window_kind = 'fifo' AND window_scope = 'sm'
    AND sm_scheduler = 'gto' AND window_size IN (0, 64) ORDER BY kernel, window_size"
try "$W" query r.db "$ask"
expect "a query" 0
same "its table" "kernel   window_size  remaining
-------  -----------  ---------
columns            0        1.0
columns           64        0.5
rows               0        1.0
rows              64   0.666667" "$out"
try "$W" query r.db "$ask" --csv
same "its CSV" "kernel,window_size,remaining
columns,0,1.0
columns,64,0.5
rows,0,1.0
rows,64,0.6666666666666666" "$out"
try "$W" query r.db "SELECT 1 AS n, NULL AS absent" --json
same "JSON" '[
  {"n": 1, "absent": null}
]' "$out"
try "$W" query r.db "-- a remark
$ask" --csv
expect "SQL that begins with a remark" 0
echo "$ask;" >ask.sql
try "$W" query r.db --file ask.sql --csv
expect "SQL from a file" 0
try "$W" query r.db --file nowhere.sql
expect "a file that is not there" 1 "nowhere.sql: cannot read"
try "$W" query r.db
expect "no SQL" 2 "expected SQL or --file, found neither; 'SELECT name FROM sweep_view' gives what can be asked"
try "$W" query r.db --csv "SELECT name FROM sweep_view ORDER BY name"
same "which are these" "$(printf '%s\n' name {window_reduction,window_reduction_by_kernel})" "$out"
try "$W" query r.db "SELECT 1" --file ask.sql
expect "twice SQL" 2 "found both"
try "$W" query r.db "SELECT 1 AS one, 2 AS two UNION ALL SELECT 3, 4" --lines
same "a line per column" "$(printf '%s\n' "one  1" "two  2" "" "one  3" "two  4")" "$out"
for formats in "--csv --json" "--lines --json" "-l --csv"; do
    try "$W" query r.db "SELECT 1" $formats
    expect "two formats: $formats" 2 "expected one of --lines, --csv and --json"
done
try "$W" query r.db "SELECT remaning FROM window_reduction"
expect "an unknown column" 2 "no such column: remaning"
try "$W" query r.db 'SELECT "remaning" FROM window_reduction'
expect "an unknown column in quotes is no text" 2 "no such column: remaning"
try "$W" query r.db "SELECT * FROM window_reductoin"
expect "an unknown view" 2 "did you mean 'window_reduction'?"
try "$W" query r.db "DELETE FROM point"
expect "a query that would write" 2 "only reads"
try "$W" query r.db "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT max(i) FROM c" --timeout 0.1
expect "a query without end" 1 "given up after 0.1 s"
try "$W" query nowhere.db "SELECT 1"
expect "a database that is not there" 1 "nowhere.db"
same "and it is not created" "" "$(ls nowhere.db* 2>/dev/null)"
try "$W" query small.wst "SELECT 1"
expect "a file that is no database" 1 "small.wst"
for format in "" --csv --json; do
    "$W" query r.db "SELECT * FROM kernel, metric" $format >/dev/full 2>err
    status=$? err=$(cat err)
    expect "a full disk${format:+ with $format}" 1 "No space left on device"
done
"$W" effects r.db window_reduction_by_kernel remaining --json >/dev/full 2>err
status=$? err=$(cat err)
expect "effects with --json on a full disk" 1 "No space left on device"

# A sweep that is not finished: as if it had been interrupted before its first point.
cp r.db unfinished.db
sqlite3 unfinished.db 'PRAGMA foreign_keys = OFF; DELETE FROM window WHERE point IN (SELECT min(id) FROM point);
    DELETE FROM point_run WHERE point IN (SELECT min(id) FROM point); DELETE FROM point WHERE id IN (SELECT min(id) FROM point)'
tells="window_reduction: only 191 of 192 points are there; the sweep is not finished"
try "$W" query unfinished.db "WITH a AS (SELECT remaining FROM window_reduction_by_kernel) SELECT avg(remaining) FROM a"
expect "a query of a view that lacks a point" 0 "$tells"
try "$W" effects unfinished.db window_reduction_by_kernel remaining
expect "its effects" 0 "$tells"
try "$W" query unfinished.db "SELECT count(*) FROM kernel"
same "a query that reads no view is told nothing" "" "$err"
try "$W" query r.db "SELECT avg(remaining) FROM window_reduction"
same "nor is one of a finished sweep" "" "$err"

# A sweep with failed points, whose rows its views lack.
cp r.db failed.db
sqlite3 failed.db "DELETE FROM window WHERE point IN (SELECT id FROM point ORDER BY id LIMIT 2);
    UPDATE point SET status = 'failed', reason = 'x' WHERE id IN (SELECT id FROM point ORDER BY id LIMIT 2)"
failed="window_reduction: 2 of 192 points failed and left no rows (SELECT DISTINCT reason FROM point WHERE status = 'failed')"
try "$W" query failed.db "SELECT avg(remaining) FROM window_reduction_by_kernel"
expect "a query of a view that lacks failed points" 0
same "it is told of them alone" "$failed" "$err"
try "$W" effects failed.db window_reduction_by_kernel remaining
expect "the effects of failed points" 0 "$failed"

# Failures, one line for each reason, the most frequent first, with an example; a point that no sweep asks for any more
# is among them.
cp r.db reasons.db
sqlite3 reasons.db "CREATE TABLE failing AS SELECT p.id, row_number() OVER (ORDER BY p.id) AS n FROM point p JOIN kernel k
    ON k.id = p.kernel WHERE k.launch = 1 ORDER BY p.id LIMIT 9; DELETE FROM window WHERE point IN (SELECT id FROM failing);
    UPDATE point SET status = 'failed', reason = (SELECT iif(n < 7, 'often', 'not so often') FROM failing f WHERE f.id = point.id)
    WHERE id IN (SELECT id FROM failing);
    DELETE FROM sweep_point WHERE point = (SELECT id FROM failing WHERE n = 9)"
first=$(sqlite3 reasons.db "SELECT t.name || ',' || k.short_name FROM kernel k JOIN trace t ON t.id = k.trace WHERE k.launch = 1")
try "$W" query reasons.db --csv --file "$root/results/failures.sql"
same "failures by reason" "points,sweep,analysis,trace,kernel,launches,reason,config
6,window_reduction,window,$first,1,often,
2,window_reduction,window,$first,1,not so often,
1,,window,$first,1,not so often," "$(sed -E 's/[0-9]{6,}$//' <<<"$out")"
same "with the configuration of one" 1 "$(sqlite3 reasons.db "SELECT count(*) FROM window_config c JOIN point p ON p.config = c.id
    WHERE p.reason = 'often' AND c.id = $(sed -n '2s/.*,//p' <<<"$out") AND p.kernel IN (SELECT id FROM kernel WHERE launch = 1)")"

# A read-only database in a read-only folder can be asked, also as another user.
mkdir frozen && cp r.db frozen/ && chmod 444 frozen/r.db && chmod 555 frozen
try "$W" query frozen/r.db --csv "SELECT count(*) AS n FROM point"
same "a frozen database" "n
192" "$out"
chmod 755 frozen

# ---- plot
try "$W" plot r.db
expect "the list of figures" 0
has "it has the figure of the demo" "$out" "window_reduction"
same "but none of other sweeps" 0 "$(grep -c warppool_speedup <<<"$out")"
has "it tells how many these are" "$err" " other figures in "
cat >own.sql <<'END'
-- Own figure
SELECT kernel AS panel, window_scope || ' ' || sm_scheduler || ' ' || window_kind AS series, window_size AS "window (requests)",
       iif(kernel = 'rows', NULL, remaining) AS "requests left"
FROM window_reduction_by_kernel ORDER BY 1, 2, 3
END
if command -v gnuplot >/dev/null; then
    for ending in svg png pdf; do
        try "$W" plot r.db window_reduction -o "figure.$ending"
        expect "a figure as .$ending" 0
        same "it says where" "figure.$ending" "$out"
        if [[ -s figure.$ending ]]; then ok "it is there"; else not_ok "it is there"; fi
    done
    try "$W" plot unfinished.db window_reduction -o unfinished.svg
    expect "a figure that lacks a point" 0 "$tells"
    ln -s r.db link.svg
    try "$W" plot r.db window_reduction -o link.svg
    expect "over the database, by another name" 2 "link.svg: expected another file than the database"
    try "$W" effects r.db window_reduction_by_kernel remaining -o link.svg
    expect "nor its effects" 2 "link.svg: expected another file than the database"
    mkdir far
    ln -s far/figure.svg far.svg
    try "$W" plot r.db window_reduction -o far.svg
    same "through a link: it stays one" "0 far/figure.svg 1" "$status $(readlink far.svg) $(grep -c '<svg' far/figure.svg)"
    long=$(printf 'l%.0s' {1..251}).svg
    try "$W" plot r.db window_reduction -o "$long"
    expect "a name as long as can be" 0
    try "$W" plot r.db own.sql -o own.svg
    expect "a figure of one's own query" 0
    for name in 'Own figure' columns rows 'window (requests)' 'requests left' 'warp gto fifo'; do
        has "it shows '$name'" "$(cat own.svg)" "$name"
    done
    for name in columns rows 'per SM, fifo' 'per warp, sliding' 'load requests remaining (%)'; do
        has "the figure shows '$name'" "$(cat figure.svg)" "$name"
    done
    lines=$'a folder\nof "two" lines\\n, `its` one'\''s'
    mkdir "$lines"
    try "$W" plot r.db own.sql -o "$lines/it's.svg"
    expect "a figure in a folder with an odd name" 0
    same "it is the same" "$(cat own.svg)" "$(cat "$lines/it's.svg")"
    cp own.sql "$root"/plots/*.gp "$lines" && cp "$root/plots/curves.gp" "$lines/own.gp"
    try env WARPSWEEP_PLOTS="$lines" "$W" plot r.db own -o again.svg
    expect "figures in such a folder" 0
    echo "SELECT '5%d and 7%%' AS kernel, 1 AS x" >percent.sql
    try "$W" plot r.db percent.sql -o percent.svg
    expect "names that look like formats" 0
    has "are shown as they are" "$(cat percent.svg)" ">5%d and 7%%<"
    echo "SELECT '' AS panel, '' AS series, 1 AS x, 'say \"%d\"' AS label UNION ALL SELECT '', '', 2, NULL" >labels.sql
    echo 'eval set_page(3, 2); plot $data index 0 using 1:1:xtic(2) with points' >labels.gp
    try "$W" plot r.db labels.sql -o labels.svg
    expect "labels beside the numbers" 0
    has "stand at their points" "$(cat labels.svg)" ">say '%d'<"
    try "$W" effects r.db window_reduction_by_kernel remaining --where "kernel = 'columns'" -o effects.svg
    expect "the effects as a figure" 0
    same "it says where" "effects.svg" "$out"
    share=$("$W" effects r.db window_reduction_by_kernel remaining --where "kernel = 'columns'" --csv 2>/dev/null |
        awk -F, '$1 == "window.size" { printf "%.0f", 100 * $2 }')
    for name in "window.size ($share %)" 'sm.scheduler (' cta 64 "relative to the axis' lowest" \
        "remaining in window_reduction_by_kernel along each axis, with its" "; where kernel = 'columns'"; do
        has "it shows '$name'" "$(tr '\n' ' ' <effects.svg)" "$name"
    done
    "$W" effects r.db window_reduction_by_kernel remaining -o effects.svg >/dev/null
    "$W" effects r.db window_reduction_by_kernel remaining --values --csv | sed 1d | cut -d, -f1,3 | tr , ' ' >ratios
    grep -o "<use xlink:href='#gpPt6' transform='translate([0-9.]*,[0-9.]*" effects.svg | sed 's/.*,//' >heights
    same "points stand at their ratios, in the panels of a row on one logarithmic scale" "0 higher" "$(paste ratios heights | awk '
        $1 != axis { axis = $1; panels++ }
        panels <= 2 { x[++n] = log($2); y[n] = $3; if (x[n] > x[top] || !top) top = n; if (x[n] == 0) low = n }
        END { slope = (y[top] - y[low]) / x[top]
              for (i = 1; i <= n; i++) if ((d = y[i] - y[low] - slope * x[i]) > 0.1 || d < -0.1) off++
              print off + (n < 4), (slope < 0 ? "higher" : "lower") }')"
    spec dense ', "axes": {"window.size": {"range": [1, 300]}}'
    "$W" sweep dense.json --db dense.db >/dev/null 2>&1
    try "$W" effects dense.db dense_by_kernel window_size --where "kernel = 'columns'" -o dense.svg
    expect "effects of an axis with many values" 0
    same "a point for each" 300 "$(grep -c "<use xlink:href='#gpPt6'" dense.svg)"
    ticks=$(grep -oE 'M([0-9.]+),[0-9.]+ L\1,[0-9.]+' dense.svg | wc -l)
    if ((ticks < 30)); then ok "ticks for a few"; else not_ok "ticks for a few" "expected fewer than 30, found $ticks"; fi
    echo "WITH RECURSIVE p(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM p WHERE i < 50)
        SELECT 'panel ' || i AS panel, 1 AS series, 1 AS x, 1 AS y FROM p" >pages.sql
    try "$W" plot r.db pages.sql -o pages.png
    expect "a figure of several pages" 0
    same "nothing is said of pages" "" "$err"
    pages=$(wc -l <<<"$out")
    try "$W" plot r.db own.sql -o pages.png
    same "over it one of fewer: the others are told" \
        "pages-2.png to pages-$pages.png are not of this figure, which has 1 page: left from an earlier one?" "$err"
    same "and stay" "$pages" "$(ls pages*.png | wc -l)"
    cp own.sql notes.png
    try "$W" plot r.db own.sql -o notes.png
    expect "over a file that is no picture" 2 "notes.png: expected a picture to replace, found another file"
    try "$W" effects r.db window_reduction_by_kernel remaining -o notes.png
    expect "nor its effects" 2 "notes.png: expected a picture to replace"
    same "it stays" "$(cat own.sql)" "$(cat notes.png)"
    : >empty.svg
    try "$W" plot r.db own.sql -o empty.svg
    expect "over an empty file" 0
    try "$W" plot r.db own.sql -o empty.svg
    expect "and over a picture" 0
    echo "SELECT kernel, NULL AS a, iif(kernel = 'rows', 1, NULL) AS b FROM window_reduction_by_kernel GROUP BY 1" >gaps.sql
    try "$W" plot r.db gaps.sql -o gaps.svg
    expect "a figure that misses most of its bars" 0 \
        "figure gaps.sql: 3 of its 4 numbers are NULL, and not drawn; where a result is unknown, the column 'note'"
    try "$W" effects r.db window_reduction_by_kernel remaining -o effects.txt
    expect "effects in an unknown format" 2 ".svg, .png or .pdf"
    try "$W" effects r.db window_reduction_by_kernel remaining -o effects.pdf --json
    expect "a table and a figure" 2 "expected a table or a figure"
else
    skip "figures" "gnuplot is not here"
fi
try "$W" plot r.db window_reductoin -o x.svg
expect "an unknown figure" 2 "did you mean 'window_reduction'?"
try "$W" plot r.db window_reduction
expect "a figure without a file" 2 "expected -o FILE"
try "$W" plot r.db window_reduction -o figure.gif
expect "an unknown format" 2 ".svg, .png or .pdf"
spec other ', "axes": {"window.size": [1]}'
sed 's/"other"/"ahead"/; s/"window"/"coalescing"/; s/"window.size": .1./"sm.scheduler": ["gto"]/' other.json >ahead.json
for name in other ahead; do "$W" sweep $name.json --db other.db 2>/dev/null >/dev/null; done
try "$W" plot other.db window_reduction -o x.svg
expect "a database without the view" 2 "figure window_reduction: the database has no window_reduction_by_kernel: run 'warpsweep sweep sweeps/window_reduction.json --db DB' first; 'warpsweep plot DB window_reduction --sweep other -o FILE.svg' draws its sweep other instead"
try "$W" plot other.db ccws -o x.svg
expect "none of whose sweeps would do" 2 "first; it has the views of ahead, other"
sed 's/"window_reduction"/"mine"/; s/1, 64/1, 16/' window_reduction.json >mine.json
"$W" sweep mine.json --db mine.db 2>/dev/null >/dev/null
try "$W" plot mine.db window_reduction --sweep yours -o x.svg
expect "a sweep that is not there" 2 "figure window_reduction: the database has no sweep 'yours'; it has mine"
try "$W" plot mine.db lru_capacity --sweep mine -o x.svg
expect "a sweep of another analysis" 2 "figure lru_capacity: sweep mine has no view that does for lru_capacity_by_kernel: SQL line"
has "says what it lacks" "$err" ": no such column: "
echo "SELECT 1 AS a, 2 AS b" >nothing.sql
try "$W" plot mine.db nothing.sql --sweep mine -o x.svg
expect "a query that reads no sweep" 2 "figure nothing.sql: sweep mine has no view that does for its query"
try "$W" plot mine.db --sweep mine
expect "a sweep without a figure" 2 "expected a figure beside --sweep"
if command -v gnuplot >/dev/null; then
    "$W" sweep window_reduction.json --db mine.db 2>/dev/null >/dev/null
    try "$W" plot mine.db window_reduction --sweep mine -o mine.svg
    expect "another sweep's figure" 0
    same "says that its labels are not" "figure window_reduction: mine in place of window_reduction, for which its labels and other text are written" "$err"
    has "says whose it is" "$(cat mine.svg)" ">mine in place of window_reduction: Requests that"
    "$W" plot mine.db window_reduction -o named.svg >/dev/null
    same "the sweep that it names is still drawn" 0 "$(grep -c mine named.svg)"
    echo "SELECT 'largest ' || max(window_size) AS name, 1 AS n FROM window_reduction_by_kernel" >largest.sql
    "$W" plot mine.db largest.sql --sweep mine -o largest.svg >/dev/null
    has "rows are those of the sweep alone" "$(cat largest.svg)" ">largest 16<"
    same "no view is left behind" "" "$("$W" query mine.db "SELECT name FROM sqlite_schema WHERE name LIKE 'window_reduction%' AND sql LIKE '%mine%'" --csv | tail -n +2)"
    spec fixed ', "base": {"window.scope": "cta"}, "axes": {"window.size": [1, 8, 64], "sm.scheduler": ["gto", "lrr"]}'
    "$W" sweep fixed.json --db mine.db 2>/dev/null >/dev/null
    try "$W" plot mine.db window_reduction --sweep fixed -o fixed.svg
    expect "parameters that are no axes" 0
    has "have the value of all points" "$(cat fixed.svg)" ">per CTA, fifo<"
    sqlite3 mine.db "DELETE FROM point WHERE id IN (SELECT point FROM sweep_point WHERE sweep = (SELECT id FROM sweep
        WHERE name = 'window_reduction') AND point NOT IN (SELECT point FROM sweep_point WHERE sweep = (SELECT id FROM
        sweep WHERE name = 'mine')) LIMIT 1)"
    try "$W" plot mine.db window_reduction --sweep mine -o mine.svg
    same "what the other lacks is not told" "0 0" "$status $(grep -c only <<<"$err")"
    try "$W" plot mine.db window_reduction --sweep window_reduction -o same.svg
    expect "the sweep that it names" 0
    same "is in place of none" 0 "$(grep -c "in place of" same.svg)"
    same "and nothing is said of labels" 0 "$(grep -c labels <<<"$err")"
    sed 's/FROM window_reduction_by_kernel/FROM main.window_reduction_by_kernel/' largest.sql >main.sql
    try "$W" plot mine.db main.sql --sweep mine -o main.svg
    expect "a view that nothing can stand in front of" 2 "does not call its views main.NAME, found one that still reads window_reduction"
    echo "SELECT kernel, window_size AS x FROM window_reduction_by_kernel UNION ALL SELECT kernel, window_size FROM mine_by_kernel" >both.sql
    try "$W" plot mine.db both.sql --sweep mine -o both.svg
    expect "a query of two sweeps" 2 "expected a query of one sweep to draw mine in place of it, found one that reads mine, window_reduction"
    echo "SELECT kernel, window_size AS x FROM mine_by_kernel UNION ALL SELECT kernel, window_size FROM nowhere_by_kernel" >half.sql
    try "$W" plot mine.db half.sql --sweep mine -o half.svg
    expect "or of one that is not there" 2 "sweep mine has no view that does for nowhere_by_kernel: expected a query that reads one sweep, and does not call its views main.NAME, found one that still reads mine"
    try "$W" plot mine.db half.sql -o half.svg
    same "which is not recommended" 0 "$(grep -c "draws its sweep" <<<"$err")"
    echo "SELECT kernel, max(launch) AS last FROM window_reduction_by_kernel GROUP BY kernel" >launch.sql
    try "$W" plot mine.db launch.sql --sweep mine -o launch.svg
    expect "a view of another ending" 2 "mine has no view that does for window_reduction_by_kernel: SQL line 1 at 'launch"
    try "$W" plot mine.db window_reduction -o named.svg
    has "but where it is drawn" "$err" "window_reduction: only"
    rm -f -- *.svg
fi
try "$W" plot other.db warpman_rtru -o x.svg
expect "one that needs two" 2 "run 'warpsweep sweep sweeps/warpman.json --db DB', 'warpsweep sweep sweeps/warpman_rtru.json --db DB' first"
echo "SELECT 'a' AS kernel, 1 AS x FROM nowhere" >nowhere.sql
try "$W" plot other.db nowhere.sql -o x.svg
expect "a query of one's own" 2 "figure nowhere.sql: SQL: no such table: nowhere"
echo "SELECT 'a' AS kernel, 1 AS x WHERE 0 -- sweeps/not" >none.sql
try "$W" plot other.db none.sql -o x.svg
expect "without rows" 2 "figure none.sql: the database holds no rows for it"
try "$W" plot other.db
same "no figures: no table" "" "$out"
has "only how many there are" "$err" "$(ls "$WARPSWEEP_PLOTS"/*.sql | wc -l) figures in $WARPSWEEP_PLOTS are of sweeps"
same "nothing is left" "" "$(ls -- *.part x.svg 2>/dev/null)"
try env WARPSWEEP_PLOTS="$WORK/nowhere" "$W" plot r.db
expect "a folder of figures that is not there" 1 "nowhere"

# ---- local memory: two CTAs of two warps store a word each thread has of its own, and load it
{
    echo "grid,block,cta,warp,pc,opcode,op,space,width,mask,addresses"
    for warp in 0,0 0,1 1,0 1,1; do
        echo "2,64,$warp,0,STL,store,local,4,0xffffffff,0xfffcb0+0"
        echo "2,64,$warp,16,LDL,load,local,4,0xffffffff,0xfffcb0+0"
    done
} >local.csv
"$W" import local.csv -o local.wst 2>/dev/null >/dev/null
while read -r analysis axes columns expected; do
    echo '{"name": "local_'"$analysis"'", "traces": "local.wst", "analysis": "'"$analysis"'", "axes": {'"$axes"'}}' >spec.json
    try "$W" sweep spec.json --db local.db
    try "$W" query local.db --csv "SELECT $columns FROM local_$analysis"
    same "$analysis: threads share nothing" "$expected" "$(tail -n +2 <<<"$out")"
done <<'END'
window "window.size":[128],"gpu.clusters":[1] requests,sent,merged_same_warp,merged_same_cta,merged_other_cta 4,4,0,0,0
icl "gpu.clusters":[1] requests,data_same_sm,data_other_sm,line_same_sm,line_other_sm 4,0,0,0,0
coalescing "gpu.clusters":[1] load_requests,load_sectors,load_bytes_used,store_sectors 4,16,512,16
mapping "gpu.clusters":[1] requests,consecutive,broadcast 4,4,0
contention "gpu.clusters":[1] accesses,misses 4,4
END
printf '%s\n' mask,space,addresses 0xffffffff,global,0x1000+4 0xffffffff,local,0x1000+0 >apart.csv
"$W" import apart.csv -o apart.wst 2>/dev/null >/dev/null
echo '{"name": "apart", "traces": "apart.wst", "analysis": "window", "axes": {"window.size": [128]}}' >spec.json
"$W" sweep spec.json --db local.db 2>/dev/null >/dev/null
try "$W" query local.db --csv "SELECT requests, sent FROM apart"
same "nor do local and global memory" "2,2" "$(tail -n +2 <<<"$out")"

# ---- two databases side by side, as results/README.md says
for base in before after; do
    echo '{"name": "S", "traces": ["small.wst"], "analysis": "timed", "gpu": "gtx480-wp", "base": {"l1.latency": '$((${#base} * 20))'},
        "axes": {"sm.scheduler": ["lrr", "gto"]}}' >S.json
    "$W" sweep S.json --db "$base.db" >/dev/null 2>&1
done
query=$(sed -n 's/^    //; /^sqlite3 -column/,/)"$/p' "$root/results/README.md")
try bash -c "${query/-column -header/-csv}"
same "a row for each point of both" "small,columns,gto small,columns,lrr small,rows,gto small,rows,lrr" \
    "$(cut -d, -f1-3 <<<"$out" | sort | xargs)"
same "with what one gains over the other" "" "$(awk -F, '$4 == 1' <<<"$out")"
finished
