#!/usr/bin/env bash
# The numbers of figures, from rows written here whose figures are computed by hand. The rows are chosen so that another
# mean, another baseline, a filter less, what is not known, and launches that failed would give other numbers.
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

# ---- means of ratios, the base by its settings: registers of an SM, limits on warps, forms of transposition
same "registers: relative to as many, and to 16k, without ILP" "same registers a: 1=1.25 3=2 5=1.25
same registers b: 3=0.5 5=3
same registers geometric mean: 1=1.25 3=1 5=1.93649
16k registers a: 1=0.25 2=0.3125 3=0.5 4=1 5=1 6=1.25
16k registers b: 3=0.75 4=0.375 5=1 6=3
16k registers geometric mean: 1=0.25 2=0.3125 3=0.612372 4=0.612372 5=1 6=1.93649" "$(bars ilp_registers \
    'ilp_registers_by_kernel(kernel, sm_registers, mechanism_core, ilp_prediction, launches, cycles)' "
    ('a', 4096, 'none', 'none', 1, 400), ('a', 4096, 'ilp', 'none', 1, 320), ('a', 8192, 'none', 'none', 1, 200),
    ('a', 8192, 'ilp', 'none', 1, 100), ('a', 8192, 'ilp', 'static', 1, 10), ('a', 16384, 'none', 'none', 1, 100),
    ('a', 16384, 'ilp', 'none', 1, 80), ('b', 4096, 'none', 'none', 1, 8), ('b', 4096, 'ilp', 'none', 1, 5),
    ('b', 6144, 'none', 'none', 2, 90), ('b', 6144, 'ilp', 'none', 1, 9), ('b', 8192, 'none', 'none', 2, 120),
    ('b', 8192, 'ilp', 'none', 2, 240), ('b', 16384, 'none', 'none', 2, 90), ('b', 16384, 'ilp', 'none', 2, 30),
    ('c', 4096, 'ilp', 'none', 1, 7), ('c', 12288, 'none', 'none', 1, 7)")"

same "limits: the best of each kernel, with all its launches, relative to 48 warps" "a: 1=2 2=0.8 3=4
b: 1=1 2=1.5 3=1.5
d: 1=1 3=3
geometric mean: 1=1.25992 2=1.09545 3=2.62074" "$(bars warppool_swl \
    'warppool_swl_by_kernel(kernel, core_swl_warps, mechanism_front, launches, cycles)' "
    ('a', 48, 'none', 2, 100), ('a', 4, 'none', 2, 50), ('a', 2, 'none', 1, 10), ('a', 48, 'warppool', 2, 125),
    ('a', 8, 'warppool', 2, 25), ('a', 1, 'warppool', 1, 5), ('b', 48, 'none', 1, 60), ('b', 16, 'none', 1, 80),
    ('b', 48, 'warppool', 1, 40), ('b', 16, 'warppool', 1, 120), ('c', 4, 'none', 1, 3), ('d', 48, 'none', 1, 9),
    ('d', 4, 'warppool', 1, 3)")"

same "transposition: relative to reading columns without WarpPool" "transpose_columns: 1=1 2=0.5
transpose_naive: 1=0.25 2=0.3
transpose_shared: 2=0.125" "$(bars warppool_transpose 'warppool_transpose_by_kernel(kernel, mechanism_front, cycles)' "
    ('transpose_columns', 'none', 200), ('transpose_columns', 'warppool', 100), ('transpose_naive', 'none', 50),
    ('transpose_naive', 'warppool', 60), ('transpose_shared', 'warppool', 25)")"

# ---- the reorder unit: sums of a program's instructions, then means; sums of a kernel's warps, then means
same "requests per instruction: in the listed kernels, and in all" "whole programs BFS kron: 1=4.32727 2=3.06 3=1.9375
whole programs BFS road: 1=2 2=2 3=2
whole programs BFS mean: 1=2.94186 2=2.47386 3=1.9685
whole programs SSSP kron: 1=5 2=1.66667 3=1.66667
whole programs SSSP mean: 1=5 2=1.66667 3=1.66667
whole programs PageRank collab: 1=3 2=1.5 3=1.5
whole programs PageRank road: 1=4
whole programs PageRank mean: 1=3.4641 2=1.5 3=1.5
whole programs mean of all: 1=3.49204 2=1.97776 3=1.76422" "$(bars reorder_coalescing \
    'graph_mix_instruction_mix_pc(trace, launch, kernel, pc, class, active_instructions, requests)' "
    ('bfs_push-kron', 1, 'bfs_contract', 8, 'mem', 10, 20), ('bfs_push-kron', 1, 'bfs_contract', 16, 'mem', 10, 80),
    ('bfs_push-kron', 1, 'bfs_contract', 24, 'mem', 20, 20), ('bfs_push-kron', 1, 'bfs_contract', 32, 'int', 500, 0),
    ('bfs_push-kron', 2, 'bfs_expand', 8, 'mem', 4, 8), ('bfs_push-kron', 2, 'bfs_expand', 16, 'mem', 6, 60),
    ('bfs_push-kron', 3, 'bfs_contract', 16, 'mem', 5, 50), ('bfs_push-road', 1, 'bfs_contract', 16, 'mem', 2, 4),
    ('sssp-kron', 1, 'sssp_compaction', 16, 'mem', 4, 32), ('sssp-kron', 2, 'sssp_relax', 16, 'mem', 4, 8),
    ('pagerank-collab', 1, 'pr_contract', 8, 'mem', 3, 9), ('pagerank-collab', 1, 'pr_contract', 12, 'mem', 3, 9),
    ('pagerank-road', 1, 'pr_contract', 12, 'mem', 1, 4), ('pagerank-road', 2, 'pr_contract', 12, 'mem', 1, 4),
    ('pagerank-cond', 1, 'pr_contract', 12, 'mem', 1, 32)" \
    'reorder_programs(trace, launch, index_pc)' "
    ('bfs_push-kron', 1, 8), ('bfs_push-kron', 2, 8), ('bfs_push-kron', 3, NULL), ('bfs_push-road', 1, NULL),
    ('sssp-kron', 1, NULL), ('sssp-kron', 2, NULL), ('pagerank-collab', 1, 8), ('pagerank-road', 1, NULL),
    ('pagerank-cond', 1, NULL)" \
    'reorder_programs_iru_access(trace, launch, pc, instructions_before, instructions_after, requests_before,
    requests_after)' "
    ('bfs_push-kron', 1, 16, 10, 5, 80, 15), ('bfs_push-kron', 2, 16, 6, 4, 60, 8), ('sssp-kron', 1, 16, 4, 2, 32, 2),
    ('pagerank-road', 1, 12, 1, 1, 4, 1)")"

same "the life of a warp: relative to that without the unit" "life of a warp BFS kron: 1 0.25 1
life of a warp BFS kron: 2 0.5 0.75
life of a warp BFS road: 1 0.5 1
life of a warp BFS road: 2 0.75 1.25
life of a warp BFS mean: 1 0.375 1
life of a warp BFS mean: 2 0.625 1
life of a warp PageRank collab: 1 0.6 1
life of a warp PageRank mean: 1 0.6 1" "$(figure reorder_time \
    'reorder_time_hotspots_load(trace, launch, kernel, pc, mechanism_partition, l1_accesses, warps, cycles_to_data,
    warp_cycles)' "
    ('bfs_push-kron', 1, 'bfs_contract', 8, 'none', 10, 2, 100, 400),
    ('bfs_push-kron', 3, 'bfs_contract', 8, 'none', 5, 6, 60, 240),
    ('bfs_push-kron', 1, 'bfs_contract', 8, 'reorder', 0, 6, 300, 450),
    ('bfs_push-kron', 3, 'bfs_contract', 8, 'reorder', 0, 2, 20, 30),
    ('bfs_push-kron', 1, 'bfs_contract', 16, 'none', 5, 8, 999, 640),
    ('bfs_push-kron', 1, 'bfs_contract', 16, 'reorder', 0, 4, 900, 400),
    ('bfs_push-kron', 3, 'bfs_contract', 16, 'reorder', 3, 4, 99, 80),
    ('bfs_push-kron', 2, 'bfs_expand', 8, 'none', 9, 1, 5, 10),
    ('bfs_push-kron', 2, 'bfs_expand', 8, 'reorder', 0, 1, 5, 20),
    ('bfs_push-road', 1, 'bfs_contract', 8, 'none', 1, 1, 10, 20),
    ('bfs_push-road', 1, 'bfs_contract', 8, 'reorder', 0, 1, 15, 25),
    ('sssp-delaunay', 1, 'sssp_compaction', 8, 'reorder', 0, 1, 15, 25),
    ('pagerank-collab', 1, 'pr_contract', 8, 'none', 2, 1, 15, 25),
    ('pagerank-collab', 2, 'pr_contract', 8, 'none', 2, 1, 15, 25),
    ('pagerank-collab', 1, 'pr_contract', 8, 'reorder', 0, 1, 1, 2)")"

# ---- what warps wait for, how long loads take: sums over launches
same "waits: stacked, by what waits for its turn" "share of warp cycles (%) t: a: 10 30 35 40 100
share of warp cycles (%) b: 15 20 20 20 100
share of warp cycles (%) u: a: 25 31.25 43.75 62.5 100" "$(figure warp_waits \
    'warp_time_hotspots_pc(trace, kernel, launch, pc, data_cycles, barrier_cycles, fetch_cycles, issue_cycles)' "
    ('t', 'a', 1, 8, 10, 0, 5, 14), ('t', 'a', 2, 8, 30, 10, 5, 6), ('u', 'a', 1, 8, 1, 2, 3, 4),
    ('t', 'b', 3, 8, 5, 0, 0, 15)" \
    'warp_time_by_kernel(trace, kernel, warp_cycles)' "('t', 'a', 200), ('u', 'a', 16), ('t', 'b', 100),
    ('t', 'c', 9)")"

same "latencies: a tenth, a quarter, half .. of the loads take no longer" "latency u: a: 10 10 15 20 25 30
latency b: 50 50 50 50 50 50
latency t: a: 40 200 200 300 4000 5000" "$(figure load_latency 'warp_time_hotspots_latency(trace, kernel, launch,
    up_to, loads)' "
    ('t', 'a', 1, 40, 8), ('t', 'a', 1, 100, 14), ('t', 'a', 2, 40, 2), ('t', 'a', 2, 200, 26), ('t', 'a', 1, 300, 25),
    ('t', 'a', 2, 4000, 23), ('t', 'a', 2, 5000, 1), ('t', 'a', 2, 8000, 1), ('t', 'b', 3, 50, 1), ('u', 'a', 1, 30, 2),
    ('u', 'a', 1, 25, 3), ('u', 'a', 1, 20, 5), ('u', 'a', 1, 15, 5), ('u', 'a', 1, 10, 5)")"

same "lines of all launches; what waits with one coalescer and one bank" "per memory instruction a: 1=9
per memory instruction b: 1=NULL
waiting in an SM a: 1=3.5
waiting in an SM b: 1=0.5
one waits a: 1=92.5
one waits b: 1=25" "$(bars memory_waiting 'trace(id, name)' "(1, 't'), (2, 'u')" \
    'kernel(trace, short_name, requests, memory_instructions)' "(1, 'a', 32, 1), (1, 'a', 4, 3), (2, 'a', 100, 1),
    (1, 'b', 0, 0)" \
    'warppool_by_kernel(trace, kernel, mechanism_front, core_coalescers, l1_banks, memory_waiting_per_sm,
    memory_waiting_share)' "
    ('t', 'a', 'none', 1, 1, 3.5, 0.925), ('t', 'a', 'none', 1, 8, 7, 0.1), ('t', 'a', 'none', 2, 1, 7, 0.1),
    ('t', 'a', 'mrpb', 1, 1, 7, 0.1), ('t', 'a', 'warppool', 1, 1, 7, 0.1), ('t', 'b', 'none', 1, 1, 0.5, 0.25)")"

# ---- intra-cluster locality: kernels with 1 % or more in any bar; the mean is of the shares of all that read
icl_rows() { # what stands between window and dispatch: 50 and 80 % redundant, 0.9 and 2 %, 0.7 %, no reads
    local between=$1
    echo "('t', 'a', 500, $between 'distributed', 0.5, 100, 10, 5, 20, 15),
        ('t', 'a', 2000, $between 'distributed', 0.8, 100, 20, 10, 30, 20),
        ('t', 'b', 500, $between 'distributed', 0.009, 1000, 0, 0, 9, 0),
        ('t', 'b', 2000, $between 'distributed', 0.02, 1000, 0, 0, 20, 0),
        ('t', 'c', 500, $between 'distributed', 0.007, 1000, 1, 2, 3, 1),
        ('t', 'c', 2000, $between 'distributed', 0.007, 1000, 1, 2, 3, 1),
        ('t', 'd', 500, $between 'distributed', NULL, 0, 0, 0, 0, 0),
        ('t', 'd', 2000, $between 'distributed', NULL, 0, 0, 0, 0, 0),
        ('t', 'c', 600, $between 'distributed', 0.9, 10, 9, 0, 0, 0)"
}
icl_bars() { # panel
    echo "$1 a: 1 4 10 5 20 15
$1 a: 4 4 20 10 30 20
$1 b: 1 4 0 0 0.9 0
$1 b: 4 4 0 0 2 0
$1 mean of all 3: 1 4 3.36667 1.73333 7.06667 5.03333
$1 mean of all 3: 4 4 6.7 3.4 10.7667 6.7"
}
columns='gpu_dispatch, icl, requests, data_other_sm, data_same_sm, line_other_sm, line_same_sm'
same "windows in cycles" "$(icl_bars 'window counted in cycles of the timed replay')" "$(figure icl_cycles \
    "icl_in_cycles_by_kernel(trace, kernel, icl_window, $columns)" "$(icl_rows ''),
    ('t', 'c', 500, 'greedy', 0.9, 10, 9, 0, 0, 0)")"
same "windows in steps and in requests" "$(icl_bars 'window counted in steps of the replay')
window counted in requests of the cluster f: 1 4 0 0 50 0
window counted in requests of the cluster t: e: 1 4 100 0 0 0
window counted in requests of the cluster u: e: 1 4 0 50 0 0
window counted in requests of the cluster mean of all 3: 1 4 33.3333 16.6667 16.6667 0" "$(figure icl_windows \
    "intra_cluster_locality_by_kernel(trace, kernel, icl_window, icl_clock, $columns)" "$(icl_rows "'time',"),
    ('t', 'e', 500, 'requests', 'distributed', 1, 9, 9, 0, 0, 0),
    ('t', 'f', 500, 'requests', 'distributed', 0.5, 8, 0, 0, 4, 0),
    ('u', 'e', 500, 'requests', 'distributed', 0.5, 8, 0, 4, 0, 0)")"
same "dispatch, in windows of 2000 cycles" "a: 3 5 50 0 0 0
a: 4 5 20 10 30 20
b: 4 5 0 0 2 0
mean of all 1: 3 5 50 0 0 0
mean of all 3: 4 5 6.7 3.4 10.7667 6.7" "$(figure icl_dispatch \
    "icl_in_cycles_by_kernel(trace, kernel, icl_window, $columns)" "$(icl_rows ''),
    ('t', 'a', 2000, 'greedy', 0.5, 4, 2, 0, 0, 0),
    ('t', 'a', 2000, 'other', 0.5, 4, 2, 0, 0, 0)")"

# ---- shares of a kernel as they are
same "funnel: behind the MSHRs, not before" "t: a: 50 25 12.5 10 4
u: a: 40 NULL NULL NULL 4" "$(figure funnel_cycles \
    'funnel_in_cycles_by_kernel(trace, kernel, share_requests, share_past_l1, share_past_mshr, share_past_l2,
    share_at_dram)' "
    ('u', 'a', 0.4, NULL, NULL, NULL, NULL), ('t', 'a', 0.5, 0.3, 0.25, 0.125, 0.1)")"

mpki='mpki_intra_warp, mpki_cross_warp_intra_block, mpki_cross_warp_cross_block, mpki_no_eviction,
    mpki_fully_associative, mpki_larger'
same "contention under LRU" "16 KB 4-way LRU t: a: 1 2 3 4 5 6
16 KB 4-way LRU u: a: 7 8 9 10 NULL NULL
48 KB 6-way LRU a: 6 5 4 3 2 1" "$(figure l1_contention \
    "l1_contention_by_kernel(trace, kernel, size_B, contention_ways, contention_replacement, $mpki)" "
    ('t', 'a', 49152, 6, 'lru', 6, 5, 4, 3, 2, 1), ('u', 'a', 16384, 4, 'lru', 7, 8, 9, 10, NULL, NULL),
    ('t', 'a', 16384, 4, 'lru', 1, 2, 3, 4, 5, 6), ('t', 'a', 16384, 4, 'fifo', 9, 9, 9, 9, 9, 9)")"

same "misses that are left: kernels with an MPKI of 50 in either L1" "16 KB 4-way LRU = 100 % a: 25 12.5
16 KB 4-way LRU = 100 % b: 100 20
48 KB 6-way LRU = 100 % a: NULL NULL
48 KB 6-way LRU = 100 % b: 50 10" "$(figure l1_what_ifs 'l1_contention_by_kernel(trace, kernel, size_B, contention_ways,
    contention_replacement, mpki, misses, misses_fully_associative, misses_larger)' "
    ('t', 'a', 16384, 4, 'lru', 50, 200, 50, 25), ('t', 'a', 49152, 6, 'lru', NULL, 0, 0, 0),
    ('t', 'b', 16384, 4, 'lru', 49, 10, 10, 2),
    ('t', 'b', 49152, 6, 'lru', 51, 100, 50, 10), ('t', 'c', 16384, 4, 'lru', 49.9, 10, 1, 1),
    ('t', 'c', 16384, 4, 'fifo', 90, 10, 1, 1)")"
