#!/usr/bin/env bash
# What the capture plugin records of a highly divergent kernel, against what Oclgrind itself counts. Needs the capture's
# packages.
. "$(dirname "$0")/lib.sh"

missing=$(tools/setup --missing capture)
[[ $missing ]] && skip_all "capture" "packages are missing: $missing"
make -s capture-plugin >"$WORK/make" 2>&1 || { not_ok "the plugin builds" "$(cat "$WORK/make")" && exit 1; }

# capture OUT OPTIONS: writes a trace of the kernel, and Oclgrind's counts to stdout.
capture() {
    (cd tests/cli/capture && LC_ALL=C OCLGRIND_PLUGINS=$OLDPWD/build/capture/libcapture.so WARPSWEEP_CAPTURE=$1 \
        oclgrind-kernel --build-options "$2" --inst-counts divergent.sim)
}

# Lanes and bytes per kind of instruction, as Oclgrind counts them ("22701 - icmp", "4244 - load global (19376 bytes)",
# "200 - call _Z4sqrtf()"). Data that hardware keeps in constant memory count with private data: Oclgrind passes
# structures in private memory.
oclgrind_counts() {
    awk '/^ +[0-9]+ - / && !/llvm.lifetime/ {
        kind = $3; bytes = 0
        if (kind == "call") {
            name = $4; sub(/\(\)/, "", name); sub(/^llvm\./, "", name); sub(/\..*/, "", name)
            if (match(name, /^_Z[0-9]+/)) name = substr(name, RLENGTH + 1, substr(name, 3, RLENGTH - 2))
            kind = "call:" name
        } else if (NF > 3) {
            kind = kind " " ($4 == "constant" ? "private" : $4); bytes = substr($5, 2)
        }
        lanes[kind] += $1; total[kind] += bytes
    } END { for (kind in lanes) print kind, lanes[kind], total[kind] }' | LC_ALL=C sort
}

# The same counts from a dump of the trace.
trace_counts() {
    awk 'BEGIN {
        for (i = 0; i < 16; i++) ones[sprintf("%x", i)] = i % 2 + int(i / 2) % 2 + int(i / 4) % 2 + int(i / 8)
        name["global"] = "global"; name["shared"] = "local"; name["local"] = name["constant"] = "private"
    }
    !/^#/ {
        count = 0
        for (i = 1; i <= length($5); i++) count += ones[substr($5, i, 1)]
        kind = $6; sub(/\..*/, "", kind); bytes = 0
        if (kind == "load" || kind == "store") {
            split($10, access, /[.:]/); kind = kind " " name[access[1]]; bytes = count * access[3]
        }
        lanes[kind] += count; total[kind] += bytes
    } END { for (kind in lanes) print kind, lanes[kind], total[kind] }' | LC_ALL=C sort
}

for options in -O2 -O1 -Oz; do
    expected=$(capture "$WORK/one.wst" "$options" | oclgrind_counts)
    try "$W" check "$WORK/one.wst"
    expect "$options: a sound trace" 0
    found=$("$W" dump "$WORK/one.wst" | trace_counts)
    same "$options: no work-item's instruction or byte is lost" "$expected" "$found"
    capture "$WORK/two.wst" "$options" >/dev/null
    same "$options: captured twice, the same" "" "$(cmp "$WORK/one.wst" "$WORK/two.wst" 2>&1)"
done

# refused NAME KERNEL_BODY WORDS: checks that the capture of a kernel fails with these words and leaves no trace: the
# kernel accesses memory that it must not, or does what no trace can hold.
refused() {
    printf '%s\n' "kernel void k(global int *a, local int *b) { $2 }" >"$WORK/k.cl"
    printf '%s\n' k.cl k '4 1 1' '4 1 1' '<size=16 int fill=0>' '<size=16>' >"$WORK/k.sim"
    OCLGRIND_PLUGINS=$PWD/build/capture/libcapture.so WARPSWEEP_CAPTURE=$WORK/k.wst \
        try env -C "$WORK" oclgrind-kernel k.sim
    expect "$1" 1 "$3"
    same "$1: nothing is left" "" "$(find "$WORK" -name 'k.wst*')"
}
refused "a kernel that writes beyond its buffer" 'a[get_global_id(0) + 1] = b[0];' "the program has the error"
refused "a copy by a work-group" 'event_t e = async_work_group_copy(b, a, 4, 0); wait_group_events(1, &e);' \
    "async_work_group_copy"

try env -u WARPSWEEP_CAPTURE OCLGRIND_PLUGINS="$PWD/build/capture/libcapture.so" \
    oclgrind-kernel tests/cli/capture/divergent.sim
expect "without a name for the trace" 1 "set WARPSWEEP_CAPTURE"

# ---- graph kernels on a graph that a user brings

make -s build/capture/sssp >"$WORK/make" 2>&1 || { not_ok "a graph kernel builds" "$(cat "$WORK/make")" && exit 1; }
graph() { # FILE
    WARPSWEEP_CAPTURE=$WORK/g.wst try oclgrind --build-options -O2 --plugins "$PWD/build/capture/libcapture.so" \
        build/capture/sssp --graph "$1" traces/capture/sssp.cl
}
printf '1 2\r\n2 3\r\n30 1\r\n' >"$WORK/g.txt"
graph "$WORK/g.txt"
expect "shortest paths on a list of three edges" 0
try "$W" check "$WORK/g.wst"
expect "its trace is sound" 0
same "from node 1 to 2 and 30, to 3, and nowhere: three times three kernels" 9 \
    "$("$W" dump "$WORK/g.wst" | grep -c '^# launch [0-9]')"
printf '1 2\n2 x\n' >"$WORK/bad.txt"
graph "$WORK/bad.txt"
expect "a list with an error" 1 "bad.txt:2: expected a second node from 0 to 2147483647, found 'x'"

# PageRank on all of a collaboration network that is half as large as the one of the reorder unit's paper (IRU tab. 3):
# in each of two iterations, every arc is an element of the unit.
cond=${WARPSWEEP_TESTDATA-}/graphs/CA-CondMat_tab-sep.edgelist
if [[ -r $cond ]]; then
    make -s build/capture/pagerank >"$WORK/make" 2>&1 || not_ok "pagerank builds" "$(cat "$WORK/make")"
    WARPSWEEP_CAPTURE=$WORK/cond.wst try oclgrind --build-options -O2 --plugins "$PWD/build/capture/libcapture.so" \
        build/capture/pagerank --graph "$cond" traces/capture/pagerank.cl
    expect "PageRank on ca-CondMat" 0
    try "$W" run "$WORK/cond.wst" --gpu gtx980 --set mechanism.partition=reorder
    expect "with the reorder unit" 0
    counted() { awk -v name="$1" '$1 == name { gsub(",", "", $2); print $2 }' "$WORK/out"; }
    same "each arc is an element, in either iteration" $((2 * 186878)) "$(counted elements)"
    share=$((100 * $(counted filtered) / $(counted elements)))
    ((share >= 75 && share <= 85)) && ok "79 % of the elements are filtered (IRU 6.2), here $share" ||
        not_ok "79 % of the elements are filtered (IRU 6.2)" "$share"
else
    skip "PageRank on ca-CondMat" "no such file: $cond"
fi
finished
