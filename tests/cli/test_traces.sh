#!/usr/bin/env bash
# import, info, check, dump: outputs and exit statuses.
. "$(dirname "$0")/lib.sh"

small_trace "$WORK/small"
small=$WORK/small.wst
try "$W" import "$WORK/small" -o "$small"
expect "import of a folder" 0 "launches: 2, warp instructions: 32"
same "import writes nothing to stdout" "" "$out"
try "$W" import "$WORK/small/kernelslist.g" --output="$WORK/list.wst"
expect "import of a list" 0
try "$W" import "$WORK/small/kernel-2.traceg" -o"$WORK/one.wst"
expect "import of one file" 0 "launches: 1"
try cmp "$small" "$WORK/list.wst"
expect "a folder and its list give the same file" 0
try "$W" import "$WORK/small" -o "$WORK/rows.wst" --kernels rows
expect "import of chosen kernels" 0 "launches: 1"

# ---- info
try "$W" info "$small"
expect "info" 0
has "info shows the demangled name" "$out" "columns"
has "info adds up" "$(tr -s ' ' <<<"$out")" "total 4 8 32 16 142 154 8.88"
has "info tells corrected widths" "$out" "access widths corrected: 0"
has "info tells instructions after an exit" "$out" "instructions after an exit of all lanes: 0"
try "$W" info "$small" --json
expect "info --json" 0
for part in '"digest": "' '"short_name": "columns"' '"requests": 142' '"sectors": 154' '"lane_accesses": 320' '"totals": {'; do
    has "info --json has $part" "$out" "$part"
done
sed 's/0x00007f0000000000,/0xffff800000000000,/' "$WORK/small/kernelslist.g" >"$WORK/small/high.g"
"$W" import "$WORK/small/high.g" -o "$WORK/high.wst" 2>/dev/null
try "$W" info "$WORK/high.wst" --json
same "a copy to the upper half of all addresses" 18446603336221196288 \
    "$(awk '/"address"/ { printf "%.0f\n", $2 }' <<<"$out")"

# ---- check
try "$W" check "$small"
expect "check of a sound trace" 0
has "check says so" "$out" "ok, launches: 2, warp instructions: 32"

# ---- dump
try "$W" dump "$small"
expect "dump" 0
same "dump has a line per warp instruction" 32 "$(grep -vc '^#' <<<"$out")"
same "a line has eleven fields" 11 "$(grep -v '^#' <<<"$out" | awk '{print NF}' | sort -u)"
has "a line says all" "$out" "2 1,0,0 1 0020 000000ff STG.E mem - R6,R2 global.store:4 7f0000080000,7f0000080004,"
try "$W" dump "$small" -k 2
same "dump of one launch" 16 "$(grep -vc '^#' <<<"$out")"
printf 'name,cta,warp,pc,opcode,op,addresses\n"a b\n\\c\x7f ä",0,0,0x10,"load\tnow",load,0x1000+4\n' >"$WORK/odd.csv"
"$W" import "$WORK/odd.csv" -o "$WORK/odd.wst" 2>/dev/null
try "$W" dump "$WORK/odd.wst"
same "dump of names that could break lines" "# launch 1 a\x20b\x0a\x5cc\x7f\x20ä grid 1,1,1" \
    "$(grep '^# launch 1' <<<"$out" | sed 's/ block.*//')"
same "and of an opcode" "load\x09now mem" "$(grep -v '^#' <<<"$out" | cut -d' ' -f6,7)"
printf 'op,addresses,dst,src\nload,0x1000,R300,2 R600\n' >"$WORK/many.csv"
"$W" import "$WORK/many.csv" -o "$WORK/many.wst" 2>/dev/null
try "$W" dump "$WORK/many.wst"
same "dump of a CSV file's registers" "R300 R2,R600" "$(grep -v '^#' <<<"$out" | cut -d ' ' -f 8,9)"
try "$W" dump "$small" -k 7
expect "a selection of nothing" 2 "--kernels 7 selects none of the 2 launches of $small"

# ---- --kernels means the same in all commands: a list, or else a pattern
for chosen in 2 rows '^r' 'r.w' '2,2-9' '[^c]ows'; do
    try "$W" info "$small" --kernels "$chosen"
    same "info --kernels $chosen: launch, CTAs, warps, instructions" "2 rows 2 4 16 total 2 4 16" \
        "$(awk '$2 == "rows" { print $1, $2, $5, $6, $7 } $1 != 2 && /columns|total/ { print $1, $2, $3, $4 }' <<<"$out" | paste -sd' ')"
done
try "$W" info "$small" -k rows --json
same "info in JSON: one launch" 1 "$(grep -c '"short_name"' <<<"$out")"
try "$W" info "$small" -k '.*'
has "a pattern that selects all" "$out" "columns"
try "$W" check "$small" -k rows
has "check of one launch" "$out" "ok, launches: 1 of 2, warp instructions: 16, digest not compared (it is that of all)"
for command in info check dump run; do
    try "$W" $command "$small" -k '3-9'
    expect "$command: none selected" 2 "--kernels 3-9 selects none of the 2 launches of $small"
    try "$W" $command "$small" -k ''
    expect "$command: an empty selection" 2 "option '--kernels': expected LIST, found an empty text"
done

# ---- CTAs that are missing: a text may be cut between two of them, or only some were traced
same "nothing is said of a whole trace" 0 "$("$W" info "$small" | grep -c 'of its grid')"
sed '/thread block = 1,0,0/,$d' "$WORK/small/kernel-1.traceg" | sed '$d' | sed '$d' >"$WORK/half.traceg" # with its frame
try "$W" import "$WORK/half.traceg" -o "$WORK/half.wst"
expect "a text cut between CTAs" 0 "launch 1 (columns) has 1 of the 2 CTAs of its grid: was its source cut, or traced in part?"
try "$W" info "$WORK/half.wst"
has "info says so, too" "$out" "launch 1 (columns) has 1 of the 2 CTAs of its grid"
try "$W" check "$WORK/half.wst"
expect "it is sound" 0
for i in 1 2 3 4 5 6; do echo half.traceg; done | sed 's/half/kernel-half/' >"$WORK/kernelslist.g"
cp "$WORK/half.traceg" "$WORK/kernel-half.traceg"
try "$W" import "$WORK/kernelslist.g" -o "$WORK/six.wst"
expect "many of them" 0 "more launches like these: 2"
same "the first four are named" 4 "$(grep -c 'of its grid' <<<"$err")"
try "$W" info "$WORK/six.wst" -k 5
has "of the chosen ones" "$out" "launch 5 (columns) has 1 of the 2 CTAs"

# ---- room that grouping may take
gzip -c <<<$'address\n0x10' >"$WORK/little.csv.gz"
try "$W" import "$WORK/little.csv.gz" -o "$WORK/little.wst"
same "a little packed text takes none" 0 "$(grep -c 'to be grouped' <<<"$err")"

# ---- warps that are missing: the block has more threads than the traced warps hold
sed 's/^-block dim = .*/-block dim = (256,1,1)/' "$WORK/small/kernel-1.traceg" >"$WORK/quarter.traceg"
try "$W" import "$WORK/quarter.traceg" -o "$WORK/quarter.wst"
expect "a block of more warps than came" 0 "launch 1 (columns) has 4 of the 16 warps of its CTAs: was its source cut, or traced in part?"
printf 'cta,warp,pc,op,addresses\n0,0,0x10,load,0x1000+4\n1,3,0x10,load,0x1000+4\n' >"$WORK/silent.csv"
try "$W" import "$WORK/silent.csv" -o "$WORK/silent.wst"
same "warps without accesses, where only these are traced" 0 "$(grep -c 'of its CTAs' <<<"$err")"

# ---- files that import may replace: native traces, and empty files
before=$(cat "$WORK/small/kernel-1.traceg")
try "$W" import "$WORK/small" -o "$WORK/small/kernel-1.traceg"
expect "onto one of its files" 2 "kernel-1.traceg: expected a .wst file to replace, found another"
same "which stays" "$before" "$(cat "$WORK/small/kernel-1.traceg")"
: >"$WORK/again.wst"
try "$W" import "$WORK/small" -o "$WORK/again.wst"
expect "onto an empty file" 0
try "$W" import "$WORK/small" -o "$WORK/again.wst"
expect "onto a native trace" 0
for format in '' '-f accelsim'; do
    "$W" import <(cat "$WORK/small/kernel-1.traceg") $format -o "$WORK/piped.wst" 2>"$WORK/err"
    status=$?
    err=$(cat "$WORK/err")
    expect "from a pipe, $format" 3 "expected a regular file"
done
"$W" import <(printf 'address\n0x10\n') -f csv -o "$WORK/piped.wst" 2>"$WORK/err"
same "CSV can come from a pipe" 0 $?
printf 'address\n0x10\n' | "$W" import /dev/stdin -f csv -o "$WORK/piped.wst" 2>"$WORK/err"
same "and from standard input" 0 $?
try "$W" import - -o "$WORK/piped.wst"
expect "which has another name elsewhere" 1 "import: -: expected a file or a folder, found none; standard input is /dev/stdin"
try "$W" import "$WORK/-" -o "$WORK/piped.wst"
expect "any other source that is not there" 1 "/-: expected a file or a folder, found none; check the path"
ln -s again.wst "$WORK/link.wst"
try "$W" import "$WORK/small" -o "$WORK/link.wst"
same "a link stays one" "0 again.wst" "$status $(readlink "$WORK/link.wst")"
ln -s later.wst "$WORK/to_nothing.wst"
try "$W" import "$WORK/small" -o "$WORK/to_nothing.wst"
same "to nothing yet, too" "0 later.wst" "$status $(readlink "$WORK/to_nothing.wst")"
try "$W" import "$WORK/small" -o "$WORK"
expect "onto a folder" 1 "$WORK: cannot write: expected a regular file, found a folder"
mkfifo "$WORK/pipe.wst"
try "$W" import "$WORK/small" -o "$WORK/pipe.wst"
expect "onto what is no file, as a device" 1 "pipe.wst: cannot write: expected a regular file"
[[ -p $WORK/pipe.wst ]] && ok "which stays" || not_ok "which stays"

# ---- bad input: exit status 3, a message with the place, and no file left
sed '22s/R1/Q1/' "$WORK/small/kernel-1.traceg" >"$WORK/bad.traceg"
try "$W" import "$WORK/bad.traceg" -o "$WORK/bad.wst"
expect "a bad line" 3 "bad.traceg:22: expected"
same "nothing is left of it" "" "$(cd "$WORK" && ls -d bad.wst* 2>/dev/null)"
try "$W" import "$WORK/nowhere" -o "$WORK/bad.wst"
expect "a source that is not there" 1 "nowhere"
cp "$small" "$WORK/flipped.wst"
printf 'X' | dd of="$WORK/flipped.wst" bs=1 seek=200 conv=notrunc status=none
try "$W" check "$WORK/flipped.wst"
expect "a flipped byte" 3 "flipped.wst"
head -c 100 "$small" >"$WORK/short.wst"
try "$W" info "$WORK/short.wst"
expect "a truncated trace" 3 "short.wst"
try "$W" info "$WORK/small/kernel-1.traceg"
expect "a file of another format" 3 "kernel-1.traceg"

# ---- the output cannot be written
if [[ -e /dev/full ]]; then
    for command in info dump check "info --json" "run --json" "run --json --hotspots 3" "run --json --with $small"; do
        "$W" $command "$small" >/dev/full 2>"$WORK/err"
        status=$? err=$(cat "$WORK/err")
        expect "$command on a full disk" 1 "No space left on device"
    done
else
    skip "output on a full disk" "no /dev/full here"
fi
awk 'BEGIN { print "address"; for (i = 0; i < 4000; i++) print int(rand() * 1e9) }' >"$WORK/random.csv"
try bash -c 'ulimit -f 1 && exec "$@"' - "$W" import "$WORK/random.csv" -o "$WORK/cut.wst"
expect "import into a file that may not grow" 1 "cut.wst"
same "nothing is left of that one" "" "$(cd "$WORK" && ls -d cut.wst* 2>/dev/null)"
"$W" info "$small" >&- 2>"$WORK/err"
status=$? err=$(cat "$WORK/err")
expect "a closed stdout" 1 "cannot write to standard output"
{
    sleep 0.3 # until the reader is gone
    "$W" dump "$small" 2>"$WORK/err"
    echo $? >"$WORK/status"
} | true
status=$(cat "$WORK/status") err=$(cat "$WORK/err")
expect "a closed pipe is a failure" 1
same "of which nothing is said: the reader has read enough" "" "$err"
mkdir "$WORK/listless"
try "$W" import "$WORK/listless" -o "$WORK/bad.wst"
expect "a folder without a list" 3 "or write a list of the files of one trace ('warpsweep help accelsim-list')"
try "$W" import "$WORK/small" -o "$WORK/nowhere/x.wst"
expect "a folder that is not there" 1 "nowhere"
finished
