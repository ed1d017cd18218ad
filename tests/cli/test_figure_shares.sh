#!/usr/bin/env bash
# The numbers that figures draw from rows that are written here, as in test_figure_values.sh: shares and curves of
# kernels as they are, times of warps, ratios that views have computed, and programs in pairs. A kernel's trace is named
# beside it where another trace has a kernel of that name, too: a.
. "$(dirname "$0")/figures.sh"

# ---- shares of a kernel
same "classes of instructions" "t: a: 40 10 5 20 10 15 75 25
b: 50 0 0 30 15 5 100 NULL
u: a: 25 25 12.5 12.5 12.5 12.5 50 12.5" "$(figure instruction_mix \
    'mix_by_kernel(trace, kernel, int_share, fp_share, sfu_share, tensor_share, mem_share, branch_share, barrier_share,
    exit_share, other_share, simd_efficiency, branch_divergence)' "
    ('u', 'a', 0.25, 0.25, 0, 0.125, 0.125, 0.125, 0, 0.0625, 0.0625, 0.5, 0.125),
    ('t', 'b', 0.5, 0, 0, 0, 0.3, 0.15, 0, 0.05, 0, 1, NULL),
    ('t', 'a', 0.4, 0.1, 0.02, 0.03, 0.2, 0.1, 0.01, 0.04, 0.1, 0.75, 0.25)")"

same "mapping patterns" "t: a: 50 25 12.5 10 2.5
b: NULL NULL NULL NULL NULL
u: a: 0 10 20 30 40" "$(figure mapping_patterns \
    'mapping_patterns_by_kernel(trace, kernel, single_share, broadcast_share, consecutive_share, range_share,
    other_share)' "
    ('u', 'a', 0, 0.1, 0.2, 0.3, 0.4), ('t', 'b', NULL, NULL, NULL, NULL, NULL),
    ('t', 'a', 0.5, 0.25, 0.125, 0.1, 0.025)")"

columns='request_funnel_by_kernel(trace, kernel, funnel_ops, funnel_sets, share_requests, share_past_l1, share_past_l2,
    share_at_dram)'
same "funnel: 64 sets, all accesses and loads, four stages if any is known" \
    "all global and local accesses t: a: 40 30 NULL NULL 4
all global and local accesses u: a: 50 25 12.5 6.25 4
loads t: a: 20 10 NULL NULL 4
loads b: 100 50 NULL NULL 4" "$(figure request_funnel "$columns" "
    ('u', 'b', 'loads', 64, 1, 0.5, NULL, NULL), ('u', 'a', 'all', 64, 0.5, 0.25, 0.125, 0.0625),
    ('t', 'a', 'loads', 64, 0.2, 0.1, NULL, NULL), ('u', 'a', 'loads', 128, 0.9, 0.8, NULL, NULL),
    ('t', 'a', 'all', 64, 0.4, 0.3, NULL, NULL)")"
same "the title's sets are the query's" \
    "$(grep -o 'funnel_sets = [0-9]*' plots/request_funnel.sql | tr -cd 0-9) sets" \
    "$(sed -n '1s/.*with an L1 of //p' plots/request_funnel.sql)"
same "two stages otherwise" "loads a: 20 10 NULL NULL 2" "$(figure request_funnel "$columns" "
    ('t', 'a', 'loads', 64, 0.2, 0.1, NULL, NULL), ('t', 'a', 'loads', 128, 0.2, 0.1, 0.1, 0.1)")"

same "what an SM of the first GPU gives, and what limits CTAs" "one: registers (32768) b (1): 50 1 0
one: registers (32768) t: a (3): 75 3 1
one: registers (32768) u: a (8): 25 8 0
one: threads (1536) b (1): 25 1 0
one: threads (1536) t: a (3): 50 3 0
one: threads (1536) u: a (8): 100 8 1
one: shared memory (48 KB) b (1): 100 1 1
one: shared memory (48 KB) t: a (3): 0 3 0
one: shared memory (48 KB) u: a (8): 25 8 1" "$(figure spatial \
    'occupancy(gpu, registers_available, threads_available, shared_available)' \
    "('two', 1, 1, 1), ('one', 32768, 1536, 49152), ('one', 32768, 1536, 49152)" \
    'occupancy_by_kernel(trace, kernel, ctas_per_sm, gpu, registers_allocated, registers_available,
    threads_allocated, threads_available, shared_allocated, shared_available, limited_by)' "
    ('u', 'a', 8, 'one', 16384, 65536, 3072, 3072, 24576, 98304, 'threads, shared'),
    ('t', 'a', 3, 'one', 24576, 32768, 768, 1536, 0, 49152, 'registers'),
    ('t', 'b', 1, 'one', 16384, 32768, 384, 1536, 49152, 49152, 'shared'),
    ('u', 'b', 2, 'two', 1, 1, 1, 1, 1, 1, 'registers, threads, shared')")"

same "uniform instructions: by values and tokens, buffers of 2 to 16; a mean of what is known" \
    "redundant operations b: NULL NULL NULL NULL 70 NULL NULL NULL
redundant operations t: a: 25 50 60 40 10 30 45 55
redundant operations u: a: 16 2 NULL 10 NULL NULL 5 NULL
redundant operations geometric mean: 20 10 60 20 26.4575 30 15 55" "$(figure uniform \
    'uniform_vectors_by_kernel(trace, kernel, uniform_detector, uniform_irb_entries, intra_share, inter_share,
    combined_share, reuse_ratio)' "
    ('t', 'a', 'value', 8, 0.25, 0.5, 0.6, 0.45), ('t', 'a', 'value', 2, 0.9, 0.9, 0.9, 0.1),
    ('t', 'a', 'value', 4, 0.9, 0.9, 0.9, 0.3), ('t', 'a', 'value', 16, 0.9, 0.9, 0.9, 0.55),
    ('t', 'a', 'token', 8, 0.4, 0.95, 0.95, 0.95), ('t', 'a', 'token', 16, 0.95, 0.95, 0.95, 0.95),
    ('t', 'a', 'token', 2, 0.95, 0.95, 0.95, 0.95), ('t', 'a', 'token', 4, 0.95, 0.95, 0.95, 0.95),
    ('u', 'a', 'value', 8, 0.16, 0.02, NULL, 0.05), ('u', 'a', 'token', 8, 0.1, 0.9, 0.9, 0.9),
    ('t', 'b', 'value', 2, 0.9, 0.9, 0.9, 0.7)")"

same "a mean without bars of 0 says so" "redundant operations geometric mean above 0: 25 50 NULL NULL NULL NULL 20 NULL" \
    "$(figure uniform 'uniform_vectors_by_kernel(trace, kernel, uniform_detector, uniform_irb_entries, intra_share,
    inter_share, combined_share, reuse_ratio)' "
    ('t', 'a', 'value', 8, 0.25, 0.5, NULL, 0.2), ('t', 'b', 'value', 8, 0.25, 0, NULL, 0.2)" | tail -1)"

# ---- curves of a kernel
same "sizes of the L1: groups of up to eight, the largest difference first" "0 u: a: 8 90 95
0 u: a: 16 20 30
0 b: 16 50 50
0 b: 32 10 15
0 t: a: 8 50 60
0 t: a: 32 30 50
0 c: 16 40 45
0 e: 16 1 1
1 f: 16 2 2
1 g: 16 3 3
1 h: 16 4 4
1 d: 16 NULL NULL" "$(figure l1_sizes 'l1_sizes_by_kernel(trace, kernel, l1_size_B, l1_miss_rate, l1_pending_rate)' "
    ('t', 'a', 32768, 0.3, 0.2), ('t', 'a', 8192, 0.5, 0.1), ('u', 'a', 8192, 0.9, 0.05), ('u', 'a', 16384, 0.2, 0.1),
    ('t', 'b', 16384, 0.5, 0), ('t', 'b', 32768, 0.1, 0.05), ('t', 'h', 16384, 0.04, 0), ('t', 'g', 16384, 0.03, 0),
    ('t', 'f', 16384, 0.02, 0), ('t', 'e', 16384, 0.01, 0), ('t', 'd', 16384, NULL, NULL),
    ('t', 'c', 16384, 0.4, 0.05)")"

for name in locality_heat locality_surface; do
    same "$name" "t: a L(w n): 3 6 0.75
t: a L(w n): 0 7 0.25
t: a L(w n): 2 7 0.5
b L(w n): 1 6 1
u: a L(w n): 0 NULL NULL" "$(figure $name \
        'locality_surface_by_kernel(trace, kernel, locality_window, locality_neighbourhood_B, locality)' "
        ('u', 'a', 1, 64, NULL), ('t', 'b', 2, 64, 1), ('t', 'a', 4, 128, 0.5), ('t', 'a', 1, 128, 0.25),
        ('t', 'a', 8, 64, 0.75)")"
done

same "LRU caches: of an SM, a CTA, a warp, the kernel" "t: a a cache per SM: 0.5=10 1=20
t: a per CTA: 0.5=30
t: a per warp: 0.5=40
t: a one for the kernel: 0.5=50
b a cache per SM: 16=NULL
u: a a cache per SM: 1=70" "$(bars lru_capacity \
    'lru_capacity_by_kernel(trace, kernel, stack_distance_level, stack_distance_ways, capacity_B, hit_ratio)' "
    ('u', 'a', 'sm', 8, 1024, 0.7), ('t', 'b', 'sm', 128, 16384, NULL), ('t', 'a', 'kernel', 4, 512, 0.5),
    ('t', 'a', 'warp', 4, 512, 0.4), ('t', 'a', 'cta', 4, 512, 0.3), ('t', 'a', 'sm', 8, 1024, 0.2),
    ('t', 'a', 'sm', 4, 512, 0.1)")"

columns='window_reduction_by_kernel(trace, kernel, sm_scheduler, window_scope, window_kind, window_size, remaining)'
rows="('u', 'a', 'gto', 'sm', 'fifo', 8, 0.7), ('t', 'b', 'gto', 'sm', 'fifo', 8, NULL),
    ('t', 'a', 'gto', 'warp', 'fifo', 8, 0.6),
    ('t', 'a', 'gto', 'cta', 'fifo', 8, 0.5), ('t', 'a', 'gto', 'sm', 'sliding', 8, 0.4),
    ('t', 'a', 'gto', 'sm', 'fifo', 16, 0.3),
    ('t', 'a', 'gto', 'sm', 'fifo', 8, 0.2), ('t', 'a', 'lrr', 'sm', 'fifo', 8, 0.1),
    ('t', 'a', 'lrr', 'cta', 'fifo', 8, 0.9),
    ('u', 'b', 'lrr', 'cta', 'fifo', 8, 0.95), ('u', 'c', 'lrr', 'sm', 'fifo', 8, 0.15),
    ('u', 'd', 'gto', 'cluster', 'fifo', 8, 0.25), ('u', 'd', 'gto', 'warp', 'fifo', 8, 1),
    ('t', 'd', 'lrr', 'sm', 'fifo', 8, 1)"
same "windows under GTO, by scope" "t: a per SM fifo: 8=20 16=30
t: a per SM sliding: 8=40
t: a per CTA fifo: 8=50
t: a per warp fifo: 8=60
b per SM fifo: 8=NULL
u: a per SM fifo: 8=70
d per cluster fifo: 8=25
d per warp fifo: 8=100" "$(bars window_reduction "$columns" "$rows")"
same "windows of an SM, by scheduler" "t: a GTO fifo: 8=20 16=30
t: a GTO sliding: 8=40
t: a LRR fifo: 8=10
b GTO fifo: 8=NULL
d LRR fifo: 8=100
u: a GTO fifo: 8=70
c LRR fifo: 8=15" "$(bars window_scheduler "$columns" "$rows")"

# ---- times of warps, and what happens over time; a trace's name is left out where its kernels begin with it
same "the first 100 periods with a warp, or after one" "spmv_1 launch 1 period: 24750 25000 2 0.5 0.25
t: at launch 1 period: 0 250 1 0 0.5
t: at launch 1 period: 250 500 0 1 2
t: at launch 2 period: 5000 5100 1.5 NULL NULL
t: at launch 2 period: 14900 15000 0 1 1" "$(figure timeline \
    'over_time_timeline_period(trace, kernel, launch, cycle, cycles, memory_waiting_per_sm, l1_stalled,
    arithmetic_instructions, sm_cycles, warp_cycles)' "
    ('t', 'at', 2, 5100, 100, 1.5, NULL, 3, 0, 7), ('t', 'at', 1, 500, 250, 0, 1, 800, 400, 7),
    ('t', 'at', 1, 250, 250, 1, 0, 200, 400, 7), ('t', 'at', 1, 25001, 250, 9, 9, 9, 9, 7),
    ('t', 'at', 2, 5000, 100, 0, 0, 0, 1, 0), ('t', 'at', 2, 15000, 100, 0, 1, 1, 1, 0),
    ('t', 'at', 2, 15100, 100, 0, 1, 1, 1, 7),
    ('spmv', 'spmv_1', 1, 25000, 250, 2, 0.5, 100, 400, 0)")"

warp_rows() { # what stands before the numbers of a row: 25, 50, 75, a quarter even; all even; 10, 20, 30
    echo "('u', 'a', $1 0, NULL, 0, 2, 2), ('t', 'b', $1 0.1, 0.2, 0.3, 0, 8), ('t', 'a', $1 0.25, 0.5, 0.75, 1, 4)"
}
divergence='ratio of temporal resource underutilization (%)'
divergence="$divergence t: a: 25 50 75 25
$divergence b: 10 20 30 0
$divergence u: a: 0 NULL 0 100"
columns='rtru_mean, rtru_geomean, rtru_max, ctas_even, ctas'
same "divergence of warps in instructions, from points of one bin" "$divergence" "$(figure rtru \
    "warp_divergence_by_kernel(trace, kernel, rtru_bin, $columns)" "$(warp_rows '500,'),
    ('u', 'b', 50, 0.9, 0.9, 0.9, 1, 1)")"
same "and in cycles" "$divergence" "$(figure rtru_cycles "warp_lifetimes_by_kernel(trace, kernel,
    $columns)" "$(warp_rows '')")"

same "the CTA of each kernel, of the first launch where it diverges most, also an even one beside others" \
    "at warp: 0 0 100 100 2 3 0.4
at warp: 1 0 20 100 2 3 0.4
spmv: b warp: 0 10 90 80 1 0 0.25
spmv: b warp: 1 10 50 80 1 0 0.25
t: b warp: 0 0 8 8 2 1 0.25
t: b warp: 1 0 4 8 2 1 0.25
chosen warp: 0 0 7 7 1 4 0
chosen warp: 1 0 7 7 1 4 0" "$(figure rtru_gantt \
    'warp_divergence(trace, kernel, rtru_max)' "
    ('t', 'b', 0.25), ('t', 'at', 0.4), ('t', 'at', 0.25), ('spmv', 'b', 0.25), ('u', 'even', 0), ('u', 'chosen', 0.5),
    ('u', 'none', 0.5)" \
    'warp_divergence_rtru_warp(rtru_bin, trace, kernel, launch, cta, warp, start_time, end_time)' "
    (500, 't', 'b', 2, 1, 1, 0, 4), (500, 't', 'b', 2, 1, 0, 0, 8), (500, 't', 'at', 3, 5, 0, 0, 10),
    (500, 't', 'at', 3, 5, 1, 0, 2), (500, 't', 'at', 1, 0, 0, 0, 100), (500, 't', 'at', 1, 0, 1, 0, 50),
    (500, 't', 'at', 2, 3, 1, 0, 20), (500, 't', 'at', 2, 3, 0, 0, 100), (500, 'spmv', 'b', 1, 0, 0, 10, 90),
    (500, 'spmv', 'b', 1, 0, 1, 10, 50), (500, 'u', 'even', 1, 0, 0, 0, 7), (500, 'u', 'even', 1, 0, 1, 0, 7),
    (500, 'u', 'chosen', 1, 4, 0, 0, 7), (500, 'u', 'chosen', 1, 4, 1, 0, 7), (500, 'u', 'none', 1, 4, 1, 0, 0),
    (5, 'u', 'even', 1, 0, 1, 0, 1)")"

same "in cycles from the CTA's start, with misses, where a hundredth is lost" \
    "at warp: 0 0 100 100 2 3 0.4 5
at warp: 1 10 30 100 2 3 0.4 NULL
spmv_1 warp: 0 0 100 100 1 0 0.01 1
spmv_1 warp: 1 0 98 100 1 0 0.01 2" "$(figure warp_misses \
    'warp_lifetimes(trace, kernel, rtru_max)' "('t', 'at', 0.4), ('spmv', 'spmv_1', 0.01), ('t', 'b', 0.005)" \
    'warp_lifetimes_rtru_warp(trace, kernel, launch, cta, warp, start_time, end_time, l1_mpki)' "
    ('t', 'at', 3, 5, 0, 0, 10, 7), ('t', 'at', 3, 5, 1, 0, 2, 7), ('t', 'at', 1, 0, 0, 0, 100, 7),
    ('t', 'at', 1, 0, 1, 0, 50, 7), ('t', 'at', 2, 3, 1, 1010, 1030, NULL), ('t', 'at', 2, 3, 0, 1000, 1100, 5),
    ('spmv', 'spmv_1', 1, 0, 1, 50, 148, 2), ('spmv', 'spmv_1', 1, 0, 0, 50, 150, 1), ('t', 'b', 2, 0, 0, 0, 1000, 3),
    ('t', 'b', 2, 0, 1, 0, 990, 3)")"

same "warps by instructions: bins as wide as fit, of what was measured with them" "spmv_1 (bins of 500) warps: 0 500 80
spmv_1 (bins of 500) warps: 4000 4500 20
t: a (bins of 5) warps: 0 5 75
t: a (bins of 5) warps: 5 10 25
t: b (bins of 50) warps: 350 400 50
t: b (bins of 50) warps: 400 450 50
t: c (bins of 5) warps: 0 5 75
t: c (bins of 5) warps: 395 400 25
u: out (bins of 50) warps: 0 50 50
u: out (bins of 50) warps: 3950 4000 50" "$(figure rtru_histogram \
    'warp_divergence_rtru_histogram(trace, kernel, rtru_bin, more_than, up_to, warps)' "
    ('t', 'a', 5, 5, 10, 1), ('t', 'a', 5, 0, 5, 1), ('t', 'a', 5, 0, 5, 2), ('t', 'a', 50, 0, 50, 4),
    ('t', 'b', 5, 395, 400, 1), ('t', 'b', 5, 400, 405, 1), ('t', 'b', 5, 0, 5, 2), ('t', 'b', 50, 350, 400, 1),
    ('t', 'b', 50, 400, 450, 1), ('t', 'b', 500, 0, 500, 4), ('t', 'c', 5, 395, 400, 1), ('t', 'c', 5, 0, 5, 3),
    ('t', 'c', 50, 350, 400, 1), ('spmv', 'spmv_1', 5, 4000, 4005, 1), ('spmv', 'spmv_1', 5, 0, 5, 4),
    ('spmv', 'spmv_1', 50, 0, 50, 4), ('spmv', 'spmv_1', 500, 4000, 4500, 1), ('spmv', 'spmv_1', 500, 0, 500, 4),
    ('u', 'out', 5, 3995, 4000, 1), ('u', 'out', 5, 0, 5, 1), ('u', 'out', 50, 3950, 4000, 1),
    ('u', 'out', 50, 0, 50, 1),
    ('u', 'out', 500, 0, 500, 1), ('u', 'a', 5, 5, 10, 9), ('u', 'a', 50, 0, 50, 9)")"

# ---- ratios that views have computed: NULL where a point lacks launches, which no mean counts
same "memory-side mechanisms: means of the kernels with all of them, of how many" \
    "IPC a: 1=2 2=0.5 3=4 4=0.5 5=0.25 6=1
IPC b: 1=0.5 2=8 3=1 4=2 5=4 6=4
IPC c: 1=8
IPC d: 2=NULL
IPC f: 2=2
IPC mean divergent: 1=1 2=2 3=2 4=1 5=1 6=2
IPC mean of 2 of 6: 1=1 2=2 3=2 4=1 5=1 6=2
L1 misses per instruction a: 1=0.5 2=2 3=1 4=1 5=2 6=1
L1 misses per instruction b: 1=NULL 2=NULL 3=NULL 4=NULL 5=NULL 6=NULL
L1 misses per instruction c: 1=2
L1 misses per instruction d: 2=NULL
L1 misses per instruction f: 2=2
L1 misses per instruction mean divergent: 1=0.5 2=2 3=1 4=1 5=2 6=1
L1 misses per instruction mean of 2 of 6: 1=0.5 2=2 3=1 4=1 5=2 6=1
L1 accesses per cycle a: 1=4 2=1 3=1 4=1 5=2 6=1
L1 accesses per cycle b: 1=1 2=4 3=1 4=1 5=2 6=1
L1 accesses per cycle c: 1=2
L1 accesses per cycle d: 2=NULL
L1 accesses per cycle f: 2=2
L1 accesses per cycle mean divergent: 1=2 2=2 3=1 4=1 5=2 6=1
L1 accesses per cycle mean of 2 of 6: 1=2 2=2 3=1 4=1 5=2 6=1
network requests a: 1=1 2=4 3=1 4=1 5=2 6=1
network requests b: 1=16 2=1 3=1 4=1 5=2 6=4
network requests c: 1=0.5
network requests d: 2=NULL
network requests f: 2=0.5
network requests mean divergent: 1=4 2=2 3=1 4=1 5=2 6=2
network requests mean of 2 of 6: 1=4 2=2 3=1 4=1 5=2 6=2" "$(bars speedup \
    'memory_mechanisms_speedup(trace, kernel, kernel_class, mechanism_front, mechanism_fetch, mechanism_cluster, sm_scheduler,
    l1_bank_by, speedup, mpki_ratio, l1_throughput_ratio, noc_requests_ratio)' "
    ('t', 'f', 'not memory-limited', 'warppool', 'none', 'none', 'gto', 'sector', 2, 2, 2, 0.5),
    ('t', 'd', 'bandwidth-limited', 'warppool', 'none', 'none', 'gto', 'sector', NULL, NULL, NULL, NULL),
    ('t', 'c', 'cache-limited', 'mrpb', 'none', 'none', 'gto', 'sector', 8, 2, 2, 0.5),
    ('t', 'b', 'divergent', 'mrpb', 'none', 'none', 'gto', 'sector', 0.5, NULL, 1, 16),
    ('t', 'b', 'divergent', 'warppool', 'none', 'none', 'gto', 'sector', 8, NULL, 4, 1),
    ('t', 'b', 'divergent', 'none', 'coarse', 'none', 'gto', 'sector', 1, NULL, 1, 1),
    ('t', 'b', 'divergent', 'none', 'none', 'icc', 'gto', 'sector', 2, NULL, 1, 1),
    ('t', 'b', 'divergent', 'none', 'none', 'none', 'swl', 'sector', 4, NULL, 2, 2),
    ('t', 'b', 'divergent', 'none', 'none', 'none', 'gto', 'set', 4, NULL, 1, 4),
    ('t', 'a', 'divergent', 'warppool', 'none', 'none', 'gto', 'sector', 0.5, 2, 1, 4),
    ('t', 'a', 'divergent', 'mrpb', 'none', 'none', 'gto', 'sector', 2, 0.5, 4, 1),
    ('t', 'a', 'divergent', 'none', 'coarse', 'none', 'gto', 'sector', 4, 1, 1, 1),
    ('t', 'a', 'divergent', 'none', 'none', 'icc', 'gto', 'sector', 0.5, 1, 1, 1),
    ('t', 'a', 'divergent', 'none', 'none', 'none', 'swl', 'sector', 0.25, 2, 2, 2),
    ('t', 'a', 'divergent', 'none', 'none', 'none', 'gto', 'set', 1, 1, 1, 1),
    ('t', 'a', 'divergent', 'none', 'none', 'none', 'gto', 'sector', 9, 9, 9, 9),
    ('t', 'a', 'divergent', 'mrpb', 'coarse', 'none', 'gto', 'sector', 9, 9, 9, 9),
    ('t', 'a', 'divergent', 'mrpb', 'none', 'icc', 'gto', 'sector', 9, 9, 9, 9),
    ('t', 'a', 'divergent', 'mrpb', 'none', 'none', 'swl', 'sector', 9, 9, 9, 9),
    ('t', 'a', 'divergent', 'mrpb', 'none', 'none', 'gto', 'set', 9, 9, 9, 9),
    ('t', 'e', NULL, 'mrpb', 'none', 'none', 'gto', 'sector', NULL, NULL, NULL, NULL)")"

same "gain and cost in bytes, beside dependences by registers, of what has all kernels" "cache-limited none: 0 1 1
divergent 8 banks + 2 coalescers: NULL 4 NULL
divergent SWL 12: 0 2 1
divergent reorder small: 100 1.5 1
divergent warpman + scalar + coarse: 200 1.25 0
divergent reorder: 800 3 1
divergent reorder + 2 coalescers: 900 2 0
all mrpb + icc: 50 1.5 0" "$(figure pareto \
    'all_mechanisms_pareto(kernels, kernel_class, mechanism_dispatch, mechanism_core, mechanism_front, mechanism_fetch,
    mechanism_cluster, mechanism_partition, l1_bank_by, l1_banks, core_coalescers, sm_scheduler, core_swl_warps,
    reorder_hash_sets, core_dependences, cost_bits_per_sm, speedup, on_front)' "
    (4, 'all', 'none', 'none', 'mrpb', 'none', 'icc', 'none', 'sector', 1, 1, 'gto', 4, 1024, 'registers', 400, 1.5, 0),
    (4, 'divergent', 'none', 'none', 'none', 'none', 'none', 'reorder', 'sector', 1, 1, 'gto', 4, 1024, 'registers',
    6400, 3, 1),
    (4, 'divergent', 'none', 'none', 'none', 'none', 'none', 'reorder', 'sector', 1, 2, 'gto', 4, 1024, 'registers',
    7200, 2, 0),
    (4, 'divergent', 'none', 'none', 'none', 'none', 'none', 'reorder', 'sector', 1, 1, 'gto', 4, 64, 'registers', 800,
    1.5, 1),
    (4, 'divergent', 'warpman', 'scalar', 'none', 'coarse', 'none', 'none', 'sector', 1, 1, 'gto', 4, 1024, 'registers',
    1600,
    1.25, 0),
    (4, 'divergent', 'none', 'none', 'none', 'none', 'none', 'none', 'set', 8, 2, 'gto', 4, 1024, 'registers', NULL, 4,
    NULL),
    (4, 'divergent', 'none', 'none', 'none', 'none', 'none', 'none', 'sector', 1, 1, 'swl', 12, 1024, 'registers', 0, 2,
    1),
    (4, 'divergent', 'none', 'ilp', 'none', 'none', 'none', 'none', 'sector', 1, 1, 'gto', 4, 1024, 'one_in_flight', 8,
    9, 1),
    (3, 'divergent', 'none', 'none', 'none', 'none', 'none', 'none', 'sector', 1, 1, 'swl', 8, 1024, 'registers', 0, 5,
    NULL),
    (4, 'cache-limited', 'none', 'none', 'none', 'none', 'none', 'none', 'sector', 8, 1, 'gto', 4, 64, 'registers', 0, 1,
    1)")"

same "warp-level dispatch: its four forms, by scheduler" "round robin a: 1=2 2=4 3=0.5 4=8
round robin b: 1=0.5 2=NULL
round robin geometric mean: 1=2 2=4 3=0.5 4=8
two-level scheduler a: 1=0.25
two-level scheduler geometric mean: 1=0.25" "$(bars warpman_speedup \
    'warpman_speedup(trace, kernel, sm_scheduler, mechanism_dispatch, warpman_spatial, warpman_threshold, speedup)' "
    ('t', 'b', 'lrr', 'warpman', 'off', 0, 0.5), ('t', 'b', 'lrr', 'warpman', 'on', 0, NULL),
    ('t', 'a', 'lrr', 'warpman', 'on', 36, 8),
    ('t', 'a', 'lrr', 'warpman', 'dueling', 0, 0.5), ('t', 'a', 'lrr', 'warpman', 'on', 0, 4),
    ('t', 'a', 'lrr', 'warpman', 'off', 0, 2),
    ('t', 'a', 'lrr', 'none', 'off', 0, 1), ('t', 'a', 'lrr', 'warpman', 'dueling', 36, 9),
    ('t', 'a', 'two_level', 'warpman', 'off', 0, 0.25)")"

same "its energy under round robin" "round robin a: 1=0.5 2=4 3=0.25 4=8
round robin b: 1=1.5 2=NULL
round robin mean: 1=0.5 2=4 3=0.25 4=8" "$(bars warpman_energy \
    'warpman_energy(trace, kernel, sm_scheduler, mechanism_dispatch, warpman_spatial, warpman_threshold, energy_ratio)' "
    ('t', 'b', 'lrr', 'warpman', 'off', 0, 1.5), ('t', 'b', 'lrr', 'warpman', 'on', 0, NULL),
    ('t', 'a', 'lrr', 'warpman', 'on', 36, 8),
    ('t', 'a', 'lrr', 'warpman', 'dueling', 0, 0.25), ('t', 'a', 'lrr', 'warpman', 'on', 0, 4),
    ('t', 'a', 'lrr', 'warpman', 'off', 0, 0.5),
    ('t', 'a', 'lrr', 'none', 'off', 0, 1), ('t', 'a', 'lrr', 'warpman', 'dueling', 36, 9),
    ('t', 'a', 'two_level', 'warpman', 'off', 0, 9)")"

same "sizes: registers at 32 lanes, lanes at 8,192 registers" "by registers of an SM a: 1=2 2=4 3=8
by registers of an SM b: 1=0.5 2=NULL
by registers of an SM geometric mean: 1=2 2=4 3=8
by SIMD width a: 1=0.5 2=0.25 3=4
by SIMD width b: 3=NULL
by SIMD width geometric mean: 1=0.5 2=0.25 3=4" "$(bars warpman_sizes \
    'warpman_sizes_speedup(trace, kernel, mechanism_dispatch, sm_registers, core_simd_width, speedup)' "
    ('t', 'b', 'warpman', 4096, 32, 0.5), ('t', 'b', 'warpman', 8192, 32, NULL), ('t', 'a', 'warpman', 16384, 32, 8),
    ('t', 'a', 'warpman', 8192, 32, 4), ('t', 'a', 'warpman', 4096, 32, 2), ('t', 'a', 'warpman', 8192, 16, 0.25),
    ('t', 'a', 'warpman', 32768, 32, 9), ('t', 'a', 'warpman', 8192, 64, 9),
    ('t', 'a', 'warpman', 8192, 8, 0.5), ('t', 'a', 'none', 4096, 32, 9), ('t', 'a', 'none', 8192, 8, 9)")"

panel='RTRU geomean of CTAs above 0 (%)'
same "the bound of its speedup; nothing is lost where all CTAs are even" "$panel a: 1=50 2=30
$panel b: 1=0
$panel c: 1=NULL
$panel mean: 1=50 2=30
speedup under round robin a: 1=2 2=4
speedup under round robin b: 1=1 2=1
speedup under round robin c: 1=NULL
speedup under round robin mean: 1=1.41421 2=2" "$(bars warpman_rtru \
    'warpman_rtru_by_kernel(trace, kernel, sm_scheduler, ctas, ctas_even, rtru_geomean, rtru_weighted)' "
    ('t', 'c', 'lrr', 2, 0, NULL, NULL), ('t', 'b', 'lrr', 2, 2, NULL, 0.0), ('t', 'a', 'two_level', 4, 0, 0.3, 0.2),
    ('t', 'a', 'lrr', 4, 1, 0.5, 0.5)" \
    'warpman_speedup(trace, kernel, sm_scheduler, mechanism_dispatch, warpman_spatial, speedup)' "
    ('t', 'a', 'lrr', 'warpman', 'off', 4), ('t', 'b', 'lrr', 'warpman', 'off', 1), ('t', 'a', 'two_level', 'warpman', 'off', 9),
    ('t', 'a', 'lrr', 'none', 'off', 9), ('t', 'a', 'lrr', 'warpman', 'on', 9)")"

same "energy of scalar instructions: executed, reused, both" "token design a: 1=0.5 2=0.25 3=2
token design b: 1=2 2=NULL
token design geometric mean: 1=0.5 2=0.25 3=2
scalar register file a: 3=4
scalar register file geometric mean: 3=4" "$(bars scalar_energy \
    'scalar_energy(trace, kernel, mechanism_core, scalar_design, scalar_convert, scalar_irb_entries, scalar_copy,
    scalar_checks,
    core_simd_width, energy_ratio)' "
    ('t', 'b', 'scalar', 'token', 1, 0, 'source', 0, 8, 2), ('t', 'b', 'scalar', 'token', 0, 8, 'source', 0, 8, NULL),
    ('t', 'a', 'scalar', 'srf', 1, 8, 'source', 0, 8, 4), ('t', 'a', 'scalar', 'token', 1, 8, 'source', 0, 8, 2),
    ('t', 'a', 'scalar', 'token', 0, 8, 'source', 0, 8, 0.25), ('t', 'a', 'scalar', 'token', 1, 0, 'source', 0, 8, 0.5),
    ('t', 'a', 'none', 'token', 1, 8, 'source', 0, 8, 9), ('t', 'a', 'scalar', 'token', 1, 8, 'any', 0, 8, 9),
    ('t', 'a', 'scalar', 'token', 1, 8, 'source', 1, 8, 9), ('t', 'a', 'scalar', 'token', 1, 8, 'source', 0, 16, 9)")"

# ---- counters of scalar instructions: ratios of sums over launches, of the token design with both and 8 lanes
settings='core_simd_width, scalar_design, scalar_convert, scalar_irb_entries, scalar_copy, scalar_checks'
others() { # trace and kernel, value: rows of settings of which one is another
    local setting
    for setting in "16, 'token', 1, 8, 'source', 0" "8, 'srf', 1, 8, 'source', 0" "8, 'token', 0, 8, 'source', 0" \
        "8, 'token', 1, 0, 'source', 0" "8, 'token', 1, 8, 'source', 1"; do
        echo ", ($1, $setting, $2)"
    done
}
same "copies, in front of some divergent writes and of any" "a: 1=2 2=2.5
b: 1=5" "$(bars scalar_copies "scalar_by_kernel(mechanism_core, trace, kernel, $settings, launches, warp_instructions)" "
    ('scalar', 'u', 'b', 8, 'token', 1, 8, 'source', 0, 2, 100), ('scalar', 'u', 'b', 8, 'token', 1, 8, 'any', 0, 1, 1),
    ('scalar', 't', 'a', 8, 'token', 1, 8, 'any', 0, 2, 400), ('scalar', 't', 'a', 8, 'token', 1, 8, 'source', 0, 2, 200),
    ('none', 't', 'a', 8, 'token', 1, 8, 'source', 0, 3, 1)
    $(others "'scalar', 't', 'a'" '3, 1')" \
    "scalar_scalar_counters(trace, kernel, $settings, copies)" "
    ('t', 'a', 8, 'token', 1, 8, 'source', 0, 1), ('t', 'a', 8, 'token', 1, 8, 'source', 0, 3),
    ('t', 'a', 8, 'token', 1, 8, 'any', 0, 10), ('u', 'b', 8, 'token', 1, 8, 'source', 0, 5),
    ('u', 'b', 8, 'token', 1, 8, 'any', 0, 5),
    ('u', 'a', 8, 'token', 1, 8, 'source', 0, 100),
    ('t', 'b', 8, 'token', 1, 8, 'source', 0, 7) $(others "'t', 'a'" 77)")"

columns='protected_operations, alu_operations, protected_cycles, live_cycles'
same "what is protected, in all launches of the kernel: a mean of the kernels that have both" "ALU operations a: 1=20 2=50
ALU operations b: 1=40
ALU operations c: 1=25
ALU operations mean: 1=20 2=50
live registers over time a: 1=10 2=50
live registers over time b: 1=NULL
live registers over time c: 1=75
live registers over time mean: 1=10 2=50" "$(bars scalar_coverage \
    "scalar_scalar_counters(trace, kernel, launch, $settings, $columns)" "
    ('t', 'b', 2, 8, 'token', 1, 8, 'source', 0, 4, 10, 0, 0),
    ('t', 'a', 1, 8, 'token', 1, 8, 'source', 0, 1, 10, 5, 150),
    ('t', 'a', 3, 8, 'token', 1, 8, 'source', 0, 5, 20, 15, 50),
    ('t', 'a', 1, 8, 'srf', 1, 8, 'source', 0, 2, 5, 20, 40), ('t', 'a', 3, 8, 'srf', 1, 8, 'source', 0, 3, 5, 30, 60),
    ('t', 'c', 4, 8, 'token', 1, 8, 'source', 0, 2, 5, 1, 2), ('t', 'c', 5, 8, 'token', 1, 8, 'source', 0, 3, 15, 2, 2),
    ('t', 'c', 5, 8, 'srf', 1, 8, 'source', 0, 4, 5, 1, 1),
    ('t', 'a', 7, 8, 'token', 1, 8, 'any', 0, 9, 9, 9, 9) $(others "'t', 'a', 7" '9, 9, 9, 9' | grep -v srf)")"

# ---- points that lack launches have no bar
same "the reorder unit: as published, and with all launches of the kernel" "BFS: bfs_contract kron: 8 4 NULL
SSSP: sssp_compaction kron: 10 NULL 2
SSSP: sssp_compaction road: 10 5 3
PageRank: pr_contract collab: 6 NULL 2
PageRank: pr_contract delaunay: 7 1 NULL" "$(figure reorder_unit \
    'reorder_unit_by_kernel(trace, kernel, launches, iru_filter, filter, iru_hash_sets, iru_timeout, iru_partitions,
    divergence_before, divergence_after)' "
    ('bfs_push-kron', 'bfs_contract', 2, 'none', 'none', 1024, 256, 4, 8, 4),
    ('bfs_push-kron', 'bfs_contract', 2, 'auto', 'none', 1024, 256, 4, 8, 4),
    ('bfs_push-kron', 'bfs_expand', 2, 'none', 'none', 1024, 256, 4, 9, 9),
    ('sssp-road', 'sssp_compaction', 2, 'none', 'none', 1024, 256, 4, 10, 5),
    ('sssp-road', 'sssp_compaction', 2, 'auto', 'min', 1024, 256, 4, 10, 3),
    ('sssp-road', 'sssp_compaction', 2, 'auto', 'min', 64, 256, 4, 99, 99),
    ('sssp-road', 'sssp_compaction', 2, 'auto', 'min', 1024, 16, 4, 99, 99),
    ('sssp-road', 'sssp_compaction', 2, 'auto', 'min', 1024, 256, 1, 99, 99),
    ('sssp-kron', 'sssp_compaction', 1, 'none', 'none', 1024, 256, 4, 20, 1),
    ('sssp-kron', 'sssp_compaction', 2, 'auto', 'min', 1024, 256, 4, 10, 2),
    ('pagerank-collab', 'pr_contract', 1, 'auto', 'fadd', 1024, 256, 4, 6, 2),
    ('pagerank-delaunay', 'pr_contract', 2, 'none', 'none', 1024, 256, 4, 7, 1),
    ('pagerank-delaunay', 'pr_contract', 1, 'auto', 'fadd', 1024, 256, 4, 9, 3),
    ('pagerank-cond', 'pr_contract', 1, 'none', 'none', 1024, 256, 4, 9, 9)")"

same "pairs: IPC of sums over launches, relative to that alone, of few threads on GPU-I, of many on GPU-T" \
    "40 36 20 + 18 SMs p+q: 1=0.625 2=0.5 3=1
40 36 20 + 18 SMs v+w: 1=2.5 2=2
40 36 20 + 18 SMs geometric mean: 1=0.625 2=0.5 3=1
30 SMs; ILP: 8k registers p+q: 1=0.75 2=0.625
30 SMs; ILP: 8k registers geometric mean: 1=0.75 2=0.625" "$(bars ilp_pairs \
    'ilp_pairs_timed_program(trace, gpu, program, warp_instructions, cycles, alone_warp_instructions, alone_cycles)' "
    ('p+q', 'xi-gpu-t', 1, 90, 30, 9, 1), ('p+q', 'xi-gpu-t', 1, 10, 70, 9, 1),
    ('p+q', 'xi-gpu-t', 2, 300, 100, 400, 100),
    ('p+q', 'xi-gpu-i', 1, 100, 80, 150, 25), ('p+q', 'xi-gpu-i', 1, 50, 20, 50, 75),
    ('p+q', 'xi-gpu-i', 2, 100, 100, 9, 1),
    ('p+q', 'xi-gpu-h', 1, 200, 90, 9, 1), ('p+q', 'xi-gpu-h', 1, 100, 10, 9, 1),
    ('p+q', 'xi-gpu-h', 2, 200, 100, 9, 1),
    ('p+q', 'gtx280-ilp', 1, 2, 1, 9, 1), ('p+q', 'gtx280-ilp', 1, 2, 1, 9, 1), ('p+q', 'gtx280-ilp', 2, 1, 1, 1, 1),
    ('p+q', 'xi-gpu-i30', 1, 4, 1, 4, 1), ('p+q', 'xi-gpu-i30', 1, 4, 1, 4, 1), ('p+q', 'xi-gpu-i30', 2, 1, 4, 9, 1),
    ('p+q', 'xi-gpu-h30', 1, 9, 1, 9, 1), ('p+q', 'xi-gpu-h30', 2, 9, 1, 9, 1),
    ('v+w', 'xi-gpu-t', 1, 2, 1, 9, 1), ('v+w', 'xi-gpu-t', 2, 3, 1, 1, 1), ('v+w', 'xi-gpu-i', 1, 2, 1, 1, 1),
    ('v+w', 'xi-gpu-i', 2, 2, 1, 9, 1), ('v+w', 'xi-gpu-h', 1, 2, 1, 1, 1),
    ('r+s', 'xi-gpu-t', 1, 1, 1, 1, 1), ('r+s', 'xi-gpu-t', 2, 1, 1, 1, 1), ('r+s', 'xi-gpu-i', 1, 1, 1, 1, 1),
    ('r+s', 'xi-gpu-i', 2, 1, 1, 1, 1), ('r+s', 'xi-gpu-i', 2, 1, 1, 1, 1),
    ('p+q', 'other', 1, 1, 1, 9, 1), ('p+q', 'other', 1, 1, 1, 9, 1), ('p+q', 'other', 2, 1, 1, 9, 1),
    ('x+y', 'xi-gpu-i', 1, 1, 1, 1, 1), ('x+y', 'xi-gpu-i', 2, 1, 1, 1, 1)")"

same "their energy, relative to GPU-T" "36 20 + 18 SMs against 40 p+q: 1=0.5 2=2
36 20 + 18 SMs against 40 v+w: 1=2 2=0.5
36 20 + 18 SMs against 40 geometric mean: 1=1 2=1
30 SMs; ILP: 8k registers p+q: 1=2
30 SMs; ILP: 8k registers geometric mean: 1=2" "$(bars ilp_pairs_energy \
    'ilp_pairs_once_energy(trace, gpu, launch_set, energy_J)' "
    ('p+q', 'xi-gpu-t', 3, 10.0), ('p+q', 'xi-gpu-i', 3, 5.0), ('p+q', 'xi-gpu-h', 3, 20.0),
    ('p+q', 'gtx280-ilp', 3, 4.0), ('p+q', 'other', 3, 7.0),
    ('p+q', 'xi-gpu-i30', 3, 8.0), ('p+q', 'xi-gpu-h30', 2, 1.0), ('v+w', 'xi-gpu-t', 1, 8.0),
    ('v+w', 'xi-gpu-i', 1, 16.0),
    ('v+w', 'xi-gpu-h', 1, 4.0), ('r+s', 'xi-gpu-t', 2, 3.0), ('r+s', 'xi-gpu-i', 3, 9.0)")"
finished
