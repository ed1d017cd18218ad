#!/usr/bin/env bash
# The numbers of figures: from rows written here, whose figures are computed by hand. They are chosen so that another mean,
# another baseline, a filter less, what is not known, and launches that failed would give other numbers.
. "$(dirname "$0")/lib.sh"
small_trace "$WORK/small"
"$W" import "$WORK/small" -o "$WORK/small.wst" >/dev/null 2>&1
cat >"$WORK/any.json" <<END
{"name": "any", "traces": ["$WORK/small.wst"], "analysis": "instruction_mix", "base": {}}
END
"$W" sweep "$WORK/any.json" --db "$WORK/any.db" >/dev/null 2>&1

# figure NAME [VIEW(COLUMNS) ROWS].. : its rows, where its views have these rows alone, as "PANEL SERIES: NUMBER .."
figure() {
    local query=plots/$1.sql with=
    while shift && (($#)); do
        with+="${with:+, }$1 AS (VALUES $2)"
        shift
    done
    grep -q '^WITH ' "$query" && with+=,
    { echo "WITH $with" && sed 's/^WITH //' "$query"; } >"$WORK/figure.sql"
    "$W" query "$WORK/any.db" --csv --file "$WORK/figure.sql" | sed '1d; s/"//g; s/, / /g' | awk -F, '{
        printf "%s%s:", $1 == "" ? "" : $1 " ", $2
        for (i = 3; i <= NF; i++) printf " %s", $i == "" ? "NULL" : sprintf("%g", $i)
        print "" }'
}

bars() { # as figure, a line for all bars of a series: "PANEL SERIES: BAR=NUMBER .."
    figure "$@" | awk -F': ' '{
        split($2, number, " "); printf "%s %s=%s", $1 == last ? "" : (NR > 1 ? "\n" : "") $1 ":", number[1], number[2]; last = $1 }'
}

# ---- bars of programs: all of their launches count, and points that lack some have no bar
same "a program's two forms: relative to shared memory on 16 KB" "c2050-16k p: 1=1 2=0.8 3=2 4=1.25
c2050-16k q: 1=1 2=0.2
c2050-16k geometric mean: 1=1 2=0.4 3=2 4=1.25
c2050-48k p: 4=5
c2050-48k geometric mean: 4=5" "$(bars mrpb_unshared 'mrpb_unshared_by_kernel(trace, gpu, mechanism_front, launches, cycles)' "
    ('p', 'c2050-16k', 'none', 1, 60), ('p', 'c2050-16k', 'none', 2, 40), ('p_unshared', 'c2050-16k', 'none', 3, 125),
    ('p', 'c2050-16k', 'mrpb', 3, 50), ('p_unshared', 'c2050-16k', 'mrpb', 3, 80), ('p_unshared', 'c2050-48k', 'mrpb', 3, 20),
    ('p', 'c2050-48k', 'mrpb', 2, 10), ('q', 'c2050-16k', 'none', 1, 90), ('q_unshared', 'c2050-16k', 'none', 1, 450),
    ('alone_unshared', 'c2050-16k', 'none', 1, 7)")"

same "two suites: halves of the buffer, relative to none" "a LRR atax: 1=2 2=1.25
a LRR syrk: 1=0.5 3=4
a LRR PolyBench mean: 1=1 2=1.25 3=4
a LRR srad/U: 3=3
a LRR Rodinia mean: 3=3
a GTO srad/U: 3=0.5
a GTO Rodinia mean: 3=0.5" "$(bars mrpb_final \
    'mrpb_by_kernel(gpu, sm_scheduler, trace, mechanism_front, mrpb_signature, mrpb_bypass, launches, cycles)' "
    ('a', 'lrr', 'atax', 'none', 'warp_id', 'set_full', 1, 60), ('a', 'lrr', 'atax', 'none', 'warp_id', 'set_full', 2, 40),
    ('a', 'lrr', 'atax', 'mrpb', 'none', 'set_full', 3, 50), ('a', 'lrr', 'atax', 'mrpb', 'warp_id', 'none', 3, 80),
    ('a', 'lrr', 'atax', 'mrpb', 'warp_id', 'set_full', 2, 10), ('a', 'lrr', 'syrk', 'none', 'warp_id', 'set_full', 1, 40),
    ('a', 'lrr', 'syrk', 'mrpb', 'none', 'set_full', 1, 80), ('a', 'lrr', 'syrk', 'mrpb', 'warp_id', 'set_full', 1, 10),
    ('a', 'lrr', 'srad_unshared', 'none', 'warp_id', 'set_full', 1, 90),
    ('a', 'lrr', 'srad_unshared', 'mrpb', 'warp_id', 'set_full', 1, 30),
    ('a', 'gto', 'srad_unshared', 'none', 'warp_id', 'set_full', 1, 20),
    ('a', 'gto', 'srad_unshared', 'mrpb', 'warp_id', 'set_full', 1, 40), ('a', 'gto', 'nw', 'none', 'warp_id', 'set_full', 1, 9),
    ('a', 'gto', 'nw', 'mrpb', 'warp_id', 'set_full', 2, 9)")"

same "larger L1s: means of both suites and of all" "c2050-16k LRR atax: 1=4 2=0.5 3=2
c2050-16k LRR PolyBench mean: 1=4 2=0.5 3=2
c2050-16k LRR nw: 2=2
c2050-16k LRR Rodinia mean: 2=2
c2050-16k LRR mean of all: 1=4 2=1 3=2" "$(bars mrpb_l1 'mrpb_l1_by_kernel(trace, mechanism_front, l1_ways, launches, cycles)' "
    ('atax', 'none', 4, 1, 70), ('atax', 'none', 4, 2, 30), ('atax', 'mrpb', 4, 3, 25), ('atax', 'none', 64, 3, 200),
    ('atax', 'none', 5, 3, 50), ('nw', 'none', 4, 2, 8), ('nw', 'none', 64, 2, 4), ('nw', 'none', 5, 1, 2),
    ('syrk', 'none', 4, 1, 5), ('syrk', 'mrpb', 4, 2, 5)")"

same "the best limit of each program, relative to LRR with all warps" "a LRR atax: 1=1 2=2 3=4 4=5
a LRR gemm: 1=1 2=1
a LRR PolyBench mean: 1=1 2=1.41421 3=4 4=5
a LRR nw: 1=1 2=2
a LRR Rodinia mean: 1=1 2=2
a GTO atax: 1=0.5 2=0.8
a GTO PolyBench mean: 1=0.5 2=0.8
b LRR atax: 1=1 2=1
b LRR PolyBench mean: 1=1 2=1" "$(bars swl 'swl_by_kernel(gpu, core_swl_base, core_swl_warps, trace, mechanism_front, launches, cycles)' "
    ('a', 'lrr', 48, 'atax', 'none', 1, 70), ('a', 'lrr', 48, 'atax', 'none', 2, 30), ('a', 'lrr', 4, 'atax', 'none', 3, 50),
    ('a', 'lrr', 2, 'atax', 'none', 2, 10), ('a', 'lrr', 48, 'atax', 'mrpb', 3, 25), ('a', 'lrr', 2, 'atax', 'mrpb', 3, 20),
    ('a', 'gto', 48, 'atax', 'none', 3, 200), ('a', 'gto', 8, 'atax', 'none', 3, 125), ('b', 'lrr', 48, 'atax', 'none', 3, 7),
    ('a', 'lrr', 48, 'gemm', 'none', 1, 9), ('a', 'lrr', 48, 'nw', 'none', 1, 8), ('a', 'lrr', 1, 'nw', 'none', 1, 4)")"

