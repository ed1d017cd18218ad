#!/usr/bin/env bash
# Memory stays bounded however large a trace is: generated texts are imported and swept under `ulimit -v`.
# LARGE_MB: size of the grouped text; the raw one has half of it. `make test-large` makes it 5 GB.
. "$(dirname "$0")/lib.sh"
program=$PWD/warpsweep traces=$PWD/traces # with sanitizers address space means nothing
megabytes=${LARGE_MB:-100}
ctas=$((megabytes * 1000000 / 392250)) raw_ctas=$((ctas / 8 * 4))
cd "$WORK" || exit 1

# Each of a CTA's 4 warps executes 1000 loads of 32 lines that are 4096 bytes apart: 0.4 MB of text per CTA, and 3 MB of
# prepared stream.
header() { # CTAs
    printf '%s\n' '-kernel name = _Z5largePf' '-kernel id = 1' "-grid dim = ($1,1,1)" '-block dim = (128,1,1)' '-shmem = 0' \
        '-nregs = 8' '-binary version = 80' '-cuda stream id = 0' '-accelsim tracer version = 3' '' '#traces format = PC mask'
}
instruction='function loads(prefix, i, w) {
    printf "%s0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f00%08x 4096 \n", prefix, 128 * ((i * 37 + w * 11) % 1000)
    printf "%s0020 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n", prefix
}'
grouped() { # CTAs
    header "$1"
    local cta
    awk "$instruction"' BEGIN {
        for (w = 0; w < 4; w++) {
            printf "\nwarp = %d\ninsts = 2000\n", w
            for (i = 0; i < 1000; i++) loads("", i, w)
        } }' >cta.text
    for ((cta = 0; cta < $1; cta++)); do
        printf '#BEGIN_TB\n\nthread block = %d,0,0\n' "$cta"
        cat cta.text
        printf '\n#END_TB\n'
    done
}
# The warps of four CTAs take turns, then those of the next four, and so on: what belongs together is far apart.
raw() { # CTAs, a multiple of 4
    header "$1"
    awk -v ctas="$1" "$instruction"' BEGIN {
        for (first = 0; first < ctas; first += 4)
            for (i = 0; i < 1000; i++)
                for (cta = first; cta < first + 4; cta++)
                    for (w = 0; w < 4; w++) loads(cta " 0 0 " w " ", i, w) }'
}
within() { # KiB, command
    local limit=$1
    shift
    try bash -c "ulimit -v $limit && exec \"\$@\"" - "$@"
}

# ---- import
grouped "$ctas" >large.traceg
text_MiB=$(($(stat -c %s large.traceg) >> 20))
within 32768 "$program" import large.traceg -o large.wst
expect "import of $text_MiB MiB of grouped text in 32 MiB" 0 "warp instructions: "
raw "$raw_ctas" >large.trace
text_MiB=$(($(stat -c %s large.trace) >> 20))
mkdir spill other
within 40960 "$program" import large.trace -o raw.wst --memory 8 --tmpdir spill
expect "import of $text_MiB MiB of raw text in 40 MiB" 0 "large.trace: to be grouped by warp: that needs up to $text_MiB MiB in spill"
within 40960 "$program" import large.trace -o never.wst --memory 2048
expect "with leave to keep it all, memory ends" 1 "out of memory"
same "nothing is left of that" "" "$(ls -d never* spill/* 2>/dev/null)"

# ---- two imports at a time: to one file, and to two in one folder
digest() { "$program" info "$1" | sed -n '1 s/.*digest //p'; }
wanted=$(digest raw.wst)
for out in same.wst one.wst; do
    "$program" import large.trace -o $out --memory 4 --tmpdir spill 2>first.err &
    "$program" import large.trace -o ${out/one/two} --memory 16 --tmpdir spill 2>second.err
    ends=$?
    wait $! && same "two importers end well ($out)" 0 "$ends"
    same "with what one alone gives" "$wanted $wanted" "$(digest $out) $(digest ${out/one/two})"
done
same "nothing else is left" "" "$(ls -d ./*.wst.* spill/* 2>/dev/null)"
try "$program" import large.trace -o x.wst -m 0
expect "no memory at all" 2 "option '--memory': expected a whole number from 1 to 2048, found '0'"

# ---- one allocation fails: nothing is left out silently
cat >fail.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

void *malloc(size_t size) {
    static void *(*next)(size_t);
    static long at, count;
    if (!next) {
        next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
        at = atol(getenv("FAIL_AT"));
    }
    if (++count != at) return next(size);
    errno = ENOMEM;
    return NULL;
}
END
if ${CC:-gcc} -shared -fPIC -o fail.so fail.c -ldl; then
    for form in '' --json; do
        "$program" list $form >whole
        cut=
        for at in {101..60000..2711}; do
            FAIL_AT=$at LD_PRELOAD=$PWD/fail.so "$program" list $form >out 2>err && ! cmp -s whole out && cut+=" $at"
        done
        same "list $form is whole or fails" "" "$cut"
    done
else
    skip "list is whole or fails" "no shared library can be made"
fi

# ---- sweep: the prepared stream of these CTAs is larger than the memory allowed
replayed=$((ctas < 240 ? ctas : 240))
echo '{"name": "large", "traces": "large.wst", "analysis": "window",
       "base": {"window.size": 8, "limit.ctas": '$replayed'}}' >large.json
within 524288 "$program" sweep large.json --db large.db -j 1
has "a sweep over $((replayed * 3)) MiB of prepared stream in 512 MiB" "$out" "points: 1, computed: 1"
try "$program" query large.db --csv "SELECT requests FROM large"
same "it saw all of them" $((replayed * 4 * 1000 * 32)) "$(tail -n 1 <<<"$out")"

# ---- sweep: a million lines, of which each of 80 SMs touches its own: what an SM keeps is for these
awk 'BEGIN { print "cta,warp,pc,addresses"
    for (cta = 0; cta < 1024; cta++)
        for (i = 0; i < 32; i++) printf "%d,0,%d,0x%x+128\n", cta, 16 * i, 4096 * (32 * cta + i) }' >lines.csv
"$program" import lines.csv -o lines.wst >/dev/null
for axis in contention.ways:4,32 stack_distance.sets:1,32; do
    analysis=${axis%%.*}
    echo '{"name": "m_'"$analysis"'", "traces": "lines.wst", "analysis": "'"$analysis"'",
           "base": {"gpu.clusters": 80}, "axes": {"'"${axis%:*}"'": ['"${axis#*:}"']}}' >lines.json
    within 262144 "$program" sweep lines.json --db lines.db -j 1
    has "$analysis of a million lines on 80 SMs in 256 MiB" "$out" "points: 2, computed: 2"
    try "$program" query lines.db --csv "SELECT DISTINCT accesses FROM m_$analysis"
    same "it saw all of them" $((1024 * 32 * 32)) "$(tail -n 1 <<<"$out")"
done

# ---- sweep: caches of each warp with many sets, of which it touches few
echo '{"name": "sets", "traces": "'"$traces"'/bfs.wst", "kernels": "bfs_1", "analysis": "stack_distance",
       "base": {"stack_distance.level": "warp"}, "axes": {"stack_distance.sets": [1, 64, 8192, 65536]}}' >sets.json
within 262144 "$program" sweep sets.json --db sets.db -j 1
has "stack_distance of warps with up to 65,536 sets in 256 MiB" "$out" "points: 28, computed: 28"
finished
