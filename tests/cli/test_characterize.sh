#!/usr/bin/env bash
# characterize: one summary per kernel, from the sweeps of sweeps/characterize.json.
. "$(dirname "$0")/lib.sh"
export WARPSWEEP_PLOTS=$PWD/plots WARPSWEEP_SWEEPS=$PWD/sweeps TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
small_trace "$WORK/small"
"$W" import "$WORK/small" -o "$WORK/small.wst" 2>/dev/null
printf 'cta,warp,pc,op,addresses\n0,0,0x10,store,0x1000+4\n' >"$WORK/stores.csv"
"$W" import "$WORK/stores.csv" -o "$WORK/stores.wst" 2>/dev/null

row() { # kernel, label: what the table has there
    awk -v kernel="$1" -v label="  $2 " '/^[^ (]/ { here = $1 == kernel } here && index($0, label) == 1 {
        sub(/^ +/, "", $0); print substr($0, length(label) - 1) }' <<<"$table" | tr -s ' #|' ' ' | sed 's/^ //; s/ $//'
}

# ---- the table: the answers are computed by hand (lib.sh says what the trace holds)
try "$W" characterize "$WORK/small.wst" --db "$WORK/c.db"
expect "characterize" 0
table=$out
same "a heading for each kernel" "columns (trace small): 1 launch, 2 CTAs, 4 warps, 16 warp instructions, 8 of global or local memory
rows (trace small): 1 launch, 2 CTAs, 4 warps, 16 warp instructions, 8 of global or local memory" "$(grep '(trace' <<<"$out")"
same "lines per instruction, diverging" "16.5" "$(row columns 'lines per memory instruction')"
same "lines per instruction, coalesced" "1.25" "$(row rows 'lines per memory instruction')"
same "SIMD efficiency: 32, 32, 8 and 32 lanes of 32" "81.2 % (1)" "$(row rows 'SIMD efficiency')"
same "the mix" "25 int, 50 memory, 25 other" "$(row rows 'mix (% of warp instructions)')"
same "single words in the columns" "100 single" "$(row columns 'mapping (% of load requests)')"
same "the second warp of a CTA reads the lines of the first" "50.0 %" "$(row columns 'load requests left by a window of 128 per SM')"
has "what masks of SASS mean is told below" "$out" "(1) masks leave out lanes whose predicate is false"
same "whose limits these are" "GPU: the parameters' defaults (--gpu NAME takes those of a GPU): an SM holds 8 CTAs, 48 warps, 1,536
     threads, 32,768 registers, 49,152 B of shared memory" "$(head -2 <<<"$out")"
has "what a trace lacks, without advice that this command cannot take" "$(tr -s ' \n' ' ' <<<"$out")" \
    "has no operand values, which uniform.detector = value needs; token does without"
measures=$(grep -o '"label": "[^"]*"' sweeps/characterize.json | cut -d'"' -f4)
missing=
while read -r label; do [[ $out == *"  $label "* ]] || missing+=" $label;"; done <<<"$measures"
same "every measure of the file has its row" "" "$missing"
same "nothing is left in TMPDIR" "" "$(ls -A "$TMPDIR")"

for nowhere in "$WORK/nowhere" "$WORK/small.wst"; do
    try env TMPDIR="$nowhere" "$W" characterize "$WORK/small.wst"
    expect "no folder for temporary files" 1 "warpsweep characterize: $nowhere: no temporary folder can be made there: No"
    has "it says what to change" "$err" "TMPDIR"
done

# ---- the same numbers elsewhere
try "$W" query "$WORK/c.db" --csv "SELECT kernel, simd_efficiency FROM characterize_mix_by_kernel ORDER BY 1"
same "the database has what the table says" "kernel,simd_efficiency
columns,0.8125
rows,0.8125" "$out"
try "$W" characterize "$WORK/small.wst" --db "$WORK/c.db" --kernels rows --json
expect "as JSON, of one kernel" 0
same "it is one" '    "kernel": "rows",' "$(grep '"kernel"' <<<"$out")"
has "numbers are numbers" "$out" '"simd_efficiency": 0.8125'
has "shares, too" "$out" '"memory": 0.5'
json=$out
try "$W" characterize "$WORK/small.wst" --json --kernels 2 -j 1
same "without a database, and with one worker, the same" "$json" "$out"
"$W" characterize "$WORK/small.wst" --db "$WORK/c.db" --kernels rows --json >/dev/full 2>"$WORK/err"
status=$? err=$(cat "$WORK/err")
expect "on a full disk" 1 "No space left on device"

for KiB in 1 100; do # of which the second suffices for the tables
    try bash -c "ulimit -f $KiB && exec \"\$@\"" - "$W" characterize "$WORK/small.wst"
    expect "a temporary database that may not grow beyond $KiB KiB" 1 "; TMPDIR names another place, or --db FILE"
    same "of which nothing stays" "" "$(grep resumes <<<"$err")$(ls -A "$TMPDIR")"
    try bash -c "ulimit -f $KiB && exec \"\$@\"" - "$W" characterize "$WORK/small.wst" --db "$WORK/cut.db"
    same "of another, TMPDIR is no matter" "1 0" "$status $(grep -c TMPDIR <<<"$err")"
done
expect "and what is stored stays" 1 "; what is stored stays, and the same command resumes"

# ---- what a trace cannot tell
try "$W" characterize "$WORK/stores.wst"
expect "a trace with one store" 0
table=$out
same "no registers, no occupancy" "- (5)" "$(row kernel 'registers never allocated' | sed 's/([0-9]*)/(5)/')"
has "the reason stands below" "$out" "the trace does not say how many registers a thread has"
has "a memory-only trace is told to be one" "$out" "the trace has memory instructions alone"
has "and what that means to warps that access nothing" "$(tr -s ' \n' ' ' <<<"$out")" "to RTRU a warp without any is done at once"
same "no loads, no divergence of loads" "-" "$(row kernel 'lines per load' | cut -c 1)"
try "$W" characterize "$WORK/stores.wst" --json
has "in JSON it is null" "$out" '"registers_unused": null'
has "so is the GPU that nobody named" "$out" '"gpu": null'
has "with its reason" "$out" '"registers_unused": "the trace does not say how many registers a thread has"'
printf 'cta,warp,opcode\n0,0,IADD3\n' >"$WORK/none.csv"
"$W" import "$WORK/none.csv" -o "$WORK/none.wst" 2>/dev/null
echo '{"name": "none", "traces": "'"$WORK"'/none.wst", "analysis": "locality"}' >"$WORK/none.json"
"$W" sweep "$WORK/none.json" --db "$WORK/none.db" 2>/dev/null
try "$W" query "$WORK/none.db" --csv "SELECT accesses, grain_step, grain_class FROM none"
same "no accesses, no class of grain" "0,," "$(tail -1 <<<"$out")"
echo '{"name": "tiny", "summary": "too small", "parameters": {"sm.threads": {"value": 32, "source": "test"}}}' \
    >"$WORK/tiny.json"
try "$W" characterize "$WORK/small.wst" --gpu "$WORK/tiny.json"
expect "a GPU on which no CTA fits" 4
has "each cell says so" "$out" "a CTA needs 64 threads, an SM has 32"
same "the GPU is the user's" "" "$(grep 'another GPU' <<<"$err")"
cp -r "$WORK/small" "$WORK/vast"
sed -i 's/^-shmem = .*/-shmem = 1000000/' "$WORK"/vast/kernel-*.traceg
"$W" import "$WORK/vast" -o "$WORK/vast.wst" 2>/dev/null
for time in first second; do # then the failures are stored
    try "$W" characterize "$WORK/vast.wst" --db "$WORK/vast.db"
    expect "a CTA too large for the defaults, for the $time time" 4 \
        "another GPU may do: --gpu NAME; 'warpsweep list' names them"
done
cp "$WORK/small.wst" "$WORK/damaged.wst"
printf x | dd of="$WORK/damaged.wst" bs=1 seek=160 conv=notrunc 2>/dev/null
try "$W" characterize "$WORK/damaged.wst"
expect "a damaged trace" 4 "points: $WORK/damaged.wst: damaged block 1 at byte 160"
same "for which no other GPU is recommended" "" "$(grep 'another GPU' <<<"$err")"
same "is told once, and once below the table" "1 1" "$(grep -c damaged <<<"$err") $(tr -s ' \n' ' ' <<<"$out" | grep -o 'damaged block' | wc -l)"
try "$W" characterize "$WORK/damaged.wst" --db "$WORK/mended.db" --json
cp "$WORK/small.wst" "$WORK/damaged.wst"
try "$W" characterize "$WORK/damaged.wst" --db "$WORK/mended.db" --json
expect "once its file is whole, the same command succeeds" 0
same "with the results of another copy" "$("$W" characterize "$WORK/small.wst" --json 2>/dev/null)" "${out//damaged/small}"
printf x | dd of="$WORK/damaged.wst" bs=1 seek=160 conv=notrunc 2>/dev/null
try "$W" characterize "$WORK/small.wst" --gpu gtx980
expect "a GPU by its name" 0
has "its limits stand above" "$out" "GPU: gtx980: an SM holds 32 CTAs, 64 warps, 2,048 threads, 65,536 registers, "
echo '{"name": "narrow", "summary": "s", "like": "gtx980", "parameters": {"l1.line_B": {"value": 32, "source": "s"},
    "l1.index": {"value": "linear", "source": "s"}}}' >"$WORK/narrow.json"
lines_of() { "$W" characterize "$WORK/small.wst" --kernels rows --gpu "$1" 2>/dev/null | sed -n 's/^ *lines per load *\([0-9.]*\) .*/\1/p'; }
same "its line, too" "1.5 4.5" "$(lines_of gtx980) $(lines_of "$WORK/narrow.json")"
has "which the help says" "$("$W" help characterize)" "the line of its L1, by which accesses coalesce"
try "$W" characterize "$WORK/small.wst" --gpu gtx980 --json
has "in JSON, its name" "$out" '"gpu": "gtx980"'

# ---- specifications that are missing
mkdir "$WORK/none"
try env WARPSWEEP_SWEEPS="$WORK/none" "$W" characterize "$WORK/small.wst"
expect "not there" 1 "characterize: $WORK/none/characterize.json: cannot be read: No such file"

# ---- a trace that is given under two names
cp "$WORK/small.wst" "$WORK/other.wst"
try "$W" characterize "$WORK/small.wst" "$WORK/other.wst" "$WORK/small.wst"
same "is told once" "$WORK/other.wst has the content of $WORK/small.wst by its digest, so it is left out" "$(grep content <<<"$err")"
try "$W" characterize "$WORK/damaged.wst" "$WORK/other.wst" --db "$WORK/again.db" --kernels rows
expect "a copy of a damaged one takes its place" 0 \
    "$WORK/damaged.wst: damaged block 1 at byte 160 (its checksum does not match); $WORK/other.wst, which has its digest, is taken instead"
has "with its name" "$out" "rows (trace other): 1 launch"

# ---- errors that are reported before the work begins; and what is said without a database when a signal comes
: >"$WORK/file"
try "$W" characterize "$WORK/small.wst" --plots "$WORK/file/pictures"
expect "a folder that cannot be made" 1 "$WORK/file/pictures: cannot be made"
same "is told before work begins" "" "$(grep points <<<"$err")"
set -m # or what runs in the background ignores SIGINT
"$W" characterize traces/graphs/*.wst >/dev/null 2>"$WORK/err" </dev/null &
set +m
until grep -q points "$WORK/err"; do sleep 0.02; done
kill -INT $!
wait $!
has "without a database nothing resumes" "$(cat "$WORK/err")" "stopped; with --db FILE the same command would resume"

# ---- pictures
if command -v gnuplot >/dev/null; then
    try "$W" characterize "$WORK/small.wst" --plots "$WORK/pictures" --db "$WORK/c.db"
    expect "--plots" 0
    figures=$(grep -o '"figures": .*' sweeps/characterize.json | grep -oE '"[a-z0-9_]+"' | tr -d '"' | grep -v figures | sort)
    drawn=$(cd "$WORK/pictures" && printf '%s\n' *.svg | sed 's/\(-[0-9]*\)*[.]svg$//')
    told=$(sed -n 's/^no picture \([a-z0-9_]*\): .*the database holds no rows.*/\1/p' <<<"$err")
    same "each is drawn, or has no rows" "$figures" "$(printf '%s\n' $drawn $told | sort)"
    same "no warp of these diverges" "rtru_gantt rtru_histogram" "$(sort <<<"$told" | xargs)"
    same "each names the trace" "" "$(cd "$WORK/pictures" && grep -L '<text>small: ' *.svg)"

    if ! sanitized; then # the same pictures again, for the sake of their titles
        name=$(printf 'a_kernel_of_a_program_%.0s' {1..7})
        cp traces/spmv.wst "$WORK/$name.wst"
        try "$W" characterize "$WORK/$name.wst" --plots "$WORK/long"
        expect "a trace of a long name" 0
        same "all its pictures are drawn" "$figures" "$(cd "$WORK/long" && printf '%s\n' *.svg | sed 's/[.]svg$//')"
        same "which name it" "" "$(cd "$WORK/long" && grep -L '<text>a_kernel_of_a' *.svg)"
        same "no title is wider than its page" "" "$(awk -F '[<>]' '
            FNR == 1 { width = 0 } /width="/ && !width { split($0, word, "\""); width = word[2] / 72 }
            /<text>a_kernel_of_a/ && length($3) > width / 0.0595 { print FILENAME ": " $3 }' "$WORK"/long/*.svg)"
    fi

    try "$W" characterize "$WORK/none.wst" --plots "$WORK/empty"
    for figure in locality_heat locality_surface lru_capacity; do
        has "no accesses, no picture $figure" "$err" "no picture $figure: figure $figure: expected rows with numbers"
    done

    for copy in 1 2; do "$W" import "$WORK/small" --kernels $copy -o "$WORK/launch$copy.wst" 2>/dev/null; done
    try "$W" characterize "$WORK"/{small,launch1,launch2,stores}.wst --plots "$WORK/many" --gpu gtx980
    has "many traces" "$(cat "$WORK/many/spatial.svg")" '<text>small, launch1 and 2 others: '
    has "and the GPU whose SMs it shows" "$(cat "$WORK/many/spatial.svg")" '<text>gtx980: registers (65,536)<'
    has "without --gpu, that of the figure" "$(cat "$WORK/pictures/spatial.svg")" '<text>gtx480-warpman: registers (32,768)<'
else
    skip "--plots" "no gnuplot"
fi
mkdir "$WORK/bin" # a gnuplot whose pictures stay empty, as on a full disk
printf '#!/bin/sh\nexec cat >/dev/null\n' >"$WORK/bin/gnuplot"
chmod +x "$WORK/bin/gnuplot"
try env PATH="$WORK/bin:$PATH" "$W" characterize "$WORK/small.wst" --plots "$WORK/lost" --db "$WORK/c.db"
expect "a picture that cannot be written is an error" 1 "characterize: $WORK/lost/instruction_mix.svg: cannot write"
has "after the summary" "$out" "rows (trace small): 1 launch"

# ---- what can be wrong
try "$W" characterize
expect "no trace" 2 "expected TRACE.wst, found nothing"
mkdir "$WORK/namesake"
cp "$WORK/stores.wst" "$WORK/namesake/small.wst"
try "$W" characterize "$WORK/none.wst" "$WORK/namesake/small.wst" "$WORK/small.wst" --json
expect "two traces of one name" 2 "characterize: expected traces of different names, found two that are called 'small', \
$WORK/namesake/small.wst and $WORK/small.wst: rename one"
same "of which nothing is computed" "" "$out$(grep points <<<"$err")"
try "$W" characterize "$WORK/small.wst" "$WORK/nowhere.wst"
expect "a trace that is not there" 1 "nowhere.wst"
latin=$WORK/$'\xe9'
mkdir "$latin"
cp "$WORK/small.wst" "$latin/a.wst"
cp sweeps/gpus/*gtx480.json "$latin"
try "$W" characterize "$latin/a.wst"
expect "a path that is no UTF-8" 2 "$latin/a.wst: expected a path in UTF-8, found other bytes; rename it"
try "$W" characterize "$WORK/small.wst" --gpu "$latin/gtx480.json"
expect "of a GPU" 2 "gtx480.json: expected a path in UTF-8"
try "$W" run "$WORK/small.wst" --gpu "$latin/gtx480.json" --json
expect "in JSON" 3 "small.wst: expected paths of traces and GPU in UTF-8, which JSON demands"
try "$W" run "$latin/a.wst" --gpu "$latin/gtx480.json"
expect "a text names any file" 0
echo '{"name": "s", "traces": "'"$WORK"'/*/a.wst", "analysis": "coalescing"}' >"$latin/s.json"
try "$W" sweep "$latin/s.json" --db "$WORK/latin.db"
expect "a pattern that finds it" 3 "s.json: \$.traces[0]: expected a path in UTF-8, found \"$latin/a.wst\"; rename it"
sed -i 's,/\*/a,/small,' "$latin/s.json"
try "$W" sweep "$latin/s.json" --db "$WORK/latin.db"
expect "the specification may lie anywhere" 0
try "$W" query "$WORK/latin.db" --json "SELECT spec_path, json_extract(argv, '\$[2]') AS argument FROM run"
same "and is not named" '{"spec_path": "(not UTF-8)", "argument": "(not UTF-8)"}' "$(sed -n '2s/^ *//p' <<<"$out")"
try "$W" characterize "$WORK/small.wst" --gpu gtx48
expect "an unknown GPU" 2 "no GPU is called 'gtx48'"
try "$W" characterize "$WORK/small.wst" --kernels 7
expect "no kernel is meant" 2 "--kernels: expected to select some of the 2 launches"
try env PATH="$WORK/nowhere" "$W" characterize "$WORK/small.wst" --plots "$WORK/never"
expect "pictures without gnuplot" 1 "gnuplot is not installed: install the package gnuplot-nox"
lacks_work() { same "$1: told before work begins" "" "$(grep points <<<"$err")"; }
lacks_work "that"
same "no folder is made" "" "$(ls -d "$WORK/never" 2>/dev/null)"
if command -v gnuplot >/dev/null; then
    try "$W" characterize "$WORK/small.wst" --plots "$WORK/small.wst"
    expect "a file in place of their folder" 1 "small.wst: cannot be made: there is a file of that name"
    lacks_work "that, too"
fi
mkdir "$WORK/sweeps"
echo '{"parts": [{"sweep": {"name": "a", "analysis": "window"}, "measures": [{"name": "b"}]}]}' >"$WORK/sweeps/characterize.json"
WARPSWEEP_SWEEPS=$WORK/sweeps try "$W" characterize "$WORK/small.wst"
expect "a row without its parts" 3 'characterize.json: $.parts[0].measures[0]: expected "name", "label", "value" and "as"'
echo '{"parts": [{"sweep": {"name": "a", "analysis": "window"}, "measures": [
    {"name": "b", "label": "b", "as": "share", "value": "nonsense"}]}]}' >"$WORK/sweeps/characterize.json"
WARPSWEEP_SWEEPS=$WORK/sweeps try "$W" characterize "$WORK/small.wst"
expect "an expression over a column that is not there" 2 "no such column: nonsense"
measures() { # expression, as, trace
    echo '{"parts": [{"sweep": {"name": "a", "analysis": "window"}, "measures": [
        {"name": "b", "label": "b", "as": "'"$2"'", "value": "'"$1"'"}]}]}' >"$WORK/sweeps/characterize.json"
    WARPSWEEP_SWEEPS=$WORK/sweeps try "$W" characterize "$WORK/${3:-small}.wst"
}
measures 3 text
expect "a number in place of a text" 0
has "is told" "$out" 'its value is not what "as" says'
measures "'x'" number
has "and a text in place of a number" "$out" 'its value is not what "as" says'
measures 1e999 number
expect "a number that JSON cannot hold" 2 'column "value b": expected a finite number, which JSON demands, found 9e999'
cp -r "$WORK/small" "$WORK/half"
sed -i 's/_Z7columnsPf/_Z4rowsPf/' "$WORK/half/kernel-1.traceg"
sed -i 's/^-shmem = .*/-shmem = 1000000/' "$WORK/half/kernel-2.traceg"
"$W" import "$WORK/half" -o "$WORK/half.wst" 2>/dev/null
measures 3 number half
has "a kernel of which a launch failed has the value of the others" "$out" "of 1 of 2 launches; the others failed: "
echo '{"parts": []}' >"$WORK/sweeps/characterize.json"
WARPSWEEP_SWEEPS=$WORK/sweeps try "$W" characterize "$WORK/small.wst"
expect "no parts" 3 'characterize.json: $.parts: expected an array of at least one part'
same "nothing is left in TMPDIR" "" "$(ls -A "$TMPDIR")"
finished
