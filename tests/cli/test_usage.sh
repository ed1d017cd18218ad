#!/usr/bin/env bash
# Command lines, right and wrong; help.
. "$(dirname "$0")/lib.sh"
export WARPSWEEP_PLOTS=$PWD/plots WARPSWEEP_SWEEPS=$PWD/sweeps # a sanitized command lies elsewhere

try "$W"
expect "no command" 2 "usage: warpsweep COMMAND"
try "$W" help
expect "help" 0
commands=$(awk '/^  [a-z]/ {print $1}' <<<"$out")
has "help lists the commands" "$commands" "import"
try "$W" --help
expect "--help is help" 0
for command in $commands; do
    try "$W" help "$command"
    expect "help $command" 0
    has "help $command has a usage line" "$out" "usage: warpsweep $command"
    plain=$out
    try "$W" "$command" --help
    same "$command --help is the same" "$plain" "$out"
    same "no line of it is longer than 100 columns" "" "$(awk 'length > 100' <<<"$out")"
done
try "$W" help sweep
plain=$out
try "$W" help specification
same "a specification is explained where sweeps are" "$plain" "$out"
try "$W" help spec
has "in short, too" "$out" "$plain"
for key in name description traces kernels with analysis gpu base axes zip derived where sampling energy baseline; do
    has "help sweep names the key $key" "$out" "$key"
done
has "all forms of an axis are explained" "$plain" '{"values": '
try "$W" help baseline
has "one of its keys leads there" "$out" "$plain"
has "what exit statuses mean" "$("$W" help)" "1 internal or I/O (a file that is not there or cannot be read, too)"
echo '{"name": "s", "traces": "none.wst", "analysis": "timed"}' >"$WORK/none.json"
while read -r line; do
    try "$W" $line
    expect "a file that is not there: $line" 1 none
done <<END
info none.wst
check none.wst
dump none.wst
characterize none.wst
characterize traces/transpose.wst --gpu none.json
run none.wst
run traces/transpose.wst --with none.wst
run traces/transpose.wst --gpu none.json
sweep none.json --dry-run
sweep none.json --db $WORK/absent-out.db
sweep $WORK/none.json --dry-run
import none.csv -o $WORK/absent-out.wst
import-gpu none.config -o $WORK/absent-out.json
query none.db --file results/units.sql
effects none.db s_by_kernel cycles
plot none.db
plot none.csv -o $WORK/absent-out.svg
report none.db --no-figures -o $WORK/absent-out.html
merge none.db --db $WORK/absent-out.db
END
try "$W" help sm.scheduler
plain=$out
try "$W" help gto
has "a value is explained with the parameters that have it" "$out" "$plain"
has "all of them" "$out" "core.swl_base"
try "$W" help speedup
same "what has the name of its table is explained once" 1 "$(grep -cE '^ +speedup +ratio' <<<"$out")"
try "$W" help speedup icl.window
expect "help of two names" 0
has "the first one" "$out" "results in table speedup"
has "and behind it the other" "$out" $'\n\nparameter of icl ('
try "$W" help icl.window nonsense
expect "one of them unknown" 2 "nothing is called 'nonsense'"
try "$W" help area_mm2
has "a name of two tables is explained with both" "$out" "metric in the views of table energy"
has "the other one" "$out" "column of the views NAME_pareto"
try "$W" help "Reuse probability"
expect "a term that is no name" 0
has "it says so" "$out" "Nothing is called 'Reuse probability'; it is in the explanation of:"
same "leads to what it explains, once" "locality" "$(sed -n 's/^  \([a-z_.]\{1,\}\) .*/\1/p' <<<"$out")"
for term in "thread block" "Thread blocks" workgroup; do
    try "$W" help "$term"
    expect "a term of others: $term" 0
    has "the word for it" "$out" "Nothing is called '$term'; look for 'CTA', which is in the explanation of:"
    has "and what it explains" "$out" "
  core.concurrent_launches "
done
try "$W" help "thread blockade"
expect "but not what only begins so" 2 "nothing is called 'thread blockade'"
try "$W" help "coarser grain equal"
has "the first sentence to its end" "$out" "twice the neighbourhood (XI Figs. 55, 56)."
try "$W" help mshr
same "each name has one line" "" "$(sed -n 's/^  \([a-z_.]\{1,\}\) .*/\1/p' <<<"$out" | uniq -d)"
try "$W" help GTO
expect "a value in capitals" 2 "did you mean 'gto'?"
try "$W" help gtx48
expect "what is nearly a GPU" 2 "did you mean 'gtx480'?"
try env WARPSWEEP_GPUS="$WORK/nowhere" "$W" help gto
expect "without files of GPUs" 0
try env WARPSWEEP_GPUS="$(printf 'a%.0s' {1..5000})" "$W" list
expect "a folder whose path is too long" 2 "WARPSWEEP_GPUS: expected a path of less than"
try "$W" help environment
expect "the variables of the environment" 0
for variable in $(grep -oh 'WARPSWEEP_[A-Z]*' src/*/*.c | sort -u) TMPDIR TERM; do
    has "$variable is one of them" "$out" "  $variable "
done
mkdir "$WORK/alone" && cp "$W" "$WORK/alone" # without the folders beside it
echo '{"name": "x", "traces": ["x.wst"], "analysis": "window", "gpu": "gtx480-wp"}' >"$WORK/gpu.json"
try env -u WARPSWEEP_GPUS "$WORK/alone/warpsweep" sweep "$WORK/gpu.json" --dry-run
expect "a specification that names a GPU, without files of GPUs" 3 'found "gtx480-wp"; no GPUs in '
has "says how to have them" "$err" "set WARPSWEEP_GPUS to their folder"
echo '{"name": "x", "traces": ["x.wst"], "analysis": "timed", "energy": "nj"}' >"$WORK/energy.json"
try env -u WARPSWEEP_ENERGIES "$WORK/alone/warpsweep" sweep "$WORK/energy.json" --dry-run
expect "one that names a table of energies" 3 "found the name 'nj'; no tables of energies in "
try "$W" version
expect "version" 0
has "it has a number and a revision" "$out" "warpsweep 0."
plain=$out
try "$W" --version
same "--version is the same" "$plain" "$out"

try "$W" imprt
expect "an unknown command" 2 "unknown command 'imprt': did you mean 'import'?"
try "$W" conquer
expect "one that is near nothing" 2 "'warpsweep help' lists the commands"
try "$W" info x.wst --jsn
expect "an unknown option" 2 "warpsweep info: unknown option '--jsn': did you mean '--json'?"
has "it shows the usage" "$err" "usage: warpsweep info FILE.wst [--kernels LIST] [--json]"
try "$W" info ""
expect "an empty argument" 2 "warpsweep info: expected FILE.wst, found an empty text"
try "$W" characterize traces/spmv.wst ""
expect "one of several" 2 "expected TRACE.wst, found an empty text"
try "$W" info --kernels= traces/spmv.wst
expect "an empty value" 2 "option '--kernels': expected LIST, found an empty text"
try "$W" info -z
expect "an unknown letter" 2 "unknown option '-z'"
try "$W" info
expect "a missing argument" 2 "expected FILE.wst, found nothing"
try "$W" info a b
expect "one too many" 2 "unexpected argument 'b'"
try "$W" import x
expect "a missing option" 2 "expected --output OUT.wst, found nothing"
try "$W" import x -o
expect "an option without its value" 2 "option '-o': expected OUT.wst, found nothing"
try "$W" import x -o a -o b
expect "an option twice" 2 "option '--output' is given twice"
small_trace "$WORK/small"
(cd "$WORK" && "$W" import small -o small.wst) 2>/dev/null
for list in 1-99 1,3 1-2 rows; do
    echo "{\"name\": \"x\", \"traces\": [\"$WORK/small.wst\"], \"analysis\": \"window\", \"kernels\": \"$list\"}" >"$WORK/$list.json"
done
try "$W" sweep "$WORK/1-99.json" --dry-run
expect "launches that no trace has" 0 "1-99.json: \$.kernels names launch 99, but no trace has more than 2 launches"
try "$W" sweep "$WORK/1,3.json" --dry-run
expect "one that no trace has" 0 "names launch 3, but no trace has more than 2 launches"
try "$W" sweep "$WORK/rows.json" --kernels 2-3 --dry-run
same "nothing is said of those that the option names" "" "$err"
for list in 1-2 rows; do
    try "$W" sweep "$WORK/$list.json" --dry-run
    same "nothing is said of $list" "" "$err"
done
sed 's/"rows"/["rows", "2", "clumns"]/' "$WORK/rows.json" >"$WORK/misspelt.json"
try "$W" sweep "$WORK/misspelt.json" --dry-run
same "a name among several that no launch has" \
    "$WORK/misspelt.json: \$.kernels[2] selects no launch; 'warpsweep info' names them" "$err"
# "-" is refused as a file, since nobody wants a file of that name; only SQL may come from standard input.
while read -r line; do
    # shellcheck disable=SC2086
    try env -C "$WORK" "$W" $line
    expect "no '-' for a file: $line" 2 "found '-'; it takes no standard input or output"
done <<'END'
import small -o -
import small --output=-
run small.wst --timeline -
characterize small.wst --plots -
characterize small.wst --db -
sweep spec.json --db -
merge part.db --db -
plot r.db figure -o -
effects r.db view metric -o -
report r.db -o -
END
same "and none is there" "" "$(cd "$WORK" && ls -d -- - 2>/dev/null)"
try env -C "$WORK" "$W" import small -o ./-
expect "with its folder it is a name" 0
try "$W" query r.db --file -
expect "SQL from standard input" 2 "warpsweep query: -: expected SQL, found nothing"
try "$W" info x --json=yes
expect "a value for a flag" 2 "option '--json' takes no value, found 'yes'"
try "$W" import "$WORK/small/kernelslist.g" -o "$WORK/y.wst" --format nonsense
expect "an unknown format" 2 "nonsense"
try "$W" info -- --json
expect "options end at --" 1 "--json"
try "$W" import "$WORK" -o y --kernels '['
expect "a bad regular expression" 2 "--kernels"

try "$W" help scalar.convert
same "what a parameter may be has a line of its own" "  scalar.convert             false or true, default true" \
    "$(grep default <<<"$out")"

for number in +1 0x10 ' 1' '1 ' nan inf; do
    try "$W" sweep none.json --db "$WORK/none.db" -j "$number"
    expect "no number: '$number'" 2 "option '--jobs': expected a whole number from 1 to"
done
for number in 0 1.5 1025; do
    try "$W" sweep none.json --db "$WORK/none.db" -j "$number"
    expect "not as many: $number" 2 "option '--jobs': expected a whole number from 1 to 1024, found '$number'"
done
for number in 1 1024 2e0; do
    try "$W" sweep none.json --db "$WORK/none.db" -j "$number"
    expect "as many: $number" 1 "none.json: cannot be read"
done
finished
