#!/usr/bin/env bash
# The numbers that figures draw from rows that are written here; the expected ones are computed by hand. The rows are
# chosen so that another baseline, a missing filter, or counting unknown values or failed launches would show, and a mean
# over kernels that lack some of the bars.
. "$(dirname "$0")/figures.sh"

# ---- bars of programs: all of their launches count, and points that lack any have no bar
same "a program's two forms: relative to shared memory on 16 KB" "c2050-16k p: 1=1 2=0.8 3=2 4=1.25
c2050-16k q: 1=1 2=0.2
c2050-16k geometric mean: 1=1 2=0.8 3=2 4=1.25
c2050-48k p: 4=5
c2050-48k geometric mean: 4=5" "$(bars mrpb_unshared 'mrpb_unshared_by_kernel(trace, gpu, mechanism_front, launches, cycles)' "
    ('p', 'c2050-16k', 'none', 1, 60), ('p', 'c2050-16k', 'none', 2, 40), ('p_unshared', 'c2050-16k', 'none', 3, 125),
    ('p', 'c2050-16k', 'mrpb', 3, 50), ('p_unshared', 'c2050-16k', 'mrpb', 3, 80), ('p_unshared', 'c2050-48k', 'mrpb', 3, 20),
    ('p', 'c2050-48k', 'mrpb', 2, 10), ('q', 'c2050-16k', 'none', 1, 90), ('q_unshared', 'c2050-16k', 'none', 1, 450),
    ('alone_unshared', 'c2050-16k', 'none', 1, 7)")"

same "two suites: halves of the buffer, relative to none" "a LRR atax: 1=2 2=1.25
a LRR syrk: 1=0.5 3=4
a LRR srad unshared: 3=3
a GTO srad unshared: 3=0.5
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
    ('a', 'gto', 'nw', 'mrpb', 'warp_id', 'set_full', 2, 9), ('a', 'lrr', 'syrk', 'warppool', 'warp_id', 'set_full', 1, 5),
    ('a', 'lrr', 'atax', 'mrpb', 'block_id', 'set_full', 3, 5), ('a', 'lrr', 'atax', 'mrpb', 'warp_id', 'all_stalls', 3, 5)")"

same "larger L1s: means of both suites and of all" "c2050-16k LRR atax: 1=4 2=0.5 3=2
c2050-16k LRR PolyBench mean: 1=4 2=0.5 3=2
c2050-16k LRR nw: 2=2
c2050-16k LRR mean of all: 1=4 2=0.5 3=2" "$(bars mrpb_l1 'mrpb_l1_by_kernel(trace, mechanism_front, l1_ways, launches, cycles)' "
    ('atax', 'none', 4, 1, 70), ('atax', 'none', 4, 2, 30), ('atax', 'mrpb', 4, 3, 25), ('atax', 'none', 64, 3, 200),
    ('atax', 'none', 5, 3, 50), ('nw', 'none', 4, 2, 8), ('nw', 'none', 64, 2, 4), ('nw', 'none', 5, 1, 2),
    ('syrk', 'none', 4, 1, 5), ('syrk', 'mrpb', 4, 2, 5), ('atax', 'none', 128, 3, 5), ('atax', 'warppool', 4, 3, 5)")"

same "the best limit of each program, relative to LRR with all warps" "a LRR atax: 1=1 2=2 3=4 4=5
a LRR gemm: 1=1 2=1
a LRR PolyBench mean: 1=1 2=2 3=4 4=5
a LRR nw: 1=1 2=2
a GTO atax: 1=0.5 2=0.8
a GTO PolyBench mean: 1=0.5 2=0.8
b LRR atax: 1=1 2=1
b LRR PolyBench mean: 1=1 2=1" "$(bars swl 'swl_by_kernel(gpu, core_swl_base, core_swl_warps, trace, mechanism_front, launches, cycles)' "
    ('a', 'lrr', 48, 'atax', 'none', 1, 70), ('a', 'lrr', 48, 'atax', 'none', 2, 30), ('a', 'lrr', 4, 'atax', 'none', 3, 50),
    ('a', 'lrr', 2, 'atax', 'none', 2, 10), ('a', 'lrr', 48, 'atax', 'mrpb', 3, 25), ('a', 'lrr', 2, 'atax', 'mrpb', 3, 20),
    ('a', 'gto', 48, 'atax', 'none', 3, 200), ('a', 'gto', 8, 'atax', 'none', 3, 125), ('b', 'lrr', 48, 'atax', 'none', 3, 7),
    ('a', 'lrr', 48, 'gemm', 'none', 1, 9), ('a', 'lrr', 48, 'nw', 'none', 1, 8), ('a', 'lrr', 1, 'nw', 'none', 1, 4),
    ('a', 'lrr', 48, 'atax', 'warppool', 3, 7), ('a', 'lrr', 2, 'atax', 'warppool', 3, 1)")"

# ---- means of ratios to a base that is found by its settings: registers of an SM, limits on warps, forms of transposition
same "registers: relative to as many, and to 16k, without ILP" "with ILP relative to as many registers without a: 1=1.25 3=2 5=1.25
with ILP relative to as many registers without b: 3=0.5 5=3
with ILP relative to as many registers without geometric mean: 1=1.25 3=2 5=1.25
relative to 16k registers without ILP a: 1=0.25 2=0.3125 3=0.5 4=1 5=1 6=1.25
relative to 16k registers without ILP b: 3=0.75 4=0.375 5=1 6=3
relative to 16k registers without ILP geometric mean: 1=0.25 2=0.3125 3=0.5 4=1 5=1 6=1.25" "$(bars ilp_registers \
    'ilp_registers_by_kernel(trace, kernel, sm_registers, mechanism_core, ilp_prediction, launches, cycles)' "
    ('t', 'a', 4096, 'none', 'none', 1, 400), ('t', 'a', 4096, 'ilp', 'none', 1, 320), ('t', 'a', 8192, 'none', 'none', 1, 200),
    ('t', 'a', 8192, 'ilp', 'none', 1, 100), ('t', 'a', 8192, 'ilp', 'static', 1, 10), ('t', 'a', 16384, 'none', 'none', 1, 100),
    ('t', 'a', 16384, 'ilp', 'none', 1, 80), ('t', 'b', 4096, 'none', 'none', 1, 8), ('t', 'b', 4096, 'ilp', 'none', 1, 5),
    ('t', 'b', 6144, 'none', 'none', 2, 90), ('t', 'b', 6144, 'ilp', 'none', 1, 9), ('t', 'b', 8192, 'none', 'none', 2, 120),
    ('t', 'b', 8192, 'ilp', 'none', 2, 240), ('t', 'b', 16384, 'none', 'none', 2, 90), ('t', 'b', 16384, 'ilp', 'none', 2, 30),
    ('t', 'c', 4096, 'ilp', 'none', 1, 7), ('t', 'c', 12288, 'none', 'none', 1, 7)")"

same "limits: the best of each kernel, with all its launches, relative to 48 warps" "a: 1=2 2=0.8 3=4
b: 1=1 2=1.5 3=1.5
d: 1=1 3=3
geometric mean: 1=1.41421 2=1.09545 3=2.44949" "$(bars warppool_swl \
    'warppool_swl_by_kernel(trace, kernel, core_swl_warps, mechanism_front, launches, cycles)' "
    ('t', 'a', 48, 'none', 2, 100), ('t', 'a', 4, 'none', 2, 50), ('t', 'a', 2, 'none', 1, 10), ('t', 'a', 48, 'warppool', 2, 125),
    ('t', 'a', 8, 'warppool', 2, 25), ('t', 'a', 1, 'warppool', 1, 5), ('t', 'b', 48, 'none', 1, 60), ('t', 'b', 16, 'none', 1, 80),
    ('t', 'b', 48, 'warppool', 1, 40), ('t', 'b', 16, 'warppool', 1, 120), ('t', 'c', 4, 'none', 1, 3), ('t', 'd', 48, 'none', 1, 9),
    ('t', 'd', 4, 'warppool', 1, 3)")"

same "transposition: relative to reading columns without WarpPool" "transpose_columns: 1=1 2=0.5
transpose_naive: 1=0.25 2=0.3
transpose_shared: 2=0.125" "$(bars warppool_transpose \
    'warppool_transpose_by_kernel(kernel, mechanism_front, launches, cycles)' "
    ('transpose_columns', 'none', 2, 200), ('transpose_columns', 'warppool', 2, 100), ('transpose_naive', 'none', 2, 50),
    ('transpose_naive', 'warppool', 2, 60), ('transpose_shared', 'none', 1, 9), ('transpose_shared', 'warppool', 2, 25)")"

# ---- bars of kernels: relative to a base with the same launches, which kernel c does not have
same "ILP: relative to one instruction in flight, on as many SMs" "30 SMs a: 1=2 2=0.5 3=4
30 SMs b: 1=0.5
30 SMs geometric mean: 1=2 2=0.5 3=4
3 SMs a: 3=2
3 SMs geometric mean: 3=2" "$(bars ilp \
    'ilp_by_kernel(trace, gpu_clusters, kernel, mechanism_core, ilp_scoreboard_entries, ilp_bypass, launch_set, cycles)' "
    ('t', 30, 'a', 'none', 8, 1, 2, 100), ('t', 30, 'a', 'ilp', 0, 1, 2, 50), ('t', 30, 'a', 'ilp', 8, 0, 2, 200),
    ('t', 30, 'a', 'ilp', 8, 1, 2, 25),
    ('t', 30, 'b', 'none', 8, 1, 1, 10), ('t', 30, 'b', 'ilp', 0, 1, 1, 20), ('t', 30, 'c', 'none', 8, 1, 2, 90),
    ('t', 30, 'c', 'ilp', 0, 1, 1, 9),
    ('t', 3, 'a', 'none', 8, 1, 2, 60), ('t', 3, 'a', 'ilp', 8, 1, 2, 30)")"

same "entries of the scoreboard" "entries a: 1=2 6=0.25
entries b: 1=0.5
entries geometric mean: 1=2 6=0.25" "$(bars ilp_entries \
    'ilp_entries_by_kernel(trace, kernel, mechanism_core, ilp_scoreboard_entries, launch_set, cycles)' "
    ('t', 'a', 'none', 0, 2, 100), ('t', 'a', 'ilp', 2, 2, 50), ('t', 'a', 'ilp', 16, 2, 400), ('t', 'a', 'ilp', 5, 2, 1),
    ('t', 'b', 'none', 0, 1, 10),
    ('t', 'b', 'ilp', 2, 1, 20), ('t', 'c', 'none', 0, 2, 90), ('t', 'c', 'ilp', 2, 1, 9)")"

gpus_rows() { # what it is that GPUs need: 100, 50, 200 and 60, 30; 10, 20; of c a part
    echo "('t', 'a', 40, 'none', 0, 2, 100.0), ('t', 'a', 36, 'ilp', 0, 2, 50.0), ('t', 'a', 38, 'ilp', 18, 2, 200.0),
        ('t', 'a', 30, 'none', 0, 2, 60.0), ('t', 'a', 30, 'ilp', 0, 2, 30.0), ('t', 'b', 40, 'none', 0, 1, 10.0),
        ('t', 'b', 36, 'ilp', 0, 1, 20.0), ('t', 'c', 40, 'none', 0, 2, 90.0), ('t', 'c', 36, 'ilp', 0, 1, 9.0)"
}
same "GPUs: relative to that without ILP, of as many SMs or of the same area" "like areas; GPU-T: 40 SMs a: 1=2 2=0.5
like areas; GPU-T: 40 SMs b: 1=0.5
like areas; GPU-T: 40 SMs geometric mean: 1=2 2=0.5
30 SMs each; those with ILP: 8k registers a: 1=2
30 SMs each; those with ILP: 8k registers geometric mean: 1=2" "$(bars ilp_gpus \
    'ilp_gpus_by_kernel(trace, kernel, gpu_clusters, mechanism_core, ilp_sms, launch_set, cycles)' "$(gpus_rows)")"
same "their energy" "like areas; GPU-T: 40 SMs a: 1=0.5 2=2
like areas; GPU-T: 40 SMs b: 1=2
like areas; GPU-T: 40 SMs geometric mean: 1=0.5 2=2
30 SMs each; those with ILP: 8k registers a: 1=0.5
30 SMs each; those with ILP: 8k registers geometric mean: 1=0.5" "$(bars ilp_energy \
    'ilp_gpus_energy(trace, kernel, gpu_clusters, mechanism_core, ilp_sms, launch_set, energy_J)' "$(gpus_rows)")"

same "prediction: at the same latency of branches" "1 cycle a: 1=2
1 cycle b: 1=0.5
1 cycle geometric mean: 1=1
8 cycles a: 1=4 3=0.5
8 cycles geometric mean: 1=4 3=0.5" "$(bars ilp_prediction \
    'ilp_prediction_by_kernel(trace, core_branch_latency, ilp_prediction, kernel, launch_set, cycles)' "
    ('t', 1, 'none', 'a', 2, 100), ('t', 1, 'static', 'a', 2, 50), ('t', 8, 'none', 'a', 2, 200), ('t', 8, 'static', 'a', 2, 50),
    ('t', 8, 'perfect', 'a', 2, 400), ('t', 1, 'none', 'b', 1, 10), ('t', 1, 'static', 'b', 1, 20), ('t', 1, 'none', 'c', 2, 90),
    ('t', 1, 'static', 'c', 1, 9)")"

same "dispatch: relative to two-level round robin, no unit" "IPC a: 2=2 3=0.25
IPC b: 2=0.125
IPC geometric mean: 2=2 3=0.25" "$(bars cta_dispatch \
    'icc_by_kernel(trace, kernel, gpu_dispatch, mechanism_cluster, launch_set, cycles)' "
    ('t', 'a', 'two_level_rr', 'none', 2, 100), ('t', 'a', 'two_level_rr', 'icc', 2, 7),
    ('t', 'a', 'greedy', 'none', 2, 50),
    ('t', 'a', 'greedy', 'icc', 2, 5), ('t', 'a', 'distributed', 'none', 2, 400),
    ('u', 'a', 'two_level_rr', 'none', 2, 3),
    ('t', 'b', 'two_level_rr', 'none', 1, 30), ('t', 'b', 'greedy', 'none', 1, 240),
    ('t', 'c', 'two_level_rr', 'none', 2, 90),
    ('t', 'c', 'greedy', 'none', 1, 9)")"

same "coalescing in clusters: relative to distributed dispatch without it" "IPC a: 1=2 2=0.5
IPC b: 1=0.125
IPC d: 2=2
IPC geometric mean: 1=2 2=0.5
network reads a: 1=4 2=0.5
network reads b: 1=NULL
network reads d: 2=8
network reads geometric mean: 1=4 2=0.5" "$(bars icc_speedup \
    'icc_by_kernel(trace, kernel, gpu_dispatch, mechanism_cluster, icc_cache_lines, launch_set, cycles, noc_reads)' "
    ('t', 'a', 'distributed', 'none', 24, 2, 100, 10), ('t', 'a', 'distributed_block', 'none', 24, 2, 50, 40),
    ('t', 'a', 'distributed', 'icc', 0, 2, 200, 5), ('t', 'a', 'two_level_rr', 'none', 24, 2, 1, 1),
    ('t', 'b', 'distributed', 'none', 24, 1, 60, 0), ('t', 'b', 'distributed_block', 'none', 24, 1, 480, 7),
    ('t', 'c', 'distributed', 'none', 24, 2, 90, 9), ('t', 'c', 'distributed_block', 'none', 24, 1, 9, 1),
    ('t', 'd', 'distributed', 'none', 24, 1, 10, 10), ('t', 'd', 'distributed', 'icc', 0, 1, 5, 80)")"

same "bandwidth: relative to flits of 64 B" "network (cycles) a: 1=0.5 3=1 5=2
network (cycles) b: 1=2 3=1
network (cycles) c: 3=1
network (cycles) geometric mean: 1=0.5 3=1 5=2" "$(bars icc_bandwidth \
    'icc_bandwidth_by_kernel(trace, kernel, noc_flit_B, launch_set, cycles)' "
    ('t', 'a', 64, 2, 100), ('t', 'a', 12, 2, 200), ('t', 'a', 136, 2, 50), ('u', 'b', 64, 1, 10), ('u', 'b', 12, 1, 5),
    ('t', 'c', 64, 2, 90), ('t', 'c', 12, 1, 9)")"

same "shapes: relative to as many clusters" "ICC a: 1=2 4=0.5
ICC b: 1=0.5
ICC geometric mean: 1=2 4=0.5
ICC and coalesced cache a: 1=4
ICC and coalesced cache geometric mean: 1=4" "$(bars icc_shapes \
    'icc_shapes_by_kernel(trace, kernel, gpu_clusters, mechanism_cluster, icc_cache_lines, launch_set, cycles)' "
    ('t', 'a', 6, 'none', 24, 2, 100), ('t', 'a', 6, 'icc', 0, 2, 50), ('t', 'a', 6, 'icc', 24, 2, 25),
    ('t', 'a', 15, 'none', 24, 2, 30), ('t', 'a', 15, 'icc', 0, 2, 60), ('t', 'a', 20, 'none', 24, 2, 1),
    ('t', 'a', 20, 'icc', 0, 2, 9), ('t', 'b', 6, 'none', 24, 1, 8),
    ('t', 'b', 6, 'icc', 0, 1, 16), ('t', 'c', 6, 'none', 24, 2, 90), ('t', 'c', 6, 'icc', 0, 1, 9)")"

same "fetch of more lines: relative to that of one" "at every read a: 1=2
at every read b: 1=0.5
at every read geometric mean: 1=1
with dueling a: 2=0.5
with dueling geometric mean: 2=0.5
2 lines otherwise a: 1=4 2=0.25
2 lines otherwise geometric mean: 1=4 2=0.25" "$(bars coarse_fetch \
    'coarse_by_kernel(trace, kernel, mechanism_fetch, coarse_lines,
    coarse_dueling, coarse_on_miss_only, coarse_grain_window, launch_set, cycles)' "
    ('t', 'a', 'none', 2, 1, 0, 64, 2, 100), ('t', 'a', 'coarse', 2, 0, 0, 64, 2, 50),
    ('t', 'a', 'coarse', 4, 1, 0, 64, 2, 200),
    ('t', 'a', 'coarse', 2, 0, 1, 64, 2, 25), ('t', 'a', 'coarse', 2, 0, 0, 0, 2, 400),
    ('u', 'b', 'none', 2, 1, 0, 64, 1, 10),
    ('u', 'b', 'coarse', 2, 0, 0, 64, 1, 20), ('t', 'b', 'none', 2, 1, 0, 64, 1, 70),
    ('t', 'c', 'none', 2, 1, 0, 64, 2, 90),
    ('t', 'c', 'coarse', 2, 0, 0, 64, 1, 9)")"

same "the buffer's choices: relative to none" "queue of an access (signature) a: 3=2
queue of an access (signature) b: 3=0.5
queue of an access (signature) geometric mean: 3=1
next queue (greedy: till empty) a: 1=2
next queue (greedy: till empty) b: 1=0.5
next queue (greedy: till empty) geometric mean: 1=1
entries of a queue no flush a: 5=2
entries of a queue no flush b: 5=0.5
entries of a queue no flush geometric mean: 5=1
bypassing alone a: 2=4
bypassing alone geometric mean: 2=4" "$(bars mrpb_design \
    'mrpb_design_by_kernel(trace, kernel, mrpb_signature, mrpb_drain, mrpb_entries, mrpb_flush, mrpb_latency, mrpb_bypass,
    launch_set, cycles)' "
    ('t', 'a', 'none', 'fixed', 8, 1, 5, 'none', 2, 100), ('t', 'a', 'warp_id', 'fixed', 0, 0, 3, 'none', 2, 50),
    ('t', 'a', 'none', 'fixed', 8, 1, 5, 'set_full', 2, 25), ('t', 'b', 'none', 'fixed', 8, 1, 5, 'none', 1, 10),
    ('t', 'b', 'warp_id', 'fixed', 0, 0, 3, 'none', 1, 20), ('t', 'c', 'none', 'fixed', 8, 1, 5, 'none', 2, 90),
    ('t', 'c', 'warp_id', 'fixed', 0, 0, 3, 'none', 1, 9)")"

same "other L1s: relative to that of the same GPU" "c2050-16k a: 1=2
c2050-16k b: 1=0.5
c2050-16k geometric mean: 1=1
c2050-48k a: 2=4
c2050-48k geometric mean: 2=4" "$(bars mrpb_what_ifs \
    'mrpb_what_ifs_by_kernel(trace, kernel, gpu, l1_ways, l1_size_B, launch_set, cycles)' "
    ('t', 'a', 'c2050-16k', 4, 16384, 2, 100), ('t', 'a', 'c2050-16k', 4, 8192, 2, 1),
    ('t', 'a', 'c2050-16k', 128, 16384, 2, 50),
    ('t', 'a', 'c2050-48k', 6, 49152, 2, 80),
    ('t', 'a', 'c2050-48k', 1024, 50331648, 2, 20), ('u', 'b', 'c2050-16k', 4, 16384, 1, 10),
    ('u', 'b', 'c2050-16k', 128, 16384, 1, 20),
    ('t', 'b', 'c2050-16k', 4, 16384, 1, 70), ('t', 'c', 'c2050-16k', 4, 16384, 2, 90),
    ('t', 'c', 'c2050-16k', 128, 16384, 1, 9)")"

same "sizes of scalar file and reuse buffer" "scalar register file a: 1=2 3=0.5
scalar register file b: 1=0.5
scalar register file geometric mean: 1=2 3=0.5
reuse buffer a: 1=4 4=0.25
reuse buffer geometric mean: 1=4 4=0.25" "$(bars scalar_sizes \
    'scalar_sizes_by_kernel(trace, kernel, mechanism_core, scalar_design,
    scalar_srf_entries, scalar_irb_entries, launch_set, cycles)' "
    ('t', 'a', 'none', 'token', 128, 8, 2, 100), ('t', 'a', 'scalar', 'srf', 16, 8, 2, 50),
    ('t', 'a', 'scalar', 'srf', 64, 8, 2, 200),
    ('t', 'a', 'scalar', 'token', 128, 0, 2, 25), ('t', 'a', 'scalar', 'token', 128, 8, 2, 400),
    ('u', 'b', 'none', 'token', 128, 8, 1, 10),
    ('u', 'b', 'scalar', 'srf', 16, 8, 1, 20), ('t', 'b', 'none', 'token', 128, 8, 1, 70),
    ('t', 'c', 'none', 'token', 128, 8, 2, 90),
    ('t', 'c', 'scalar', 'srf', 16, 8, 1, 9)")"

same "scalar instructions: relative to as many lanes" "token design 15 x 8 lanes a: 1=2 2=4 3=8
token design 15 x 8 lanes b: 1=0.5
token design 15 x 8 lanes geometric mean: 1=2 2=4 3=8
scalar file 15 x 8 lanes a: 3=0.5
scalar file 15 x 8 lanes geometric mean: 3=0.5
token design 5 x 32 lanes a: 3=0.25
token design 5 x 32 lanes geometric mean: 3=0.25" "$(bars scalar_speedup \
    'scalar_by_kernel(core_simd_width, gpu_clusters, trace, kernel,
    mechanism_core, scalar_design, scalar_convert, scalar_irb_entries, scalar_copy, scalar_checks, launch_set, cycles)' "
    (8, 15, 't', 'a', 'none', 'token', 1, 8, 'source', 0, 2, 400),
    (8, 15, 't', 'a', 'scalar', 'token', 1, 0, 'source', 0, 2, 200),
    (8, 15, 't', 'a', 'scalar', 'token', 0, 8, 'source', 0, 2, 100),
    (8, 15, 't', 'a', 'scalar', 'token', 1, 8, 'source', 0, 2, 50),
    (8, 15, 't', 'a', 'scalar', 'token', 1, 8, 'all', 0, 2, 1),
    (8, 15, 't', 'a', 'scalar', 'token', 1, 8, 'source', 1, 2, 1),
    (8, 15, 't', 'a', 'scalar', 'srf', 1, 8, 'source', 0, 2, 800),
    (32, 5, 't', 'a', 'none', 'token', 1, 8, 'source', 0, 2, 10),
    (32, 5, 't', 'a', 'scalar', 'token', 1, 8, 'source', 0, 2, 40),
    (32, 5, 't', 'a', 'scalar', 'srf', 1, 8, 'source', 0, 2, 1),
    (8, 15, 't', 'b', 'none', 'token', 1, 8, 'source', 0, 1, 10),
    (8, 15, 't', 'b', 'scalar', 'token', 1, 0, 'source', 0, 1, 20),
    (8, 15, 't', 'c', 'none', 'token', 1, 8, 'source', 0, 2, 90),
    (8, 15, 't', 'c', 'scalar', 'token', 1, 0, 'source', 0, 1, 9)")"

same "one of WarpPool's structures: relative to the published design" "coalescers a: 1=2
coalescers b: 1=0.5
coalescers geometric mean: 1=1
selection a: 2=4
selection geometric mean: 2=4" "$(bars warppool_design \
    'warppool_design_by_kernel(trace, kernel, warppool_coalescers, warppool_merges,
    warppool_inter_queues, warppool_queues, warppool_queue_entries, warppool_selection, warppool_writeback_warps,
    launch_set, cycles)' "
    ('t', 'a', 2, 4, 32, 16, 8, 'adaptive', 1, 2, 100), ('t', 'a', 1, 4, 32, 16, 8, 'adaptive', 1, 2, 50),
    ('t', 'a', 2, 4, 32, 16, 8, 'warp_id', 1, 2, 25),
    ('t', 'b', 2, 4, 32, 16, 8, 'adaptive', 1, 1, 10), ('t', 'b', 1, 4, 32, 16, 8, 'adaptive', 1, 1, 20),
    ('t', 'b', 1, 1, 32, 16, 8, 'adaptive', 1, 1, 1),
    ('t', 'c', 2, 4, 32, 16, 8, 'adaptive', 1, 2, 90), ('t', 'c', 1, 4, 32, 16, 8, 'adaptive', 1, 1, 9)")"

same "a coalescer in front of the L2, ICC, and both" "IPC a: 1=2 2=0.5 3=4
IPC b: 3=1
IPC geometric mean: 1=2 2=0.5 3=4
L2 accesses a: 1=0.5 2=1 3=0.25
L2 accesses b: 3=NULL
L2 accesses geometric mean: 1=0.5 2=1 3=0.25" "$(bars l2_coalescer \
    'l2_coalescer_by_kernel(trace, kernel, mechanism_cluster, l2_lrc_entries, launch_set, l2_accesses, cycles)' "
    ('t', 'a', 'none', 0, 2, 8, 100), ('t', 'a', 'none', 256, 2, 4, 50), ('t', 'a', 'icc', 0, 2, 8, 200),
    ('t', 'a', 'icc', 256, 2, 2, 25), ('t', 'b', 'none', 0, 1, 0, 10), ('t', 'b', 'icc', 256, 1, 0, 10),
    ('t', 'b', 'icc', 0, 3, 1, 1)")"

same "limits of memory: a larger L1, perfect memory, both" "IPC a: 1=2 2=4 3=8
IPC b: 1=1 3=4
IPC c: 1=NULL 2=3 3=5
IPC d: 1=8 2=1 3=0.5
IPC geometric mean: 1=4 2=2 3=2" "$(bars memory_limits \
    'memory_limits_speedup(trace, kernel, l1_size_B, core_perfect_memory, speedup)' "
    ('t', 'a', 32768, 0, 1), ('t', 'a', 524288, 0, 2), ('t', 'a', 32768, 1, 4), ('t', 'a', 524288, 1, 8),
    ('t', 'b', 32768, 0, 1), ('t', 'b', 524288, 0, 1), ('t', 'b', 524288, 1, 4),
    ('t', 'c', 32768, 0, 1), ('t', 'c', 524288, 0, NULL), ('t', 'c', 32768, 1, 3), ('t', 'c', 524288, 1, 5),
    ('t', 'd', 524288, 0, 8), ('t', 'd', 32768, 1, 1), ('t', 'd', 524288, 1, 0.5)")"

same "windows of DRAM's scheduler, the largest gain first" "IPC c: 1=1 2=4
IPC a: 1=1 2=2 4=1
IPC b: 1=1 2=0.5 4=NULL
IPC geometric mean: 1=1 2=2 4=1
rows opened c: 1=NULL 2=NULL
rows opened a: 1=1 2=0.5 4=2
rows opened b: 1=NULL 2=NULL 4=NULL
rows opened geometric mean: 1=1 2=0.5 4=2" "$(bars dram_windows \
    'dram_windows_by_kernel(trace, kernel, dram_scheduler, dram_queue, dram_activates, launch_set, cycles)' "
    ('t', 'a', 'fifo', 64, 10, 2, 100), ('t', 'a', 'fr_fcfs', 2, 5, 2, 50), ('t', 'a', 'fr_fcfs', 4, 20, 2, 100),
    ('t', 'b', 'fifo', 64, 0, 1, 10), ('t', 'b', 'fr_fcfs', 2, 0, 1, 20), ('t', 'b', 'fr_fcfs', 4, 0, 2, 1),
    ('t', 'c', 'fifo', 64, NULL, 1, 8), ('t', 'c', 'fr_fcfs', 2, 3, 1, 2)")"

same "WarpPool beside banks, coalescers and the buffer" "IPC relative to none a: 1=0.5 2=2 3=4 4=8 5=0.25
IPC relative to none b: 2=0.5
IPC relative to none d: 2=1
IPC relative to none geometric mean: 1=0.5 2=2 3=4 4=8 5=0.25
L1 throughput a: 1=1.5 2=2.5
L1 throughput b: 2=NULL
L1 throughput geometric mean: 1=1.5 2=2.5
misses relative to none a: 1=1 2=0.5 3=2 4=1 5=1
misses relative to none b: 2=2
misses relative to none d: 2=NULL
misses relative to none geometric mean: 1=1 2=0.5 3=2 4=1 5=1" "$(bars warppool_speedup \
    'warppool_by_kernel(trace, kernel, mechanism_front,
    core_coalescers, l1_banks, l1_misses, l1_sector_misses, l1_accesses_per_cycle, launch_set, cycles)' "
    ('t', 'a', 'none', 1, 1, 6, 4, 0.9, 2, 100), ('t', 'a', 'none', 1, 8, 7, 3, 1.5, 2, 200),
    ('t', 'a', 'warppool', 1, 1, 3, 2, 0.8, 2, 50),
    ('t', 'a', 'none', 2, 1, 20, 0, 0.7, 2, 25), ('t', 'a', 'none', 2, 8, 10, 0, 0.6, 2, 12.5),
    ('t', 'a', 'mrpb', 1, 1, 10, 0, 0.6, 2, 400),
    ('u', 'b', 'none', 1, 1, 2, 0, 0.5, 1, 10), ('u', 'b', 'warppool', 1, 1, 3, 1, 0.5, 1, 20),
    ('t', 'c', 'none', 1, 1, 9, 0, 0.5, 2, 90), ('t', 'c', 'none', 1, 8, 9, 0, 0.5, 1, 90),
    ('t', 'c', 'warppool', 1, 1, 1, 0, 0.5, 1, 9),
    ('t', 'd', 'none', 1, 1, 0, 0, 0.5, 1, 10),
    ('t', 'd', 'warppool', 1, 1, 1, 0, 0.5, 1, 10)" 'warppool_warppool_counters(trace, kernel, requests, accesses)' "
    ('t', 'a', 10, 2), ('t', 'a', 10, 6), ('u', 'b', 0, 0), ('t', 'c', 9, 1)")"

same "schedulers of cache-conscious scheduling: relative to LRR with all warps" "LRR a: 1=1 2=2 3=4 4=0.5 5=8 6=0.25
LRR b: 1=1 2=1 3=0.5
LRR geometric mean: 1=1 2=2 3=4 4=0.5 5=8 6=0.25
GTO a: 1=0.8 2=0.8
GTO geometric mean: 1=0.8 2=0.8" "$(bars ccws \
    'ccws_by_kernel(trace, kernel, core_swl_base, core_swl_warps, mechanism_core, ccws_gain, ccws_vta_sets, launches,
    cycles)' "
    ('t', 'a', 'lrr', 48, 'none', 8, 2, 2, 100), ('t', 'a', 'lrr', 4, 'none', 8, 2, 2, 50), ('t', 'a', 'lrr', 2, 'none', 8, 2, 1, 10),
    ('t', 'a', 'lrr', 48, 'ccws', 8, 2, 2, 25), ('t', 'a', 'lrr', 48, 'ccws', 1, 2, 2, 200),
    ('t', 'a', 'lrr', 48, 'ccws', 8, 32, 2, 12.5),
    ('t', 'a', 'lrr', 48, 'ccws', 1, 32, 2, 400), ('t', 'a', 'gto', 48, 'none', 8, 2, 2, 125),
    ('t', 'a', 'gto', 48, 'ccws', 8, 2, 1, 1),
    ('t', 'b', 'lrr', 48, 'none', 8, 2, 1, 60), ('t', 'b', 'lrr', 8, 'none', 8, 2, 1, 90),
    ('t', 'b', 'lrr', 48, 'ccws', 8, 2, 1, 120)")"

# ---- the reorder unit: sums of a program's instructions, then means; sums of a kernel's warps, then means
same "requests per instruction: in the listed kernels, and in all" "whole programs BFS kron: 1=4.32727 2=3.06 3=1.9375
whole programs BFS road: 1=2 2=2 3=2
whole programs BFS mean: 1=2.94186 2=2.47386 3=1.9685
whole programs SSSP kron: 1=5 2=1.66667 3=1.66667
whole programs SSSP mean: 1=5 2=1.66667 3=1.66667
whole programs PageRank collab: 1=3 2=1.5 3=1.5
whole programs PageRank road: 1=4
whole programs PageRank mean: 1=3 2=1.5 3=1.5
whole programs mean of all: 1=3.37547 2=1.97776 3=1.76422" "$(bars reorder_coalescing \
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
life of a warp PageRank collab: 1 0.6 1" "$(figure reorder_time \
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

same "the unit's traffic and time: of kernel and program" "traffic of the reordered kernel BFS kron: 1=0.5 2=0.25 3=0.25
traffic of the reordered kernel BFS collab: 1=0 2=1 3=1
traffic of the reordered kernel BFS road: 1=NULL 2=4 3=2
traffic of the reordered kernel BFS mean: 1=0.5 2=0.25 3=0.25
execution time BFS kron: 1=0.5 2=1
execution time BFS collab: 1=2 2=NULL
execution time BFS road: 1=2 2=2
execution time BFS mean: 1=1 2=1.41421" "$(bars reorder_traffic \
    'reorder_by_kernel(trace, kernel, mechanism_partition, reorder_filter, launch_set, cycles, l1_accesses, l2_accesses,
    noc_bytes_to_memory, noc_bytes_to_sm)' "
    ('bfs-kron', 'bfs_contract', 'none', 'auto', 2, 100, 10, 40, 30, 30),
    ('bfs-kron', 'bfs_contract', 'reorder', 'auto', 2, 50, 5, 10, 10, 5),
    ('bfs-kron', 'bfs_contract', 'reorder', 'none', 2, 1, 1, 1, 1, 1),
    ('bfs-kron', 'bfs_expand', 'none', 'auto', 2, 300, 1, 1, 1, 1),
    ('bfs-kron', 'bfs_expand', 'reorder', 'auto', 2, 350, 9, 9, 9, 9),
    ('bfs-road', 'bfs_contract', 'none', 'auto', 1, 10, 0, 10, 5, 5),
    ('bfs-road', 'bfs_contract', 'reorder', 'auto', 1, 20, 0, 40, 10, 10),
    ('bfs-collab', 'bfs_contract', 'none', 'auto', 1, 100, 10, 10, 5, 5),
    ('bfs-collab', 'bfs_contract', 'reorder', 'auto', 1, 200, 0, 10, 5, 5),
    ('bfs-collab', 'bfs_expand', 'none', 'auto', 2, 100, 1, 1, 1, 1),
    ('bfs-collab', 'bfs_expand', 'reorder', 'auto', 1, 1, 1, 1, 1, 1),
    ('bfs-delaunay', 'bfs_contract', 'none', 'auto', 2, 90, 9, 9, 9, 9),
    ('bfs-delaunay', 'bfs_contract', 'reorder', 'auto', 1, 9, 1, 1, 1, 1)")"

same "the unit's energy" "energy BFS kron: 1=0.5 2=1
energy BFS collab: 1=4 2=NULL
energy BFS road: 1=2 2=2
energy BFS mean: 1=1 2=1.41421
the reordered kernel by kind BFS kron: 1=0.25 2=0.5
the reordered kernel by kind BFS collab: 1=4 2=4
the reordered kernel by kind BFS road: 1=2 2=2
the reordered kernel by kind BFS mean: 1=1.25992 2=1.5874" "$(bars reorder_energy \
    'reorder_energy(trace, kernel, mechanism_partition, reorder_filter, launch_set, energy_J, static_J, dynamic_J)' "
    ('bfs-kron', 'bfs_contract', 'none', 'auto', 2, 10.0, 6.0, 4.0),
    ('bfs-kron', 'bfs_contract', 'reorder', 'auto', 2, 5.0, 3.0, 1.0),
    ('bfs-kron', 'bfs_contract', 'reorder', 'none', 2, 1.0, 1.0, 1.0),
    ('bfs-kron', 'bfs_expand', 'none', 'auto', 2, 10.0, 1.0, 1.0),
    ('bfs-kron', 'bfs_expand', 'reorder', 'auto', 2, 15.0, 1.0, 1.0),
    ('bfs-road', 'bfs_contract', 'none', 'auto', 1, 1.0, 0.5, 0.5),
    ('bfs-road', 'bfs_contract', 'reorder', 'auto', 1, 2.0, 1.0, 1.0),
    ('bfs-collab', 'bfs_contract', 'none', 'auto', 1, 1.0, 0.5, 0.5),
    ('bfs-collab', 'bfs_contract', 'reorder', 'auto', 1, 4.0, 2.0, 2.0),
    ('bfs-collab', 'bfs_expand', 'none', 'auto', 2, 1.0, 1.0, 1.0),
    ('bfs-collab', 'bfs_expand', 'reorder', 'auto', 1, 0.1, 0.1, 0.1),
    ('bfs-delaunay', 'bfs_contract', 'none', 'auto', 2, 9.0, 1.0, 1.0),
    ('bfs-delaunay', 'bfs_contract', 'reorder', 'auto', 1, 1.0, 1.0, 1.0)")"

same "the unit's sizes: time, and what is filtered" "prefetches per partition BFS: 8 0.5 0.2
prefetches per partition BFS: 16 0.25 0.3
timeout (cycles) BFS: 256 2 0.4
entries of the hash BFS: 1024 2 0.4
partitions BFS: 2 3 0.5
partitions BFS: 4 0.5 0.2" "$(figure reorder_design \
    'reorder_design_by_kernel(trace, kernel, mechanism_partition, dram_channels, reorder_hash_sets,
    reorder_timeout, reorder_prefetches, launch_set, cycles)' "
    ('k', 'bfs_contract', 'none', 4, 1024, 256, 8, 2, 100), ('k', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 2, 50),
    ('k', 'bfs_contract', 'reorder', 4, 1024, 256, 16, 2, 25), ('r', 'bfs_contract', 'none', 4, 1024, 256, 8, 1, 10),
    ('r', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 1, 80), ('k', 'bfs_contract', 'none', 2, 1024, 256, 8, 2, 200),
    ('k', 'bfs_contract', 'reorder', 2, 1024, 256, 8, 2, 600), ('d', 'bfs_contract', 'none', 4, 1024, 256, 8, 2, 90),
    ('d', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 1, 9)" \
    'reorder_design_reorder_counters(trace, kernel, mechanism_partition, dram_channels, reorder_hash_sets,
    reorder_timeout,
    reorder_prefetches, filtered, elements)' "
    ('k', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 1, 10), ('k', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 5, 20),
    ('k', 'bfs_contract', 'reorder', 4, 1024, 256, 16, 3, 10), ('r', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 6, 10),
    ('k', 'bfs_contract', 'reorder', 2, 1024, 256, 8, 5, 10), ('d', 'bfs_contract', 'reorder', 4, 1024, 256, 8, 1, 1)")"

# ---- counters: ratios of sums
same "merge table: sums over the launches that have all sizes" "merged 48 entries: 1=25 3=15
merged or cached 48 entries: 1=25 3=20" "$(bars icc_sizes \
    'icc_sizes_icc_counters(trace, launch, icc_merge_entries, icc_cache_lines, reads, merged, cached)' "
    ('a', 1, 48, 0, 100, 10, 0), ('b', 1, 48, 0, 300, 90, 0), ('a', 1, 48, 24, 100, 10, 10), ('b', 1, 48, 24, 300, 50, 10),
    ('a', 1, 48, 32, 400, 60, 20), ('a', 1, 0, 24, 100, 0, 50), ('b', 2, 48, 0, 900, 900, 0), ('c', 1, 48, 24, 9, 0, 9)")"

same "accuracy: sums over launches, of which no bar lacks one; a mean of kernels with both predictions" \
    "a: 1=0.75 2=0.5
c: 1=0.25
d: 1=0.5
mean: 1=0.75 2=0.5" "$(bars ilp_accuracy \
    'ilp_prediction_ilp_counters(trace, launch, kernel, core_branch_latency, ilp_prediction, mispredicted, branches,
    divergent)' "
    ('t', 1, 'a', 8, 'static', 2, 6, 2), ('t', 3, 'a', 8, 'static', 2, 14, 2), ('t', 1, 'a', 8, 'gshare', 3, 6, 2),
    ('t', 3, 'a', 8, 'gshare', 1, 6, 2), ('t', 5, 'a', 1, 'static', 9, 10, 0),
    ('t', 1, 'a', 8, 'perfect', 0, 10, 2), ('t', 2, 'b', 8, 'static', 0, 5, 5), ('t', 4, 'c', 8, 'static', 3, 4, 0),
    ('t', 6, 'd', 8, 'static', 1, 4, 0), ('t', 7, 'd', 8, 'static', 3, 4, 0), ('t', 6, 'd', 8, 'gshare', 0, 4, 0),
    ('t', 8, 'e', 8, 'static', 1, 4, 0), ('t', 9, 'e', 8, 'gshare', 3, 4, 0)")"

# ---- energy: as shares of the base's energy
same "components: relative to distributed dispatch" "energy and energy-delay product (diamonds) a: 1 0.5 0.6 0.8 0.9 1 1
energy and energy-delay product (diamonds) a: 2 1 1.2 1.4 1.6 2 0.5
energy and energy-delay product (diamonds) b: 1 0.5 0.75 1 1 1 1
energy and energy-delay product (diamonds) b: 2 0.25 0.25 0.5 0.5 0.5 0.25
energy and energy-delay product (diamonds) c: 1 1 1 1 1 1 1
energy and energy-delay product (diamonds) mean: 1 0.5 0.675 0.9 0.95 1 1
energy and energy-delay product (diamonds) mean: 2 0.625 0.725 0.95 1.05 1.25 0.375" "$(figure energy_breakdown \
    'icc_energy(trace, kernel, gpu_dispatch, mechanism_cluster, icc_cache_lines, launch_set, energy_J, l1_J, noc_J,
    l2_J, dram_J, edp_Js)' "
    ('t', 'a', 'distributed', 'none', 24, 2, 10.0, 1, 2, 1, 1, 100.0),
    ('t', 'a', 'distributed_block', 'none', 24, 2, 20.0, 2, 2, 2, 4, 50.0),
    ('t', 'b', 'distributed', 'none', 24, 1, 4.0, 1, 1, 0, 0, 8.0),
    ('t', 'b', 'distributed_block', 'none', 24, 1, 2.0, 0, 1, 0, 0, 2.0),
    ('t', 'c', 'distributed', 'none', 24, 2, 9.0, 0, 0, 0, 0, 9.0),
    ('t', 'c', 'distributed_block', 'none', 24, 1, 1.0, 0, 0, 0, 0, 1.0)")"

columns='scalar_energy(core_simd_width, trace, kernel, mechanism_core, scalar_design, scalar_convert,
    scalar_irb_entries, scalar_copy, scalar_checks, launch_set, dynamic_J, static_J)'
rows="(8, 't', 'a', 'none', 'token', 1, 8, 'source', 0, 2, 4.0, 10.0),
    (8, 't', 'a', 'scalar', 'token', 1, 8, 'source', 0, 2, 2.0, 5.0),
    (8, 't', 'a', 'scalar', 'token', 1, 8, 'source', 1, 2, 2.5, 9.0),
    (8, 't', 'a', 'scalar', 'srf', 1, 8, 'source', 0, 2, 8.0, 10.0),
    (8, 't', 'a', 'scalar', 'token', 1, 0, 'source', 0, 2, 1.0, 1.0),
    (8, 't', 'a', 'scalar', 'token', 0, 8, 'source', 0, 2, 1.0, 1.0),
    (8, 't', 'a', 'scalar', 'token', 1, 8, 'all', 0, 2, 1.0, 1.0),
    (16, 't', 'a', 'none', 'token', 1, 8, 'source', 0, 2, 1.0, 1.0),
    (16, 't', 'a', 'scalar', 'token', 1, 8, 'source', 0, 2, 7.0, 7.0),
    (8, 't', 'b', 'none', 'token', 1, 8, 'source', 0, 1, 1.0, 1.0),
    (8, 't', 'b', 'scalar', 'token', 1, 8, 'source', 0, 1, 2.0, 2.0),
    (8, 't', 'b', 'scalar', 'token', 1, 8, 'source', 1, 1, 3.0, 2.0),
    (8, 't', 'c', 'none', 'token', 1, 8, 'source', 0, 2, 9.0, 9.0),
    (8, 't', 'c', 'scalar', 'token', 1, 8, 'source', 0, 1, 1.0, 1.0),
    (8, 't', 'c', 'scalar', 'token', 1, 8, 'source', 1, 2, 9.0, 9.0)"
same "scalar instructions, by kind" "dynamic energy a: 1=0.5 2=2
dynamic energy b: 1=2
dynamic energy geometric mean: 1=0.5 2=2
static energy a: 1=0.5 2=1
static energy b: 1=2
static energy geometric mean: 1=0.5 2=1" "$(bars scalar_dynamic "$columns" "$rows")"
same "checks: percent of dynamic energy" "a: 1=25
b: 1=50
mean: 1=37.5" "$(bars scalar_checks "$columns" "$rows")"

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

same "lines of all launches, of one trace of a name; what waits with one coalescer and one bank" "lines per memory instruction a: 1=9
lines per memory instruction b: 1=NULL
lines per memory instruction c: 1=NULL
memory instructions waiting in an SM a: 1=3.5
memory instructions waiting in an SM b: 1=0.5
memory instructions waiting in an SM c: 1=1.5
time in which one waits (% of that with warps) a: 1=92.5
time in which one waits (% of that with warps) b: 1=25
time in which one waits (% of that with warps) c: 1=50" "$(bars memory_waiting 'trace(id, name)' "(1, 't'), (2, 'u'), (3, 't')" \
    'kernel(id, trace, launch, short_name, requests, memory_instructions)' "(1, 1, 1, 'a', 32, 1), (2, 1, 2, 'a', 4, 3),
    (3, 1, 3, 'a', 99, 1), (4, 2, 1, 'a', 100, 1), (5, 1, 4, 'b', 0, 0), (6, 3, 1, 'a', 7, 1), (7, 1, 5, 'c', 8, 1),
    (8, 3, 5, 'c', 4, 1)" \
    'point(id, kernel)' "(11, 1), (12, 2), (13, 3), (14, 4), (15, 5), (16, 6), (17, 7), (18, 8)" \
    'sweep_point(point)' "(11), (12), (13), (14), (15), (17), (18)" \
    'warppool(trace, launch)' "('t', 1), ('t', 2), ('t', 4), ('t', 5)" \
    'warppool_by_kernel(trace, kernel, mechanism_front, core_coalescers, l1_banks, memory_waiting_per_sm,
    memory_waiting_share)' "
    ('t', 'a', 'none', 1, 1, 3.5, 0.925), ('t', 'a', 'none', 1, 8, 7, 0.1), ('t', 'a', 'none', 2, 1, 7, 0.1),
    ('t', 'a', 'mrpb', 1, 1, 7, 0.1), ('t', 'a', 'warppool', 1, 1, 7, 0.1), ('t', 'b', 'none', 1, 1, 0.5, 0.25),
    ('t', 'c', 'none', 1, 1, 1.5, 0.5)")"

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
icl_bars() { # panel, how many kernels read, lines of further kernels
    echo "$1 a: 1 4 10 5 20 15
$1 a: 4 4 20 10 30 20
$1 b: 1 4 0 0 0.9 0
$1 b: 4 4 0 0 2 0${3:+
$3}
$1 mean of 3 of $2: 1 4 3.36667 1.73333 7.06667 5.03333
$1 mean of 3 of $2: 4 4 6.7 3.4 10.7667 6.7"
}
columns='gpu_dispatch, icl, requests, data_other_sm, data_same_sm, line_other_sm, line_same_sm'
same "windows in cycles" "$(icl_bars 'window counted in cycles of the timed replay' 3)" "$(figure icl_cycles \
    "icl_in_cycles_by_kernel(trace, kernel, icl_window, $columns)" "$(icl_rows ''),
    ('t', 'c', 500, 'greedy', 0.9, 10, 9, 0, 0, 0)")"
same "windows in steps and in requests" "$(icl_bars 'window counted in steps of the replay' 6)
$(icl_bars 'window counted in requests of the cluster' 6 'window counted in requests of the cluster f: 1 4 0 0 50 0
window counted in requests of the cluster t: e: 1 4 100 0 0 0
window counted in requests of the cluster u: e: 1 4 0 50 0 0')" "$(figure icl_windows \
    "intra_cluster_locality_by_kernel(trace, kernel, icl_window, icl_clock, $columns)" "$(icl_rows "'time',"), $(icl_rows "'requests',"),
    ('t', 'e', 500, 'requests', 'distributed', 1, 9, 9, 0, 0, 0),
    ('t', 'f', 500, 'requests', 'distributed', 0.5, 8, 0, 0, 4, 0),
    ('u', 'e', 500, 'requests', 'distributed', 0.5, 8, 0, 4, 0, 0)")"
same "dispatch, in windows of 2000 cycles" "a: 3 5 50 0 0 0
a: 4 5 20 10 30 20
b: 4 5 0 0 2 0
mean of 1 of 3: 3 5 50 0 0 0
mean of 1 of 3: 4 5 20 10 30 20" "$(figure icl_dispatch \
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
48 KB 6-way LRU t: a: 6 5 4 3 2 1" "$(figure l1_contention \
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
finished
