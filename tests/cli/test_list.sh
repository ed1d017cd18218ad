#!/usr/bin/env bash
# list and help: what the registry knows.
. "$(dirname "$0")/lib.sh"

try "$W" list
expect "list" 0
plain=$out
try "$W" list --json
expect "list --json" 0
json=$out
"$W" list --json >/dev/full 2>"$WORK/err"
status=$? err=$(cat "$WORK/err")
expect "on a full disk" 1 "No space left on device"
has "an analysis" "$json" '"name": "window"'
has "a parameter with its column" "$json" '"column": "window_size"'
has "a mechanism" "$json" '"switch": "mechanism.front"'
has "its hardware" "$json" '"structure": "thread map table"'

# Names need no quoting in JSON and SQL, nothing lacks a help text, and each name is in the list, as JSON and as text,
# and in the help.
names=$(grep -oE '"(name|column|component)": "[^"]*"' <<<"$json" | cut -d'"' -f4 | sort -u)
same "names need no quoting" "" "$(grep -vE '^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)?$' <<<"$names")"
same "how rows add up, in the words of the table metric" '"adds": "key" "adds": "max" "adds": "not" "adds": "same" "adds": "sum"' \
    "$(grep -oE '"adds": "[^"]*"' <<<"$json" | sort -u | xargs -d '\n')"
same "no empty help" "" "$(grep -n '"help": ""' <<<"$json")"
missing=
nth=0
while read -r name; do
    [[ $plain == *"$name"* ]] || missing+=" $name"
    sanitized && ((nth++ % 8)) && continue # each call takes a sanitized command a tenth of a second
    "$W" help "$name" | grep -q -- "$name" || missing+=" help:$name"
done < <(grep -oE '"name": "[^"]*"' <<<"$json" | cut -d'"' -f4 | sort -u)
same "list and help know every name" "" "$missing"

try "$W" help window.size
has "help of a parameter has its bounds, unit and default" "$out" "0 .. 65536 requests, default 128"
plain=$out
try "$W" help window_size
same "its column leads to the same" "$plain" "$out"
for name in trace kernel launch launches fidelity truncated note; do
    try "$W" help "$name"
    has "help knows the views' column $name" "$out" "column of a sweep's views
  $name "
done
try "$W" help note
has "but not of a front" "$out" "Each view but NAME_pareto"
try "$W" help truncated
has "help of truncated names all limits" "$out" "limits (limit.ctas, limit.warp_instructions)"
for name in on_front trace_memory_lines registers_per_thread short_name outcome; do
    try "$W" help "$name"
    has "help knows the database's column $name" "$out" "
  $name "
done
for name in "l1_J: energy in J" "execution_mm2: area in mm2" "noc_static_J: energy in J that is drawn all the time"; do
    try "$W" help "${name%:*}"
    expect "help knows the column ${name%:*}" 0
    has "of a component" "$out" "column of the views NAME_energy:${name#*:} of the component ${name%%_*}"$'\n'
done
try "$W" help l3_J
expect "of no component that a table has" 2 "nothing is called 'l3_J'"
try "$W" help on_front
has "which settings it compares" "$out" "no other setting of the same class and the same baseline"
try "$W" help kernels
has "a key of a specification that is a column, too" "$out" "
  kernels               which launches"
has "both are explained" "$out" "column of the views NAME_pareto"
for name in zip views by_kernel; do
    try "$W" help "$name"
    has "help of $name: that of sweeps" "$out" "NAME_by_kernel        the launches of one kernel together"
done
try "$W" help pareto
has "help of the front" "$out" "view NAME_pareto: Settings that no other beats"
try "$W" help point
has "help knows a table that every database has" "$out" "table point: design points"
try "$W" help l2_reservation_fails
has "and a counter that no table has" "$out" "l2_retries"
try "$W" help l1_index_
expect "a misspelt column: the parameter" 2 "did you mean 'l1.index'?"
try "$W" help l1.index
has "what each choice asks for" "$(tr -s ' \n' ' ' <<<"$out")" "for 32 or 64 sets"
has "which analyses have a parameter" "$(sed -n 2,3p <<<"$out" | xargs -d '\n')" \
    "of the analyses funnel (fidelity timed), hotspots, icl (fidelity timed), "
for name in limit.ctas window.size; do # of all, and one's own
    try "$W" help "$name"
    same "not said of $name" "" "$(grep 'of the analyses' <<<"$out")"
done
try "$W" help remaining
has "a share says of which requests" "$(tr -s ' \n' ' ' <<<"$out")" "those of loads unless window.stream is all"
has "help of a ratio has its expression" "$out" "sent / nullif(requests, 0)"
try "$W" help l1_mpki
has "help of MPKI says what is no miss" "$out" "l1_bypasses"
export WARPSWEEP_SWEEPS=$PWD/sweeps # a sanitized command lies elsewhere
unexplained=
while read -r name; do
    "$W" help "$name" | grep -qF "$name: a measure of characterize" || unexplained+=" $name"
done < <(grep -oE '"name": "[a-z0-9_]+", "label"' sweeps/characterize.json | cut -d'"' -f4)
same "help explains the measures of characterize" "" "$unexplained"
has "by what they are computed from" "$("$W" help grain_index)" "  avg(grain_step)
  over the kernel's points of the sweep characterize_grain: analysis locality"
try env WARPSWEEP_SWEEPS="$WORK" "$W" help grain_step
expect "without their file all else is explained" 0
try "$W" help window.siez
expect "an unknown name" 2 "nothing is called 'window.siez': did you mean 'window.size'?"
same "it prints nothing else" "" "$out"

# ---- what has a summary alone: tables of energies, formats; and functions
energies=$(cd sweeps/energy && printf '%s\n' *.json | sed 's/[.]json$//')
same "the list has each table of energies" "$energies" \
    "$("$W" list | sed -n '/^TABLES of energies/,/^FORMATS/s/^  \([a-z0-9-][a-z0-9-]*\) .*/\1/p')"
same "tables, formats and functions in JSON" \
    "$({ echo "$energies"; "$W" list formats --names; "$W" list functions --names; } | LC_ALL=C sort)" \
    "$(tr -d '\n' <<<"$json" | grep -oE '"(energies|formats|functions)": \[[^]]*' |
        grep -oE '\{ *"(energy|format|name)": "[^"]*' | cut -d'"' -f4 | LC_ALL=C sort)"
for name in gtx280-ilp xi; do
    try "$W" help "$name"
    has "help of the table of energies $name" "$out" "table of energies $name, for the key \"energy\""
done
for name in sass llvm; do
    try "$W" help "$name"
    has "help of the instruction set $name" "$out" "instruction set of a trace: $name"
done

# ---- names alone
try "$W" list analyses --names
expect "names of a kind" 0
same "they are those of the index" "$("$W" list | grep -oE '^[a-z_]+: ' | cut -d: -f1 | LC_ALL=C sort)" "$out"
try "$W" list parameters --names
same "parameters once each, sorted" "$(LC_ALL=C sort -u <<<"$out")" "$out"
has "those of the timed replay among them" "$out" "dram.banks"
try "$W" list mechanisms --names
same "mechanisms, those of the index" "$("$W" list | sed -nE '/^MECH/,/^PARAM/s/^  ([a-z]+) +.*/\1/p' | LC_ALL=C sort)" "$out"
has "the index says what turns them on" "$("$W" list)" "(MRPB 3; mechanism.front=mrpb)"
try "$W" list energies --names
same "tables of energies, those of the index" "$("$W" list | sed -nE '/^TABLES/,/^FORM/s/^  ([a-z0-9-]+) .*/\1/p' | LC_ALL=C sort)" "$out"
try "$W" list colours
expect "an unknown kind" 2 "expected analyses, commands, energies, figures, formats, functions, gpus, mechanisms, metrics or parameters, found 'colours'"
try "$W" list gpus --json
expect "a kind in JSON" 2 "--json has all names"
try "$W" list --names
expect "names of no kind" 2 "--names needs a KIND: analyses, "

# ---- the sections of a kind
export WARPSWEEP_PLOTS=$PWD/plots # a sanitized command lies elsewhere
for kind in analyses commands energies figures formats functions gpus mechanisms metrics parameters; do
    try "$W" list "$kind"
    expect "list $kind" 0
    for name in $("$W" list "$kind" --names); do
        [[ $kind == metrics || $out == *"$name"* ]] || echo "$name"
    done >"$WORK/missing"
    same "list $kind has each of them" "" "$(<"$WORK/missing")"
    whole=$("$W" list)
    [[ $kind == commands || $kind == figures || $kind == metrics ]] ||
        has "and is part of the list" "$whole" "$(sed '1d; /^PARAMETERS of analyses/,$d' <<<"$out")"
done
same "list figures has those that plot draws" "$(cd plots && printf '%s\n' *.sql | sed 's/[.]sql$//')" \
    "$("$W" list figures --names | LC_ALL=C sort)"
has "with their titles" "$("$W" list figures)" "  pareto                Gain and cost of mechanisms"
try env WARPSWEEP_PLOTS="$WORK/nowhere" "$W" list figures
expect "figures that are not there" 1 "nowhere: cannot list the figures"
same "list gpus has nothing else" "" "$("$W" list gpus | grep -E '^[A-Z]' | grep -v '^GPUS')"
for kind in gpus parameters metrics; do
    try "$W" help "$kind"
    expect "help of a kind of names" 0
    has "says what lists them" "$out" "'warpsweep list $kind' has them all"
done
try "$W" help --man
has "the manual says who needs TMPDIR" "$(grep -A 3 TMPDIR <<<"$out" | tr '\n' ' ')" "characterize"
manual=$(sed -E 's/\\f[BIR]//g; s/\\-/-/g; s/\\e/\\/g; s/\\&//' <<<"$out")
usages=$(awk '/^[.]SS / { name = "warpsweep " $2 } name && index($0, name) == 1 { print; name = "" }' <<<"$manual")
lists=$(awk '/^[.](PP|fi)$/ { kept = kept && /PP/; next } kept; /^[.]nf$/ { kept = 1 }' <<<"$manual")
usage_helped='' list_helped='' # as help has them; the options are its third paragraph
for command in $("$W" list commands --names); do
    usage_helped+=$("$W" help "$command" | awk -v RS= 'NR == 2 { gsub(/\n */, " "); sub(/usage: /, ""); print }')$'\n'
    list_helped+=$("$W" help "$command" | awk -v RS= 'NR > 3' | sed -n 's/^  //p')$'\n'
done
same "the manual says how each command is called, as help does" "$(grep . <<<"$usage_helped" | sort)" "$(sort <<<"$usages")"
same "its lists and examples have the lines that help has" "$(grep . <<<"$list_helped" | sort)" "$(sort <<<"$lists")"
try "$W" help --man --bash
expect "two forms of help at once" 2 "expected one of NAME, --man and --bash"

try "$W" help l1
has "help of a group of parameters" "$out" "parameters of l1: L1 data cache"
try "$W" help mrpb
has "help of a mechanism tells its source, and its switch" "$out" "(MRPB 3; turned on by mechanism.front=mrpb)"
has "its hardware" "$out" "hardware of mrpb, in table mechanism_cost"
has "its parameters" "$out" "mrpb.signature"
has "and what it counts" "$out" "results in table mrpb_counters"
try "$W" help formats
same "help of all formats has a line for each" "$("$W" list formats --names)" "$(sed -n 's/ - .*//p' <<<"$out" | LC_ALL=C sort)"
try "$W" help memtrace
has "help of a format that another tool prints" "$out" "grid_launch_id N - CTA x,y,z - warp N - OPCODE - 0x<address> .."
has "and of a variant of it" "$out" "Thread<lane>,0x<data>,0x<address> .."
has "and what it cannot tell" "$out" "address is 0, as the first byte of shared memory is, cannot be"
for name in $("$W" list formats --names); do
    try "$W" help "$name"
    expect "help of format $name" 0
    has "it says which format it is" "$out" "$name - "
done
try "$W" import "$0" --output "$WORK/none.wst" --format none
same "formats to import have help, and the native one" \
    "$({ grep -oE 'expected .*' <<<"$err" | cut -d' ' -f2- | sed 's/,\| or/ /g' | xargs -n 1; echo wst; } | LC_ALL=C sort)" \
    "$("$W" list formats --names)"
for name in $("$W" list functions --names); do
    try "$W" help "$name"
    has "help of function $name" "$out" "function of SQL, an aggregate: $name(x"
done

# ---- a GPU of one's own
printf '%s' '{"name": "mine", "summary": "Mine.", "like": "gtx480", "parameters": {"gpu.clusters": {"value": 3, "source": "me"}}}' \
    >"$WORK/mine.json"
try "$W" help "$WORK/mine.json"
expect "help of a file of a GPU" 0
has "its summary" "$out" "GPU mine: Mine."
has "its own values" "$out" "  gpu.clusters               3              me [mine]"
has "those of the GPU that it is like" "$out" "[accelsim-gtx480]"
sed 's/gpu.clusters/gpu.clutters/' "$WORK/mine.json" >"$WORK/wrong.json"
sed -i 's/"mine"/"wrong"/' "$WORK/wrong.json"
try "$W" help "$WORK/wrong.json"
expect "help of one that cannot run" 3 "did you mean \"gpu.clusters\"?"
same "it prints nothing else" "" "$out"

try "$W" help energy
expect "help energy" 0
has "it has the keys of a table" "$out" '{"value": watts, "per": what draws them}'
has "the counters" "$out" "icc_counters.reads"
has "the columns" "$out" "edp_Js                     ratio J s = energy_J * seconds"
same "it has every table" "" "$(cd sweeps/energy && printf '%s\n' *.json | sed 's/[.]json$//' |
    while read -r table; do grep -q "^  $table " <<<"$out" || echo "$table"; done)"
same "no line of it is longer than 100 columns" "" "$(awk 'length > 100' <<<"$out")"
sed -n '/^Example:/,/^Counters/p' <<<"$out" | grep '^[{ ]' >"$WORK/mine.json"
echo '{"name": "mine", "traces": "traces/transpose.wst", "analysis": "timed", "gpu": "gtx480-wp", "energy": "'"$WORK"'/mine.json"}' \
    >"$WORK/spec.json"
try "$W" sweep "$WORK/spec.json" --db "$WORK/mine.db" --dry-run
expect "its example is a table" 0
try env WARPSWEEP_ENERGIES="$WORK/nowhere" "$W" help energy
expect "it explains without tables, too" 0

# ---- a command that was copied alone, with GPUs of its user's
cp "$W" "$WORK/alone"
try env -u WARPSWEEP_ENERGIES WARPSWEEP_GPUS="$WARPSWEEP_GPUS" "$WORK/alone" list
expect "no tables of energies" 0
has "the rest is listed" "$out" "geomean_left_out"

# ---- a table of energies: its numbers, with units and sources
try "$W" help xi
expect "a table of energies" 0
has "what is drawn" "$(grep '^  execution.static ' <<<"$out" | tr -s ' ')" "0.278 W per SM XI 4.5"
has "what grows with a size" "$(grep '^  l1.static ' <<<"$out" | tr -s ' ')" "0.068 W per SM times iif(l1_unified_B, l1_unified_B, l1_size_B) / 49152.0; XI tab. 2"
has "what an event costs" "$(grep '^  execution.warp_instructions ' <<<"$out" | tr -s ' ')" "1e-10 J assumption: 100 pJ"
try "$W" help gtx280-ilp
has "one that is like another" "$out" "like gtx285, whose numbers count where there are none here"

# ---- figures and specifications that come with the command; names of other things come first
try "$W" help window_reduction
expect "a figure and a specification" 0
has "the figure's title" "$out" "Requests that remain after a coalescing window"
has "what it needs" "$out" "Needs the view of sweeps/window_reduction.json."
has "what the specification is of" "$out" "sweeps/window_reduction.json --db FILE')"
try "$W" help coarse
same "a mechanism alone" "" "$(grep '^specification' <<<"$out")"
try "$W" help window_reductio
expect "a figure misspelt" 2 "did you mean 'window_reduction'?"
mkdir "$WORK/specs"
echo '{"name": "own", "description": "of its own"}' >"$WORK/specs/own.json"
try env WARPSWEEP_SWEEPS="$WORK/specs" WARPSWEEP_PLOTS="$WORK/nowhere" "$W" help own
expect "a specification elsewhere" 0
same "its description" "specification own ('warpsweep sweep $WORK/specs/own.json --db FILE')
of its own" "$out"
echo '{' >"$WORK/specs/own.json"
try env WARPSWEEP_SWEEPS="$WORK/specs" "$W" help own
expect "one that is no JSON" 2 "nothing is called 'own'"
finished
